#include <peal/play/engine.h>

#include <cmath>
#include <cstdio>
#include <vector>

// Writes what the engine makes of a fixed scene to stdout (float32, both ears by turns), for
// web/test/engine.test.mjs, which asks the WebAssembly module for the same.
int main() {
  using namespace peal::play;
  constexpr int count = 200;
  std::vector<peal::base::Mode> modes, changed;
  std::vector<float> struck;
  std::vector<std::complex<float>> left, right;
  for (int i = 0; i < count; ++i) {
    modes.push_back({40.0 + 95.0 * i, 1.0 + 0.3 * i});
    changed.push_back({1.1 * modes.back().frequency, 2.0 * modes.back().decay_rate});
    struck.push_back(static_cast<float>((i * 7 % 11) - 5));
    left.emplace_back(static_cast<float>(i % 5), static_cast<float>(i % 3));
    right.emplace_back(static_cast<float>(i % 4), static_cast<float>(2 - i % 7));
  }
  Engine engine({48000});
  PlayedBody& body = *engine.body(engine.add_body(modes));
  engine.set_volume(50.0, 0);
  body.set_ear(0, left, 0.0, 0);
  body.set_ear(1, right, 0.0003, 0);
  std::vector<float> a(block_size), b(block_size), both(2 * block_size);
  for (int block = 0; block < 1500; ++block) {
    if (block == 5) body.strike(700.25, 0.0007, 0.01, struck);
    if (block == 100) body.strike(0.0, 0.00004, 0.02, struck);
    if (block == 200) body.set_ear(0, right, 0.0005, 512);
    if (block == 300) body.set_modes(changed, 2400);
    if (block == 400) body.scrape(2, struck, 0.05, 900.0, 4000.0, 512);
    if (block == 600) body.scrape(2, struck, 0.0, 900.0, 4000.0, 512);
    if (block == 700) body.hold(struck, 0.5);
    engine.process(block_size, std::array<float*, ears>{a.data(), b.data()});
    for (std::size_t n = 0; n < a.size(); ++n) both[2 * n] = a[n], both[2 * n + 1] = b[n];
    std::fwrite(both.data(), sizeof(float), both.size(), stdout);
  }
}

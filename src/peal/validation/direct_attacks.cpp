#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/fft.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <string>
#include <vector>

/// Struck bodies as points in free air ("direct"), against the mean over directions of waves.
namespace peal::validation {

namespace {

struct StruckBody {
  const char* name;
  const char* looks;  ///< its shape and material
  const char* at;     ///< where it is struck [m]
  const char* along;  ///< in which direction
};

constexpr StruckBody struck_bodies[] = {
    {"steel plate 150 x 120 x 3 mm",
     R"("shape": {"box": {"size": [0.15, 0.003, 0.12], "edge_length": 0.02}}, "material": "steel")",
     "[0.05, 0.0015, 0.035]", "[0, -1, 0]"},
    {"steel bar 200 x 25 x 6 mm",
     R"("shape": {"box": {"size": [0.2, 0.006, 0.025], "edge_length": 0.02}}, "material": "steel")",
     "[0.08, 0.003, 0.006]", "[0, -1, 0]"},
    {"porcelain mug",
     R"("shape": {"lathe": {"profile": [[0, 0.003], [0.026, 0.003], [0.028, 0], [0.032, 0],
        [0.036, 0.006], [0.041, 0.03], [0.041, 0.094], [0.0395, 0.0955], [0.038, 0.094],
        [0.0375, 0.03], [0.033, 0.009], [0, 0.008]], "edge_length": 0.005}},
        "material": "porcelain")",
     "[-0.041, 0.09, 0]", "[1, 0, 0]"},
};

constexpr double highest_mode = 4500.0, highest_compared = 4200.0;  // [Hz]
constexpr int direction_number = 24;                                ///< directions
constexpr double struck_after = 0.001, listener_distance = 1.0;     // [s], [m]

/// At 1 m in directions that are spread evenly (a golden spiral).
std::string ring_of_listeners() {
  std::string result;
  for (int i = 0; i < direction_number; ++i) {
    const double y = 1.0 - (2.0 * i + 1.0) / direction_number;
    const double angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0)), r = std::sqrt(1.0 - y * y);
    result += fmt::format(R"({}{{"name": "l{}", "mono": {{"position": [{}, {}, {}]}}}})",
                          i == 0 ? "" : ", ", i, listener_distance * r * std::cos(angle),
                          listener_distance * y, listener_distance * r * std::sin(angle));
  }
  return result;
}

/// Energies of the first sound and of the ringing after it, in the mean over all listeners [Pa^2
/// s].
struct Heard {
  double attack = 0.0, ring = 0.0;
};

/// The energy of samples up to a frequency.
double energy_below(std::span<const float> samples, double rate) {
  std::vector<double> padded(8192, 0.0);
  std::ranges::copy(samples, padded.begin());
  std::vector<std::complex<double>> spectrum(padded.size() / 2 + 1);
  util::RealFft(padded.size()).forward(padded, spectrum);
  double sum = 0.0;
  for (std::size_t k = 0; k < spectrum.size(); ++k)
    if (static_cast<double>(k) * rate / static_cast<double>(padded.size()) < highest_compared)
      sum += std::norm(spectrum[k]);
  return 2.0 * sum / static_cast<double>(padded.size()) / rate;
}

Heard hear_body(const StruckBody& body, double contact_time, const char* radiation) {
  const std::string text = fmt::format(
      R"({{"peal": 1, "duration": 0.025, "radiation": {},
          "objects": [{{"name": "body", {}, "sound": [{{"modal": {{"max_frequency": {}}}}}],
            "strikes": [{{"t": {}, "at": {}, "force": {{"impulse": 0.01, "contact_time": {},
              "direction": {}}}}}]}}],
          "listeners": [{}]}})",
      radiation, body.looks, highest_mode, struck_after, body.at, contact_time, body.along,
      ring_of_listeners());
  util::Silent silent;
  const render::Sound sound = render::render(scene::parse_scene(text, body.name, "."), silent);
  Heard heard;
  for (const render::ListenerAudio& listener : sound.listeners) {
    const std::vector<float>& samples = listener.audio.channels.at(0);
    const auto rate = static_cast<double>(listener.audio.rate.hz);
    const auto part = [&](double begin, double end) {
      const double arrival = struck_after + listener_distance / 343.2;
      const auto first = static_cast<std::size_t>((arrival + begin) * rate);
      const auto last = std::min(samples.size(), static_cast<std::size_t>((arrival + end) * rate));
      return energy_below(std::span(samples).subspan(first, last - first), rate) / direction_number;
    };
    // The body begins nearer than its middle.
    heard.attack += part(-4e-4, contact_time + 5e-4);
    heard.ring += part(contact_time + 3e-3, 0.02);
  }
  return heard;
}

Outcome run_direct_attacks() {
  Outcome outcome;
  for (const StruckBody& body : struck_bodies) {
    for (const double contact_time : {1e-3, 1e-4}) {
      const Heard point = hear_body(body, contact_time, R"({"model": "direct"})");
      const Heard waves = hear_body(
          body, contact_time,
          fmt::format(R"({{"model": "wave", "max_frequency": {}}})", highest_mode).c_str());
      const auto claim = [&](const char* what, double ours, double theirs) {
        outcome.claims.push_back(
            {fmt::format("{}, {:g} ms: {}", body.name, 1e3 * contact_time, what), "dB", 0.0,
             10.0 * std::log10(ours / theirs), 2.0});
      };
      claim("attack", point.attack, waves.attack);
      claim("ring", point.ring, waves.ring);
    }
  }
  outcome.remarks =
      "Attack: the time of contact and 0.5 ms more; ring: from 3 ms after the contact to 20 ms.";
  return outcome;
}

}  // namespace

Entry direct_attacks() {
  return {.key = "direct-attacks",
          .title = "Struck bodies as points, against waves in the mean over directions",
          .source = "The wave solver",
          .method =
              "Modes up to 4.5 kHz, struck softly (1 ms) and hard (0.1 ms), by \"direct\" and by "
              "\"wave\"; energies up to 4.2 kHz at 24 listeners 1 m away.",
          .run = run_direct_attacks,
          .cost = Cost::slow};
}

}  // namespace peal::validation

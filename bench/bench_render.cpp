#include <peal/render/render.h>
#include <peal/sounds/point.h>
#include <peal/util/fractional_delay.h>
#include <peal/util/parallel.h>
#include <peal/util/random.h>

#include <cmath>
#include <string>

#include "bench/report.h"

/// `direct`: 100 moving sources for 10 s to stereo, on one thread, beside the bare kernel that it
/// cannot do without (a band-limited read of two signals at a fractional place for each delayed
/// sample) and beside two threads.
namespace {

using namespace peal;

constexpr int sources = 100;
constexpr double duration = 10.0;  ///< [s]

/// Each source crosses the scene on its own line with its own tone.
scene::Scene busy_scene() {
  scene::Scene scene;
  scene.duration = duration;
  for (int i = 0; i < sources; ++i) {
    const auto random = [&](int what) { return util::random_uniform(1, what, i); };
    scene::AnimatedTransform transform;
    transform.translation = {
        .times = {0.0, duration},
        .values = {{-60.0 * random(0) - 10.0, 1.0, -1.0 - 10.0 * random(1)},
                   {60.0 * random(2) + 10.0, 1.0 + random(3), -1.0 - 10.0 * random(4)}}};
    scene.objects.push_back(
        {.name = "source-" + std::to_string(i),
         .path = {{transform}},
         .sounds = {sounds::make_sound(sounds::PointSound{
             .signal = scene::ToneSound{.frequency = 100.0 + 40.0 * i}, .pressure_at_1m = 0.1})}});
  }
  scene.listeners.push_back({.name = "main", .kind = scene::Listener::Kind::stereo});
  return scene;
}

/// The reads alone, at places as a moving source needs them; returns their sum so that they are
/// not optimised away.
double bare_reads(std::int64_t count) {
  std::vector<float> samples(48000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(std::sin(0.1 * static_cast<double>(i)));
  }
  const util::DelayLine strength(samples, 0), flow(samples, 0);
  const util::FractionalDelay delay;
  double sum = 0.0, position = 100.0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto [s, f] = delay.read(strength, flow, position);
    sum += static_cast<double>(s + f);
    position = position > 47000.0 ? 100.0 : position + 1.02;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("render", argc, argv);
  const scene::Scene scene = busy_scene();
  util::Silent silent;
  const auto render_with = [&](int threads) {
    const util::ThreadLimit limit(threads);
    return bench::time_of([&] { render::render(scene, silent); });
  };
  const bench::Seconds one = render_with(1), two = render_with(2);
  const auto reads = static_cast<std::int64_t>(sources * 2 * duration * 48000);
  volatile double keep = 0.0;
  const bench::Seconds bare = bench::time_of([&] { keep = bare_reads(reads); });

  const std::string name = "100 moving sources, 10 s, stereo";
  report.add(name, "one thread", one.wall, "s");
  report.add_at_most(name, "one thread / real time", one.wall / duration, "1", 1.0);
  report.add_at_most(name, "one thread / bare reads", one.cpu / bare.cpu, "1", 6.0);
  report.add(name, "bare reads", bare.cpu, "s");
  report.add_at_most(name, "two threads / one thread", two.wall / one.wall, "1", 0.6);
  return report.finish();
}

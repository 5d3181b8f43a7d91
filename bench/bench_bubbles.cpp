// Bubbles: how many ring in real time on one core, alone and coupled.
#include <peal/bubbles/play.h>
#include <peal/bubbles/plume.h>
#include <peal/util/parallel.h>

#include <bench/report.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace peal::bench {
namespace {

constexpr std::int64_t rate_hz = 48000;

/// Oscillators that ring for the whole time: large bubbles in a liquid that hardly damps them.
bubbles::PlaySettings settings(double duration, bool coupled) {
  bubbles::PlaySettings how{.coupled = coupled};
  how.oscillators.range = {0, static_cast<std::int64_t>(duration * rate_hz)};
  how.chains.liquid.thermal_diffusivity = 1e-9;
  how.chains.liquid.speed_of_sound = 1e7;
  return how;
}

/// Bubbles in a ball of a radius, below the surface, all born within the first tenth of the time.
base::BubblePopulation cloud(int count, double radius, double duration) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  base::BubblePopulation population;
  for (int i = 0; i < count; ++i) {
    const double distance = radius * std::cbrt(uniform(random));
    const double cosine = 2.0 * uniform(random) - 1.0;
    const double angle = 2.0 * std::numbers::pi * uniform(random);
    const double sine = std::sqrt(1.0 - cosine * cosine);
    population.tracks.push_back({.id = i,
                                 .samples = {{.time = 0.1 * duration * i / count,
                                              .position = {distance * sine * std::cos(angle),
                                                           distance * cosine - 1.2 * radius,
                                                           distance * sine * std::sin(angle)},
                                              .radius = 1e-3 * (0.5 + 1.5 * uniform(random))}}});
  }
  return population;
}

/// The time to play bubbles and to add them up at one point [s].
double seconds_to_play(const base::BubblePopulation& population, const bubbles::PlaySettings& how) {
  const base::FlatSurface surface(0.0);
  std::vector<float> sum(static_cast<std::size_t>(how.oscillators.range.end));
  return time_of([&] {
           const bubbles::PlayedBubbles played = bubbles::play(population, surface, how);
           for (const base::BubbleSound& sound : played.sounds.sounds)
             sound.add_acceleration(0, 1.0f, sum);
         })
      .cpu;
}

int bench(int argc, char** argv) {
  const util::ThreadLimit one_core(1);
  Report report("bubbles", argc, argv);
  {
    const double duration = 0.1;
    const double time = seconds_to_play(cloud(20000, 0.3, duration), settings(duration, false));
    report.add_at_most("20000 bubbles alone", "CPU time / real time", time / duration, "1", 1.0);
  }
  for (const int count : {100, 250, 1000}) {
    const double duration = 0.1;
    const double time = seconds_to_play(cloud(count, 0.1, duration), settings(duration, true));
    report.add_at_most("coupled bubbles", std::to_string(count) + ": CPU time / real time",
                       time / duration, "1", 1.0);
  }
  {
    const double duration = 1.0;
    const bubbles::Jet jet{.flow = 7.5e-5, .diameter = 0.008, .height = 0.2, .end = duration};
    const base::BubblePopulation poured =
        bubbles::make_plume(bubbles::plume_of(jet, base::Liquid{}), {1, 0});
    for (const bool coupled : {false, true}) {
      bubbles::PlaySettings how{.coupled = coupled};
      how.oscillators.range = {0, rate_hz};
      report.add_at_most("4.5 L/min",
                         std::string(coupled ? "coupled" : "alone") + ": CPU time / real time",
                         seconds_to_play(poured, how) / duration, "1", 1.0);
    }
    report.add("4.5 L/min", "bubbles a second", static_cast<double>(poured.tracks.size()), "1/s");
  }
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::bench(argc, argv);
}

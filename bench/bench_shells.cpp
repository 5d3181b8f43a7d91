// Shell triangles on one core: their forces over one triangle after another, whole steps, and what
// recording adds.
#include <peal/elastic/shell_solid.h>
#include <peal/elastic/stepper.h>
#include <peal/elastic/surface_recorder.h>
#include <peal/util/lanes.h>
#include <peal/validation/shell_trials.h>

#include <bench/report.h>
#include <bench/solid_speed.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace peal::bench {
namespace {

constexpr base::Rate audio{48000};

/// At most for a whole step, over its triangles, by the widest lanes of this machine [ns]
/// (AVX-512, otherwise AVX2).
double asked_of_a_step() {
  return sizeof(util::Widest<double>) >= 64 ? 16.0 : 22.0;
}

elastic::Solid cymbal(int rings) {
  elastic::Solid solid =
      elastic::make_shell_solid(validation::trial_cymbal(rings), validation::trial_bronze());
  solid.mass_damping = 1.5;
  solid.stiffness_damping = 3.5e-9;
  return solid;
}

elastic::Stepper stepper_of(int rings) {
  std::vector<elastic::Solid> solids;
  solids.push_back(cymbal(rings));
  return elastic::Stepper(std::move(solids), {}, {}, {.audio = audio, .multiple_of = 4});
}

/// Whole steps of a cymbal with damping, alone and while its surface is recorded at every sample.
void measure_steps(Report& report, int rings, double asked_of_a_second) {
  elastic::Stepper alone = stepper_of(rings), recorded = stepper_of(rings);
  const elastic::Solid& solid = recorded.solids()[0];
  elastic::SurfaceRecorder recorder(solid, {}, recorded.state().position[0],
                                    recorded.state().velocity[0], elastic::RecordRate{audio},
                                    recorded.steps_per_sample(), recorded.borne_frequency(0));
  const auto count = static_cast<double>(solid.forces->elements());
  const int steps = 20 * alone.steps_per_sample();
  const auto times =
      median_times({[&] { alone.step(steps); },
                    [&] {
                      for (int i = 0; i < steps; ++i) {
                        recorded.step();
                        recorder.take(recorded.state().position[0], recorded.state().velocity[0]);
                      }
                    }},
                   7);
  const std::string title = fmt::format("cymbal of {:g} shell triangles", count);
  const double step = times[0].cpu / steps;
  report.add_at_most(title, "time of a step over triangles", 1e9 * step / count, "ns",
                     asked_of_a_step());
  report.add_at_most(title, "time for a simulated second",
                     step * static_cast<double>(alone.rate().hz), "s", asked_of_a_second);
  report.add_at_most(title, "recording over the steps", 100.0 * (times[1].cpu / times[0].cpu - 1.0),
                     "%", 10.0);
}

int run(int argc, char** argv) {
  Report report("shells", argc, argv);
  for (const int rings : {30, 41}) {
    measure_forces(report, "shell triangles, cymbal", cymbal(rings), 1000.0 / asked_of_a_step());
    measure_steps(report, rings, rings == 30 ? 80.0 : 230.0);
  }
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}

#include <peal/elastic/outer_forces.h>
#include <peal/elastic/settle.h>
#include <peal/elastic/simulation.h>
#include <peal/elastic/surface_recorder.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t told_after = 64;  ///< samples from one progress to the next

/// Samples, of which the first ones tell the time of recording: as many as come between two shapes.
constexpr std::int64_t timed_every = 256;
constexpr std::int64_t timed = SurfaceRecord::shape_samples;

Nodes placed_in(const Solid& solid, const base::Pose& frame) {
  Nodes x(solid.rest.size());
  for (std::size_t i = 0; i < x.size(); ++i) x.set(i, frame.to_world(solid.rest.at(i)));
  return x;
}

Nodes velocities(const Solid& solid, const Nodes& x, const SolidStart& start) {
  Vec3 centre = Vec3::Zero();
  double mass = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    centre += solid.mass[i] * x.at(i);
    mass += solid.mass[i];
  }
  centre /= mass;
  Nodes v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    v.set(i, start.velocity + start.angular_velocity.cross(x.at(i) - centre));
  }
  return v;
}

bool starts_settled(const Simulated& simulated, std::size_t number, const Solid& solid) {
  const SolidStart& start = simulated.starts[number];
  return simulated.gravity != Vec3::Zero() && start.velocity == Vec3::Zero() &&
         start.angular_velocity == Vec3::Zero() && start.settling == 0.0 &&
         hold_of(solid, number, simulated.constraints) == Hold::firmly;
}

std::string finding(const Solid& solid, const Stepper& stepper) {
  return fmt::format("\"{}\": {} elements, {} nodes, steps of {:.3g} us ({} a sample)", solid.name,
                     solid.forces->elements(), solid.rest.size(), 1e6 * stepper.rate().step(),
                     stepper.steps_per_sample());
}

/// What it takes to look at the clock.
Clock::duration time_of_clock() {
  Clock::duration least = std::chrono::seconds(1);
  for (int i = 0; i < 100; ++i) {
    const auto before = Clock::now();
    least = std::min(least, Clock::now() - before);
  }
  return least;
}

/// Times of samples, by their number among those between two shapes, which do not all cost the
/// same.
using RecordingTimes = std::array<std::vector<Clock::duration>, timed>;

/// What a simulation took since processor time `begin`. The median of many tells what recording
/// takes also where others use the machine.
std::string cost_finding(std::clock_t begin, double duration, RecordingTimes& times,
                         std::int64_t samples) {
  const double cpu = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  double recorded = 0.0;  // in as many samples as there are between two shapes
  for (auto& some : times) {
    if (some.empty()) continue;
    const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
    std::nth_element(some.begin(), middle, some.end());
    recorded += std::chrono::duration<double>(*middle).count();
  }
  return fmt::format(
      "deformed in {:.3g} s of processor time, {:.3g} s a second of sound, {:.1f} % of it for "
      "recording",
      cpu, cpu / duration, 100.0 * recorded * static_cast<double>(samples) / timed / cpu);
}

}  // namespace

Recording simulate(Simulated simulated, base::Rate audio, std::int64_t samples,
                   const std::optional<double>& longest_step, util::Progress& progress) {
  ObstacleContact* contact = simulated.contact.get();
  SurfaceContact* surfaces = simulated.surfaces.get();
  if (contact != nullptr) simulated.loads.push_back(std::move(simulated.contact));
  if (surfaces != nullptr) simulated.loads.push_back(std::move(simulated.surfaces));
  if (simulated.gravity != Vec3::Zero()) {
    std::vector<double> settling;
    for (const SolidStart& start : simulated.starts) settling.push_back(start.settling);
    simulated.loads.push_back(
        std::make_unique<Gravity>(simulated.gravity, simulated.solids, std::move(settling)));
  }
  const int asked =
      longest_step ? static_cast<int>(std::ceil(audio.step() / *longest_step - 1e-9)) : 0;
  Stepper stepper(std::move(simulated.solids), std::move(simulated.loads), simulated.constraints,
                  {.audio = audio, .steps_per_sample = asked, .multiple_of = 4});
  Recording recording;
  std::vector<SurfaceRecorder> recorders;
  for (std::size_t s = 0; s < stepper.solids().size(); ++s) {
    const Solid& solid = stepper.solids()[s];
    const Nodes placed = placed_in(solid, simulated.starts[s].frame);
    const Nodes v = velocities(solid, placed, simulated.starts[s]);
    Nodes x = placed;
    if (starts_settled(simulated, s, solid)) {
      if (auto sagged = settled(solid, stepper.free_axes(s), placed, simulated.gravity)) {
        x = *std::move(sagged);
      } else {
        recording.findings.push_back(fmt::format(
            "\"{}\" would sag too far under its weight to start at rest: it starts as drawn, and "
            "falls; \"settle\" lets its weight come slowly",
            solid.name));
      }
    }
    recorders.emplace_back(solid, simulated.starts[s].frame, x, v, audio,
                           stepper.steps_per_sample());
    recorders.back().expect(samples);
    stepper.start_at(s, x, v);
    recording.findings.push_back(finding(solid, stepper));
  }
  if (contact != nullptr) {
    contact->begin(stepper.rate().step(), stepper.solids());
    contact->refuse_overlaps(stepper.state());
    recording.paths.resize(contact->free_obstacles());
  }
  if (surfaces != nullptr) {
    surfaces->set_step(stepper.rate().step());
    surfaces->refuse_overlaps(stepper.state());
  }
  RecordingTimes recording_times;
  const Clock::duration clock_itself = time_of_clock();
  const std::clock_t busy = std::clock();
  progress.begin("deform", audio.seconds(samples));
  const std::int64_t end = samples + SurfaceRecorder::run_out;
  for (std::int64_t n = 0; n < end; ++n) {
    if (contact != nullptr && n % PathRecord::pose_samples == 0) {
      for (std::size_t i = 0; i < recording.paths.size(); ++i)
        recording.paths[i].add(contact->free_pose(i));
    }
    const bool is_timed = n % timed_every < timed;
    Clock::duration recorded{};
    for (int i = 0; i < stepper.steps_per_sample(); ++i) {
      stepper.step();
      const auto before = is_timed ? Clock::now() : Clock::time_point();
      for (std::size_t s = 0; s < recorders.size(); ++s) {
        recorders[s].take(stepper.state().position[s], stepper.state().velocity[s]);
      }
      if (is_timed) recorded += Clock::now() - before - clock_itself;
    }
    if (is_timed) recording_times[static_cast<std::size_t>(n % timed)].push_back(recorded);
    if (n % told_after == 0) progress.update(static_cast<double>(n) / static_cast<double>(end));
  }
  progress.end();
  recording.findings.push_back(cost_finding(busy, audio.seconds(samples), recording_times, end));
  if (contact != nullptr && contact->between_obstacles() != nullptr) {
    recording.contacts = contact->between_obstacles()->log();
    recording.rest_impulse = contact->between_obstacles()->rest_impulse();
  }
  for (SurfaceRecorder& recorder : recorders)
    recording.surfaces.push_back(recorder.finish(samples));
  return recording;
}

}  // namespace peal::elastic

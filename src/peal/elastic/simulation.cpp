#include <peal/elastic/external_loads.h>
#include <peal/elastic/settle.h>
#include <peal/elastic/simulation.h>
#include <peal/elastic/surface_recorder.h>
#include <peal/util/fractional_delay.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;
using Clock = std::chrono::steady_clock;

constexpr int least_steps = 4;               ///< a sample: strikes and contacts last a few
constexpr std::int64_t reported_after = 50;  ///< samples from one progress report to the next
constexpr std::size_t tried = 32;            ///< samples of the trial that estimates the cost
constexpr auto longest_trial = std::chrono::seconds(1);  ///< longest duration of the trial
constexpr double worth_a_word = 10.0;  ///< duration that the user is notified beforehand [s]

/// Samples of a record beyond its end that are needed to interpolate between its last samples.
constexpr std::int64_t read_beyond = util::FractionalDelay::half;

Nodes placed_in(const Solid& solid, const base::Pose& frame) {
  Nodes x(solid.rest.size());
  for (std::size_t i = 0; i < x.size(); ++i) x.set(i, frame.to_world(solid.rest.at(i)));
  return x;
}

Nodes velocities(const Solid& solid, const Nodes& x, const SolidStart& start) {
  Vec3 centre = Vec3::Zero();
  double mass = 0.0;
  const std::vector<double> masses = row_sum_masses(solid);
  for (std::size_t i = 0; i < x.size(); ++i) {
    centre += masses[i] * x.at(i);
    mass += masses[i];
  }
  centre /= mass;
  Nodes v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    v.set(i, start.velocity + start.angular_velocity.cross(x.at(i) - centre));
  }
  return v;
}

/// Whether gravity acts at once on a solid that starts at rest.
bool starts_loaded(const Simulated& simulated, std::size_t number) {
  const SolidStart& start = simulated.starts[number];
  return simulated.gravity != Vec3::Zero() && start.velocity == Vec3::Zero() &&
         start.angular_velocity == Vec3::Zero() && start.settling == 0.0;
}

std::string finding(const Solid& solid, const Stepper& stepper) {
  return fmt::format("\"{}\": {} elements, {} nodes, steps of {:.3g} us ({} a sample)", solid.name,
                     solid.forces->elements(), solid.rest.size(), 1e6 * stepper.rate().step(),
                     stepper.steps_per_sample());
}

/// Median of durations, which is robust if others use the machine [s].
double median(std::vector<Clock::duration>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return std::chrono::duration<double>(*middle).count();
}

/// What became of the energy of a shell. What it radiates is not known.
std::optional<base::SourceEnergy> energy_of(const Solid& solid, const EnergyAccount& account) {
  if (solid.middle.empty()) return std::nullopt;
  return base::SourceEnergy{.given = account.initial + account.given,
                            .dissipated = account.mass_damped + std::max(0.0, -account.imbalance()),
                            .radiated = std::numeric_limits<double>::quiet_NaN()};
}

/// A simulation in progress.
class SimulationRun {
 public:
  SimulationRun(Simulated simulated, const SimulationRates& rates, std::int64_t samples,
                const std::optional<double>& longest_step);

  std::int64_t done() const { return done_; }  ///< samples
  std::int64_t end() const {
    std::int64_t run_out = 0;
    for (const SurfaceRecorder& one : recorders_) run_out = std::max(run_out, one.run_out());
    return rates_.record_every * (instants() + run_out);
  }
  /// Simulates to the end of a sample.
  void sample();
  /// Simulates a few samples, or as many steps as there is time for. Returns the estimated time for
  /// the rest [s].
  double try_some();
  void serialize(util::Archive& archive);
  std::string size() const;
  const std::vector<std::string>& diagnostics() const { return recording_.diagnostics; }
  Recording finish();

 private:
  void start(std::size_t solid, const Simulated& simulated);
  void step();
  /// Number of samples of a record.
  std::int64_t instants() const {
    if (rates_.record_every == 1) return samples_;
    return (samples_ + rates_.record_every - 1) / rates_.record_every + read_beyond;
  }

  SimulationRates rates_;
  std::int64_t samples_;
  ObstacleContact* contact_;
  SurfaceContact* surfaces_;
  std::vector<SoftSupport*> supports_;
  Stepper stepper_;
  std::vector<SurfaceRecorder> recorders_;
  Recording recording_;
  std::int64_t done_ = 0;  ///< samples
  int steps_ = 0;          ///< steps done of the next sample
};

std::vector<SoftSupport*> pointers_to(const std::vector<std::unique_ptr<SoftSupport>>& supports) {
  std::vector<SoftSupport*> all;
  for (const auto& support : supports) all.push_back(support.get());
  return all;
}

/// All loads, including contacts, in one list.
std::vector<std::unique_ptr<Load>> loads_of(Simulated& simulated) {
  std::vector<std::unique_ptr<Load>> loads;
  for (auto& support : simulated.supports) loads.push_back(std::move(support));
  for (auto& load : simulated.loads) loads.push_back(std::move(load));
  if (simulated.contact) loads.push_back(std::move(simulated.contact));
  if (simulated.surfaces) loads.push_back(std::move(simulated.surfaces));
  if (simulated.gravity == Vec3::Zero()) return loads;
  std::vector<double> settling;
  for (const SolidStart& start : simulated.starts) settling.push_back(start.settling);
  loads.push_back(
      std::make_unique<Gravity>(simulated.gravity, simulated.solids, std::move(settling)));
  return loads;
}

/// Settings with which recorders sample at whole steps, four times a sample of the record, or near
/// whole steps at a third of the audio rate.
StepperSettings settings_for(const SimulationRates& rates,
                             const std::optional<double>& longest_step) {
  const int asked =
      longest_step ? static_cast<int>(std::ceil(rates.audio.step() / *longest_step - 1e-9)) : 0;
  return {.audio = rates.audio,
          .steps_per_sample = asked,
          .multiple_of = (4 + rates.record_every - 1) / rates.record_every,
          .least_steps = least_steps};
}

Stepper stepper_of(Simulated& simulated, const StepperSettings& settings) {
  auto loads = loads_of(simulated);
  return {std::move(simulated.solids), std::move(loads), simulated.constraints, settings};
}

SimulationRun::SimulationRun(Simulated simulated, const SimulationRates& rates,
                             std::int64_t samples, const std::optional<double>& longest_step)
    : rates_(rates),
      samples_(samples),
      contact_(simulated.contact.get()),
      surfaces_(simulated.surfaces.get()),
      supports_(pointers_to(simulated.supports)),
      stepper_(stepper_of(simulated, settings_for(rates, longest_step))) {
  for (std::size_t s = 0; s < stepper_.solids().size(); ++s) start(s, simulated);
  if (contact_ != nullptr) {
    contact_->begin(stepper_.rate().step(), stepper_.solids());
    contact_->refuse_overlaps(stepper_.state());
    recording_.paths.resize(contact_->free_obstacles());
  }
  if (surfaces_ != nullptr) {
    surfaces_->set_step(stepper_.rate().step());
    surfaces_->refuse_overlaps(stepper_.state());
  }
}

void SimulationRun::start(std::size_t number, const Simulated& simulated) {
  const Solid& solid = stepper_.solids()[number];
  const SolidStart& start = simulated.starts[number];
  const Nodes placed = placed_in(solid, start.frame);
  const Nodes v = velocities(solid, placed, start);
  Nodes x = placed;
  std::vector<SoftSupport*> supports = supports_;
  std::erase_if(supports, [&](const SoftSupport* one) { return one->solid() != number; });
  const Hold hold = support_of(solid, number, simulated.constraints);
  const bool lies_on_supports = hold == Hold::nowhere && !supports.empty();
  if (starts_loaded(simulated, number) && (hold == Hold::firmly || lies_on_supports)) {
    if (lies_on_supports) carry_weight(supports, solid, placed, simulated.gravity);
    if (auto sagged = settled(solid, stepper_.free_axes(number), placed, simulated.gravity,
                              supports, number)) {
      x = *std::move(sagged);
    } else {
      recording_.diagnostics.push_back(
          fmt::format("\"{}\" sags too far under its weight, or swings too long, to start at rest; "
                      "it starts undeformed and sags. \"settle\" applies its weight gradually",
                      solid.name));
    }
  }
  recorders_.emplace_back(solid, start.frame, x, v, RecordRate{rates_.record(), rates_.band},
                          rates_.record_every * stepper_.steps_per_sample(),
                          stepper_.borne_frequency(number));
  recorders_.back().expect(instants());
  stepper_.start_at(number, x, v);
  recording_.diagnostics.push_back(finding(solid, stepper_));
}

void SimulationRun::step() {
  if (steps_ == 0) {
    for (std::size_t i = 0; i < recording_.paths.size(); ++i)
      if (done_ % PathRecord::pose_samples == 0) recording_.paths[i].add(contact_->free_pose(i));
  }
  stepper_.step();
  for (std::size_t s = 0; s < recorders_.size(); ++s)
    recorders_[s].take(stepper_.state().position[s], stepper_.state().velocity[s]);
  if (++steps_ < stepper_.steps_per_sample()) return;
  steps_ = 0;
  ++done_;
}

void SimulationRun::sample() {
  do {
    step();
  } while (steps_ != 0);
}

std::string SimulationRun::size() const {
  std::size_t elements = 0, nodes = 0;
  for (const Solid& solid : stepper_.solids()) {
    elements += solid.forces->elements();
    nodes += solid.rest.size();
  }
  return fmt::format("{} elements with {} nodes in steps of {:.3g} us", elements, nodes,
                     1e6 * stepper_.rate().step());
}

double SimulationRun::try_some() {
  const auto begin = Clock::now();
  const double steps = stepper_.steps_per_sample();
  std::vector<Clock::duration> took;
  while (took.size() < tried && done_ < end()) {
    const auto start = Clock::now();
    double some = 0.0;
    do {
      step();
      ++some;
    } while (steps_ != 0 && Clock::now() - begin < longest_trial);
    const auto whole = (Clock::now() - start) / some * steps;
    took.push_back(std::chrono::duration_cast<Clock::duration>(whole));
    if (Clock::now() - begin >= longest_trial) break;
  }
  const double left = static_cast<double>(end() - done_) - steps_ / steps;
  return took.empty() ? 0.0 : left * median(took);
}

void SimulationRun::serialize(util::Archive& archive) {
  archive.number(done_);
  stepper_.serialize(archive);
  for (SurfaceRecorder& recorder : recorders_) recorder.serialize(archive);
  for (PathRecord& path : recording_.paths) archive.growing_list(path.poses);
}

Recording SimulationRun::finish() {
  for (std::size_t s = 0; s < stepper_.solids().size(); ++s) {
    if (const auto pressed = stepper_.volumes(s).finding(stepper_.solids()[s].name))
      recording_.diagnostics.push_back(*pressed);
  }
  if (contact_ != nullptr) {
    const auto found = contact_->diagnostics();
    recording_.diagnostics.insert(recording_.diagnostics.end(), found.begin(), found.end());
  }
  if (contact_ != nullptr && contact_->between_obstacles() != nullptr) {
    recording_.contacts = contact_->between_obstacles()->log();
    recording_.rest_impulse = contact_->between_obstacles()->rest_impulse();
  }
  for (std::size_t s = 0; s < recorders_.size(); ++s) {
    recording_.surfaces.push_back(recorders_[s].finish(instants()));
    recording_.surfaces.back().energy = energy_of(stepper_.solids()[s], stepper_.energy(s));
  }
  return std::move(recording_);
}

}  // namespace

SimulationRates SimulationRates::up_to(double highest, double least, base::Rate audio) {
  SimulationRates rates{.audio = audio};
  const double needed = std::max(least, highest / util::DecimatorChain::pass_band);
  for (const int every : {2, 3, 4, 6, 8}) {
    if (audio.hz % every == 0 && static_cast<double>(audio.hz) >= every * needed)
      rates.record_every = every;
  }
  // The band is one of a few values, so that a record also serves slightly different requests.
  for (const double band : {1.0 / 3.0, base::SurfaceSource::vertex_band}) {
    if (highest <= band * static_cast<double>(rates.record().hz)) rates.band = band;
  }
  return rates;
}

SimulationCost simulation_cost(Simulated simulated, const SimulationRates& rates,
                               std::int64_t samples, const std::optional<double>& longest_step) {
  SimulationRun run(std::move(simulated), rates, samples, longest_step);
  const double seconds = run.try_some();
  return {run.diagnostics(), seconds};
}

Recording simulate(Simulated simulated, const SimulationRates& rates, std::int64_t samples,
                   const std::optional<double>& longest_step, util::Progress& progress,
                   const LongRun& long_run) {
  const base::Rate audio = rates.audio;
  SimulationRun run(std::move(simulated), rates, samples, longest_step);
  const auto keep = [&](util::Archive& archive) { run.serialize(archive); };
  const auto tell = [&](const std::string& sentence) {
    if (long_run.tell) long_run.tell(sentence);
  };
  util::Checkpoint* const checkpoint = long_run.checkpoint;
  if (checkpoint != nullptr && checkpoint->restore(keep))
    tell(fmt::format("resuming the simulation at {:.3g} s", audio.seconds(run.done())));
  if (const double seconds = run.try_some(); seconds > worth_a_word)
    tell(fmt::format("simulating {} takes about {:.0f} s", run.size(), seconds));
  const std::int64_t first = run.done(), left = run.end() - first;
  progress.begin("deform", audio.seconds(left));
  while (run.done() < run.end()) {
    run.sample();
    if (run.done() % reported_after != 0) continue;
    if (checkpoint != nullptr) checkpoint->write_if_due(keep);
    progress.update(static_cast<double>(run.done() - first) / static_cast<double>(left));
  }
  progress.end();
  return run.finish();
}

}  // namespace peal::elastic

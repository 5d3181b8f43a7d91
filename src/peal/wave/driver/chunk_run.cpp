#include <peal/util/denormals.h>
#include <peal/util/low_pass.h>
#include <peal/util/processor_time.h>
#include <peal/util/rate_converter.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/device_chunk.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/recording.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/driver/slice_record.h>
#include <peal/wave/far_field/receiver_array.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace peal::wave {

namespace {

constexpr double quiet_time = 0.05;    ///< t_w of section 6.1 [s]
constexpr double quiet_part = 1e-3;    ///< delta_rel
constexpr double quiet_level = 20e-6;  ///< delta_abs [Pa]
/// The time for which receivers must be quiet if the whole field is quiet as well [s]. It may be
/// short because beats silence single receivers, never the whole field; it covers half a period of
/// 33 Hz, after which all energy of a wave has been in the pressure once.
constexpr double quiet_field_time = 0.015;

/// A simulation and its receivers.
template <class Real>
class RunningChunk {
 public:
  explicit RunningChunk(const ChunkRun& run)
      : stride_(recording_stride(run)),
        simulation_(run.world, run.settings, run.discretisation, run.domain, run.chunk),
        hearing_(far_field_setup(run, simulation_.sequence(), stride_), run.receivers,
                 fields_of_block(stride_)) {
    record();
  }
  RunningChunk(const ChunkRun& run, SliceRecord* slices) : RunningChunk(run) {
    slices_ = slices;
    if (slices_ != nullptr) slices_->record(simulation_);
  }

  std::int64_t now() const { return simulation_.now(); }
  /// Takes some steps, checks that the field is bounded and returns the pressure of its loudest row
  /// of cells.
  double run(std::int64_t steps, std::int64_t /*latest*/) {
    for (std::int64_t i = 0; i < steps; ++i) {
      step();
      if (slices_ != nullptr) slices_->record(simulation_);
    }
    hearing_.finish_block();
    return simulation_.check_bounded();
  }

  Simulation<Real>& simulation() { return simulation_; }
  /// Steps after which what receivers hear of a step is complete, beyond the way of the sound.
  std::int64_t steps_to_complete() const { return stride_ * ReceiverArray<Real>::looks_ahead; }
  ReceiverArray<Real>& receiver_array() { return hearing_; }
  void step() {
    simulation_.step();
    record();
    const std::int64_t taken = simulation_.now() - simulation_.sequence().start();
    if (taken % steps_of_block(stride_) == 0) hearing_.finish_block();
  }

 private:
  void record() {
    if (simulation_.now() % stride_ == 0) hearing_.record(simulation_.pressure());
  }

  std::int64_t stride_;
  Simulation<Real> simulation_;
  ReceiverArray<Real> hearing_;
  SliceRecord* slices_ = nullptr;
};

/// Fades out, so that a run that ends while something still rings faintly ends without a click.
void fade_out(base::Signal& signal, double seconds) {
  const auto length = static_cast<std::size_t>(signal.rate.samples(seconds));
  const std::size_t n = signal.samples.size();
  for (std::size_t i = 0; i < std::min(length, n); ++i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(length);
    signal.samples[n - 1 - i] *= static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * x));
  }
}

/// Converts from the rate at which the field was recorded to the audio rate and removes frequencies
/// above the requested band, which the grid propagates at wrong speeds.
base::Signal to_audio(base::Signal signal, base::Rate audio, double max_frequency) {
  constexpr std::int64_t ringing = 64;  // of the converter, samples at the lower rate
  const std::int64_t wide = ringing * std::max<std::int64_t>(1, signal.rate.hz / audio.hz);
  // The result begins where both clocks tick together.
  const base::CommonTick tick(signal.rate, audio);
  const auto first = static_cast<std::int64_t>(
      std::floor(static_cast<double>(signal.start - wide) / static_cast<double>(tick.samples)));
  const std::int64_t before = signal.start - first * tick.samples;
  std::vector<float> padded(static_cast<std::size_t>(before) + signal.samples.size() +
                            static_cast<std::size_t>(wide));
  std::ranges::copy(signal.samples, padded.begin() + before);
  base::Signal out{.rate = audio, .start = first * tick.other_samples};
  out.samples = util::convert(padded, signal.rate.hz, audio.hz);
  const double stop = 1.15 * max_frequency;
  if (stop >= audio.nyquist()) return out;
  const util::LowPass filter(static_cast<double>(audio.hz), max_frequency, stop);
  out.samples = filter.apply(out.samples);
  out.start -= static_cast<std::int64_t>(filter.reach());
  return out;
}

bool is_quiet(const PressurePeak& received) {
  return received.recent < quiet_part * received.overall || received.recent < quiet_level;
}

/// Decides when a run has become silent.
class SilenceWatch {
 public:
  explicit SilenceWatch(base::Rate rate)
      : looks_(static_cast<std::size_t>(
            std::ceil(rate.samples(quiet_field_time) / static_cast<double>(steps_between_looks)))) {
  }

  /// Takes the pressure of the loudest row of cells, every `steps_between_looks` steps.
  void look(double pressure) {
    loudest_ = std::max(loudest_, pressure);
    quiet_looks_ = pressure < quiet_part * loudest_ ? quiet_looks_ + 1 : 0;
  }
  /// The time for which all has been quiet, if long enough [s].
  template <class Real>
  std::optional<double> quiet_for(const ReceiverArray<Real>& receivers) const {
    if (quiet_looks_ > looks_ && is_quiet(receivers.peak(quiet_field_time)))
      return quiet_field_time;
    if (is_quiet(receivers.peak(quiet_time))) return quiet_time;
    return std::nullopt;
  }

 private:
  std::size_t looks_, quiet_looks_ = 0;
  double loudest_ = 0.0;
};

/// Whether the Kirchhoff surface still encloses all moving bodies for some more steps. Motion after
/// the run is ignored, or it would matter to chunks that became silent before it.
bool box_holds(const ChunkRun& run, std::int64_t now, std::int64_t steps) {
  const base::Rate rate = run.discretisation.rate;
  constexpr int looks = 4;
  for (int i = 1; i <= looks; ++i) {
    const double t = rate.seconds(now + steps * i / looks);
    if (t > run.domain.chosen_until &&
        !holds_what_moves(run.domain, run.world, run.chunk.segment, t)) {
      return false;
    }
  }
  return true;
}

/// The end of a run at `end` [s], with the times until which it depends on motion. A receiver
/// matters until all sound that left before has arrived, and then for the time by which the sums
/// read ahead: from the nearest side of the box to the farthest one, and the fade of a jump.
template <class Real>
ChunkEnd end_of(const ChunkRun& run, double end, bool by_itself, const PressurePeak& peak,
                std::span<const base::Signal> received) {
  ChunkEnd result{.by_itself = by_itself,
                  .sources_until = end + run.discretisation.rate.samples_to_seconds(
                                             Simulation<Real>::looks_ahead),
                  .receivers_until = end,
                  .loudest = peak.overall,
                  .rest = peak.recent};
  for (const base::Signal& signal : received) {
    const auto last = signal.start + static_cast<std::int64_t>(signal.samples.size());
    result.receivers_until = std::max(result.receivers_until, signal.rate.seconds(last));
  }
  const Cell& n = run.domain.grid.size;
  const double diagonal = run.domain.grid.cell_size * Vec3(n[0], n[1], n[2]).norm();
  result.receivers_until +=
      diagonal / run.world.medium.speed_of_sound + 2.0 * base::MotionSegment::edge_time;
  return result;
}

/// What moves has left the Kirchhoff surface, which was chosen for a shorter run.
struct BoxTooSmall {};

/// `Running` is RunningChunk or DeviceChunk, and `arguments` what it is made of.
template <class Real, class Running, class... Arguments>
ChunkSound run_with(const ChunkRun& run, const std::function<void(std::int64_t)>& advance,
                    Arguments&&... arguments) {
  const util::FlushDenormals guard;
  Running received(run, arguments...);
  const base::Rate rate = run.discretisation.rate;
  const auto last_source = static_cast<std::int64_t>(rate.samples(run.chunk.last_source()));
  const auto latest = static_cast<std::int64_t>(std::ceil(rate.samples(run.latest_end))) +
                      received.steps_to_complete();
  const auto quiet_steps = static_cast<std::int64_t>(rate.samples(quiet_field_time));
  SilenceWatch silence(rate);
  std::optional<double> quiet;
  while (received.now() < latest && !quiet) {
    const std::int64_t steps = std::min(steps_between_looks, latest - received.now());
    if (!box_holds(run, received.now(), steps)) throw BoxTooSmall();
    silence.look(received.run(steps, latest));
    advance(steps);
    if (received.now() > last_source + quiet_steps) {
      quiet = silence.quiet_for(received.receiver_array());
    }
  }
  const bool by_itself = quiet && received.now() < latest;
  const PressurePeak peak = received.receiver_array().peak(quiet_time);
  std::vector<base::Signal> signals = received.receiver_array().take();
  ChunkSound sound{.end =
                       end_of<Real>(run, rate.seconds(received.now()), by_itself, peak, signals)};
  for (base::Signal& signal : signals) {
    if (quiet || run.latest_end < run.scene_end()) fade_out(signal, quiet.value_or(quiet_time));
    sound.received.push_back(
        to_audio(std::move(signal), run.world.rate, run.settings.max_frequency));
  }
  return sound;
}

template <class Real>
ChunkSound run_on(const ChunkRun& run, const std::function<void(std::int64_t)>& advance,
                  SliceRecord* slices, device::FieldDevice* device) {
  if (device == nullptr) return run_with<Real, RunningChunk<Real>>(run, advance, slices);
  return run_with<Real, DeviceChunk<Real>>(run, advance, *device, slices);
}

template <class Real>
ChunkSound run_in_box(const ChunkRun& run, const std::function<void(std::int64_t)>& advance,
                      SliceRecord* slices, device::FieldDevice* device) {
  try {
    return run_on<Real>(run, advance, slices, device);
  } catch (const BoxTooSmall&) {
    if (slices != nullptr) slices->restart();
    ChunkRun again = run;
    again.domain = with_largest_box(run.domain);
    return run_on<Real>(again, advance, slices, device);
  }
}

template <class Real>
double time_steps_with(const ChunkRun& run, int steps) {
  const util::FlushDenormals guard;
  RunningChunk<Real> received(run);
  received.step();
  const double start = util::thread_seconds();
  for (int i = 0; i < steps; ++i) received.step();
  return util::thread_seconds() - start;
}

/// How long sources play in a trial [s]: some blocks of recorded fields, and keys of moving walls.
constexpr double trial_sources = 0.03;

template <class Real>
TrialRun try_run_with(const ChunkRun& run, double begin, double budget) {
  const util::FlushDenormals guard;
  ChunkRun excerpt = run;
  excerpt.chunk.begin = std::clamp(begin, run.chunk.begin, run.chunk.end);
  excerpt.chunk.end = std::min(excerpt.chunk.begin + trial_sources, run.chunk.end);
  excerpt.chunk.continues = excerpt.chunk.continued = true;
  TrialRun trial;
  const double start = util::thread_seconds();
  RunningChunk<Real> received(excerpt);
  Simulation<Real>& simulation = received.simulation();
  const base::Rate rate = run.discretisation.rate;
  const double last_source = rate.samples(excerpt.chunk.last_source());
  const double quiet_steps = rate.samples(quiet_field_time), latest = rate.samples(run.latest_end);
  SilenceWatch silence(rate);
  const auto advance = [&] {
    for (std::int64_t i = 0; i < steps_between_looks; ++i) received.step();
    silence.look(simulation.check_bounded());
  };
  // The first steps make what later ones use again: blocks of sources at the rate of the solver.
  advance();
  const double begun = util::thread_seconds();
  double steps = 0.0, spent = 0.0, now = 0.0;
  do {
    advance();
    steps += static_cast<double>(steps_between_looks);
    spent = util::thread_seconds() - begun;
    now = static_cast<double>(simulation.now());
    if (now > last_source + quiet_steps && silence.quiet_for(received.receiver_array())) break;
  } while (now < latest && begun - start + spent < budget);
  trial.step = spent / steps;
  trial.setup =
      std::max(0.0, begun - start - static_cast<double>(steps_between_looks) * trial.step);
  trial.ringing = std::max(quiet_field_time, (now - last_source) * rate.step());
  return trial;
}

}  // namespace

ChunkSound run(const ChunkRun& run, const std::function<void(std::int64_t steps)>& advance,
               SliceRecord* slices, device::FieldDevice* device) {
  return run.settings.precision == base::WaveSettings::Precision::single
             ? run_in_box<float>(run, advance, slices, device)
             : run_in_box<double>(run, advance, slices, device);
}

std::int64_t expected_steps(const ChunkRun& run) {
  const double end = std::min(run.chunk.last_source() + quiet_time, run.latest_end);
  return static_cast<std::int64_t>(
      std::ceil(run.discretisation.rate.samples(end - run.chunk.first_source())));
}

double expected_work(const ChunkRun& run) {
  return static_cast<double>(expected_steps(run)) * static_cast<double>(run.domain.grid.cells());
}

double time_steps(const ChunkRun& run, int steps) {
  return run.settings.precision == base::WaveSettings::Precision::single
             ? time_steps_with<float>(run, steps)
             : time_steps_with<double>(run, steps);
}

TrialRun try_run(const ChunkRun& run, double begin, double budget) {
  return run.settings.precision == base::WaveSettings::Precision::single
             ? try_run_with<float>(run, begin, budget)
             : try_run_with<double>(run, begin, budget);
}

double expected_seconds(const ChunkRun& run, const TrialRun& trial) {
  const double end = std::min(run.chunk.last_source() + trial.ringing, run.latest_end);
  return trial.setup + trial.step * run.discretisation.rate.samples(end - run.chunk.first_source());
}

double field_bytes(const ChunkRun& run) {
  const double real = run.settings.precision == base::WaveSettings::Precision::single
                          ? sizeof(float)
                          : sizeof(double);
  constexpr double values_per_cell = 5.0;  // two fields, and the memory of the PML
  return values_per_cell * real * static_cast<double>(run.domain.grid.cells());
}

namespace {

/// The part of the world that exists in a segment in which no body begins or ends; null if that is
/// all of it.
std::shared_ptr<const base::World> part_of(const base::World& world,
                                           const base::MotionSegment& segment) {
  const auto is_absent = [&](const base::Body& body) {
    return body.exists && (segment.begin < body.exists->begin || segment.end > body.exists->end);
  };
  if (std::ranges::none_of(world.bodies, is_absent)) return nullptr;
  auto part = std::make_shared<base::World>(world);
  std::erase_if(part->bodies, is_absent);
  return part;
}

}  // namespace

double WavePlan::longest_chunk() const {
  double longest = 0.0;
  for (const ChunkRun& run : runs) longest = std::max(longest, run.chunk.end - run.chunk.begin);
  return longest;
}

const ChunkRun& WavePlan::largest() const {
  return *std::ranges::max_element(runs, {},
                                   [](const ChunkRun& run) { return run.domain.grid.cells(); });
}

bool WavePlan::follows_what_moves() const {
  return std::ranges::any_of(runs, [&](const ChunkRun& run) {
    return run.domain.grid.origin != runs.front().domain.grid.origin;
  });
}

WavePlan make_wave_plan(const base::World& world, const base::WaveSettings& settings,
                        std::span<const base::Receiver> receivers) {
  const Discretisation discretisation = choose_discretisation(
      settings, world.rate, world.medium, cell_for_bodies(world, settings.viscosity));
  const double scene_end = world.rate.seconds(world.samples);
  WavePlan plan;
  std::optional<DomainChooser> chooser;
  std::shared_ptr<const base::World> part;
  for (const Chunk& chunk : chunks_of(world, settings.chunk)) {
    if (!chooser || chunk.segment != plan.runs.back().chunk.segment) {
      auto next = part_of(world, chunk.segment);
      if (next) {
        chooser.emplace(*next, settings, discretisation, chunk.segment);
      } else if (!chooser || part) {
        chooser.emplace(world, settings, discretisation);
      }
      part = std::move(next);
    }
    double end = scene_end;
    if (!chooser->serves_whole_scene()) {
      end = std::min(end, chunk.last_source() + longest_ringing);
    }
    plan.runs.push_back({.world = part ? *part : world,
                         .settings = settings,
                         .discretisation = discretisation,
                         .domain = chooser->domain_for(chunk, end),
                         .chunk = chunk,
                         .latest_end = end,
                         .receivers = receivers,
                         .part = part});
  }
  for (const ChunkRun& run : plan.runs) plan.cell_updates += expected_work(run);
  return plan;
}

WavePlanner::Origin WavePlanner::origin_of(const base::World& world,
                                           std::span<const base::Receiver> receivers) {
  return {&world, world.bodies.data(), world.sources.data(), receivers.data(), receivers.size()};
}

std::shared_ptr<const WavePlan> WavePlanner::make(const base::World& world,
                                                  std::span<const base::Receiver> receivers) const {
  auto plan = std::make_shared<const WavePlan>(make_wave_plan(world, settings_, receivers));
  const std::lock_guard lock(mutex_);
  origin_ = origin_of(world, receivers);
  kept_ = plan;
  return plan;
}

std::shared_ptr<const WavePlan> WavePlanner::get(const base::World& world,
                                                 std::span<const base::Receiver> receivers) const {
  {
    const std::lock_guard lock(mutex_);
    if (origin_ == origin_of(world, receivers)) return kept_;
  }
  return std::make_shared<const WavePlan>(make_wave_plan(world, settings_, receivers));
}

}  // namespace peal::wave

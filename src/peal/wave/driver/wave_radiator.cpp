#include <peal/util/parallel.h>
#include <peal/wave/driver/check_world.h>
#include <peal/wave/driver/chunk_cache.h>
#include <peal/wave/driver/chunk_computer.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/chunk_sum.h>
#include <peal/wave/driver/chunk_units.h>
#include <peal/wave/driver/diagnostics.h>
#include <peal/wave/driver/slice_record.h>
#include <peal/wave/driver/wave_device.h>
#include <peal/wave/driver/wave_radiator.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace peal::wave {

namespace {

using base::Receiver;
using base::Signal;
using base::World;

/// Trials that measure what a render costs, and the processor time for all of them [s].
constexpr int most_trials = 3;
constexpr double trial_budget = 6.0;

/// Reports the steps of all runs as a single progress. How long runs ring is seen from those that
/// have ended.
class StepCounter {
 public:
  StepCounter(std::span<const ChunkRun> runs, util::Progress& progress) : progress_(progress) {
    for (const ChunkRun& run : runs) {
      const auto steps = static_cast<double>(expected_steps(run));
      runs_.push_back({.expected = steps, .cells = static_cast<double>(run.domain.grid.cells())});
    }
  }

  void add(std::size_t run, std::int64_t steps) {
    const std::lock_guard lock(mutex_);
    runs_[run].done += static_cast<double>(steps);
    show();
  }
  void end(std::size_t run) {
    const std::lock_guard lock(mutex_);
    runs_[run].has_ended = true;
    show();
  }
  /// A run whose result was stored takes no time.
  void skip(std::size_t run) {
    const std::lock_guard lock(mutex_);
    runs_[run] = {.has_ended = true};
  }

 private:
  struct Run {
    double expected = 0.0, done = 0.0;  ///< [steps]
    double cells = 0.0;
    bool has_ended = false;
  };

  void show() {
    shown_ = std::max(shown_, fraction());
    progress_.update(shown_);
  }
  double fraction() const {
    double done = 0.0, all = 0.0, ended = 1.0, ended_expected = 1.0;
    for (const Run& run : runs_) {
      if (!run.has_ended) continue;
      ended += run.done;
      ended_expected += run.expected;
    }
    const double longer = ended / ended_expected;
    for (const Run& run : runs_) {
      const double steps = run.has_ended ? run.done : std::max(longer * run.expected, run.done);
      done += run.cells * run.done;
      all += run.cells * steps;
    }
    return all > 0.0 ? std::min(1.0, done / all) : 1.0;
  }

  std::mutex mutex_;
  std::vector<Run> runs_;
  double shown_ = 0.0;  ///< it never goes back
  util::Progress& progress_;
};

std::string describe_grid(const Domain& domain) {
  const Cell& n = domain.grid.size;
  return fmt::format("{} x {} x {} cells", n[0], n[1], n[2]);
}

}  // namespace

WaveRadiator::WaveRadiator(base::WaveSettings settings, base::RadiatorOptions options)
    : settings_(std::move(settings)), options_(std::move(options)), planner_(settings_) {}

base::RadiationPlan WaveRadiator::plan(const World& world,
                                       std::span<const Receiver> receivers) const {
  base::RadiationPlan plan{.model = "wave", .work_unit = "cell updates"};
  const std::shared_ptr<const WavePlan> made = planner_.make(world, receivers);
  if (made->is_silent()) {
    plan.notices.push_back(
        "the scene is silent: no point source or speaker plays, no mode is struck, and no surface "
        "accelerates");
    return plan;
  }
  const std::vector<ChunkRun>& runs = made->runs;
  const Discretisation& d = runs.front().discretisation;
  plan.choices.push_back(fmt::format(
      "cells of {:.3g} mm, {:.3g} per wavelength at {:g} Hz (waves along an axis are {:.2g} % too "
      "slow)",
      1e3 * d.cell_size, d.cells_per_wavelength, settings_.max_frequency, 100 * d.speed_error));
  plan.choices.push_back(fmt::format("{} steps a second", d.rate.hz));
  plan.choices.push_back(
      fmt::format("a domain of {}{}", describe_grid(made->largest().domain),
                  made->follows_what_moves() ? " at most, which follows moving objects" : ""));
  plan.choices.push_back(fmt::format("{} {} of time, {:.3g} s the longest", runs.size(),
                                     runs.size() == 1 ? "chunk" : "chunks", made->longest_chunk()));
  if (std::string device = choose_device(*made).why; !device.empty())
    plan.choices.push_back(std::move(device));
  plan.work = made->cell_updates;
  if (options_.slices) plan.choices.push_back(plan_slices(*options_.slices, runs)->describe());
  if (std::ranges::any_of(runs, &ChunkRun::is_cut_by_domain)) {
    plan.notices.push_back(
        fmt::format("the domain follows moving objects: sound that rings longer than {:g} s after "
                    "the end of a chunk is faded out. A \"domain\" in \"radiation\" that contains "
                    "the whole path avoids this",
                    longest_ringing));
  }
  check_memory(runs);
  check_world(runs, plan);
  add_diagnostics(runs.front(), plan);
  return plan;
}

std::vector<Signal> WaveRadiator::radiate(const World& world, std::span<const Receiver> receivers,
                                          base::SampleRange range, util::Progress& progress) const {
  const std::shared_ptr<const WavePlan> plan = planner_.get(world, receivers);
  const std::vector<ChunkRun>& runs = plan->runs;
  const ChunkCache cache(options_.cache);
  const std::optional<SlicePlan> slice_plan =
      options_.slices ? plan_slices(*options_.slices, runs) : std::nullopt;
  std::optional<SliceSum> slice_sum;
  if (slice_plan) slice_sum.emplace(*slice_plan);
  StepCounter counter(runs, progress);
  std::vector<ChunkSound> sounds(runs.size());
  const ChosenDevice chosen = plan->is_silent() ? ChosenDevice{} : choose_device(*plan);
  ChunkComputer computer(chosen.devices);
  computer.compute_all(*plan, [&](std::size_t i, std::size_t device) {
    const ChunkRun& one = runs[i];
    const auto advance = [&](std::int64_t steps) { counter.add(i, steps); };
    std::string key;
    if (options_.cache) {
      key = chunk_key(one);
      // Only the sound of finished chunks is cached; slices need the field again.
      if (auto found = slice_sum ? std::nullopt : cache.find(key, one)) {
        sounds[i] = std::move(*found);
        counter.skip(i);
        return;
      }
    }
    if (slice_sum) {
      SliceRecord record(*slice_plan, one);
      sounds[i] = computer.compute(one, advance, &record, device);
      slice_sum->add(i, record.take());
    } else {
      sounds[i] = computer.compute(one, advance, nullptr, device);
    }
    counter.end(i);
    if (options_.cache) cache.save(key, one, sounds[i]);
  });
  for (const std::string& notice : computer.notices()) options_.take_notice(notice);
  for (const std::string& notice : cache.notices()) options_.take_notice(notice);
  ChunkSum sum(world, receivers.size(), range);
  for (std::size_t i = 0; i < runs.size(); ++i) sum.add(runs[i], sounds[i]);
  if (const auto notice = sum.notice()) options_.take_notice(*notice);
  if (slice_sum) slice_sum->hand_over(world, options_.take_slice);
  return sum.take();
}

std::unique_ptr<base::WorkUnits> WaveRadiator::units(const World& world,
                                                     std::span<const Receiver> receivers) const {
  return std::make_unique<ChunkUnits>(world, receivers, planner_.get(world, receivers), options_);
}

double WaveRadiator::expected_seconds(const World& world,
                                      std::span<const Receiver> receivers) const {
  const std::shared_ptr<const WavePlan> plan = planner_.get(world, receivers);
  if (plan->is_silent()) return 0.0;
  const std::vector<ChunkRun>& runs = plan->runs;
  const auto at_once = static_cast<double>(
      std::min<std::size_t>(runs.size(), static_cast<std::size_t>(util::thread_count())));
  // Where there are enough chunks, each has a core for itself.
  std::optional<util::ThreadLimit> alone;
  if (at_once > 1.0) alone.emplace(1);
  // In the middle of equal parts of the work; each stands for the runs of its part.
  std::vector<std::pair<std::size_t, TrialRun>> trials;
  double spent = 0.0;
  for (int k = 0; k < most_trials && spent < trial_budget; ++k) {
    const double wanted = (k + 0.5) / most_trials * plan->cell_updates;
    double before = 0.0;
    std::size_t i = 0;
    while (i + 1 < runs.size() && before + expected_work(runs[i]) < wanted)
      before += expected_work(runs[i++]);
    const Chunk& chunk = runs[i].chunk;
    const double part = (wanted - before) / expected_work(runs[i]);
    const TrialRun trial = try_run(runs[i], chunk.begin + part * (chunk.end - chunk.begin),
                                   (trial_budget - spent) / (most_trials - k));
    spent += trial.setup + trial.step * runs[i].discretisation.rate.samples(trial.ringing);
    trials.emplace_back(i, trial);
  }
  double total = 0.0, longest = 0.0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto nearest = std::ranges::min_element(trials, {}, [&](const auto& trial) {
      return trial.first > i ? trial.first - i : i - trial.first;
    });
    const double larger = static_cast<double>(runs[i].domain.grid.cells()) /
                          static_cast<double>(runs[nearest->first].domain.grid.cells());
    const double seconds = larger * wave::expected_seconds(runs[i], nearest->second);
    total += seconds;
    longest = std::max(longest, seconds);
  }
  return std::max(longest, total / at_once);
}

}  // namespace peal::wave

#include <peal/util/parallel.h>
#include <peal/wave/driver/check_world.h>
#include <peal/wave/driver/chunk_cache.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/chunk_sum.h>
#include <peal/wave/driver/chunk_units.h>
#include <peal/wave/driver/diagnostics.h>
#include <peal/wave/driver/slice_record.h>
#include <peal/wave/driver/wave_radiator.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace peal::wave {

namespace {

using base::Receiver;
using base::Signal;
using base::World;

constexpr int trial_steps = 128;  ///< steps to measure the speed of the machine

/// Reports the steps of all runs as a single progress.
class StepCounter {
 public:
  StepCounter(double expected, util::Progress& progress)
      : expected_(expected), progress_(progress) {}

  void add(std::int64_t steps) {
    const std::lock_guard lock(mutex_);
    done_ += static_cast<double>(steps);
    progress_.update(std::min(1.0, done_ / expected_));
  }

 private:
  std::mutex mutex_;
  double done_ = 0.0, expected_;
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
      "cells of {:.3g} mm, {:.3g} in a wavelength at {:g} Hz, where waves along an axis are {:.2g} "
      "% slow",
      1e3 * d.cell_size, d.cells_per_wavelength, settings_.max_frequency, 100 * d.speed_error));
  plan.choices.push_back(fmt::format("{} steps a second", d.rate.hz));
  plan.choices.push_back(
      fmt::format("a domain of {}{}", describe_grid(made->largest().domain),
                  made->follows_what_moves() ? " at most, which follows what moves" : ""));
  plan.choices.push_back(fmt::format("{} {} of time, {:.3g} s the longest", runs.size(),
                                     runs.size() == 1 ? "chunk" : "chunks", made->longest_chunk()));
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
  StepCounter counter(plan->steps + 1.0, progress);
  std::vector<ChunkSound> sounds(runs.size());
  util::parallel_for(static_cast<std::int64_t>(runs.size()), [&](std::int64_t i) {
    const ChunkRun& one = runs[static_cast<std::size_t>(i)];
    std::string key;
    ChunkSound& sound = sounds[static_cast<std::size_t>(i)];
    const auto advance = [&](std::int64_t steps) { counter.add(steps); };
    if (options_.cache) {
      key = chunk_key(one);
      // Only the sound of finished chunks is cached; slices need the field again.
      if (auto found = slice_sum ? std::nullopt : cache.find(key, one)) {
        sound = std::move(*found);
        advance(expected_steps(one));
        return;
      }
    }
    if (slice_sum) {
      SliceRecord record(*slice_plan, one);
      sound = run(one, advance, &record);
      slice_sum->add(static_cast<std::size_t>(i), record.take());
    } else {
      sound = run(one, advance);
    }
    if (options_.cache) cache.save(key, one, sound);
  });
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
  const double per_cell = time_steps(runs.front(), trial_steps) / trial_steps /
                          static_cast<double>(runs.front().domain.grid.cells());
  const auto at_once = static_cast<double>(
      std::min<std::size_t>(runs.size(), static_cast<std::size_t>(util::thread_count())));
  return plan->cell_updates * per_cell / at_once;
}

}  // namespace peal::wave

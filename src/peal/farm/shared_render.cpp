#include <peal/farm/mode_units.h>
#include <peal/farm/shared_render.h>
#include <peal/farm/whole_sound.h>
#include <peal/render/in_file.h>
#include <peal/util/cache_folder.h>
#include <peal/util/error.h>
#include <peal/util/file_lock.h>
#include <peal/util/files.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <span>
#include <utility>

namespace peal::farm {

namespace fs = std::filesystem;

namespace {

/// Time between two notes of a lock [s].
constexpr double note_interval = 5.0;

/// Reports the progress of several units as one.
class PartProgress {
 public:
  PartProgress(double work, util::Progress& progress) : work_(work), progress_(progress) {}

  /// A unit has done this much more work.
  void add(double work) {
    const std::lock_guard lock(mutex_);
    done_ += work;
    if (work_ > 0.0) progress_.update(std::min(1.0, done_ / work_));
  }

 private:
  std::mutex mutex_;
  double done_ = 0.0, work_;
  util::Progress& progress_;
};

/// Passes the progress of a unit on, and now and then to those who look at its lock.
class UnitProgress {
 public:
  UnitProgress(double work, PartProgress& part, const util::FileLock& lock)
      : work_(work), part_(part), lock_(lock) {}

  void operator()(double fraction) {
    const std::lock_guard guard(mutex_);
    part_.add(work_ * (fraction - reported_));
    reported_ = fraction;
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - noted_).count() < note_interval) return;
    noted_ = now;
    lock_.note(fmt::format("{:.3f}", fraction));
  }

 private:
  std::mutex mutex_;
  double work_, reported_ = 0.0;
  std::chrono::steady_clock::time_point noted_ = std::chrono::steady_clock::now();
  PartProgress& part_;
  const util::FileLock& lock_;
};

fs::path lock_file(fs::path file) {
  file += ".lock";
  return file;
}

std::string list_of(const Plan& plan, std::span<const base::MissingUnits::Missing> missing) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const auto& [unit, problem] : missing.first(std::min(most, missing.size())))
    names.push_back(fmt::format("{} {}", plan.units[unit].name, problem));
  if (missing.size() > most) names.emplace_back("...");
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void SharedFolder::become_cache() const {
  ::setenv(util::cache_variable, fs::absolute(results()).c_str(), 1);
}

std::optional<Plan> SharedFolder::find_plan() const {
  std::error_code error;
  if (!fs::exists(plan(), error)) return std::nullopt;
  return parse_plan(util::read_file(plan()), plan().string());
}

SharedRender::SharedRender(const scene::Scene& scene, const Identity& identity,
                           const SharedFolder& folder, util::Progress& progress,
                           const SharedOptions& options)
    : folder_(folder), options_(options) {
  std::optional<Plan> known = folder.find_plan();
  std::optional<util::FileLock> preparing;
  if (!known) {
    // The modes are shared; only one process moves the scene.
    find_modes(scene, progress, options.tell);
    preparing.emplace(util::FileLock::wait_for(
        folder.preparing(), [&, has_told = false](const std::string& holder) mutable {
          if (!std::exchange(has_told, true))
            options.tell(fmt::format("waiting for {}, which prepares the render", holder));
        }));
    known = folder.find_plan();
  }
  if (known) check_identity(*known, identity, folder.plan());
  rendering_ = std::make_unique<render::Rendering>(
      scene, progress,
      render::RenderOptions{
          .cache = util::cache_folder(std::string(util::stored::wave_chunk.folder)),
          .checkpoint_interval = options.checkpoint_interval,
          .strict = identity.settings.strict,
          .motion_rate = options.motion_rate,
          .view_rate = options.view_rate,
          .tell = options.tell,
          .scene_hash = identity.hash()});
  const base::Radiator& radiator = rendering_->radiator();
  units_ = radiator.units(rendering_->world(), rendering_->receivers());
  if (!units_) {
    units_ = std::make_unique<WholeSound>(radiator, rendering_->plan(), rendering_->world(),
                                          rendering_->receivers(), identity.hash());
  }
  if (known) {
    plan_ = *std::move(known);
    if (plan_.units.size() != units_->list().size()) {
      throw util::InputError({folder.plan().string(), ""},
                             fmt::format("{} units are planned, but {} computed here",
                                         plan_.units.size(), units_->list().size()),
                             "Use machines with the same kind of processor.");
    }
  } else {
    plan_units(scene, identity);
  }
}

void SharedRender::plan_units(const scene::Scene& scene, const Identity& identity) {
  plan_ = {.scene = fs::absolute(scene.file).lexically_normal(),
           .identity = identity,
           .model = rendering_->plan().model,
           .work_unit = rendering_->plan().work_unit};
  const fs::path results = fs::absolute(folder_.results());
  for (std::size_t i = 0; i < units_->list().size(); ++i) {
    const base::WorkUnit& unit = units_->list()[i];
    plan_.memory = std::max(plan_.memory, unit.memory);
    plan_.units.push_back({.name = unit.name,
                           .work = unit.work,
                           .file = units_->file(i).lexically_relative(results)});
  }
  util::write_file(folder_.plan(), plan_text(plan_));
}

/// Motion is stored, but what sources make of it is computed everywhere.
void SharedRender::check_file(std::size_t unit) const {
  const fs::path own = units_->file(unit).lexically_relative(fs::absolute(folder_.results()));
  if (own == plan_.units[unit].file) return;
  throw util::InputError(
      {folder_.plan().string(), fmt::format("units[{}]", unit)},
      fmt::format("{} has other sources or shapes on this machine", plan_.units[unit].name),
      "Use machines with the same kind of processor: others round differently.");
}

SharedRender::Report SharedRender::compute(const Part& part, util::Progress& progress) const {
  const std::vector<std::size_t> own = divide(plan_.work(), part.count)[part.index - 1];
  Report report{.units = own.size()};
  double work = 0.0;
  for (const std::size_t unit : own) work += plan_.units[unit].work;
  PartProgress of_part(work, progress);
  std::atomic<std::size_t> computed = 0;
  const auto compute_with = [&](std::size_t unit, const util::FileLock& lock) {
    if (units_->is_done(unit)) return of_part.add(plan_.units[unit].work);
    UnitProgress of_unit(plan_.units[unit].work, of_part, lock);
    units_->compute(unit, [&](double fraction) { of_unit(fraction); });
    of_unit(1.0);
    ++computed;
  };
  std::vector<char> is_taken(own.size(), 0);
  progress.begin(fmt::format("chunk {}", part.text()), 0.0);
  const auto take = [&](std::int64_t k) {
    const std::size_t unit = own[static_cast<std::size_t>(k)];
    check_file(unit);
    if (units_->is_done(unit)) return of_part.add(plan_.units[unit].work);
    const auto lock = util::FileLock::try_lock(lock_file(units_->file(unit)));
    if (lock) return compute_with(unit, *lock);
    is_taken[static_cast<std::size_t>(k)] = 1;
  };
  // A radiator that is not divided runs in this thread, as in a render on one machine: the threads
  // of a pool may treat denormal numbers differently.
  if (plan_.units.size() == 1 && own.size() == 1)
    take(0);
  else
    util::parallel_for(static_cast<std::int64_t>(own.size()), take);
  // Another process with the same part is at these. A thread that waited above, with a lock of its
  // own, could wait for a process that waits for it.
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (is_taken[k] == 0) continue;
    compute_with(own[k], util::FileLock::wait_for(lock_file(units_->file(own[k]))));
  }
  progress.end();
  report.computed = computed;
  return report;
}

render::Sound SharedRender::merge(util::Progress& progress) try {
  progress.begin("merge", 0.0);
  std::vector<base::Signal> pressures;
  try {
    pressures =
        units_->sum(rendering_->range(), [&](double fraction) { progress.update(fraction); });
  } catch (const std::exception&) {
    render::rethrow_in_file(plan_.scene);
  }
  progress.end();
  return rendering_->finish(pressures);
} catch (const base::MissingUnits& error) {
  throw util::InputError(
      {folder_.root().string(), ""},
      fmt::format("{} of {} results cannot be merged: {}", error.units().size(), plan_.units.size(),
                  list_of(plan_, error.units())),
      fmt::format("`peal status {0}` shows what runs or failed; `peal render {1} --chunk 1/1 -o "
                  "{0}` computes what is missing.",
                  folder_.root().string(), plan_.scene.string()));
}

}  // namespace peal::farm

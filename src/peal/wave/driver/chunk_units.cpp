#include <peal/util/parallel.h>
#include <peal/wave/driver/chunk_computer.h>
#include <peal/wave/driver/chunk_sum.h>
#include <peal/wave/driver/chunk_units.h>
#include <peal/wave/driver/wave_device.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace peal::wave {

ChunkUnits::ChunkUnits(const base::World& world, std::span<const base::Receiver> receivers,
                       std::shared_ptr<const WavePlan> plan, const base::RadiatorOptions& options)
    : world_(world),
      receivers_(receivers.size()),
      plan_(std::move(plan)),
      options_(options),
      cache_(options.cache) {
  for (const ChunkRun& run : plan_->runs) {
    list_.push_back({.name = fmt::format("chunk {} ({:.4g} to {:.4g} s)", list_.size() + 1,
                                         run.chunk.begin, run.chunk.end),
                     .work = expected_work(run),
                     .memory = field_bytes(run)});
  }
}

std::filesystem::path ChunkUnits::file(std::size_t unit) const {
  return cache_.file(chunk_key(plan_->runs[unit]));
}

bool ChunkUnits::is_done(std::size_t unit) const {
  const ChunkRun& run = plan_->runs[unit];
  return cache_.find(chunk_key(run), run).has_value();
}

void ChunkUnits::compute(std::size_t unit, const Advance& advance) const {
  const ChunkRun& one = plan_->runs[unit];
  const auto expected = static_cast<double>(expected_steps(one));
  double done = 0.0;
  ChunkComputer computer(choose_device(*plan_).devices);
  const ChunkSound sound = computer.compute(one, [&](std::int64_t steps) {
    done += static_cast<double>(steps);
    advance(std::min(1.0, done / expected));
  });
  for (const std::string& notice : computer.notices()) options_.take_notice(notice);
  cache_.save_or_throw(chunk_key(one), one, sound);
}

std::vector<base::Signal> ChunkUnits::sum(base::SampleRange range, const Advance& advance) const {
  const std::vector<ChunkRun>& runs = plan_->runs;
  ChunkSum sum(world_, receivers_, range);
  std::vector<base::MissingUnits::Missing> missing;
  // Many chunks are read at a time, since each waits for the disk, and checked on all threads.
  const auto at_once = static_cast<std::size_t>(4 * util::thread_count());
  std::vector<std::optional<ChunkSound>> found(at_once);
  std::vector<std::string> keys(at_once);
  for (std::size_t first = 0; first < runs.size(); first += at_once) {
    const std::size_t count = std::min(at_once, runs.size() - first);
    util::parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t k) {
      const auto slot = static_cast<std::size_t>(k);
      keys[slot] = chunk_key(runs[first + slot]);
      found[slot] = cache_.find(keys[slot], runs[first + slot]);
    });
    for (std::size_t k = 0; k < count; ++k) {
      if (!found[k]) {
        missing.push_back({first + k, cache_.problem(keys[k])});
      } else if (missing.empty()) {
        sum.add(runs[first + k], *found[k]);
      }
      found[k].reset();
    }
    advance(static_cast<double>(first + count) / static_cast<double>(runs.size()));
  }
  if (!missing.empty()) throw base::MissingUnits(std::move(missing));
  if (const auto notice = sum.notice()) options_.take_notice(*notice);
  return sum.take();
}

}  // namespace peal::wave

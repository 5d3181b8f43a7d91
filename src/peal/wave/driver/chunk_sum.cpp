#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/chunk_sum.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

/// Adds the samples that are in the range of the sum.
void add_to(base::Signal& sum, const base::Signal& part) {
  const auto begin = std::max(sum.start, part.start);
  const auto end = std::min(sum.start + static_cast<std::int64_t>(sum.samples.size()),
                            part.start + static_cast<std::int64_t>(part.samples.size()));
  for (std::int64_t n = begin; n < end; ++n) {
    sum.samples[static_cast<std::size_t>(n - sum.start)] +=
        part.samples[static_cast<std::size_t>(n - part.start)];
  }
}

}  // namespace

ChunkSum::ChunkSum(const base::World& world, std::size_t receivers, base::SampleRange range)
    : pressures_(receivers) {
  for (base::Signal& pressure : pressures_) {
    pressure.rate = world.rate;
    pressure.start = range.begin;
    pressure.samples.resize(static_cast<std::size_t>(range.size()));
  }
}

void ChunkSum::add(const ChunkRun& run, const ChunkSound& sound) {
  for (std::size_t r = 0; r < pressures_.size(); ++r) add_to(pressures_[r], sound.received[r]);
  ++chunks_;
  const ChunkEnd& end = sound.end;
  if (end.by_itself || !run.is_cut_by_domain() || end.rest == 0.0) return;
  ++cut_;
  if (end.rest <= loudest_) return;
  loudest_ = end.rest, part_ = end.rest / end.loudest, begin_ = run.chunk.begin;
}

std::optional<std::string> ChunkSum::notice() const {
  if (cut_ == 0) return std::nullopt;
  return fmt::format(
      "{} of {} chunks were faded out while still ringing, {:g} s after their sources: the "
      "loudest, which starts at {:.3g} s, at {:.2g} Pa, {:.0f} dB of its peak. A \"domain\" in "
      "\"radiation\" that contains the whole path avoids this",
      cut_, chunks_, longest_ringing, begin_, loudest_, 20.0 * std::log10(part_));
}

}  // namespace peal::wave

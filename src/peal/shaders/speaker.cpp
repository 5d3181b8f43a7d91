#include <peal/shaders/speaker.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::shaders {

using base::Rate;
using base::SampleRange;
using base::Signal;

namespace {

/// The sound goes on a little after the scene's end, so that a filter over the last samples finds
/// no edge there [s].
constexpr double beyond_the_end = 0.1;
constexpr double shortest_silence = 0.02;  ///< worth a gap [s]

}  // namespace

Speaker::Speaker(const scene::SpeakerSound& sound, std::vector<bool> patch,
                 const ShaderContext& context)
    : playback_(sound.signal, {sound.start, sound.duration, sound.acceleration}, context),
      patch_(std::move(patch)),
      length_(context.rate.seconds(context.samples)) {}

const Signal& Speaker::signal(Rate rate) const {
  const Signal* latest = latest_.load(std::memory_order_acquire);
  if (latest != nullptr && latest->rate == rate) return *latest;
  const std::lock_guard lock(mutex_);
  auto known = std::ranges::find(signals_, rate, &Signal::rate);
  if (known == signals_.end()) {
    const auto end = static_cast<std::int64_t>(std::ceil(rate.samples(length_ + beyond_the_end)));
    known = signals_.insert(signals_.end(), playback_.play(rate, {0, end}));
  }
  latest_.store(&*known, std::memory_order_release);
  return *known;
}

base::SurfaceBasis Speaker::basis(std::span<const base::SurfacePoint> points) const {
  base::SurfaceBasis::Dense column(static_cast<Eigen::Index>(points.size()), 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    column(static_cast<Eigen::Index>(i)) = patch_[points[i].triangle] ? 1.0f : 0.0f;
  }
  return base::SurfaceBasis(std::move(column));
}

void Speaker::coefficients(Rate rate, SampleRange range, base::Coefficients& out) const {
  const Signal& played = signal(rate);
  out.setZero(1, range.size());
  const std::int64_t begin = std::max(range.begin, played.start);
  const std::int64_t end =
      std::min(range.end, played.start + static_cast<std::int64_t>(played.samples.size()));
  for (std::int64_t n = begin; n < end; ++n) {
    out(0, n - range.begin) = played.samples[static_cast<std::size_t>(n - played.start)];
  }
}

void Speaker::hash(Rate rate, SampleRange range, util::Fingerprint& print) const {
  for (const bool is_in_patch : patch_) print.add(is_in_patch);
  const Signal played = playback_.play(rate, range);
  print.add(played.start);
  print.add(std::span<const float>(played.samples));
}

std::vector<SampleRange> Speaker::active(Rate rate, SampleRange range) const {
  const Signal& played = signal(rate);
  const auto gap = static_cast<std::int64_t>(rate.samples(shortest_silence));
  const std::int64_t begin = std::max(range.begin, played.start);
  const std::int64_t end =
      std::min(range.end, played.start + static_cast<std::int64_t>(played.samples.size()));
  std::vector<SampleRange> stretches;
  for (std::int64_t n = begin; n < end; ++n) {
    if (played.samples[static_cast<std::size_t>(n - played.start)] == 0.0f) continue;
    if (stretches.empty() || n - stretches.back().end >= gap) stretches.push_back({n, n});
    stretches.back().end = n + 1;
  }
  return stretches;
}

std::shared_ptr<const base::SurfaceSource> make_speaker(const scene::SpeakerSound& sound,
                                                        std::vector<bool> patch,
                                                        const ShaderContext& context) {
  return std::make_shared<Speaker>(sound, std::move(patch), context);
}

}  // namespace peal::shaders

#include <peal/radiation/directional_filter.h>

#include <algorithm>
#include <cstdlib>

namespace peal::radiation {

using base::SampleRange;
using base::Vec3;

DirectionalFilter::DirectionalFilter(const base::Receiver& receiver, const base::Medium& medium,
                                     base::Rate rate)
    : receiver_(receiver), speed_of_sound_(medium.speed_of_sound), rate_(rate) {
  receiver.response->prepare(rate);
  taps_ = static_cast<std::int64_t>(receiver.response->taps(rate));
  lead_ = static_cast<std::int64_t>(receiver.response->lead(rate));
}

SampleRange DirectionalFilter::needed(SampleRange range) const {
  return {range.begin + lead_ - (taps_ - 1), range.end + lead_};
}

/// From where the sound comes that passes the receiver's point at this sample: the receiver's frame
/// [m].
Vec3 DirectionalFilter::direction(const SendingPoint& point, std::int64_t sample) const {
  const double t = rate_.seconds(sample);
  const base::Pose pose = receiver_.motion->pose(t);
  const Vec3 middle = pose.to_world(receiver_.offset);
  double emitted = t;
  Vec3 from = point.motion->pose(emitted).to_world(point.offset);
  constexpr int steps = 4;  // each reduces the error by the Mach number
  for (int i = 0; i < steps && !point.motion->is_still(); ++i) {
    emitted = t - (from - middle).norm() / speed_of_sound_;
    from = point.motion->pose(emitted).to_world(point.offset);
  }
  return pose.to_local(from) - receiver_.offset;
}

void DirectionalFilter::apply(const SendingPoint& point, std::span<const float> pressure,
                              SampleRange range, std::span<float> out) const {
  if (std::ranges::all_of(pressure, [](float p) { return p == 0.0f; })) return;
  const bool is_still = point.motion->is_still() && receiver_.motion->is_still();
  const auto taps = static_cast<std::size_t>(taps_);
  // Reversed, so that outputs are sums of products in order.
  const auto filter_at = [&](std::int64_t sample) {
    std::vector<float> filter(taps);
    receiver_.response->filter(rate_, direction(point, sample), filter);
    std::ranges::reverse(filter);
    return filter;
  };
  const auto filtered = [&](const std::vector<float>& filter, std::int64_t n) {
    const float* const from = &pressure[static_cast<std::size_t>(n - range.begin)];
    constexpr std::size_t width = 16;
    float sums[width] = {};
    std::size_t k = 0;
    for (; k + width <= taps; k += width)
      for (std::size_t i = 0; i < width; ++i) sums[i] += filter[k + i] * from[k + i];
    float sum = 0.0f;
    for (; k < taps; ++k) sum += filter[k] * from[k];
    for (const float part : sums) sum += part;
    return sum;
  };
  if (is_still) {
    const std::vector<float> filter = filter_at(0);
    for (std::int64_t n = range.begin; n < range.end; ++n)
      out[static_cast<std::size_t>(n - range.begin)] += filtered(filter, n);
    return;
  }
  const auto floor_hop = [](std::int64_t n) { return n >= 0 ? n / hop : -((-n + hop - 1) / hop); };
  std::int64_t number = floor_hop(range.begin);
  std::vector<float> now = filter_at(number * hop), next = filter_at((number + 1) * hop);
  for (std::int64_t n = range.begin; n < range.end; ++n) {
    if (floor_hop(n) != number) {
      ++number;
      now = std::move(next);
      next = filter_at((number + 1) * hop);
    }
    const float share = static_cast<float>(n - number * hop) / static_cast<float>(hop);
    out[static_cast<std::size_t>(n - range.begin)] +=
        (1.0f - share) * filtered(now, n) + share * filtered(next, n);
  }
}

}  // namespace peal::radiation

#include <peal/radiation/sampled_path.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

constexpr double velocity_window = 0.005;  ///< half width [s]

double smoothstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

}  // namespace

double Piece::clamp(double t) const {
  if (t < begin) return begin;
  if (t >= end) return std::nextafter(end, begin);
  return t;
}

double Piece::fade(double t) const {
  return smoothstep((t - begin) / edge_time) * smoothstep((end - t) / edge_time);
}

std::vector<Piece> pieces(const base::Motion& motion) {
  std::vector<Piece> result(1);
  for (const double jump : motion.jumps()) {
    result.back().end = jump;
    result.push_back({.begin = jump});
  }
  return result;
}

SampledPath::SampledPath(const base::Motion& motion, const Vec3& offset, const Piece& piece,
                         base::Rate rate, base::SampleRange range)
    : first_(range.begin) {
  // One sample more, so that the last one has a slope; the velocity window on both sides.
  const auto size = static_cast<std::size_t>(range.size() + 1);
  const auto place = [&](std::int64_t index) {
    return motion.pose(piece.clamp(rate.seconds(index))).to_world(offset);
  };
  if (motion.is_still()) {
    positions_.assign(size, place(range.begin));
    velocities_.assign(size, Vec3::Zero());
    return;
  }
  const auto window = static_cast<std::int64_t>(std::ceil(rate.samples(velocity_window)));
  std::vector<Vec3> wide(size + 2 * window);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    wide[i] = place(range.begin - window + static_cast<std::int64_t>(i));
  }
  positions_.assign(wide.begin() + window, wide.end() - window);
  velocities_.resize(size);
  const double per_second = 1.0 / (2.0 * rate.seconds(window));
  for (std::size_t i = 0; i < size; ++i) {
    velocities_[i] = (wide[i + 2 * window] - wide[i]) * per_second;
    if (i > 0) {
      largest_step_ = std::max(largest_step_, (positions_[i] - positions_[i - 1]).norm());
    }
  }
}

}  // namespace peal::radiation

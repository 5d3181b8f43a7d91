#include <peal/base/piece.h>
#include <peal/util/smoothstep.h>

#include <algorithm>
#include <cmath>

namespace peal::base {

double Piece::clamp(double t) const {
  if (t < begin) return begin;
  if (t >= end) return std::nextafter(end, begin);
  return t;
}

double Piece::fade(double t) const {
  return util::smoothstep((t - begin) / edge_time) - util::smoothstep((t - end) / edge_time);
}

std::vector<Piece> pieces_between(std::span<const double> jumps) {
  std::vector<Piece> result(1);
  for (const double jump : jumps) {
    result.back().end = jump;
    result.push_back({.begin = jump});
  }
  return result;
}

std::vector<Piece> pieces(const Motion& motion) {
  return pieces_between(motion.jumps());
}

SampleRange samples_within(const Piece& piece, Rate rate, SampleRange range) {
  const auto index_at = [&](double t, std::int64_t otherwise) {
    return std::isfinite(t) ? static_cast<std::int64_t>(std::ceil(rate.samples(t))) : otherwise;
  };
  return {std::max(range.begin, index_at(piece.begin, range.begin)),
          std::min(range.end, index_at(piece.end + Piece::edge_time, range.end))};
}

std::span<const Piece> pieces_within(std::span<const Piece> all, double begin, double end) {
  const auto first = std::partition_point(all.begin(), all.end(), [&](const Piece& piece) {
    return piece.end + Piece::edge_time < begin;
  });
  const auto last = std::partition_point(first, all.end(),
                                         [&](const Piece& piece) { return piece.begin <= end; });
  return {first, last};
}

}  // namespace peal::base

#include <peal/radiation/piece.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

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

}  // namespace peal::radiation

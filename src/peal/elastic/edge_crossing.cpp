#include <peal/elastic/edge_crossing.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace peal::elastic {

using geometry::Vec3;

std::optional<EdgeCrossing> crossing_of(const SharpEdge& first, const SharpEdge& second) {
  constexpr double parallel = 0.05;          // sine of 3 degrees
  constexpr double flat = 0.1, steep = 0.3;  // sines of angles between edges and faces
  const Vec3 a = first.ends[1] - first.ends[0], b = second.ends[1] - second.ends[0];
  const Vec3 across = a.cross(b), between = second.ends[0] - first.ends[0];
  const double square = across.squaredNorm();
  if (!(square > parallel * parallel * a.squaredNorm() * b.squaredNorm())) return std::nullopt;
  EdgeCrossing crossing;
  crossing.on_first = between.cross(b).dot(across) / square;
  crossing.on_second = between.cross(a).dot(across) / square;
  const auto is_on = [](double part) { return part >= 0.0 && part <= 1.0; };
  if (!is_on(crossing.on_first) || !is_on(crossing.on_second)) return std::nullopt;
  crossing.normal = across / std::sqrt(square);
  const Vec3 out = second.normals[0] + second.normals[1];
  if (crossing.normal.dot(out) < 0.0) crossing.normal = -crossing.normal;
  double least = 1.0;
  for (int k = 0; k < 2; ++k) {
    least = std::min(
        {least, crossing.normal.dot(second.normals[k]), -crossing.normal.dot(first.normals[k])});
  }
  if (least <= flat) return std::nullopt;
  crossing.share = std::min(1.0, (least - flat) / (steep - flat));
  crossing.depth = between.dot(crossing.normal);
  return crossing;
}

}  // namespace peal::elastic

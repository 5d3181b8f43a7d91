#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <optional>

namespace peal::geometry {

using Corners = std::array<Vec3, 3>;

/// Barycentric coordinates of the point of a triangle (or of the segment or point it has collapsed
/// to) that is nearest to p. It tests the regions of vertices, edges and face in turn: Ericson
/// 2005, Real-Time Collision Detection, section 5.1.5.
Vec3 closest_barycentrics(const Corners& corners, const Vec3& p);

/// The point with the given barycentric coordinates.
inline Vec3 interpolate(const Corners& corners, const Vec3& barycentrics) {
  return barycentrics[0] * corners[0] + barycentrics[1] * corners[1] + barycentrics[2] * corners[2];
}

/// Solid angle of a triangle seen from p, positive if p is behind it [sr]: van Oosterom &
/// Strackee 1983, eq. 8. Zero if p is a corner.
double solid_angle(const Corners& corners, const Vec3& p);

/// A half-line from origin; t is measured in lengths of `direction`.
struct Ray {
  Vec3 origin;     ///< [m]
  Vec3 direction;  ///< any length but zero
  double t_min = 0.0;
  double t_max = std::numeric_limits<double>::infinity();
};

/// A ray in the sheared frame of Woop, Benthin & Wald 2013 (watertight ray-triangle
/// intersection): no ray passes between two triangles that share an edge.
class ShearedRay {
 public:
  explicit ShearedRay(const Ray& ray);

  struct Hit {
    double t;
    Vec3 barycentrics;
  };
  /// The hit of a triangle from either side, its edges included. A triangle seen edge-on has none.
  std::optional<Hit> intersect(const Corners& corners) const;

 private:
  Vec3 origin_;
  Vec3 shear_;
  std::array<int, 3> axis_;
  double t_min_, t_max_;
};

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <span>
#include <string_view>
#include <vector>

namespace peal::geometry {

/// Divides the polygons of mesh files into triangles with the same corners, order and outline. A
/// strictly convex polygon becomes a fan; any other polygon is clipped ear by ear in the plane of
/// its area vector (O'Rourke, "Computational Geometry in C", 2nd ed., section 1.6; quadratic time).
/// Corners on a straight line are kept, as neighbours may use them: the surface stays closed.
class PolygonTriangulator {
 public:
  /// Largest non-convex polygon, which bounds the time that a malicious file can take.
  static constexpr std::size_t max_corners = 4096;

  /// Appends the triangles of one polygon (at least three corners) to `out`. Returns "" or, with
  /// `out` unchanged, a description of the polygon's defect.
  std::string_view append(std::span<const std::uint32_t> corners, std::span<const Vec3> vertices,
                          std::vector<Triangle>& out);

 private:
  struct Corner {
    double u, v;  ///< [m] position in the plane
    std::uint32_t vertex;
    std::uint32_t previous, next;
    bool reflex;  ///< whether it turns right or runs straight: it may lie in another corner's ear
    bool ear;
  };

  bool project(std::span<const std::uint32_t> corners, std::span<const Vec3> vertices);
  bool is_strictly_convex() const;
  /// Sign of the turn a -> b -> c: 1 left, -1 right, 0 straight within rounding error.
  static int turn(const Corner& a, const Corner& b, const Corner& c);
  int turn_at(const Corner& corner) const;
  bool is_ear(std::uint32_t index) const;
  void update(std::uint32_t index);
  bool clip_ears(std::vector<Triangle>& out);
  std::uint32_t clip(std::uint32_t index, std::vector<Triangle>& out);

  std::vector<Corner> polygon_;
};

}  // namespace peal::geometry

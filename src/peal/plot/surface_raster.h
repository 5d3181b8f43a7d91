#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/plot/canvas.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace peal::plot {

/// Values at the corners of each triangle.
template <class Value>
using AtCorners = std::vector<std::array<Value, 3>>;

/// Unit normals at the corners of the triangles: smooth over the faces around a vertex that bend
/// by less than 40 degrees, with a crease elsewhere. `positions` are those of mesh's vertices.
AtCorners<geometry::Vec3> corner_normals(const geometry::TriMesh& mesh,
                                         std::span<const geometry::Vec3> positions);

/// Pixels of surfaces seen from the front, slightly from above, and from the side on which they are
/// broader, in parallel projection with a depth buffer.
class SurfaceRaster {
 public:
  /// Chooses the scale so that everything within `reach` [m] of the points fits into width x height
  /// pixels.
  SurfaceRaster(std::span<const geometry::Vec3> points, double reach, int width, int height);

  /// Height over width of everything within `reach` of the points.
  static double aspect(std::span<const geometry::Vec3> points, double reach);

  /// Draws a surface with the vertices of `mesh` at `positions`: values at corners, from 0 to 1,
  /// become colours, shaded by a lamp at the upper left. Both sides are drawn.
  void draw(const geometry::TriMesh& mesh, std::span<const geometry::Vec3> positions,
            const AtCorners<double>& values, const std::function<Colour(double)>& colour);
  /// Draws a surface in one colour.
  void draw(const geometry::TriMesh& mesh, std::span<const geometry::Vec3> positions,
            const Colour& colour);
  /// Draws a silhouette: pixels of the surface on which nothing was drawn become `tint`.
  void draw_shadow(const geometry::TriMesh& mesh, std::span<const geometry::Vec3> positions,
                   const Colour& tint);

  /// Position of a point in the picture, and whether nothing is drawn in front of it by more than a
  /// hundredth of the size.
  Point place(const geometry::Vec3& point) const;
  bool sees(const geometry::Vec3& point) const;

  /// Puts the picture onto a canvas, at the requested size.
  void put(Canvas& canvas, Point top_left) const;

 private:
  static constexpr int fine = 2;  ///< pixels drawn a pixel of the picture, along each side

  struct Covered {
    int at;                       ///< index of the pixel
    double depth;                 ///< towards the viewer [m]
    geometry::Vec3 barycentrics;  ///< in the triangle
  };
  geometry::Vec3 seen(const geometry::Vec3& point) const;  ///< x right, y down [px], z near [m]
  void cover(const std::array<geometry::Vec3, 3>& corners,
             const std::function<void(const Covered&)>& use) const;

  int width_, height_;  ///< of the fine pixels
  geometry::Mat3 turn_;
  double scale_;           ///< [px/m]
  geometry::Vec3 centre_;  ///< turned [m]
  double size_;            ///< of the points' bounds [m]
  std::vector<float> depth_;
  std::vector<std::uint32_t> pixels_;
};

}  // namespace peal::plot

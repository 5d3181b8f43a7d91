#include <peal/geometry/shapes/shapes.h>

#include <bench/lathed.h>

#include <cmath>
#include <numbers>

namespace peal::bench {

namespace {

using geometry::Vec2;

constexpr int arc_steps = 8;

Vec2 on_ellipse(const Vec2& centre, const Vec2& radii, double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0;
  return centre + radii.cwiseProduct(Vec2(std::cos(angle), std::sin(angle)));
}

void add_arc(geometry::Polygon& line, const Vec2& centre, const Vec2& radii, double from, double to,
             int steps) {
  for (int i = 0; i <= steps; ++i)
    line.push_back(on_ellipse(centre, radii, from + (to - from) * i / steps));
}

}  // namespace

geometry::TriMesh mug() {
  const double radius = 0.04, height = 0.09, wall = 0.003, fillet = 0.008;
  const Vec2 corner(radius - fillet, fillet);
  geometry::Polygon line{{0.0, 0.0}};
  add_arc(line, corner, Vec2::Constant(fillet), -90, 0, arc_steps);
  add_arc(line, {radius - wall / 2, height - wall / 2}, Vec2::Constant(wall / 2), 0, 180,
          arc_steps);
  add_arc(line, corner, Vec2::Constant(fillet - wall), 0, -90, arc_steps);
  line.push_back({0.0, wall});
  return geometry::lathe_mesh(line, 0.003);
}

geometry::TriMesh wine_glass() {
  const double wall = 0.0012, top = 25.0;  // the bowl's last angle [degrees]
  const Vec2 centre(0.0, 0.122), outer(0.036, 0.045), inner = outer - Vec2::Constant(wall);
  geometry::Polygon line{{0.0, 0.0}, {0.034, 0.0}, {0.034, 0.002}};
  add_arc(line, {0.012, 0.0115}, Vec2::Constant(0.008), -90, -180, arc_steps);  // foot to stem
  add_arc(line, centre, outer, -77, top, 20);
  const Vec2 rim_outer = on_ellipse(centre, outer, top), rim_inner = on_ellipse(centre, inner, top);
  const Vec2 half = 0.5 * (rim_outer - rim_inner), up(-half.y(), half.x());
  for (int i = 1; i < arc_steps; ++i) {
    const double angle = std::numbers::pi * i / arc_steps;
    line.push_back(0.5 * (rim_outer + rim_inner) + std::cos(angle) * half + std::sin(angle) * up);
  }
  add_arc(line, centre, inner, top, -86, 24);
  line.push_back({0.0, centre.y() - inner.y()});
  return geometry::lathe_mesh(line, 0.002);
}

}  // namespace peal::bench

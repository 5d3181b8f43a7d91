#include <peal/elastic/surface_overlaps.h>
#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <memory>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double least_overlap = 1e-3;  ///< at the start, of the size of a face

/// A surface as it now is.
struct PlacedSurface {
  geometry::TriMesh mesh;
  geometry::SurfaceQuery surface;
  geometry::InsideTest solid;

  explicit PlacedSurface(geometry::TriMesh moved)
      : mesh(std::move(moved)), surface(mesh), solid(mesh) {}
  double distance(const Vec3& at) const { return geometry::signed_distance(surface, solid, at); }

  /// Thickness of the solid below the centre of a face, at most `size`, by halving [m].
  double depth_below(const Vec3& centre, const Vec3& normal, double size) const {
    for (double depth = size; depth > least_overlap * size; depth *= 0.5) {
      if (distance(centre - depth * normal) < -0.25 * depth) return depth;
    }
    return 0.0;
  }
};

std::unique_ptr<PlacedSurface> placed(const ContactSurface& surface, const Nodes& x) {
  geometry::TriMesh mesh = surface.mesh;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    mesh.vertices[v] = x.at(surface.surface_node[v]);
  return std::make_unique<PlacedSurface>(std::move(mesh));
}

}  // namespace

void refuse_overlap(const ContactSurface& a, const Nodes& x, const ContactSurface& b,
                    const Nodes& y) {
  const auto mine = placed(a, x), others = placed(b, y);
  const auto refuse_inside = [&](const Vec3& at, double least) {
    if (others->distance(at) > -least) return;
    throw util::InputError(
        {"", a.name}, fmt::format("starts inside \"{}\"", b.name),
        "Move one of them, or switch its collisions off: \"contact\": {\"collision\": \"none\"}.");
  };
  // Bars that lie along each other have all their vertices on the sides of the other: centres
  // tell; and if those are the same, too, points below them.
  for (const ContactSurface::Sample& sample : a.samples)
    refuse_inside(point_at(sample.spot, x), least_overlap * sample.size);
  for (std::size_t f = 0; f < mine->mesh.triangles.size(); ++f) {
    const geometry::Triangle& corners = mine->mesh.triangles[f];
    const Vec3 &p = mine->mesh.vertices[corners[0]], &q = mine->mesh.vertices[corners[1]],
               &r = mine->mesh.vertices[corners[2]];
    const Vec3 centre = (p + q + r) / 3.0, normal = (q - p).cross(r - p).normalized();
    const double depth = mine->depth_below(centre, normal, 0.5 * a.faces[f].size);
    if (depth > 0.0) refuse_inside(centre - depth * normal, 0.25 * depth);
  }
}

}  // namespace peal::elastic

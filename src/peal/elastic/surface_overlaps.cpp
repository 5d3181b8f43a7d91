#include <peal/elastic/surface_contact.h>
#include <peal/geometry/inside.h>
#include <peal/geometry/surface_query.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <memory>
#include <utility>

// Solids that start inside of each other.

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double least_overlap = 1e-3;  ///< at the start, of the size of a face

}  // namespace

/// A surface as it now is.
struct SurfaceContact::Placed {
  geometry::TriMesh mesh;
  geometry::SurfaceQuery surface;
  geometry::InsideTest solid;

  explicit Placed(geometry::TriMesh moved) : mesh(std::move(moved)), surface(mesh), solid(mesh) {}
  double distance(const Vec3& at) const { return geometry::signed_distance(surface, solid, at); }

  /// How far the solid goes on below the centre of a face, at most `size`: by halving [m].
  double depth_below(const Vec3& centre, const Vec3& normal, double size) const {
    for (double depth = size; depth > least_overlap * size; depth *= 0.5) {
      if (distance(centre - depth * normal) < -0.25 * depth) return depth;
    }
    return 0.0;
  }
};

void SurfaceContact::refuse_overlaps(const State& state) const {
  const auto placed = [&](std::size_t solid) {
    geometry::TriMesh mesh = surfaces_[solid].mesh;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      mesh.vertices[v] = state.position[solid].at(surfaces_[solid].surface_node[v]);
    return std::make_unique<Placed>(std::move(mesh));
  };
  for (const Pair& pair : pairs_) {
    const std::size_t a = pair.solid, b = pair.other;
    if (a == b) continue;
    const auto mine = placed(a), others = placed(b);
    const auto refuse_inside = [&](const Vec3& at, double least) {
      if (others->distance(at) > -least) return;
      throw util::InputError({"", surfaces_[a].name},
                             fmt::format("starts inside of \"{}\"", surfaces_[b].name),
                             "Move one of them, or let one pass: \"contact\": {\"collision\": "
                             "\"none\"}.");
    };
    // Bars that lie along each other have all their vertices on the sides of the other: centres
    // tell; and if those are the same, too, points below them.
    for (const Sample& sample : surfaces_[a].samples)
      refuse_inside(point_at(sample.spot, state.position[a]), least_overlap * sample.size);
    for (std::size_t f = 0; f < mine->mesh.triangles.size(); ++f) {
      const geometry::Triangle& corners = mine->mesh.triangles[f];
      const Vec3 &p = mine->mesh.vertices[corners[0]], &q = mine->mesh.vertices[corners[1]],
                 &r = mine->mesh.vertices[corners[2]];
      const Vec3 centre = (p + q + r) / 3.0, normal = (q - p).cross(r - p).normalized();
      const double depth = mine->depth_below(centre, normal, 0.5 * surfaces_[a].faces[f].size);
      if (depth > 0.0) refuse_inside(centre - depth * normal, 0.25 * depth);
    }
  }
}

}  // namespace peal::elastic

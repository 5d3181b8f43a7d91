#include <peal/elastic/obstacle_overlaps.h>
#include <peal/geometry/mesh/inside.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double allowed_overlap = 1e-3;  ///< over the size of a face
constexpr int most_halvings = 4;          ///< of a face that is sampled

/// Depth of a face in an obstacle, sampled at points that are 2^-halvings of its size apart, only
/// where the depth may exceed `least` [m].
double deepest_of_face(const MovingObstacle& obstacle, const geometry::Corners& corners,
                       double least, int halvings) {
  const Vec3 centre = (corners[0] + corners[1] + corners[2]) / 3.0;
  Vec3 normal;
  const double depth = -obstacle.distance(centre, normal);
  double reach = 0.0;
  for (const Vec3& corner : corners) reach = std::max(reach, (corner - centre).norm());
  if (halvings == 0 || depth + reach <= least) return depth;
  const Vec3 a = 0.5 * (corners[1] + corners[2]), b = 0.5 * (corners[2] + corners[0]),
             c = 0.5 * (corners[0] + corners[1]);
  double deepest = depth;
  for (const geometry::Corners& part :
       {geometry::Corners{corners[0], c, b}, {corners[1], a, c}, {corners[2], b, a}, {a, b, c}}) {
    const double most = std::max(least, deepest);
    deepest = std::max(deepest, deepest_of_face(obstacle, part, most, halvings - 1));
  }
  return deepest;
}

}  // namespace

void refuse_overlap(const Solid& solid, const ContactFaces& faces, const MovingObstacle& obstacle,
                    const Nodes& x) {
  if (faces.faces().empty()) return;
  const auto fail = [&](const std::string& problem) {
    throw util::InputError(
        {"", faces.name()}, problem,
        "Move one of them, or switch its collisions off: \"contact\": {\"collision\": \"none\"}.");
  };
  for (const ContactFaces::Face& face : faces.faces()) {
    const geometry::Corners corners = corners_of(face, x);
    double deepest = 0.0;
    for (const Vec3& corner : corners) {
      Vec3 normal;
      deepest = std::max(deepest, -obstacle.distance(corner, normal));
    }
    const double allowed = allowed_overlap * face.size;
    deepest = std::max(
        deepest, deepest_of_face(obstacle, corners, std::max(allowed, deepest), most_halvings));
    if (deepest <= allowed) continue;
    fail(fmt::format("starts {:.3g} mm inside \"{}\"", 1e3 * deepest, obstacle.obstacle().name));
  }
  geometry::TriMesh whole = solid.surface;
  for (std::size_t i = 0; i < whole.vertices.size(); ++i)
    whole.vertices[i] = x.at(solid.surface_node[i]);
  if (geometry::winding_number(whole, obstacle.pose().to_world(obstacle.obstacle().point)) > 0.5)
    fail(fmt::format("contains \"{}\" at the start", obstacle.obstacle().name));
}

}  // namespace peal::elastic

#include <peal/elastic/contact.h>
#include <peal/geometry/inside.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>

// Solids and obstacles that start inside of each other.

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double allowed_overlap = 1e-3;  ///< of the size of a face
constexpr int most_halvings = 4;          ///< of a face that is looked at

}  // namespace

/// How deep a face is in an obstacle, by points of it that lie a part 2^-halvings of its size from
/// each other; only where that may be more than `least` [m].
double ObstacleContact::deepest_of_face(const Mover& mover, const geometry::Corners& corners,
                                        double least, int halvings) const {
  const Vec3 centre = (corners[0] + corners[1] + corners[2]) / 3.0;
  Vec3 normal;
  const double depth = -mover.obstacle.shape->distance(mover.pose.to_local(centre), normal);
  double reach = 0.0;
  for (const Vec3& corner : corners) reach = std::max(reach, (corner - centre).norm());
  if (halvings == 0 || depth + reach <= least) return depth;
  const Vec3 a = 0.5 * (corners[1] + corners[2]), b = 0.5 * (corners[2] + corners[0]),
             c = 0.5 * (corners[0] + corners[1]);
  double deepest = depth;
  for (const geometry::Corners& part :
       {geometry::Corners{corners[0], c, b}, {corners[1], a, c}, {corners[2], b, a}, {a, b, c}}) {
    const double most = std::max(least, deepest);
    deepest = std::max(deepest, deepest_of_face(mover, part, most, halvings - 1));
  }
  return deepest;
}

void ObstacleContact::refuse_overlap(const Mover& mover, std::size_t solid, const Nodes& x) const {
  const Surface& surface = surfaces_[solid];
  if (surface.faces.empty()) return;
  const auto fail = [&](const std::string& problem) {
    throw util::InputError(
        {"", surface.name}, problem,
        "Move one of them, or let one pass: \"contact\": {\"collision\": \"none\"}.");
  };
  for (const Face& face : surface.faces) {
    geometry::Corners corners;
    double deepest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k] = x.at(face.nodes[k]);
      Vec3 normal;
      deepest = std::max(deepest,
                         -mover.obstacle.shape->distance(mover.pose.to_local(corners[k]), normal));
    }
    const double allowed = allowed_overlap * face.size;
    deepest = std::max(deepest,
                       deepest_of_face(mover, corners, std::max(allowed, deepest), most_halvings));
    if (deepest <= allowed) continue;
    fail(fmt::format("starts {:.3g} mm inside of \"{}\"", 1e3 * deepest, mover.obstacle.name));
  }
  const Solid& body = (*solids_)[solid];
  geometry::TriMesh whole = body.surface;
  for (std::size_t i = 0; i < whole.vertices.size(); ++i)
    whole.vertices[i] = x.at(body.surface_node[i]);
  if (geometry::winding_number(whole, mover.pose.to_world(mover.obstacle.point)) > 0.5)
    fail(fmt::format("has \"{}\" inside of it at the start", mover.obstacle.name));
}

void ObstacleContact::refuse_overlaps(const State& state) {
  for (const Mover& mover : movers_) {
    for (std::size_t s = 0; s < surfaces_.size(); ++s) refuse_overlap(mover, s, state.position[s]);
  }
}

}  // namespace peal::elastic

#include <peal/elastic/surface_contact.h>
#include <peal/geometry/inside.h>
#include <peal/geometry/triangle.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr std::int64_t looks_after =
    32;                                 ///< steps from one look at how far things moved to the next
constexpr double deepest_part = 0.5;    ///< of a face's size that a vertex may be inside
constexpr double slowing_limit = 0.2;   ///< of a node's momentum that friction may take in a step
constexpr double least_overlap = 1e-3;  ///< at the start, of the size of a face
constexpr double near_at_rest = 2.0;    ///< sizes of a face within which a body is itself

geometry::Corners corners_at(const std::array<std::uint32_t, 3>& nodes, const Nodes& x) {
  return {x.at(nodes[0]), x.at(nodes[1]), x.at(nodes[2])};
}

geometry::Box box_of(const std::vector<double>& x, const std::vector<double>& y,
                     const std::vector<double>& z) {
  geometry::Box box;
  for (std::size_t i = 0; i < x.size(); ++i) box.extend(Vec3(x[i], y[i], z[i]));
  return box;
}

}  // namespace

SurfaceContact::SurfaceContact(const std::vector<Solid>& solids, std::vector<ContactSide> sides,
                               const std::vector<bool>& touches_itself) {
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const Solid& solid = solids[s];
    Surface surface{.name = solid.name,
                    .mesh = solid.surface,
                    .surface_node = solid.surface_node,
                    .mass = solid.mass,
                    .compliance = contact_compliance(solid.material),
                    .side = sides[s]};
    std::vector<Vertex> vertices(solid.surface.vertices.size());
    std::vector<double> around(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v].node = solid.surface_node[v];
    for (std::size_t t = 0; t < solid.surface.triangles.size(); ++t) {
      const double area = geometry::area_vector(solid.surface, t).norm();
      const Vec3 centre = geometry::triangle_centre(solid.surface, t);
      Face face{.nodes = {}, .size = std::sqrt(2.0 * area)};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = solid.surface.triangles[t][k];
        face.nodes[k] = solid.surface_node[v];
        face.reach = std::max(face.reach, (solid.surface.vertices[v] - centre).norm());
        vertices[v].area += area / 3.0;
        vertices[v].size += face.size;
        around[v] += 1.0;
      }
      surface.size = std::max(surface.size, face.size);
      surface.faces.push_back(face);
    }
    for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v].size /= std::max(1.0, around[v]);
    surface.vertices = std::move(vertices);
    surfaces_.push_back(std::move(surface));
  }
  margin_ = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < surfaces_.size(); ++a) {
    margin_ = std::min(margin_, 0.5 * surfaces_[a].size);
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
      const bool meet = surfaces_[a].side.meets_others && surfaces_[b].side.meets_others;
      if (a == b ? touches_itself[a] : meet) pairs_.push_back({a, b});
    }
  }
}

double SurfaceContact::modulus(const Surface& a, const Surface& b) const {
  return 1.0 / (a.compliance + b.compliance);
}

bool SurfaceContact::has_moved(const State& state) const {
  const double far = 0.25 * margin_;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    for (const Vertex& vertex : surfaces_[s].vertices) {
      const Vec3 way = state.position[s].at(vertex.node) - listed_at_[s].at(vertex.node);
      if (way.squaredNorm() > far * far) return true;
    }
  }
  return false;
}

void SurfaceContact::list_meetings(const State& state) {
  meetings_.clear();
  listed_at_ = state.position;
  for (const auto& [solid, other] : pairs_) list_meetings(solid, other, state);
}

void SurfaceContact::list_meetings(std::size_t solid, std::size_t other, const State& state) {
  const Surface &a = surfaces_[solid], &b = surfaces_[other];
  const Nodes &x = state.position[solid], &y = state.position[other];
  const geometry::Box all = box_of(y.x, y.y, y.z);
  std::vector<Vec3> centres;
  for (const Face& face : b.faces) {
    const geometry::Corners corners = corners_at(face.nodes, y);
    centres.push_back((corners[0] + corners[1] + corners[2]) / 3.0);
  }
  for (std::uint32_t v = 0; v < a.vertices.size(); ++v) {
    const Vec3 at = x.at(a.vertices[v].node);
    if (all.squaredExteriorDistance(at) > margin_ * margin_) continue;
    Meeting meeting{.solid = static_cast<std::uint32_t>(solid),
                    .other = static_cast<std::uint32_t>(other),
                    .vertex = v};
    for (std::uint32_t f = 0; f < b.faces.size(); ++f) {
      const double near = 1.5 * b.faces[f].reach + margin_;
      if ((centres[f] - at).squaredNorm() > near * near) continue;
      if (solid == other) {
        const Vec3 between = geometry::triangle_centre(b.mesh, f) - a.mesh.vertices[v];
        if (between.norm() < b.faces[f].reach + near_at_rest * b.size) continue;
      }
      meeting.faces.push_back(f);
    }
    if (!meeting.faces.empty()) meetings_.push_back(std::move(meeting));
  }
}

void SurfaceContact::push(const Meeting& meeting, const State& state,
                          std::vector<Nodes>& forces) const {
  const Surface &a = surfaces_[meeting.solid], &b = surfaces_[meeting.other];
  const Nodes &x = state.position[meeting.solid], &y = state.position[meeting.other];
  const Vertex& vertex = a.vertices[meeting.vertex];
  const Vec3 at = x.at(vertex.node);
  // The nearest face decides whether the vertex is inside, and where it is pushed out.
  double nearest = std::numeric_limits<double>::infinity();
  const Face* face = nullptr;
  Vec3 weights = Vec3::Zero();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, y);
    const Vec3 closest = geometry::closest_barycentrics(corners, at);
    const double distance = (geometry::interpolate(corners, closest) - at).squaredNorm();
    if (distance >= nearest) continue;
    nearest = distance;
    face = &b.faces[f];
    weights = closest;
  }
  const double deepest = deepest_part * face->size;
  if (nearest > deepest * deepest) return;
  const geometry::Corners corners = corners_at(face->nodes, y);
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  const double depth = -(at - geometry::interpolate(corners, weights)).dot(normal);
  if (depth <= 0.0) return;
  // Half, as the other surface's vertices do the other half.
  const double force = 0.5 * 2.0 * modulus(a, b) / vertex.size * vertex.area * depth;
  const Nodes& w = state.velocity[meeting.other];
  const Vec3 velocity = state.velocity[meeting.solid].at(vertex.node) -
                        geometry::interpolate(corners_at(face->nodes, w), weights);
  const Vec3 sliding = velocity - velocity.dot(normal) * normal;
  const double mu = 0.5 * (a.side.friction + b.side.friction);
  double lightest = a.mass[vertex.node];
  for (const std::uint32_t node : face->nodes) lightest = std::min(lightest, b.mass[node]);
  const double grip =
      std::min(mu * force / std::max(sliding.norm(), 1e-12), slowing_limit * lightest / step_);
  const Vec3 total = force * normal - grip * sliding;
  forces[meeting.solid].add(vertex.node, total);
  for (int k = 0; k < 3; ++k) {
    forces[meeting.other].add(face->nodes[static_cast<std::size_t>(k)], -weights[k] * total);
  }
}

void SurfaceContact::add(double, const State& state, std::vector<Nodes>& forces) {
  if (steps_ == 0 || (steps_ % looks_after == 0 && has_moved(state))) list_meetings(state);
  ++steps_;
  for (const Meeting& meeting : meetings_) push(meeting, state, forces);
}

double SurfaceContact::stiffness(std::size_t solid, std::size_t node) const {
  double stiffest = 0.0;
  const Surface& surface = surfaces_[solid];
  const auto vertex = std::ranges::find(surface.vertices, node, &Vertex::node);
  if (vertex == surface.vertices.end()) return 0.0;
  for (const auto& [a, b] : pairs_) {
    if (a != solid && b != solid) continue;
    const double e = modulus(surfaces_[a], surfaces_[b]);
    stiffest = std::max(stiffest, 2.0 * e / vertex->size * vertex->area);
  }
  return stiffest;
}

void SurfaceContact::refuse_overlaps(const State& state) const {
  for (const auto& [a, b] : pairs_) {
    if (a == b) continue;
    geometry::TriMesh mesh = surfaces_[b].mesh;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      mesh.vertices[v] = state.position[b].at(surfaces_[b].surface_node[v]);
    const geometry::SurfaceQuery surface(mesh);
    const geometry::InsideTest solid(mesh);
    const auto refuse_inside = [&](const Vec3& at, double size) {
      if (geometry::signed_distance(surface, solid, at) > -least_overlap * size) return;
      throw util::InputError({"", surfaces_[a].name},
                             fmt::format("starts inside of \"{}\"", surfaces_[b].name),
                             "Move one of them, or let one pass: \"contact\": {\"collision\": "
                             "\"none\"}.");
    };
    for (const Vertex& vertex : surfaces_[a].vertices)
      refuse_inside(state.position[a].at(vertex.node), vertex.size);
    // Bars that lie along each other have all their vertices on the sides of the other.
    for (const Face& face : surfaces_[a].faces) {
      const geometry::Corners corners = corners_at(face.nodes, state.position[a]);
      refuse_inside((corners[0] + corners[1] + corners[2]) / 3.0, face.size);
    }
  }
}

}  // namespace peal::elastic

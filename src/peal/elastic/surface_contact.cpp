#include <peal/elastic/surface_contact.h>
#include <peal/geometry/inside.h>
#include <peal/geometry/mesh_topology.h>
#include <peal/geometry/smooth_surface.h>
#include <peal/geometry/triangle.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

/// Steps from one look at how far and how fast things moved to the next.
constexpr std::int64_t looks_after = 32;
constexpr double sudden_speed = 5.0;    ///< that something may gain meanwhile [m/s]
constexpr double same_point = 1e-9;     ///< of the size of a face
constexpr double deepest_part = 0.5;    ///< of a face's size that a point may be inside
constexpr double slowing_limit = 0.2;   ///< of a node's momentum that friction may take in a step
constexpr double least_overlap = 1e-3;  ///< at the start, of the size of a face
constexpr double same_side = 0.5;       ///< cosine of 60 degrees between faces that look alike

/// A vector of a face's length twice its area, outward.
Vec3 outward_of(const geometry::Corners& c) {
  return (c[1] - c[0]).cross(c[2] - c[0]);
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
                    .area = std::vector<double>(solid.mass.size()),
                    .hardness = std::vector<double>(solid.mass.size()),
                    .compliance = contact_compliance(solid.material),
                    .side = sides[s]};
    add_samples(surface, s);
    add_edges(surface);
    surfaces_.push_back(std::move(surface));
  }
  margin_ = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < surfaces_.size(); ++a) {
    margin_ = std::min(margin_, 0.5 * surfaces_[a].size);
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
      const bool meet = surfaces_[a].side.meets_others && surfaces_[b].side.meets_others;
      if (!(a == b ? touches_itself[a] : meet)) continue;
      pairs_.push_back({a, b, std::vector<std::uint32_t>(surfaces_[a].samples.size(), none)});
    }
  }
}

/// Faces, and half of the surface for their centres, half for its vertices.
void SurfaceContact::add_samples(Surface& surface, std::size_t number) const {
  const geometry::TriMesh& mesh = surface.mesh;
  std::vector<Sample> vertices(mesh.vertices.size()), centres;
  std::vector<double> around(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const std::uint32_t node = surface.surface_node[v];
    vertices[v].spot = {.solid = number, .nodes = {node, node, node}, .weights = Vec3::UnitX()};
    vertices[v].rest = mesh.vertices[v];
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double area = geometry::area_vector(mesh, t).norm();
    const Vec3 centre = geometry::triangle_centre(mesh, t);
    Face face{.nodes = {}, .size = std::sqrt(2.0 * area)};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.triangles[t][k];
      face.nodes[k] = surface.surface_node[v];
      face.reach = std::max(face.reach, (mesh.vertices[v] - centre).norm());
      vertices[v].area += area / 6.0;
      vertices[v].size += face.size;
      around[v] += 1.0;
    }
    surface.size = std::max(surface.size, face.size);
    surface.faces.push_back(face);
    centres.push_back({{.solid = number, .nodes = face.nodes}, centre, 0.5 * area, face.size});
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v].size /= std::max(1.0, around[v]);
  surface.samples = std::move(vertices);
  surface.samples.insert(surface.samples.end(), centres.begin(), centres.end());
  for (const Sample& sample : surface.samples) {
    if (sample.area == 0.0) continue;
    surface.finest = std::min(surface.finest, sample.size);
    for (int k = 0; k < 3; ++k) {
      const double area = sample.spot.weights[k] * sample.area;
      surface.area[sample.spot.nodes[k]] += area;
      surface.hardness[sample.spot.nodes[k]] += area / sample.size;
    }
  }
}

void SurfaceContact::add_edges(Surface& surface) const {
  const geometry::TriMesh& mesh = surface.mesh;
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    if (!topology.is_manifold(e)) continue;
    const auto [u, v] = topology.edges[e];
    const auto triangles = topology.edge_triangles[e];
    const Vec3 one = geometry::area_vector(mesh, triangles[0]);
    const Vec3 other = geometry::area_vector(mesh, triangles[1]);
    const bool is_sharp =
        one.dot(other) < std::cos(geometry::sharpest_bend) * one.norm() * other.norm();
    const Vec3 beyond = geometry::triangle_centre(mesh, triangles[1]) - mesh.vertices[u];
    if (!is_sharp || beyond.dot(one) > 0.0) continue;  // flat, or a valley
    const double length = (mesh.vertices[v] - mesh.vertices[u]).norm();
    surface.edges.push_back({.nodes = {surface.surface_node[u], surface.surface_node[v]},
                             .faces = {triangles[0], triangles[1]},
                             .rest = 0.5 * (mesh.vertices[u] + mesh.vertices[v]),
                             .direction = (mesh.vertices[v] - mesh.vertices[u]) / length,
                             .length = length});
    for (const std::uint32_t node : surface.edges.back().nodes)
      surface.hardness[node] += 0.5 * length;
  }
}

double SurfaceContact::modulus(const Surface& a, const Surface& b) const {
  return 1.0 / (a.compliance + b.compliance);
}

SurfaceContact::Nearest SurfaceContact::nearest(const Meeting& meeting, const State& state) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface &a = surfaces_[pair.solid], &b = surfaces_[pair.other];
  const Nodes& y = state.position[pair.other];
  const Vec3 at = point_at(a.samples[meeting.sample].spot, state.position[pair.solid]);
  Nearest found;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, y);
    const Vec3 weights = geometry::closest_barycentrics(corners, at);
    const Vec3 way = geometry::interpolate(corners, weights) - at;
    if (way.squaredNorm() >= least) continue;
    least = way.squaredNorm();
    found = {.face = f, .weights = weights, .way = way};
  }
  // Farther inside nothing is pushed out.
  const bool is_near = std::sqrt(least) <= deepest_part * b.size;
  found.is_inside = is_near && is_behind(meeting, state, at + found.way, found.way);
  return found;
}

/// On faces that look as `side` does; inside only if the way out is about across them.
SurfaceContact::Nearest SurfaceContact::nearest_on_side(const Meeting& meeting, const State& state,
                                                        std::uint32_t side) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface &a = surfaces_[pair.solid], &b = surfaces_[pair.other];
  const Nodes& y = state.position[pair.other];
  const Vec3 at = point_at(a.samples[meeting.sample].spot, state.position[pair.solid]);
  const Vec3 outward = outward_of(corners_at(b.faces[side].nodes, y)).normalized();
  Nearest found;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, y);
    const Vec3 normal = outward_of(corners);
    if (normal.dot(outward) < same_side * normal.norm()) continue;
    const Vec3 weights = geometry::closest_barycentrics(corners, at);
    const Vec3 way = geometry::interpolate(corners, weights) - at;
    if (way.squaredNorm() >= least) continue;
    least = way.squaredNorm();
    found = {.face = f, .weights = weights, .way = way};
    found.is_inside = way.dot(normal) >= same_side * way.norm() * normal.norm();
  }
  found.is_inside = found.is_inside && std::sqrt(least) <= deepest_part * b.size;
  return found;
}

/// Whether the way to a nearest point leads out of the surface there: normals of all faces that
/// share the point, by the angles that they have at it.
bool SurfaceContact::is_behind(const Meeting& meeting, const State& state, const Vec3& point,
                               const Vec3& way) const {
  const Surface& b = surfaces_[pairs_[meeting.pair].other];
  Vec3 outward = Vec3::Zero();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners c =
        corners_at(b.faces[f].nodes, state.position[pairs_[meeting.pair].other]);
    const double near = b.faces[f].reach;
    if ((c[0] - point).squaredNorm() > 16.0 * near * near) continue;  // twice as long as at rest
    const Vec3 weights = geometry::closest_barycentrics(c, point);
    const double apart = same_point * b.faces[f].size;
    if ((geometry::interpolate(c, weights) - point).squaredNorm() > apart * apart) continue;
    double angle = std::numbers::pi;  // inside of a face and on its edges
    for (std::size_t k = 0; k < 3; ++k) {
      if ((c[k] - point).squaredNorm() > apart * apart) continue;
      const Vec3 one = c[(k + 1) % 3] - c[k], other = c[(k + 2) % 3] - c[k];
      angle = std::atan2(one.cross(other).norm(), one.dot(other));
    }
    outward += angle * (c[1] - c[0]).cross(c[2] - c[0]).normalized();
  }
  return way.dot(outward) > 0.0;
}

/// The face through which a sample came in: of the nearest one and those that it passed within a
/// step, the one that it moves against most.
std::uint32_t SurfaceContact::way_in(const Meeting& meeting, const State& state,
                                     const Nearest& found) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface& b = surfaces_[pair.other];
  const SurfaceSpot& spot = surfaces_[pair.solid].samples[meeting.sample].spot;
  const Vec3 at = point_at(spot, state.position[pair.solid]);
  const Vec3 velocity =
      point_at(spot, state.velocity[pair.solid]) -
      geometry::interpolate(corners_at(b.faces[found.face].nodes, state.velocity[pair.other]),
                            found.weights);
  std::uint32_t best = found.face;
  double most = 0.0;
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, state.position[pair.other]);
    const Vec3 way =
        geometry::interpolate(corners, geometry::closest_barycentrics(corners, at)) - at;
    const double against = -velocity.dot(outward_of(corners).normalized());
    if (against <= most || (f != found.face && way.norm() > step_ * against)) continue;
    most = against;
    best = f;
  }
  return best;
}

/// Half of the sample's share, as the other surface's samples do the other half [N/m].
SurfaceContact::Touch SurfaceContact::touch_of(const Meeting& meeting, const Nearest& found) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface &a = surfaces_[pair.solid], &b = surfaces_[pair.other];
  const Sample& sample = a.samples[meeting.sample];
  const double depth = found.way.norm();
  return {.on = sample.spot,
          .against = {.solid = pair.other,
                      .nodes = b.faces[found.face].nodes,
                      .weights = found.weights},
          .normal = found.way / std::max(depth, 1e-300),
          .depth = depth,
          .stiffness = modulus(a, b) / sample.size * sample.area};
}

SharpEdge SurfaceContact::sharp_edge(std::size_t solid, std::uint32_t number,
                                     const State& state) const {
  const Surface& surface = surfaces_[solid];
  const Edge& edge = surface.edges[number];
  const Nodes& x = state.position[solid];
  SharpEdge now;
  for (std::size_t k = 0; k < 2; ++k) {
    now.ends[k] = x.at(edge.nodes[k]);
    now.normals[k] = outward_of(corners_at(surface.faces[edge.faces[k]].nodes, x)).normalized();
  }
  return now;
}

/// None if edges do not cross, or are deeper in each other than edges get by crossing.
std::optional<SurfaceContact::Touch> SurfaceContact::touch_of(const EdgeMeeting& meeting,
                                                              const State& state) const {
  const Surface &a = surfaces_[meeting.solid], &b = surfaces_[meeting.other];
  const Edge &edge = a.edges[meeting.edge], &other = b.edges[meeting.other_edge];
  const auto crossing = crossing_of(sharp_edge(meeting.solid, meeting.edge, state),
                                    sharp_edge(meeting.other, meeting.other_edge, state));
  const double shorter = std::min(edge.length, other.length);
  if (!crossing || std::abs(crossing->depth) > deepest_part * shorter) return std::nullopt;
  const auto spot = [](std::size_t solid, const Edge& on, double part) {
    return SurfaceSpot{.solid = solid,
                       .nodes = {on.nodes[0], on.nodes[1], on.nodes[1]},
                       .weights = Vec3(1.0 - part, part, 0.0)};
  };
  return Touch{.on = spot(meeting.solid, edge, crossing->on_first),
               .against = spot(meeting.other, other, crossing->on_second),
               .normal = crossing->normal,
               .depth = crossing->depth,
               .stiffness = 0.5 * crossing->share * modulus(a, b) * shorter};
}

void SurfaceContact::push(Meeting& meeting, const State& state, std::vector<Nodes>& forces) {
  if (steps_ < meeting.next_look) return;
  std::uint32_t& entered = pairs_[meeting.pair].entered[meeting.sample];
  if (entered == none) {
    const Nearest found = nearest(meeting, state);
    if (!found.is_inside) {
      const double speed = 4.0 * fastest_ + sudden_speed;  // of both, twice
      const double steps = std::min(found.way.norm() / (speed * step_), 1.0 * looks_after);
      meeting.next_look = steps_ + std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
      return;
    }
    entered = way_in(meeting, state, found);
  }
  const Nearest found = nearest_on_side(meeting, state, entered);
  entered = found.is_inside ? found.face : none;
  if (found.is_inside) press(touch_of(meeting, found), state, forces);
}

/// Of the first point against the second.
Vec3 SurfaceContact::velocity_of(const Touch& touch, const State& state) {
  return point_at(touch.on, state.velocity[touch.on.solid]) -
         point_at(touch.against, state.velocity[touch.against.solid]);
}

/// With friction, on both.
void SurfaceContact::press(const Touch& touch, const State& state,
                           std::vector<Nodes>& forces) const {
  const Surface &a = surfaces_[touch.on.solid], &b = surfaces_[touch.against.solid];
  const Vec3 velocity = velocity_of(touch, state);
  const double approach = velocity.dot(touch.normal);
  const double force = touch.stiffness * spring_depth(touch.depth, step_ * approach);
  if (force <= 0.0) return;
  const Vec3 sliding = velocity - approach * touch.normal;
  const double mu = 0.5 * (a.side.friction + b.side.friction);
  double lightest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    lightest = std::min({lightest, a.mass[touch.on.nodes[k]], b.mass[touch.against.nodes[k]]});
  }
  const double grip =
      std::min(mu * force / std::max(sliding.norm(), 1e-12), slowing_limit * lightest / step_);
  const Vec3 total = force * touch.normal - grip * sliding;
  for (int k = 0; k < 3; ++k) {
    forces[touch.on.solid].add(touch.on.nodes[k], touch.on.weights[k] * total);
    forces[touch.against.solid].add(touch.against.nodes[k], -touch.against.weights[k] * total);
  }
}

void SurfaceContact::add(double, const State& state, std::vector<Nodes>& forces) {
  if (steps_ % looks_after == 0) look_around(state);
  for (Meeting& meeting : meetings_) push(meeting, state, forces);
  push_edges(state, forces);
  ++steps_;
}

/// Edges that cross for the first time do so near the surface: those that come to lie deep in each
/// other sideways had no work done to get there, and are left to the vertices beside them. What
/// they carry then stays as it is until they part: otherwise the force would have no energy.
void SurfaceContact::push_edges(const State& state, std::vector<Nodes>& forces) {
  std::vector<EdgeMeeting> crossed;
  for (const EdgeMeeting& meeting : edge_meetings_) {
    auto touch = touch_of(meeting, state);
    if (!touch || touch->depth <= 0.0) continue;
    const EdgeMeeting* before = crossed_before(meeting);
    const double approach = -velocity_of(*touch, state).dot(touch->normal);
    if (before == nullptr && touch->depth > step_ * approach) continue;
    crossed.push_back(meeting);
    if (before != nullptr) touch->stiffness = before->stiffness;
    crossed.back().stiffness = touch->stiffness;
    press(*touch, state, forces);
  }
  crossed_ = std::move(crossed);
}

/// The same two edges a step ago, or one of them with the other's neighbour along the same line;
/// null if they did not cross.
const SurfaceContact::EdgeMeeting* SurfaceContact::crossed_before(
    const EdgeMeeting& meeting) const {
  const auto touches = [this](std::uint32_t solid, std::uint32_t one, std::uint32_t other) {
    const Edge &a = surfaces_[solid].edges[one], &b = surfaces_[solid].edges[other];
    if (std::abs(a.direction.dot(b.direction)) < std::cos(geometry::sharpest_bend)) return false;
    return a.nodes[0] == b.nodes[0] || a.nodes[0] == b.nodes[1] || a.nodes[1] == b.nodes[0] ||
           a.nodes[1] == b.nodes[1];
  };
  const auto found = std::ranges::find_if(crossed_, [&](const EdgeMeeting& last) {
    if (last.solid != meeting.solid || last.other != meeting.other) return false;
    return (last.edge == meeting.edge &&
            touches(meeting.other, last.other_edge, meeting.other_edge)) ||
           (last.other_edge == meeting.other_edge &&
            touches(meeting.solid, last.edge, meeting.edge));
  });
  return found == crossed_.end() ? nullptr : &*found;
}

double SurfaceContact::energy(const State& state) const {
  double sum = 0.0;
  for (const Meeting& meeting : meetings_) {
    const std::uint32_t entered = pairs_[meeting.pair].entered[meeting.sample];
    if (entered == none) continue;
    const Nearest found = nearest_on_side(meeting, state, entered);
    if (found.is_inside) sum += 0.5 * touch_of(meeting, found).stiffness * found.way.squaredNorm();
  }
  for (const EdgeMeeting& meeting : crossed_) {
    const auto touch = touch_of(meeting, state);
    if (!touch || touch->depth <= 0.0) continue;
    sum += 0.5 * meeting.stiffness * touch->depth * touch->depth;
  }
  return sum;
}

double SurfaceContact::stiffness(std::size_t solid, std::size_t node) const {
  double stiffest = 0.0;
  const Surface& surface = surfaces_[solid];
  for (const Pair& pair : pairs_) {
    if (pair.solid != solid) continue;  // the other way round is another pair
    // As samples of its own, and as part of faces that samples of the other surface meet.
    const double e = modulus(surface, surfaces_[pair.other]);
    stiffest = std::max(
        stiffest, e * (surface.hardness[node] + surface.area[node] / surfaces_[pair.other].finest));
  }
  return stiffest;
}

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

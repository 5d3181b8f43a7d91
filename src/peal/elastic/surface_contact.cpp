#include <peal/elastic/surface_contact.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh_topology.h>
#include <peal/geometry/smooth_surface.h>
#include <peal/geometry/triangle.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

/// Steps from one look at how far and how fast things moved to the next.
constexpr std::int64_t looks_after = 32;
constexpr double sudden_speed = 5.0;      ///< that something may gain meanwhile [m/s]
constexpr double deepest_crossing = 0.5;  ///< of the shorter edge
constexpr double slowing_limit = 0.2;     ///< of a node's momentum that friction may take in a step
constexpr double ramp = 0.01;             ///< rise by sliding of what came in sideways

/// What a spring counts [m] that is turned within a step to another direction: it would be `depth`
/// long in the old one, into which its end went by `in`, and comes out of the new one by `out`. Of
/// the work of that step one half is the old force's, e (e + in) / 2 with e = depth - in before it,
/// one half the new one's: what is left has the energy that was there and came.
double turned_depth(double depth, double in, double out) {
  const double square = depth * std::max(0.0, depth - in);
  return 0.5 * (std::sqrt(out * out + 4.0 * square) - out);
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
                    .compliance = fem::contact_compliance(solid.material),
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
      const std::size_t samples = surfaces_[a].samples.size();
      pairs_.push_back({.solid = a,
                        .other = b,
                        .entered = std::vector<std::uint32_t>(samples, none),
                        .unpaid = std::vector<double>(samples),
                        .paid_now = std::vector<double>(samples)});
    }
  }
}

/// Faces, and half of the surface for their centres, half for its vertices.
void SurfaceContact::add_samples(Surface& surface, std::size_t number) const {
  const geometry::TriMesh& mesh = surface.mesh;
  std::vector<Sample> vertices(mesh.vertices.size()), centres;
  surface.around.resize(vertices.size());
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
      surface.around[v].push_back(static_cast<std::uint32_t>(t));
    }
    surface.size = std::max(surface.size, face.size);
    surface.faces.push_back(face);
    centres.push_back({{.solid = number, .nodes = face.nodes}, centre, 0.5 * area, face.size});
  }
  for (std::size_t v = 0; v < vertices.size(); ++v)
    vertices[v].size /= std::max(1.0, static_cast<double>(surface.around[v].size()));
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) surface.around.push_back({t});
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
  if (!crossing || std::abs(crossing->depth) > deepest_crossing * shorter) return std::nullopt;
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
  double& unpaid = pairs_[meeting.pair].unpaid[meeting.sample];
  double& paid_now = pairs_[meeting.pair].paid_now[meeting.sample];
  unpaid -= std::exchange(paid_now, 0.0);
  const bool is_new = entered == none;
  if (is_new) {
    const Nearest found = nearest(meeting, state);
    if (!found.is_inside) {
      const double speed = 4.0 * fastest_ + sudden_speed;  // of both, twice
      const double steps = std::min(found.way.norm() / (speed * step_), 1.0 * looks_after);
      meeting.next_look = steps_ + std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
      return;
    }
    entered = way_in(meeting, state, found);
  }
  Nearest found = nearest_on_side(meeting, state, entered);
  if (!found.is_inside) {
    entered = none;
    return;
  }
  Touch touch = touch_of(meeting, found);
  if (is_new) {
    const double travel = -step_ * velocity_of(touch, state).dot(touch.normal);
    unpaid = touch.depth > travel ? touch.depth : 0.0;
  } else if (const Nearest nearer = nearer_side(meeting, state, found); nearer.is_inside) {
    const double paid = touch.depth - unpaid;
    const double went_in = -step_ * velocity_of(touch, state).dot(touch.normal);
    found = nearer;
    touch = touch_of(meeting, found);
    const double goes_out = step_ * velocity_of(touch, state).dot(touch.normal);
    unpaid = std::max(0.0, touch.depth - turned_depth(paid, went_in, goes_out));
  }
  entered = found.face;
  unpaid = std::min(unpaid, touch.depth);
  touch.depth -= unpaid;
  paid_now = press(touch, state, forces, unpaid);
}

/// Of the first point against the second.
Vec3 SurfaceContact::velocity_of(const Touch& touch, const State& state) {
  return point_at(touch.on, state.velocity[touch.on.solid]) -
         point_at(touch.against, state.velocity[touch.against.solid]);
}

/// With friction, on both. What is `unpaid` of its depth is made up for on the way that the point
/// slides, as though it went up a ramp, and by the work of the force against that. Returns how much
/// is until the next step [m].
double SurfaceContact::press(const Touch& touch, const State& state, std::vector<Nodes>& forces,
                             double unpaid) const {
  const Surface &a = surfaces_[touch.on.solid], &b = surfaces_[touch.against.solid];
  const Vec3 velocity = velocity_of(touch, state);
  const double approach = velocity.dot(touch.normal);
  const Vec3 sliding = velocity - approach * touch.normal;
  const double speed = std::max(sliding.norm(), 1e-12);
  double lightest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    lightest = std::min({lightest, a.mass[touch.on.nodes[k]], b.mass[touch.against.nodes[k]]});
  }
  const double limit = slowing_limit * lightest * speed / step_, way = step_ * speed;
  const double paid =
      std::min({unpaid, ramp * way, 0.5 * limit * way / (touch.stiffness * (touch.depth + way))});
  const double climbing = touch.stiffness * (touch.depth + 0.5 * paid) * paid / way;
  const double force = touch.stiffness * spring_depth(touch.depth, step_ * approach);
  const double mu = 0.5 * (a.side.friction + b.side.friction);
  const double grip = std::min(mu * force + climbing, limit) / speed;
  const Vec3 total = force * touch.normal - grip * sliding;
  for (int k = 0; k < 3; ++k) {
    forces[touch.on.solid].add(touch.on.nodes[k], touch.on.weights[k] * total);
    forces[touch.against.solid].add(touch.against.nodes[k], -touch.against.weights[k] * total);
  }
  return paid;
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
    if (!found.is_inside) continue;
    const Touch touch = touch_of(meeting, found);
    const double paid = touch.depth - pairs_[meeting.pair].unpaid[meeting.sample];
    if (paid > 0.0) sum += 0.5 * touch.stiffness * paid * paid;
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

}  // namespace peal::elastic

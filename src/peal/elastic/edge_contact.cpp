#include <peal/elastic/edge_contact.h>
#include <peal/geometry/mesh/smooth_surface.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;
using Surfaces = std::vector<ContactSurface>;

constexpr double deepest_crossing = 0.5;  ///< over the length of the shorter edge

/// The contact of a pair of edges. There is none if the edges do not cross, or are too deep in each
/// other for a crossing.
std::optional<PointContact> contact_of(const EdgePair& pair, const Surfaces& surfaces,
                                       const State& state) {
  const ContactSurface &a = surfaces[pair.solid], &b = surfaces[pair.other];
  const ContactSurface::Edge &edge = a.edges[pair.edge], &other = b.edges[pair.other_edge];
  const auto crossing = crossing_of(a.sharp_edge(pair.edge, state.position[pair.solid]),
                                    b.sharp_edge(pair.other_edge, state.position[pair.other]));
  const double shorter = std::min(edge.length, other.length);
  if (!crossing || std::abs(crossing->depth) > deepest_crossing * shorter) return std::nullopt;
  const auto spot = [](std::size_t solid, const ContactSurface::Edge& on, double part) {
    return SurfaceSpot{.solid = solid,
                       .nodes = {on.nodes[0], on.nodes[1], on.nodes[1]},
                       .weights = Vec3(1.0 - part, part, 0.0)};
  };
  return PointContact{.on = spot(pair.solid, edge, crossing->on_first),
                      .against = spot(pair.other, other, crossing->on_second),
                      .normal = crossing->normal,
                      .depth = crossing->depth,
                      .stiffness = 0.5 * crossing->share * modulus_of(a, b) * shorter};
}

}  // namespace

void EdgeContact::press(std::span<const EdgePair> pairs, const Surfaces& surfaces,
                        const State& state, double dt, std::vector<Nodes>& forces) {
  std::vector<EdgePair> crossed;
  for (const EdgePair& pair : pairs) {
    auto contact = contact_of(pair, surfaces, state);
    if (!contact || contact->depth <= 0.0) continue;
    const EdgePair* before = crossed_before(pair, surfaces);
    if (before == nullptr && contact->depth > -contact->travel(state, dt)) continue;
    crossed.push_back(pair);
    if (before != nullptr) contact->stiffness = before->stiffness;
    crossed.back().stiffness = contact->stiffness;
    elastic::press(*contact, surfaces[pair.solid], surfaces[pair.other], state, dt, forces);
  }
  crossed_ = std::move(crossed);
}

/// The crossing of the same two edges in the last step, or of one of them with the other's
/// neighbour along the same line; null if they did not cross.
const EdgePair* EdgeContact::crossed_before(const EdgePair& pair, const Surfaces& surfaces) const {
  const auto touches = [&](std::uint32_t solid, std::uint32_t one, std::uint32_t other) {
    const ContactSurface::Edge &a = surfaces[solid].edges[one], &b = surfaces[solid].edges[other];
    if (std::abs(a.direction.dot(b.direction)) < std::cos(geometry::sharpest_bend)) return false;
    return a.nodes[0] == b.nodes[0] || a.nodes[0] == b.nodes[1] || a.nodes[1] == b.nodes[0] ||
           a.nodes[1] == b.nodes[1];
  };
  const auto found = std::ranges::find_if(crossed_, [&](const EdgePair& last) {
    if (last.solid != pair.solid || last.other != pair.other) return false;
    return (last.edge == pair.edge && touches(pair.other, last.other_edge, pair.other_edge)) ||
           (last.other_edge == pair.other_edge && touches(pair.solid, last.edge, pair.edge));
  });
  return found == crossed_.end() ? nullptr : &*found;
}

double EdgeContact::energy(const Surfaces& surfaces, const State& state) const {
  double sum = 0.0;
  for (const EdgePair& pair : crossed_) {
    auto contact = contact_of(pair, surfaces, state);
    if (!contact || contact->depth <= 0.0) continue;
    contact->stiffness = pair.stiffness;
    sum += contact->energy();
  }
  return sum;
}

}  // namespace peal::elastic

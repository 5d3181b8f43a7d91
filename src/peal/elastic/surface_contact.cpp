#include <peal/elastic/may_close.h>
#include <peal/elastic/surface_contact.h>
#include <peal/elastic/surface_overlaps.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double sudden_speed = 5.0;  ///< that something may gain between two updates [m/s]
/// Checkpoints of other releases have another order of their numbers, or none of these bytes.
constexpr std::uint64_t surface_layout = 0x5355524641430002;  // "SURFAC", 2

std::vector<ContactSurface> surfaces_of(const std::vector<Solid>& solids,
                                        const std::vector<ContactSide>& sides) {
  assert(sides.size() == solids.size() && "each solid has a side");
  std::vector<ContactSurface> surfaces;
  for (std::size_t s = 0; s < solids.size(); ++s) surfaces.emplace_back(solids[s], s, sides[s]);
  return surfaces;
}

SurfaceBroadPhase broad_phase_of(const std::vector<ContactSurface>& surfaces,
                                 const std::vector<bool>& touches_itself) {
  double margin = std::numeric_limits<double>::infinity();
  std::vector<SurfacePair> pairs;
  for (std::size_t a = 0; a < surfaces.size(); ++a) {
    margin = std::min(margin, 0.5 * surfaces[a].size);
    for (std::size_t b = 0; b < surfaces.size(); ++b) {
      const bool meet = surfaces[a].side.meets_others && surfaces[b].side.meets_others;
      if (a == b ? touches_itself[a] : meet) pairs.push_back({.solid = a, .other = b});
    }
  }
  return {std::move(pairs), margin};
}

/// Effective depth [m] of a spring whose direction changes within a step: it would be `depth` long
/// in the old direction, in which its end moved in by `in`; in the new direction it moves out by
/// `out`. The old force does half of the work of that step, e (e + in) / 2 with e = depth - in
/// before it, the new force the other half: the remaining depth has the energy that was there and
/// was added.
double turned_depth(double depth, double in, double out) {
  const double square = depth * std::max(0.0, depth - in);
  return 0.5 * (std::sqrt(out * out + 4.0 * square) - out);
}

}  // namespace

SurfaceContact::SurfaceContact(const std::vector<Solid>& solids,
                               const std::vector<ContactSide>& sides,
                               const std::vector<bool>& touches_itself)
    : surfaces_(surfaces_of(solids, sides)),
      broad_phase_(broad_phase_of(surfaces_, touches_itself)) {
  for (const SurfacePair& pair : broad_phase_.pairs()) {
    const std::size_t samples = surfaces_[pair.solid].samples.size();
    entries_.push_back({.face = std::vector<std::uint32_t>(samples, NearestPoint::none),
                        .unpaid = std::vector<double>(samples),
                        .paid_now = std::vector<double>(samples)});
  }
}

void SurfaceContact::refuse_overlaps(const State& state) const {
  for (const auto& [a, b] : broad_phase_.pairs()) {
    if (a != b) refuse_overlap(surfaces_[a], state.position[a], surfaces_[b], state.position[b]);
  }
}

SideSearch SurfaceContact::search(const SampleCandidate& candidate, const State& state) const {
  const auto& [solid, other] = broad_phase_.pairs()[candidate.pair];
  return {surfaces_[solid], state.position[solid], candidate.sample,
          surfaces_[other], state.position[other], candidate.faces};
}

/// Half of the sample's share, as the other surface's samples do the other half [N/m].
PointContact SurfaceContact::contact_of(const SampleCandidate& candidate,
                                        const NearestPoint& found) const {
  const auto& [solid, other] = broad_phase_.pairs()[candidate.pair];
  const ContactSurface &a = surfaces_[solid], &b = surfaces_[other];
  const ContactSurface::Sample& sample = a.samples[candidate.sample];
  const double depth = found.way.norm();
  return {.on = sample.spot,
          .against = {.solid = other, .nodes = b.faces[found.face].nodes, .weights = found.weights},
          .normal = found.way / std::max(depth, 1e-300),
          .depth = depth,
          .stiffness = modulus_of(a, b) / sample.size * sample.area};
}

void SurfaceContact::press_sample(SampleCandidate& candidate, const State& state,
                                  std::vector<Nodes>& forces) {
  if (steps_ < candidate.next_look) return;
  const auto& [solid, other] = broad_phase_.pairs()[candidate.pair];
  Entries& entries = entries_[candidate.pair];
  std::uint32_t& entered = entries.face[candidate.sample];
  double& unpaid = entries.unpaid[candidate.sample];
  double& paid_now = entries.paid_now[candidate.sample];
  unpaid -= std::exchange(paid_now, 0.0);
  const SideSearch sides = search(candidate, state);
  const bool is_new = entered == NearestPoint::none;
  if (is_new) {
    const NearestPoint found = sides.nearest();
    if (!found.is_inside) {
      const double speed = 4.0 * broad_phase_.fastest() + sudden_speed;  // of both, twice
      candidate.next_look =
          may_close(steps_, found.way.norm(), speed, step_, SurfaceBroadPhase::interval);
      return;
    }
    entered = sides.way_in(found);
  }
  NearestPoint found = sides.nearest_on_side(entered);
  if (!found.is_inside) {
    entered = NearestPoint::none;
    return;
  }
  PointContact contact = contact_of(candidate, found);
  if (is_new) {
    unpaid = contact.depth > -contact.travel(state, step_) ? contact.depth : 0.0;
  } else if (const NearestPoint nearer = sides.nearer_side(found); nearer.is_inside) {
    const double paid = contact.depth - unpaid;
    const double went_in = -contact.travel(state, step_);
    found = nearer;
    contact = contact_of(candidate, found);
    const double goes_out = contact.travel(state, step_);
    unpaid = std::max(0.0, contact.depth - turned_depth(paid, went_in, goes_out));
  }
  entered = found.face;
  unpaid = std::min(unpaid, contact.depth);
  contact.depth -= unpaid;
  paid_now = press(contact, surfaces_[solid], surfaces_[other], state, step_, forces, unpaid);
}

void SurfaceContact::add(double, const State& state, std::vector<Nodes>& forces) {
  assert(step_ > 0.0 && "set_step() comes before the first step");
  if (steps_ % SurfaceBroadPhase::interval == 0) {
    broad_phase_.update(surfaces_, state, [&](std::uint32_t pair, std::uint32_t sample) {
      entries_[pair].face[sample] = NearestPoint::none;
    });
  }
  for (SampleCandidate& candidate : broad_phase_.samples()) press_sample(candidate, state, forces);
  edges_.press(broad_phase_.edges(), surfaces_, state, step_, forces);
  ++steps_;
}

double SurfaceContact::energy(const State& state) const {
  double sum = 0.0;
  for (const SampleCandidate& candidate : broad_phase_.samples()) {
    const std::uint32_t entered = entries_[candidate.pair].face[candidate.sample];
    if (entered == NearestPoint::none) continue;
    const NearestPoint found = search(candidate, state).nearest_on_side(entered);
    if (!found.is_inside) continue;
    PointContact contact = contact_of(candidate, found);
    contact.depth -= entries_[candidate.pair].unpaid[candidate.sample];
    if (contact.depth > 0.0) sum += contact.energy();
  }
  return sum + edges_.energy(surfaces_, state);
}

double SurfaceContact::stiffness(std::size_t solid, std::size_t node) const {
  double stiffest = 0.0;
  const ContactSurface& surface = surfaces_[solid];
  for (const SurfacePair& pair : broad_phase_.pairs()) {
    if (pair.solid != solid) continue;  // the other way round is another pair
    // As samples of its own, and as part of faces that samples of the other surface meet.
    const ContactSurface& other = surfaces_[pair.other];
    stiffest = std::max(stiffest, modulus_of(surface, other) *
                                      (surface.hardness[node] + surface.area[node] / other.finest));
  }
  return stiffest;
}

void SurfaceContact::serialize(util::Archive& archive) {
  archive.same(surface_layout);
  archive.number(steps_);
  for (Entries& entries : entries_) {
    archive.numbers(std::span(entries.face));
    archive.numbers(std::span(entries.unpaid));
    archive.numbers(std::span(entries.paid_now));
  }
  broad_phase_.serialize(archive);
  edges_.serialize(archive);
}

}  // namespace peal::elastic

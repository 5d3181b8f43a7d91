#include <peal/dynamics/keyframed_motion.h>
#include <peal/elastic/forced_strain.h>
#include <peal/elastic/settle.h>
#include <peal/simulate/held_regions.h>
#include <peal/simulate/surface_grip.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace peal::simulate {

using geometry::Vec3;
using scene::Object;

namespace {

/// Metals, wood, glass and most plastics are torn or drawn before they are this much longer;
/// elastomers, which are softer than the modulus, stretch severalfold.
constexpr double torn_beyond = 0.2, soft_torn_beyond = 2.0;
constexpr double elastomer_modulus = 1e8;  ///< [Pa]
/// Metals yield below; a strain that is forced is then probably not meant.
constexpr double mentioned_beyond = 0.01;

geometry::Affine affine(const base::Pose& pose) {
  return Eigen::Translation3d(pose.position) * pose.orientation;
}

/// A wall of which only one side is held turns about it: a hinge. Other nodes stay in the
/// constraint.
std::vector<elastic::Constraint> with_hinges(elastic::Constraint constraint,
                                             const elastic::Solid& body) {
  const auto n = static_cast<std::uint32_t>(body.middle.vertices.size());
  std::vector<bool> is_held(body.mass.size());
  for (const std::uint32_t node : constraint.nodes) is_held[node] = true;
  elastic::Constraint hinge = constraint;
  hinge.is_hinge = true;
  hinge.nodes.clear();
  for (std::uint32_t v = 0; v < n; ++v)
    if (is_held[v] != is_held[v + n]) hinge.nodes.push_back(v);
  std::erase_if(constraint.nodes, [&](std::uint32_t node) {
    return n > 0 && is_held[node] != is_held[node < n ? node + n : node - n];
  });
  std::vector<elastic::Constraint> all;
  if (!constraint.nodes.empty()) all.push_back(std::move(constraint));
  if (!hinge.nodes.empty()) all.push_back(std::move(hinge));
  return all;
}

/// Where the nodes of a constraint, or the middles of a hinge, start.
std::vector<Vec3> starts_of(const elastic::Constraint& constraint, const elastic::Solid& body,
                            const base::Pose& start) {
  std::vector<Vec3> points;
  for (const std::uint32_t node : constraint.nodes)
    points.push_back(
        start.to_world(constraint.is_hinge ? body.middle.vertices[node] : body.rest.at(node)));
  return points;
}

}  // namespace

std::vector<bool> HeldRegions::add(const Object& object, const elastic::Solid& body,
                                   std::size_t solid, const base::Pose& start,
                                   std::vector<elastic::Constraint>& all) {
  std::vector<bool> held(body.mass.size());
  const std::size_t first = all.size();
  std::vector<std::string> locations;  // of the constraints from `first`
  bool any_moves = false;
  for (const scene::ConstrainedRegion& region : object.deformable()->held) {
    any_moves = any_moves || region.moves();
    for (elastic::Constraint& one :
         with_hinges(nodes_of(region, body, solid, any_moves, held), body)) {
      set_motion(region, body, start, one);
      all.push_back(std::move(one));
      locations.push_back(region.location);
    }
  }
  mention_mechanism(object, body, solid, all);
  refuse_tears(object, body, start, std::span(all).subspan(first), locations);
  return held;
}

elastic::Constraint HeldRegions::nodes_of(const scene::ConstrainedRegion& region,
                                          const elastic::Solid& body, std::size_t solid,
                                          bool meets_moving, std::vector<bool>& held) {
  elastic::Constraint constraint{.solid = solid};
  std::size_t constrained_before = 0;
  for (std::uint32_t i = 0; i < body.mass.size(); ++i) {
    if (!region.box.contains(body.rest.at(i))) continue;
    if (held[i]) {
      ++constrained_before;
      continue;
    }
    constraint.nodes.push_back(i);
    held[i] = true;
  }
  if (constraint.nodes.empty() && constrained_before > 0) {
    throw util::InputError({"", region.location},
                           "fixes only nodes that another region fixes already",
                           "Remove one of them, or make them cover different parts of the body.");
  }
  if (constraint.nodes.empty()) {
    throw util::InputError({"", region.location}, "contains no node of the body",
                           "Make the box larger: it is in the object's own frame, in metres.");
  }
  // Pins that share an edge agree.
  if (constrained_before > 0 && meets_moving) {
    notices_.push_back(
        fmt::format("{} shares {} nodes of \"{}\" with an earlier region, which has priority",
                    region.location, constrained_before, body.name));
  }
  fingerprint_.add(solid);
  fingerprint_.add(std::span<const std::uint32_t>(constraint.nodes));
  fingerprint_.add(region.moves());
  return constraint;
}

void HeldRegions::set_motion(const scene::ConstrainedRegion& region, const elastic::Solid& body,
                             const base::Pose& start, elastic::Constraint& constraint) {
  if (region.motion) {
    const std::shared_ptr<const base::Motion> moved =
        seen_from(origin_, std::make_shared<dynamics::KeyframedMotion>(*region.motion));
    refuse_jumps(*moved, region);
    const geometry::Affine fastened = affine(moved->pose(0.0)).inverse() * affine(start);
    constraint.motion = elastic::rigid_grip(
        [moved, fastened](double t) { return affine(moved->pose(t)) * fastened; });
    fingerprint_.add(*moved);
  } else if (!region.surface.empty()) {
    const std::size_t followed = followed_by(region);
    refuse_jumps(*motions_[followed], region);
    constraint.motion =
        fastened_to(AnimatedSurface(scene_.objects[followed], motions_[followed]),
                    starts_of(constraint, body, start), scene_.duration, fingerprint_);
  }
}

/// The object whose surface a grip follows.
std::size_t HeldRegions::followed_by(const scene::ConstrainedRegion& region) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
    const Object& object = scene_.objects[i];
    if (!object.mesh || object.rigid() != nullptr || object.deformable() != nullptr) continue;
    if (object.name == region.surface) return i;
    names.push_back(object.name);
  }
  throw util::InputError(
      {"", region.location + ".surface"},
      fmt::format("no object with a surface whose motion is prescribed is called \"{}\"",
                  region.surface),
      util::suggest(region.surface, names));
}

/// No body can follow a grip that is elsewhere at once.
void HeldRegions::refuse_jumps(const base::Motion& moved,
                               const scene::ConstrainedRegion& region) const {
  for (const double jump : moved.jumps()) {
    if (jump <= 0.0 || jump > scene_.duration) continue;
    throw util::InputError(
        {"", region.location},
        fmt::format("jumps at {:g} s, which a deformable body cannot follow", jump),
        "Let \"interpolation\" be \"linear\" or \"smooth\".");
  }
}

/// Pins on a line or a point leave a hinge, which may be meant.
void HeldRegions::mention_mechanism(const Object& object, const elastic::Solid& body,
                                    std::size_t solid,
                                    const std::vector<elastic::Constraint>& all) {
  const elastic::Hold hold = elastic::support_of(body, solid, all);
  if (hold == elastic::Hold::nowhere || hold == elastic::Hold::firmly) return;
  notices_.push_back(
      fmt::format("\"{}\" is fixed {} only and can rotate about it", object.name,
                  hold == elastic::Hold::along_a_line ? "along a line" : "at a point"));
}

/// A body between grips that part is as long as they are apart.
void HeldRegions::refuse_tears(const Object& object, const elastic::Solid& body,
                               const base::Pose& start,
                               std::span<const elastic::Constraint> constraints,
                               std::span<const std::string> locations) {
  const elastic::ForcedStrain found =
      elastic::forced_strain(body, constraints, affine(start), scene_.duration);
  if (found.strain < mentioned_beyond) return;
  const std::string what = fmt::format(
      "\"{}\" is stretched by {:.3g} % at {:.3g} s between ({:.3g}, {:.3g}, {:.3g}) and ({:.3g}, "
      "{:.3g}, {:.3g})",
      object.name, 100.0 * found.strain, found.time, found.at[0].x(), found.at[0].y(),
      found.at[0].z(), found.at[1].x(), found.at[1].y(), found.at[1].z());
  const bool is_soft = object.material->young_modulus < elastomer_modulus;
  // The one that moves: pins do not tear.
  const bool is_second = !constraints[found.constraints[0]].motion;
  const std::string& location = locations[found.constraints[is_second ? 1 : 0]];
  if (found.strain < (is_soft ? soft_torn_beyond : torn_beyond)) {
    if (!is_soft)
      notices_.push_back(fmt::format("{}: {}, at which most materials yield", location, what));
    return;
  }
  throw util::InputError(
      {"", location}, fmt::format("tears the body: {}", what),
      "Grips turn about the origin of their frame: let \"position\" be where the region is in the "
      "world, and move grips towards each other when the body is bent between them.");
}

}  // namespace peal::simulate

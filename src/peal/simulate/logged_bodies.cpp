#include <peal/dynamics/keyframed_motion.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/body_mass.h>
#include <peal/simulate/logged_bodies.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

namespace peal::simulate {

namespace {

using geometry::Vec3;
using scene::Object;

/// Jumps are shorter than this only if a body is smaller [m].
constexpr double least_jump = 0.005;

bool stands_still(const Object& object, const base::ObjectMotion& motion) {
  return object.rigid() == nullptr && motion.motion->is_still();
}

/// Mass [kg] of what can give way; empty for what has none.
std::optional<double> mass_of_body(const Object& object) {
  if (!object.mesh || !object.material) return std::nullopt;
  try {
    const double mass = scene::body_mass(object).mass;
    return mass > 0.0 ? std::optional(mass) : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// The vertex that is outermost in a direction.
Vec3 support_point(const geometry::TriMesh& mesh, const Vec3& direction) {
  return *std::ranges::max_element(mesh.vertices, {},
                                   [&](const Vec3& v) { return v.dot(direction); });
}

void choose_what_gives_way(const scene::Scene& scene, const base::ContactLog& log,
                           std::span<const std::size_t> object_of, base::MotionResult& result) {
  std::vector<std::optional<double>> masses;
  std::vector<bool> moves;
  for (const std::size_t i : object_of) {
    masses.push_back(mass_of_body(scene.objects[i]));
    moves.push_back(!stands_still(scene.objects[i], result.objects[i]) && masses.back());
  }
  for (const base::ContactRecord& record : log.records) {
    const std::uint32_t a = record.body_a, b = record.body_b;
    if (moves[a] || moves[b] || (!masses[a] && !masses[b])) continue;
    const bool is_a = masses[a] && (!masses[b] || *masses[a] <= *masses[b]);
    result.objects[object_of[is_a ? a : b]].gives_way = true;
  }
}

/// Where a body without a place is at each contact; nothing if one of them is where the scene has
/// it.
std::optional<scene::Track<Vec3>> places_of(const Object& object, std::uint32_t body,
                                            const base::ContactLog& log) {
  const geometry::Box bounds = geometry::bounds(*object.mesh);
  const double size = bounds.diagonal().norm();
  scene::Track<Vec3> track{.interpolation = scene::Interpolation::step};
  double before = 0.0;  // time of the last contact [s]
  for (const base::ContactRecord& record : log.records) {
    if (record.body_a != body && record.body_b != body) continue;
    if (bounds.exteriorDistance(record.point) <= size) return std::nullopt;
    const Vec3 outwards = record.body_a == body ? Vec3(-record.normal) : record.normal;
    const Vec3 place = record.point - support_point(*object.mesh, outwards);
    const bool is_first = track.values.empty();
    if (is_first || (place - track.values.back()).norm() > std::max(least_jump, 0.1 * size)) {
      const double time = is_first ? std::min(0.0, record.time) : 0.5 * (before + record.time);
      if (is_first || time > track.times.back()) {
        track.times.push_back(time);
        track.values.push_back(place);
      }
    }
    before = record.time;
  }
  return track.values.empty() ? std::nullopt : std::optional(std::move(track));
}

}  // namespace

void prepare_logged_bodies(const scene::Scene& scene, const base::ContactLog& log,
                           std::span<const std::size_t> object_of, base::MotionResult& result,
                           std::vector<std::string>& notices) {
  choose_what_gives_way(scene, log, object_of, result);
  for (std::uint32_t body = 0; body < object_of.size(); ++body) {
    const Object& object = scene.objects[object_of[body]];
    base::ObjectMotion& motion = result.objects[object_of[body]];
    if (!motion.gives_way || !object.path.chain.empty()) continue;
    auto track = places_of(object, body, log);
    if (!track) continue;
    notices.push_back(
        fmt::format("\"{}\" has no motion: it is placed at its contacts in the log ({} position{})",
                    object.name, track->values.size(), track->values.size() == 1 ? "" : "s"));
    scene::MotionPath path;
    path.chain.push_back({.translation = *std::move(track)});
    motion.motion = std::make_shared<dynamics::KeyframedMotion>(path);
  }
}

}  // namespace peal::simulate

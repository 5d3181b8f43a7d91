#include <peal/base/motion_survey.h>
#include <peal/dynamics/bullet_world.h>
#include <peal/dynamics/contact_point.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/dynamics/rigid_world.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <variant>

namespace peal::dynamics {

namespace {

/// A rebound of 5 mm/s rises about a micrometre, less than surfaces are rough [m/s].
constexpr double least_bounce = 0.005;

constexpr double no_movement = 1e-5;  ///< in the time to sleep [m]
constexpr double no_turn = 1e-3;      ///< in that time [rad]
/// Of what is still [m/s]: what lies on a round face may tremble by less than a micrometre from
/// step to step, as the places that hold it change.
constexpr double no_spin = 5e-3;

/// Bodies of the same mesh share its shape.
using KnownMeshes =
    std::map<std::pair<const geometry::TriMesh*, double>, std::shared_ptr<const SmoothShape>>;

std::shared_ptr<const SmoothShape> shape_of(const RigidBodySettings& body,
                                            const util::Store* fields, KnownMeshes& meshes) try {
  const auto* mesh = std::get_if<scene::MeshShape>(&body.shape);
  if (mesh == nullptr) return make_smooth_shape(body.shape);
  auto& known = meshes[{mesh->mesh.get(), mesh->fillet}];
  if (!known) known = make_smooth_shape(body.shape, fields);
  return known;
} catch (const std::invalid_argument& error) {
  throw util::InputError(
      {"", body.name}, fmt::format("\"{}\" cannot collide: {}", body.name, error.what()),
      "Close or thicken its mesh (`peal inspect` says more), or give it a built-in shape.");
}

void check_body(const RigidBodySettings& body) {
  if (body.motion) return;
  if (!(body.mass.mass > 0.0) || !(body.mass.inertia.diagonal().minCoeff() > 0.0)) {
    throw util::InputError({"", body.name}, fmt::format("\"{}\" has no mass", body.name),
                           "A free body needs a mass above zero.");
  }
  if (std::holds_alternative<scene::FloorShape>(body.shape)) {
    throw util::InputError({"", body.name},
                           fmt::format("\"{}\" is a floor and cannot fall", body.name),
                           "Fix it, or give it the shape of a box.");
  }
}

void refuse_overlaps(std::span<const RigidBodySettings> bodies,
                     std::span<const std::shared_ptr<const SmoothShape>> shapes) {
  std::vector<PosedShape> placed;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const RigidBodySettings& body = bodies[i];
    placed.push_back(place(*shapes[i], body.motion ? body.motion->pose(0.0) : body.pose));
  }
  std::vector<ContactPoint> contact_points;
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
      const auto begins_later = [](const RigidBodySettings& body) {
        return body.exists && !body.exists->contains(0.0);
      };
      if (begins_later(bodies[a]) || begins_later(bodies[b])) continue;
      if ((bodies[a].motion && bodies[b].motion) || are_apart(placed[a], placed[b], 0.0)) continue;
      contact_points.clear();
      find_contact_points(placed[a], placed[b], a, b, 0.0, contact_points);
      for (const ContactPoint& contact_point : contact_points) {
        if (contact_point.gap > -overlap_allowed) continue;
        throw util::InputError(
            {"", bodies[a].name},
            fmt::format("\"{}\" and \"{}\" overlap by {:.3g} mm at the start", bodies[a].name,
                        bodies[b].name, -1e3 * contact_point.gap),
            "Move them apart; bodies may touch.");
      }
    }
  }
}

}  // namespace

std::unique_ptr<RigidSolver> make_rigid_solver(std::vector<RigidBodySettings> bodies,
                                               const RigidSettings& settings) {
  if (settings.solver == scene::Solver::bullet) {
    return std::make_unique<BulletWorld>(std::move(bodies), settings);
  }
  return std::make_unique<RigidWorld>(std::move(bodies), settings);
}

double slowest_bounce(const RigidSettings& settings) {
  return std::max(least_bounce, steps_of_rest * settings.gravity.norm() * settings.step);
}

std::vector<std::shared_ptr<const SmoothShape>> checked_shapes(
    std::span<const RigidBodySettings> bodies, const RigidSettings& settings) {
  if (!(settings.step > 0.0)) throw std::invalid_argument("a simulation needs a step");
  std::vector<std::shared_ptr<const SmoothShape>> shapes;
  KnownMeshes meshes;
  for (const RigidBodySettings& body : bodies) {
    shapes.push_back(shape_of(body, settings.fields.get(), meshes));
    check_body(body);
  }
  refuse_overlaps(bodies, shapes);
  return shapes;
}

/// A cut moves nothing: the body is there, then elsewhere.
ScriptedVelocity scripted_velocity(const base::Motion& motion, double t, double step) {
  if (base::jumps_between(motion, t, t + step)) return {};
  const base::Pose now = motion.pose(t), next = motion.pose(t + step);
  const Eigen::AngleAxisd turn(next.orientation * now.orientation.conjugate());
  return {.velocity = (next.position - now.position) / step,
          .angular_velocity = turn.angle() / step * turn.axis()};
}

void resist_rolling(const MassFrame& frame, double work, RigidState& state) {
  const Vec3 w = base::angular_velocity(frame, state);
  const double turning = w.norm();
  if (!(turning > 1e-9)) return;
  const double along = state.angular_momentum.dot(w) / turning;
  state.angular_momentum -= std::min(work / turning, 0.5 * along) * w / turning;
}

/// Gravity does nothing new to what has not moved by ten micrometres in a tenth of a second.
bool has_hardly_moved(const base::Pose& seen, const base::Pose& now, double speed, double spin,
                      const RigidSettings& settings) {
  return (now.position - seen.position).norm() < no_movement &&
         now.orientation.angularDistance(seen.orientation) < no_turn && spin < no_spin &&
         speed < slowest_bounce(settings);
}

}  // namespace peal::dynamics

#pragma once

#include <peal/base/motion_result.h>
#include <peal/scene/scene.h>
#include <peal/util/checkpoint.h>
#include <peal/util/progress.h>

#include <functional>
#include <string>
#include <vector>

/// The motion stage: how everything in a scene moves, from its description.
namespace peal::simulate {

/// Whether bodies bounce off an object. Scenery without an inside is passed through.
bool meets_others(const scene::Object& object);
/// What an object collides as that meets others, in its own frame: an open ground is solid below.
/// `start` is its pose at t = 0.
scene::CollisionShape collides_as(const scene::Object& object, const base::Pose& start,
                                  const geometry::Vec3& gravity);

/// What is done with free bodies: they are let go, or only put where they start, which finds those
/// that overlap or have no mass.
enum class FreeBodies { simulated, at_start };

struct MovingOptions {
  FreeBodies free_bodies = FreeBodies::simulated;
  /// Deformations that are not finished are kept so often [s].
  double checkpoint_interval = util::Checkpoint::usual_pause;
  /// Told at once what the user should know of this run, if not of its result.
  std::function<void(const std::string&)> tell = {};
};

/// Whether there are bodies whose motion only a simulation tells.
bool needs_simulation(const scene::Scene& scene);

/// Simulates the free and the deformable bodies of a scene, or reads its contact log, or finds
/// impacts in the motion of its keyed bodies, and makes forces of the contacts. Adds what the user
/// should know to `notices`. Throws InputError that names the object: bodies that overlap at the
/// start or enclose no mass; or the record of the log: unknown bodies, impulses that no body of the
/// scene could have received.
base::MotionResult move_scene(const scene::Scene& scene, util::Progress& progress,
                              std::vector<std::string>& notices, const MovingOptions& options = {});

}  // namespace peal::simulate

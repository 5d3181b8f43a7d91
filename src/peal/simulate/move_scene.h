#pragma once

#include <peal/base/motion_result.h>
#include <peal/scene/scene.h>
#include <peal/simulate/fracture.h>
#include <peal/util/checkpoint.h>
#include <peal/util/progress.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

/// The motion stage: how everything in a scene moves, from its description.
namespace peal::simulate {

/// Whether an object takes part in collisions. Bodies pass through scenery without an inside.
bool meets_others(const scene::Object& object);
/// The collision shape of an object that takes part in collisions, in its own frame: an open ground
/// is solid below. `start` is its pose at t = 0.
scene::CollisionShape collides_as(const scene::Object& object, const base::Pose& start,
                                  const geometry::Vec3& gravity);

/// What is done with free bodies: they are simulated, or only placed at the start, which finds
/// those that overlap or have no mass.
enum class FreeBodies { simulated, at_start };

struct MovingOptions {
  FreeBodies free_bodies = FreeBodies::simulated;
  /// Bodies of the scene that broke; their pieces are objects of it (fracture.h).
  std::span<const Breakage> breakages = {};
  /// Interval at which unfinished deformations are saved [s].
  double checkpoint_interval = util::Checkpoint::usual_pause;
  /// Receives notices about this run, not its result, at once.
  std::function<void(const std::string&)> tell = {};
  /// If not empty, a hash of all that the scene is read from: the motion of free bodies is then
  /// stored in the cache by it. (Deformable bodies are always stored, by what they are made of.)
  std::string scene_hash = {};
};

/// Whether there are bodies whose motion must be simulated.
bool needs_simulation(const scene::Scene& scene);

/// Simulates the free and deformable bodies of a scene, or reads its contact log, or finds impacts
/// in the motion of its keyed bodies, and turns the contacts into forces. Adds what the user should
/// know to `notices`. Throws InputError that names the object if bodies overlap at the start or
/// enclose no mass, or that names the record of the log if it has unknown bodies or impulses that
/// no body of the scene could have received.
base::MotionResult move_scene(const scene::Scene& scene, util::Progress& progress,
                              std::vector<std::string>& notices, const MovingOptions& options = {});

}  // namespace peal::simulate

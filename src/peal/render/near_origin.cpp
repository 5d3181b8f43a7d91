#include <peal/dynamics/keyframed_motion.h>
#include <peal/render/near_origin.h>
#include <peal/scene/keyframes.h>

namespace peal::render {

namespace {

using geometry::Vec3;

/// Up to here bodies are simulated where they are [m].
constexpr double simulated_in_place = 10.0;

void move_on(scene::MotionPath& path, const Vec3& way) {
  path.chain.insert(path.chain.begin(), {.translation = scene::constant_track(way)});
}

}  // namespace

Vec3 middle_of_deformables(const scene::Scene& scene) {
  geometry::Box all;
  for (const scene::Object& object : scene.objects) {
    if (!object.deformable || !object.mesh) continue;
    const dynamics::KeyframedMotion motion(object.motion);
    all.extend(motion.pose(0.0).to_world(geometry::bounds(*object.mesh).center()));
  }
  if (all.isEmpty() || all.center().norm() < simulated_in_place) return Vec3::Zero();
  return all.center().array().round();
}

scene::Scene moved(scene::Scene scene, const Vec3& way) {
  if (way == Vec3::Zero()) return scene;
  for (scene::Object& object : scene.objects) {
    move_on(object.motion, way);
    if (object.deformable) {
      for (scene::HeldRegion& region : object.deformable->held) {
        if (region.motion) move_on(*region.motion, way);
      }
    }
    if (!object.rigid) continue;
    for (scene::Hold& hold : object.rigid->held) {
      if (hold.by.empty()) hold.to += way;
    }
  }
  for (scene::Listener& listener : scene.listeners) move_on(listener.motion, way);
  return scene;
}

}  // namespace peal::render

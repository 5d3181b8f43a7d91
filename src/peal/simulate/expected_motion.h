#pragma once

#include <peal/scene/scene.h>

namespace peal::simulate {

/// How a deformable body that is not simulated yet will move as a whole, for estimates of what its
/// simulation will cost others. A body in one moving grip moves with it; one that is held otherwise
/// stays where it is; others move as rigid bodies under their strikes, on their supports, or
/// with their initial velocity. Contact is left out: bodies that may touch others stay unless
/// something strikes them.
scene::MotionPath expected_motion(const scene::Scene& scene, const scene::Object& object);

}  // namespace peal::simulate

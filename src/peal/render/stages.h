#pragma once

#include <peal/base/listener.h>
#include <peal/base/radiator.h>
#include <peal/base/radiator_options.h>
#include <peal/base/world.h>
#include <peal/scene/scene.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/progress.h>

#include <memory>
#include <vector>

namespace peal::render {

// Settings become objects here: this is the only file that knows every stage.

/// Finds the modes of the bodies that are struck, and leaves them in `motion`: what takes long is
/// done here, with its progress. A model without modes is that of a body that cannot ring, which
/// throws util::InputError if `strict`.
void find_modes(const scene::Scene& scene, base::MotionResult& motion, util::Progress& progress,
                std::vector<std::string>& notices, bool strict);

/// Makes bodies and point sources, with their motion and shaders. Adds what the user should know,
/// also about bodies that cannot ring; if `strict`, these throw util::InputError.
base::World make_world(const scene::Scene& scene, const base::MotionResult& motion,
                       std::vector<std::string>& notices, bool strict = false);
/// Calls move_scene() and makes the world with its result.
base::World make_world(const scene::Scene& scene, std::vector<std::string>& notices);

std::vector<std::unique_ptr<base::Listener>> make_listeners(const scene::Scene& scene);

/// Every listener's receivers in one list, so that a radiator serves them all in one run.
std::vector<base::Receiver> receivers_of(
    const std::vector<std::unique_ptr<base::Listener>>& listeners);

/// Throws InputError if the model cannot do what the options ask for.
std::unique_ptr<base::Radiator> make_radiator(const scene::Radiation& settings,
                                              const base::RadiatorOptions& options = {});

}  // namespace peal::render

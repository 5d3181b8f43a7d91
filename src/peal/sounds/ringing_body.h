#pragma once

#include <peal/base/modes.h>
#include <peal/base/motion_result.h>
#include <peal/base/sustained_force.h>
#include <peal/scene/scene.h>
#include <peal/sounds/modal.h>
#include <peal/util/progress.h>
#include <peal/vibration/modal_response.h>

#include <memory>
#include <string>
#include <vector>

namespace peal::sounds {

/// A body that rings when it is struck: an ideal shape by formula, a .modes file as it
/// says, any other by finite elements.
struct RingingBody {
  std::shared_ptr<const base::ModalModel> model;  ///< on the mesh of the object
  std::shared_ptr<const vibration::ModalResponse> response;
  double area = 0.0;  ///< of an ideal shape: what moves [m^2]
};

/// The modes of an object up to the sound's highest frequency, and their answer to its strikes and
/// to the forces of contacts. Adds what is worth to know about them to `notices`. Modes of meshes
/// are kept in the user's cache.
RingingBody make_ringing_body(const scene::Object& object, const ModalSound& sound,
                              util::Progress& progress, std::vector<std::string>& notices,
                              const base::ContactForces& forces = {});

/// Whether make_ringing_body() would have to find the modes of a solid first, which takes seconds
/// to minutes: they are neither in a file nor in the user's cache, and no formula gives them.
/// Adds what is wrong with the stored ones to `notices`.
bool needs_solid_modes(const scene::Object& object, const ModalSound& sound,
                       std::vector<std::string>& notices);

/// The same modes on another mesh of the same body: each vertex moves as the nearest point of the
/// model's surface.
std::shared_ptr<const base::ModalModel> on_surface(std::shared_ptr<const base::ModalModel> model,
                                                   const geometry::TriMesh& mesh);

}  // namespace peal::sounds

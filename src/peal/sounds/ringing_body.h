#pragma once

#include <peal/base/modes.h>
#include <peal/base/motion_result.h>
#include <peal/base/radiation_amplitudes.h>
#include <peal/base/sustained_force.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/scene/scene.h>
#include <peal/sounds/modal.h>
#include <peal/util/progress.h>
#include <peal/vibration/modal_response.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::sounds {

/// A body that rings when it is struck. Its modes come from a formula (ideal shapes), from a .modes
/// file, or from finite elements.
struct RingingBody {
  std::shared_ptr<const base::ModalModel> model;  ///< on the mesh of the object
  /// Without what radiation adds to the decay of its modes; null for ideal shapes.
  std::shared_ptr<const base::ModalModel> in_vacuum;
  std::shared_ptr<const vibration::ModalResponse> response;
  double area = 0.0;  ///< vibrating area of an ideal shape [m^2]
  /// How the modes radiate; `model` has the decay that follows. Null for ideal shapes, whose level
  /// is a convention.
  std::shared_ptr<const base::RadiationAmplitudes> radiation;
};

/// Which elements find the modes of an object: shells if it is a thin wall, unless the sound says
/// otherwise.
geometry::ElementChoice elements_for(const scene::Object& object, const ModalSound& sound);

/// Makes the modes of an object up to the highest frequency of the sound, and their response to its
/// strikes and contact forces. In `medium` they lose what they radiate. Adds what the user should
/// know about them to `notices`. Modes of meshes are cached in the user's cache, or `known` (in
/// vacuum) from an earlier call for the same sound.
RingingBody make_ringing_body(const scene::Object& object, const ModalSound& sound,
                              const base::Medium& medium, util::Progress& progress,
                              std::vector<std::string>& notices,
                              const base::ContactForces& forces = {},
                              const std::shared_ptr<const base::ModalModel>& known = nullptr);

/// The same; nothing, with a notice, if the body cannot ring: one body is no reason to lose the
/// scene. If `strict`, that is an error where the file asks for the sound.
std::optional<RingingBody> find_ringing_body(
    const scene::Object& object, const ModalSound& sound, const base::Medium& medium,
    util::Progress& progress, std::vector<std::string>& notices,
    const base::ContactForces& forces = {},
    const std::shared_ptr<const base::ModalModel>& known = nullptr, bool strict = false);

/// Where the modes of an object are stored that finite elements find, which takes seconds to
/// minutes.
struct StoredModes {
  std::filesystem::path file;
  bool are_found = false;            ///< whether they are there
  std::vector<std::string> notices;  ///< problems of the store
};
/// Nothing if the modes are in a file of the scene, or a formula gives them.
std::optional<StoredModes> stored_modes(const scene::Object& object, const ModalSound& sound);

/// What make_ringing_body() will say about a body whose modes must be computed: notices about modes
/// that it will leave out. Throws util::InputError if the body cannot ring. It takes seconds at
/// most.
std::vector<std::string> preview_ringing_body(const scene::Object& object, const ModalSound& sound);

/// The modes of a model on another mesh of the same body: each vertex moves as the nearest point of
/// the model's surface.
std::shared_ptr<const base::ModalModel> on_surface(std::shared_ptr<const base::ModalModel> model,
                                                   const geometry::TriMesh& mesh);

}  // namespace peal::sounds

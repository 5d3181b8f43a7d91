#pragma once

#include <peal/scene/scene.h>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace peal::apps {

/// The one body that a verb is about, as the command line reports it.
struct BodyArguments {
  std::string file;      ///< a mesh or a .modes file, or empty
  std::string shape;     ///< as in a scene: JSON, or the file that holds it
  std::string material;  ///< its name, or JSON as in a scene
  std::optional<double> density, young_modulus, poisson_ratio;
  std::optional<double> thickness;     ///< of the surface [m]
  std::string elements = "automatic";  ///< of a surface with a thickness
  std::optional<double> scale;         ///< metres per unit of the file; absent: it is questioned
};

/// The modal sound of a body up to a frequency [Hz], as a scene has it; 0: its default.
nlohmann::ordered_json modal_sound(const BodyArguments& arguments, double max_frequency);

void add_body_options(CLI::App& verb, BodyArguments& arguments);

/// The surface of an ideal shape to look at: finer than in a scene, and strings are thicker than
/// they are.
geometry::TriMesh shown_surface(const BodyArguments& arguments, const scene::Object& object);

/// A scene with the body as its only object, so that it is read and checked as in any other.
/// `object` and `settings` are further keys of the object and of the scene. What is wrong is
/// reported of the option that says it.
scene::Scene body_scene(const BodyArguments& arguments,
                        nlohmann::ordered_json object = nlohmann::ordered_json::object(),
                        const nlohmann::ordered_json& settings = nlohmann::ordered_json::object());

}  // namespace peal::apps

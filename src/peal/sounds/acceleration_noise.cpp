#include <peal/scene/body_mass.h>
#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>
#include <peal/shaders/acceleration_noise.h>
#include <peal/sounds/acceleration_noise.h>

#include <fmt/format.h>

namespace peal::sounds {

using util::JsonObject;
using util::JsonValue;

namespace {

class AccelerationNoise : public scene::SoundOf<AccelerationNoiseSound> {
 public:
  using SoundOf::SoundOf;

  std::string describe() const override { return "the click of the whole body when it is hit"; }
  bool answers_contacts() const override { return true; }
  void add_to(scene::SoundContext& context) const override {
    if (!context.moves()) {
      if (settings.is_default) return;
      context.notices.push_back(
          fmt::format("\"{}\" makes no acceleration noise: it does not move", context.object.name));
      return;
    }
    const base::ContactForces& forces = context.motion.forces;
    if (forces.empty()) return;
    const geometry::MassProperties mass = scene::body_mass(context.object);
    const auto rigid = std::make_shared<shaders::RigidAcceleration>(
        mass, forces.impacts, settings.profile, forces.sustained);
    context.body->sources.push_back(
        std::make_shared<shaders::AccelerationNoise>(rigid, context.object.mesh));
  }
};

}  // namespace

std::shared_ptr<const scene::Sound> make_sound(const AccelerationNoiseSound& settings) {
  return std::make_shared<AccelerationNoise>(settings);
}

/// "acceleration_noise" or the value of {"acceleration_noise": ...}.
std::shared_ptr<const scene::Sound> read_acceleration_noise(const JsonValue& value,
                                                            const scene::SoundingSurface& surface,
                                                            const scene::ReadContext&) {
  AccelerationNoiseSound noise;
  if (!surface.given || surface.deforms) {
    value.report("acceleration noise needs a rigid body",
                 "Give the object a \"mesh\" or a \"shape\".");
  }
  if (!surface.has_material) {
    value.report("acceleration noise needs a material", "For example: \"material\": \"steel\"");
  }
  if (value.json().is_string()) return make_sound(noise);
  JsonObject object(value, "acceleration noise");
  static const std::vector<std::string> profiles = {"half_sine", "hertz"};
  if (const auto profile = object.find("profile"); profile && profile->word(profiles) == "hertz") {
    noise.profile = base::PulseProfile::hertz;
  }
  object.finish();
  return make_sound(noise);
}

}  // namespace peal::sounds

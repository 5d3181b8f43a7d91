#include <peal/dynamics/keyframed_motion.h>
#include <peal/explore/explored_body.h>
#include <peal/scene/body_mass.h>
#include <peal/sounds/acceleration_noise.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace peal::explore {

namespace {

/// Ratios of frequencies that materials give the same body: sqrt(E / rho) of steel is 2.6 times
/// that of lead and 10 times that of soft plastics. One octave apart, amplitudes are smooth.
constexpr std::array<double, 8> frequency_ratios = {0.03125, 0.0625, 0.125, 0.25,
                                                    0.5,     1.0,    2.0,   4.0};

RadiationTable radiation_table(const base::ModalModel& model, const base::Medium& medium) {
  RadiationTable table;
  base::ModalModel changed = model;
  for (const double ratio : frequency_ratios) {
    for (std::size_t i = 0; i < model.modes.size(); ++i)
      changed.modes[i].frequency = ratio * model.modes[i].frequency;
    table.ratios.push_back(ratio);
    table.amplitudes.push_back(base::modal_radiation_amplitudes(changed, medium));
  }
  return table;
}

/// The modes of a mesh; null if it has none, or if nobody asked for them and there are none to be
/// had.
std::shared_ptr<const base::ModalModel> model_of(const scene::Object& object,
                                                 const sounds::ModalSound& sound,
                                                 util::Progress& progress,
                                                 std::vector<std::string>& notices) try {
  if (auto reason = sounds::too_many_default_modes(object, sound); !reason.empty()) {
    notices.push_back(std::move(reason));
    return nullptr;
  }
  const sounds::RingingBody ringing = sounds::make_ringing_body(object, sound, progress, notices);
  return ringing.model->modes.empty() ? nullptr : ringing.model;
} catch (const util::InputError& error) {
  if (!sound.is_default) throw;
  notices.push_back(error.problem() + ", so it does not ring");
  return nullptr;
}

std::optional<RigidClick> click_of(const scene::Object& object) try {
  const geometry::MassProperties mass = scene::body_mass(object);
  return RigidClick{mass, base::rigid_dipole(*object.mesh, mass.centre)};
} catch (const std::invalid_argument&) {
  return std::nullopt;  // an open surface has no mass, and makes no click
}

template <class Settings>
const Settings* sound_of(const scene::Object& object) {
  for (const auto& sound : object.sounds)
    if (const auto* settings = scene::settings_of<Settings>(*sound)) return settings;
  return nullptr;
}

}  // namespace

std::optional<ExploredBody> explored_body(const scene::Object& object, const base::Medium& medium,
                                          util::Progress& progress,
                                          std::vector<std::string>& notices) {
  if (!object.mesh) return std::nullopt;
  ExploredBody body{.name = object.name,
                    .pose = dynamics::KeyframedMotion(object.path).pose(0.0),
                    .material = object.material,
                    .mesh = object.mesh};
  if (!object.strikes.empty()) body.strike = object.strikes.front();
  const auto* modal = sound_of<sounds::ModalSound>(object);
  if (modal == nullptr) return body;
  body.max_frequency = modal->max_frequency;
  if (object.ideal_shape() != nullptr) {
    body.ideal = *object.ideal_shape();
    return body;
  }
  body.model = model_of(object, *modal, progress, notices);
  if (!body.model) return body;
  body.radiation = radiation_table(*body.model, medium);
  if (object.material && sound_of<sounds::AccelerationNoiseSound>(object) != nullptr)
    body.click = click_of(object);
  return body;
}

std::vector<ExploredBody> explored_bodies(const scene::Scene& scene, util::Progress& progress,
                                          std::vector<std::string>& notices) {
  std::vector<ExploredBody> bodies;
  for (const scene::Object& object : scene.objects)
    if (auto body = explored_body(object, scene.medium, progress, notices))
      bodies.push_back(std::move(*body));
  return bodies;
}

}  // namespace peal::explore

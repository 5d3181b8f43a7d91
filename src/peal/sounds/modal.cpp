#include <peal/geometry/mesh/mass_properties.h>
#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/progress.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/mode_density.h>
#include <peal/vibration/shell_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::sounds {

using util::JsonObject;
using util::JsonValue;

namespace {

/// Modes by default are not more than these: with more, finding them takes longer than an hour.
constexpr double most_default_modes = 1000.0;

vibration::SolidSize solid_size(const scene::Object& object) {
  return {.volume = std::abs(geometry::signed_volume(*object.mesh)),
          .area = geometry::surface_area(*object.mesh)};
}

class Modal : public scene::SoundOf<ModalSound> {
 public:
  using SoundOf::SoundOf;

  std::string describe() const override {
    return fmt::format("its own modes up to {:g} Hz{}", settings.max_frequency,
                       settings.click ? ", with the noise of the contact" : "");
  }
  bool answers_strikes() const override { return true; }
  bool answers_contacts() const override { return true; }
  void add_to(scene::SoundContext& context) const override {
    // Modes take long to find; a body that nothing hits needs none.
    if (context.object.strikes.empty() && context.motion.forces.empty()) return;
    // A search that found none is not repeated.
    const auto& known = context.motion.modes;
    if (known && known->modes.empty() && !context.strict) return;
    util::Silent silent;
    const std::optional<RingingBody> found =
        find_ringing_body(context.object, settings, context.world.medium, silent, context.notices,
                          context.motion.forces, known, context.strict);
    if (!found || found->model->modes.empty()) return;
    const RingingBody& ringing = *found;
    const std::vector<base::Mode>& modes = ringing.model->modes;
    // Beyond the band that was asked for: what is left of it at the rate of audio would be false.
    if (modes.front().frequency > settings.max_frequency) {
      context.notices.push_back(
          fmt::format("\"{}\" is silent when struck: its lowest mode is at {:.0f} Hz",
                      context.object.name, modes.front().frequency));
      return;
    }
    // The model's surface follows the waves in the body; the given one may have a dozen triangles.
    if (context.body->sources.empty() && context.body->triangle_part.empty())
      context.body->mesh = ringing.model->surface;
    const auto radiation = [ringing](const base::Medium& medium) -> base::RadiationAmplitudes {
      const base::ModalModel& model = *ringing.model;
      if (ringing.radiation) return *ringing.radiation;
      return {.amplitudes = std::vector<std::complex<double>>(
                  model.modes.size(), vibration::paper_loudness(model.modes.front().frequency,
                                                                ringing.area, model.mass, medium))};
    };
    context.body->sources.push_back(std::make_shared<vibration::ModalSource>(
        on_surface(ringing.model, context.body->mesh), ringing.response,
        vibration::ModalSource::Point{.offset = geometry::bounds(*context.object.mesh).center(),
                                      .radiation = radiation,
                                      .has_level = context.object.ideal_shape() == nullptr,
                                      .click = settings.click,
                                      .key = {.seed = context.seed, .stream = context.stream}}));
    context.world.vibrations.push_back({context.object.name, context.body->sources.back()});
  }
};

vibration::ContactClick read_contact_click(const JsonValue& value) {
  JsonObject object(value, "the noise of the contact");
  vibration::ContactClick click;
  click.level = object.number("level", {.min = 0, .max = 100}, click.level);
  click.duration =
      object.number("duration", {.min = 0.001, .max = 0.1, .unit = "s"}, click.duration);
  object.finish();
  return click;
}

}  // namespace

double estimated_modes(const scene::Object& object, double frequency) {
  if (object.shell)
    return vibration::expected_shell_modes(*object.shell, *object.material, frequency);
  return vibration::expected_modes(solid_size(object), *object.material, frequency);
}

std::string too_many_default_modes(const scene::Object& object, const ModalSound& sound) {
  const double max_frequency = sound.max_frequency;
  if (!sound.is_default || object.modal_body() != nullptr || object.ideal_shape() != nullptr)
    return {};
  const double modes = estimated_modes(object, max_frequency);
  if (modes <= most_default_modes) return {};
  // Only the modes up to there are computed.
  if (!object.shell) {
    const auto limit = vibration::ringing_limit(solid_size(object), *object.material);
    if (limit && estimated_modes(object, *limit) <= most_default_modes) return {};
  }
  double possible = max_frequency;
  while (estimated_modes(object, possible) > 0.3 * most_default_modes) possible *= 0.98;
  const double digit = std::pow(10.0, std::floor(std::log10(possible)));
  return fmt::format(
      "\"{}\" does not ring by default: it has about {:.2g} modes up to {:g} Hz. Give it "
      "\"sound\": [{{\"modal\": {{\"max_frequency\": {:g}}}}}], or [] for silence",
      object.name, modes, max_frequency, digit * std::floor(possible / digit));
}

std::shared_ptr<const scene::Sound> make_sound(const ModalSound& settings) {
  return std::make_shared<Modal>(settings);
}

/// "modal" or the value of {"modal": ...}.
std::shared_ptr<const scene::Sound> read_modal(const JsonValue& value,
                                               const scene::SoundingSurface& surface,
                                               const scene::ReadContext& context) {
  ModalSound modal;
  modal.max_frequency = std::min(modal.max_frequency, 0.9 * context.rate.nyquist());
  if (!surface.given) {
    value.report("a modal sound needs a mesh or a shape",
                 "Give the object a \"mesh\" or a \"shape\".");
  } else if (surface.deforms) {
    value.report("a body that changes its shape has no modes", "Give a mesh that keeps its shape.");
  }
  if (!surface.has_material) {
    value.report("a modal sound needs a material", "For example: \"material\": \"steel\"");
  }
  if (value.json().is_string()) return make_sound(modal);
  JsonObject object(value, "a modal sound");
  modal.max_frequency = object.number("max_frequency",
                                      {.min = 20,
                                       .max = context.rate.nyquist(),
                                       .unit = "Hz",
                                       .reason = "half the sample rate",
                                       .below_max = true},
                                      modal.max_frequency);
  if (const auto click = object.find("click")) modal.click = read_contact_click(*click);
  if (const auto word = object.find("elements")) {
    static const std::vector<std::string> known = {"automatic", "shells", "solid"};
    const auto found = std::ranges::find(known, word->word(known));
    if (found != known.end())
      modal.elements = static_cast<ModalSound::Elements>(found - known.begin());
  }
  object.finish();
  return make_sound(modal);
}

}  // namespace peal::sounds

#include <peal/base/prescribed_source.h>
#include <peal/plot/audio_picture.h>
#include <peal/render/bending_waves.h>
#include <peal/render/cost.h>
#include <peal/render/sound_memory.h>
#include <peal/render/stages.h>
#include <peal/simulate/deformables.h>
#include <peal/simulate/expected_motion.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/processor_time.h>
#include <peal/util/progress.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <variant>

namespace peal::render {

namespace {

/// The scene without what takes long to find out, and a notice for each part of it.
scene::Scene without_unknown_motion(scene::Scene scene, std::vector<std::string>& notices,
                                    std::vector<std::string>& of_stores) {
  const std::vector<std::string> unknown = simulate::unknown_deformations(scene, of_stores);
  if (unknown.empty()) return scene;
  for (const std::string& body : unknown) {
    notices.push_back(
        body +
        ", and its deformation is simulated (and cached) on first render; here it is at rest");
  }
  // Waves are computed around bodies where they will be; contacts on the way are not asked for.
  const scene::Scene given = scene;
  for (scene::Object& object : scene.objects) {
    if (object.deformable() != nullptr && object.mesh && object.material) {
      object.path = simulate::expected_motion(given, object);
      object.contact.collision = scene::Collision::none;
    }
    object.motion = scene::KeyedMotion{};
  }
  return scene;
}

/// What a render will find when it computes the modes of a body.
void preview_modes(const scene::Object& object, const sounds::ModalSound& modal,
                   std::vector<std::string>& notices) try {
  if (std::string reason = sounds::too_many_default_modes(object, modal); !reason.empty()) {
    notices.push_back(std::move(reason));
    return;
  }
  for (const std::string& notice : sounds::preview_ringing_body(object, modal))
    notices.push_back(fmt::format("\"{}\": {}", object.name, notice));
  notices.push_back(
      fmt::format("\"{}\": modes up to {:g} Hz are computed (finite elements) and cached on "
                  "first render; they are left out here",
                  object.name, modal.max_frequency));
} catch (const util::InputError& error) {
  notices.push_back(error.problem() + ", so it will not ring. " + error.hint());
}

scene::Scene without_unknown_modes(scene::Scene scene, std::vector<std::string>& notices,
                                   std::vector<std::string>& of_stores) {
  for (scene::Object& object : scene.objects) {
    std::erase_if(object.sounds, [&](const std::shared_ptr<const scene::Sound>& sound) {
      const auto* modal = scene::settings_of<sounds::ModalSound>(*sound);
      if (modal == nullptr) return false;
      const auto stored = sounds::stored_modes(object, *modal);
      if (!stored) return false;
      for (const std::string& notice : stored->notices) {
        if (std::ranges::find(of_stores, notice) == of_stores.end()) of_stores.push_back(notice);
      }
      if (stored->are_found) return false;
      preview_modes(object, *modal, notices);
      return true;
    });
  }
  return scene;
}

scene::Scene known_part(const scene::Scene& scene, std::vector<std::string>& notices,
                        bool& is_whole) {
  const std::size_t before = notices.size();
  std::vector<std::string> of_stores;
  scene::Scene known =
      without_unknown_modes(without_unknown_motion(scene, notices, of_stores), notices, of_stores);
  is_whole = notices.size() == before;
  notices.insert(notices.end(), of_stores.begin(), of_stores.end());
  return known;
}

/// Bodies whose deformation is not known sound at all times, as far as their cost goes: waves are
/// computed around them from the first sample to the last. Returns whether there are any.
bool let_unknown_bodies_sound(const scene::Scene& scene, const scene::Scene& known,
                              base::World& world) {
  bool any = false;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object& object = scene.objects[i];
    if (object.deformable() == nullptr || known.objects[i].deformable() != nullptr) continue;
    const auto body = std::ranges::find(world.bodies, object.name, &base::Body::name);
    if (body == world.bodies.end()) continue;
    any = true;
    body->sources.push_back(std::make_shared<base::PrescribedSource>([](double) { return 1.0; }));
  }
  return any;
}

/// Listening to longer sounds, and drawing them, takes longer in proportion [s].
constexpr double longest_drawn = 30.0;

/// The processor time from the pressures at receivers to pictures: that for a fading tone of the
/// same length [s].
double output_seconds(const std::vector<std::unique_ptr<base::Listener>>& listeners,
                      base::Rate rate, std::int64_t samples) {
  const auto drawn = std::min(samples, static_cast<std::int64_t>(rate.samples(longest_drawn)));
  base::Signal tone{.rate = rate};
  for (std::int64_t i = 0; i < drawn; ++i) {
    const auto t = static_cast<double>(i);
    tone.samples.push_back(
        static_cast<float>(std::sin(0.1 * t) * std::exp(-5.0 * t / static_cast<double>(drawn))));
  }
  const double start = util::process_seconds();
  for (const auto& listener : listeners) {
    const std::vector<base::Signal> pressures(listener->receivers().size(), tone);
    const base::Audio audio = listener->listen(pressures);
    const std::vector<std::span<const float>> channels(audio.channels.begin(),
                                                       audio.channels.end());
    plot::spectrogram_png(channels, static_cast<double>(audio.rate.hz));
  }
  return (util::process_seconds() - start) * static_cast<double>(samples) /
         static_cast<double>(std::max<std::int64_t>(1, drawn));
}

base::World world_of(const scene::Scene& scene, simulate::FreeBodies free_bodies,
                     std::vector<std::string>& notices) {
  util::Silent silent;
  if (free_bodies == simulate::FreeBodies::simulated && simulate::may_break(scene)) {
    return make_world(scene, notices);
  }
  return make_world(
      scene, simulate::move_scene(scene, silent, notices, {.free_bodies = free_bodies}), notices);
}

}  // namespace

Preview::Preview(const scene::Scene& scene, simulate::FreeBodies free_bodies)
    : scene_((check_sound_memory(receivers_of(make_listeners(scene)).size(),
                                 scene::sample_count(scene)),
              scene)),
      notices_(scene.notices),
      is_moved_(free_bodies == simulate::FreeBodies::simulated ||
                !simulate::needs_simulation(scene)),
      receivers_(receivers_of(make_listeners(scene))),
      radiator_(make_radiator(scene.radiation)) {
  const double start = util::process_seconds();
  const scene::Scene known = known_part(scene, notices_, is_whole_);
  world_ = world_of(known, free_bodies, notices_);
  if (scene.radiation.model == scene::Radiation::Model::wave &&
      let_unknown_bodies_sound(scene, known, world_)) {
    mention_bending_waves(scene, world_, notices_);
    notices_.push_back(
        "the cost of waves is that of bodies that sound for the whole scene and move as rigid ones "
        "would, under strikes, on supports or in a grip; what they bend on the way adds to it");
  }
  for (const base::Body& body : world_.bodies) {
    if (body.deformation) body.deformation->check();
  }
  plan_ = radiator_->plan(world_, receivers_);
  preparation_ = util::process_seconds() - start;
  if (!is_moved_) {
    notices_.push_back(
        "the motion of free bodies, their contacts and the cost are not known until they are "
        "simulated");
    return;
  }
  notices_.insert(notices_.end(), plan_.notices.begin(), plan_.notices.end());
}

std::optional<CostEstimate> Preview::cost() const {
  if (!is_moved_) return std::nullopt;
  CostEstimate cost{.preparation = preparation_,
                    .output = output_seconds(make_listeners(scene_), world_.rate, world_.samples)};
  // Rays take as long as there are surfaces that sound, and most of that if they move; a domain of
  // the wave equation is there as soon as one of them does.
  const bool is_silent_without_rest = !is_whole_ && plan_.work <= 0.0;
  if (is_whole_ ||
      (scene_.radiation.model != scene::Radiation::Model::rays && !is_silent_without_rest)) {
    cost.choices = plan_.choices;
    cost.radiation = {.work = plan_.work,
                      .work_unit = plan_.work_unit,
                      .seconds = radiator_->expected_seconds(world_, receivers_)};
  }
  cost.memory_bytes =
      static_cast<double>(receivers_.size()) * static_cast<double>(world_.samples) * sizeof(float);
  if (const auto units = radiator_->units(world_, receivers_)) {
    cost.units = units->list().size();
    for (const base::WorkUnit& unit : units->list())
      cost.unit_memory = std::max(cost.unit_memory, unit.memory);
  }
  if (const auto deforming = simulate::deformation_cost(scene_)) {
    cost.simulation = deforming->seconds;
    cost.choices.insert(cost.choices.end(), deforming->diagnostics.begin(),
                        deforming->diagnostics.end());
  }
  return cost;
}

}  // namespace peal::render

#include <peal/listener/ambisonics.h>
#include <peal/listener/array_listener.h>
#include <peal/listener/head.h>
#include <peal/listener/make_listener.h>
#include <peal/listener/pressure_listener.h>

#include <fmt/format.h>

#include <utility>

namespace peal::listener {

namespace {

using Ear = PressureListener::Ear;

std::unique_ptr<base::Listener> make_head(const scene::Listener& settings,
                                          std::shared_ptr<const base::Motion> motion,
                                          const Surroundings& surroundings) {
  const auto head =
      std::make_shared<const Head>(settings.head, surroundings.medium, settings.equalisation);
  if (!surroundings.has_directions) {
    return std::make_unique<ArrayListener>(
        settings.name, std::move(motion), std::vector<std::string>{"left", "right"},
        [head, surroundings] {
          return ears_of_array(*head, surroundings.rate, surroundings.medium);
        });
  }
  const auto ear = [&](std::size_t side) { return std::make_shared<EarOfHead>(head, side); };
  return std::make_unique<PressureListener>(
      settings.name, std::move(motion),
      std::vector<Ear>{{"left", base::Vec3::Zero(), ear(0)},
                       {"right", base::Vec3::Zero(), ear(1)}});
}

std::unique_ptr<base::Listener> make_ambisonic(const scene::Listener& settings,
                                               std::shared_ptr<const base::Motion> motion,
                                               const Surroundings& surroundings) {
  std::vector<Ear> channels;
  std::vector<std::string> names;
  for (int c = 0; c < ambisonic_channels(settings.order); ++c) {
    names.push_back(fmt::format("ACN {}", c));
    channels.push_back(
        {names.back(), base::Vec3::Zero(), std::make_shared<AmbisonicChannel>(settings.order, c)});
  }
  if (surroundings.has_directions) {
    return std::make_unique<PressureListener>(settings.name, std::move(motion),
                                              std::move(channels));
  }
  return std::make_unique<ArrayListener>(
      settings.name, std::move(motion), std::move(names), [order = settings.order, surroundings] {
        return ambisonics_of_array(order, surroundings.rate, surroundings.medium);
      });
}

}  // namespace

std::unique_ptr<base::Listener> make_listener(const scene::Listener& settings,
                                              std::shared_ptr<const base::Motion> motion,
                                              const Surroundings& surroundings) {
  switch (settings.kind) {
    case scene::Listener::Kind::binaural:
      return make_head(settings, std::move(motion), surroundings);
    case scene::Listener::Kind::ambisonic:
      return make_ambisonic(settings, std::move(motion), surroundings);
    case scene::Listener::Kind::mono:
    case scene::Listener::Kind::stereo:
      break;
  }
  const base::Vec3 right = base::Vec3::UnitX() * (0.5 * settings.ear_distance);
  std::vector<Ear> ears =
      settings.kind == scene::Listener::Kind::mono
          ? std::vector<Ear>{{"mono", base::Vec3::Zero(), nullptr}}
          : std::vector<Ear>{{"left", -right, nullptr}, {"right", right, nullptr}};
  return std::make_unique<PressureListener>(settings.name, std::move(motion), std::move(ears));
}

}  // namespace peal::listener

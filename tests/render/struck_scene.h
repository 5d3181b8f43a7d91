#pragma once

#include <peal/util/measure.h>

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "render/gallery_sound.h"

/// Scenes of the gallery in which one object is struck, and what is measured in their sound.
namespace peal::render {

/// What the first listener hears, in Pa.
inline std::vector<double> listener_audio(const json& scene, const std::string& name) {
  return util::as_double(gallery_sound(scene, name).listeners.at(0).audio.channels.at(0));
}

/// The same with fewer modes, which are found sooner.
inline json up_to(json scene, double max_frequency) {
  json& sound = scene["objects"][0]["sound"][0];
  if (sound.is_string()) sound = {{"modal", json::object()}};
  sound["modal"]["max_frequency"] = max_frequency;
  return scene;
}

/// One strike of the scene alone, or at another point, for a while; without click, by `direct`.
inline std::vector<double> one_strike(json scene, const std::string& name, std::size_t number,
                                      const json& at = {}, double duration = 1.0) {
  json& object = scene["objects"][0];
  json strike = object["strikes"][number];
  strike["t"] = 0.01;
  if (!at.is_null()) strike["at"] = at;
  object["strikes"] = json::array({strike});
  if (object["sound"][0].is_object()) object["sound"][0]["modal"].erase("click");
  scene["duration"] = duration;
  scene.erase("radiation");
  return listener_audio(scene, name);
}

/// From 20 ms on, when the impact has arrived and ended.
inline std::span<const double> ringing(const std::vector<double>& sound) {
  return std::span(sound).subspan(960);
}

inline void expect_partials(const std::vector<double>& sound, double lowest,
                            const std::vector<double>& ratios, double tolerance) {
  for (const double ratio : ratios) {
    const double f = lowest * ratio;
    const util::Tone tone = util::find_mode(ringing(sound), 48000, f, 0.03 * f);
    EXPECT_NEAR(tone.frequency, f, tolerance * f) << ratio;
    EXPECT_GT(tone.amplitude, 0.0);
  }
}

/// Level of the mode at f in one sound over that in another [dB]: it is 0 where both have it.
inline double level_of(const std::vector<double>& a, const std::vector<double>& b, double f) {
  const auto window = [](const std::vector<double>& x) { return ringing(x).first(24000); };
  return 20.0 * std::log10(util::tone_at(window(a), 48000, f).amplitude /
                           util::tone_at(window(b), 48000, f).amplitude);
}

}  // namespace peal::render

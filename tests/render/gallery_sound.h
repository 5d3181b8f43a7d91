#pragma once

#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/files.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <regex>
#include <string>

#include "source_dir.h"

/// Scenes of the gallery, rendered, and the energy account that each of them must keep.
namespace peal::render {

using nlohmann::json;

inline std::filesystem::path gallery_folder(const std::string& name) {
  return std::filesystem::path(PEAL_SOURCE_DIR "/scenes") / name;
}

inline json gallery_scene(const std::string& name) {
  return json::parse(util::read_file(gallery_folder(name) / "scene.json"), nullptr, true, true);
}

/// The energy of as much sound in all directions as reaches the first listener, if all of it came
/// from the nearest place of any source: 4 pi r^2 / (rho c) times the integral of p^2 [J].
inline double heard_energy(const Sound& sound, const base::Medium& medium) {
  double nearest = std::numeric_limits<double>::infinity();  // [m]
  static const std::regex distance("is ([0-9.e-]+) m from");
  for (const std::string& finding : sound.plan.diagnostics) {
    std::smatch found;
    if (std::regex_search(finding, found, distance))
      nearest = std::min(nearest, std::stod(found[1]));
  }
  if (!std::isfinite(nearest)) return 0.0;
  const base::Audio& audio = sound.listeners.at(0).audio;
  double square = 0.0;
  for (const float p : audio.channels.at(0)) square += static_cast<double>(p) * p;
  return 4.0 * std::numbers::pi * nearest * nearest / (medium.density * medium.speed_of_sound) *
         square / static_cast<double>(audio.rate.hz);
}

/// That nothing got, lost, radiates or is heard with more energy than there was. Sliding and
/// rolling may give modes up to a tenth of what bodies have besides what impacts give them.
inline void expect_energy_is_kept(const Sound& sound, const scene::Scene& scene,
                                  const std::string& name) {
  double given = 0.0;
  for (const VibrationEnergy& one : sound.vibrations) {
    const base::SourceEnergy& energy = one.energy;
    // What shells give to the air is not known.
    if (!std::isnan(energy.radiated)) {
      EXPECT_GE(energy.radiated, 0.0) << name << ", " << one.body;
      EXPECT_LE(energy.radiated, 1.001 * energy.given) << name << ", " << one.body;
    }
    EXPECT_LE(energy.dissipated, 1.001 * energy.given + 1e-12) << name << ", " << one.body;
    given += energy.given;
  }
  const auto is_struck = [](const scene::Object& object) { return !object.strikes.empty(); };
  const bool by_strikes = std::ranges::any_of(scene.objects, is_struck);
  double had = given;
  if (sound.contacts && sound.contacts->energy) {
    const base::ContactEnergy& contact = *sound.contacts->energy;
    EXPECT_LE(contact.to_modes, contact.given * (1.0 + 1e-6)) << name;
    if (!by_strikes) {
      EXPECT_LE(given, contact.to_modes + 0.1 * contact.given) << name;
    }
    had = contact.given + (by_strikes ? given : 0.0);
  }
  // A point of "direct" sounds alike in all directions. Without an account there is nothing to
  // compare with: a level by convention, or motion that keyframes prescribe.
  if (sound.plan.model == "direct" && had > 0.0) {
    EXPECT_LE(heard_energy(sound, scene.medium), had) << name;
  }
}

/// The sound of a scene, with its energy account checked.
inline Sound gallery_sound(const json& scene, const std::string& name) {
  util::Silent silent;
  const auto parsed = scene::parse_scene(scene.dump(), name, gallery_folder(name));
  Sound sound = render(parsed, silent);
  expect_energy_is_kept(sound, parsed, name);
  return sound;
}

}  // namespace peal::render

#pragma once

#include <peal/base/motion_result.h>
#include <peal/base/radiator.h>
#include <peal/render/slices.h>
#include <peal/render/view.h>
#include <peal/scene/scene.h>
#include <peal/util/checkpoint.h>
#include <peal/util/progress.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::render {

/// Audio of one listener.
struct ListenerAudio {
  std::string listener;
  base::Audio audio;
};

/// What an object's vibration got and lost.
struct VibrationEnergy {
  std::string body;
  base::SourceEnergy energy;
};

/// The sound of a scene, and the decisions made by the render.
struct Sound {
  std::vector<ListenerAudio> listeners;  ///< in the order of the scene
  base::RadiationPlan plan;
  std::vector<std::string> notices;
  std::optional<Slices> slices;                 ///< if requested, and anything sounds
  std::optional<base::ContactResult> contacts;  ///< if bodies touch
  std::vector<VibrationEnergy> vibrations;      ///< of bodies whose level is physical
  std::optional<std::string> motion;            ///< glTF file of the motion, if requested
  std::optional<View> view;                     ///< pictures of the motion, if requested
};

struct RenderOptions {
  /// Folder in which slow radiators cache finished work.
  std::optional<std::filesystem::path> cache;
  /// Interval at which unfinished motion of deformable bodies is saved in the user's cache [s].
  double checkpoint_interval = util::Checkpoint::usual_pause;
  bool strict = false;  ///< a body that cannot ring is an error, not a notice
  std::optional<base::SliceRequest> slices;
  std::optional<double> motion_rate;  ///< frames a second of a motion file [1/s]
  std::optional<double> view_rate;    ///< pictures of the motion a second [1/s]
  /// Receives the plan and the notices after the scene is checked and before the work.
  std::function<void(const base::RadiationPlan&, std::span<const std::string> notices)> announce;
  /// Receives notices about this run, not its result, at once.
  std::function<void(const std::string&)> tell;
};

/// The whole data path in memory: scene -> motion -> shaders -> radiator -> listeners.
Sound render(const scene::Scene& scene, util::Progress& progress,
             const RenderOptions& options = {});

}  // namespace peal::render

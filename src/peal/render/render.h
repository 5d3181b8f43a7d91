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

/// What one listener heard.
struct ListenerAudio {
  std::string listener;
  base::Audio audio;
};

/// The sound of a scene, and what was decided on the way.
struct Sound {
  std::vector<ListenerAudio> listeners;  ///< in the order of the scene
  base::RadiationPlan plan;
  std::vector<std::string> notices;
  std::optional<Slices> slices;                 ///< if asked for, and anything sounds
  std::optional<base::ContactResult> contacts;  ///< if bodies meet
  std::optional<std::string> motion;            ///< a glTF file of it, if asked for
  std::optional<View> view;                     ///< of the motion, if asked for
};

struct RenderOptions {
  /// Radiators that take long keep finished work in this folder and find it there again.
  std::optional<std::filesystem::path> cache;
  /// Unfinished motion of deformable bodies is kept in the user's cache so often [s].
  double checkpoint_interval = util::Checkpoint::usual_pause;
  std::optional<base::SliceRequest> slices;
  std::optional<double> motion_rate;  ///< frames a second of a motion file [1/s]
  std::optional<double> view_rate;    ///< pictures of the motion a second [1/s]
  /// Told what was decided and what to beware of, once the scene is checked and before the work.
  std::function<void(const base::RadiationPlan&, std::span<const std::string> notices)> announce;
  /// Told at once what the user should know of this run, if not of its result.
  std::function<void(const std::string&)> tell;
};

/// The whole data path in memory: scene -> motion -> shaders -> radiator -> listeners.
Sound render(const scene::Scene& scene, util::Progress& progress,
             const RenderOptions& options = {});

}  // namespace peal::render

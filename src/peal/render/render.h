#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_result.h>
#include <peal/base/radiator.h>
#include <peal/base/world.h>
#include <peal/render/slices.h>
#include <peal/render/view.h>
#include <peal/scene/scene.h>
#include <peal/simulate/fracture.h>
#include <peal/util/checkpoint.h>
#include <peal/util/progress.h>

#include <filesystem>
#include <functional>
#include <memory>
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
  std::string scene_hash = {};  ///< simulate::MovingOptions
};

/// A render up to what its radiator needs, and from what it returns on: several processes may do
/// the part in between.
class Rendering {
 public:
  /// Moves the scene and plans how it sounds. `scene`, which it refers to, must not change.
  Rendering(const scene::Scene& scene, util::Progress& progress, const RenderOptions& options);
  Rendering(const Rendering&) = delete;
  Rendering& operator=(const Rendering&) = delete;

  const base::World& world() const { return world_; }
  const std::vector<base::Receiver>& receivers() const { return receivers_; }
  const base::Radiator& radiator() const { return *radiator_; }
  const base::RadiationPlan& plan() const { return sound_.plan; }
  const std::vector<std::string>& notices() const { return sound_.notices; }
  base::SampleRange range() const { return {0, world_.samples}; }

  /// The sound, from the pressures at all receivers. Call it once.
  Sound finish(std::span<const base::Signal> pressures);

 private:
  const scene::Scene& given_;
  std::optional<base::SliceRequest> slice_request_;
  Sound sound_;
  simulate::BrokenScene broken_;
  base::MotionResult motion_;
  base::World world_;
  std::vector<std::unique_ptr<base::Listener>> listeners_;
  std::vector<base::Receiver> receivers_;
  std::vector<base::PressureSlice> frames_;
  std::unique_ptr<base::Radiator> radiator_;
};

/// The whole data path in memory: scene -> motion -> shaders -> radiator -> listeners.
Sound render(const scene::Scene& scene, util::Progress& progress,
             const RenderOptions& options = {});

}  // namespace peal::render

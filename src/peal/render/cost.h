#pragma once

#include <peal/base/radiator.h>
#include <peal/base/world.h>
#include <peal/scene/scene.h>
#include <peal/simulate/move_scene.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::render {

/// Cost of the radiator.
struct RadiationCost {
  double work = 0.0;  ///< in plan.work_unit
  std::string work_unit;
  double seconds = 0.0;  ///< on all allowed threads
};

/// Estimate of the time that render() takes on this machine.
struct CostEstimate {
  std::vector<std::string> choices;  ///< choices that were made, one sentence each
  /// Absent for rays if a surface that they start from is not simulated yet.
  std::optional<RadiationCost> radiation;
  double simulation = 0.0;  ///< of deformable bodies before that, if it is not known [s]
  /// Time to make the sources of sound from the scene, and to draw and write what was rendered [s].
  double preparation = 0.0, output = 0.0;
  double memory_bytes = 0.0;  ///< of the sound itself, all receivers
  std::size_t units = 1;      ///< of work that several machines may share
  double unit_memory = 0.0;   ///< of the largest of them [byte]
};

/// A scene prepared like for a render.
class Preview {
 public:
  /// Opens the recordings, and the frames of mesh sequences, so that their problems are found.
  /// Modes of solids, and motions of deformable bodies, that are not in the cache are left out, and
  /// notices say so, as they do of free bodies that are not simulated.
  explicit Preview(const scene::Scene& scene,
                   simulate::FreeBodies free_bodies = simulate::FreeBodies::simulated);

  /// What the user should know before a render: what was converted or assumed, what is inaudible.
  const std::vector<std::string>& notices() const { return notices_; }
  /// Estimates the cost by a short trial of the scene's radiator. Absent if the motion or the
  /// sources are not known.
  std::optional<CostEstimate> cost() const;

 private:
  scene::Scene scene_;
  std::vector<std::string> notices_;
  double preparation_ = 0.0;  ///< processor time of the constructor [s]
  bool is_moved_;             ///< whether all motion is known
  bool is_whole_ = true;      ///< whether nothing is left out
  base::World world_;
  std::vector<base::Receiver> receivers_;
  std::unique_ptr<base::Radiator> radiator_;
  base::RadiationPlan plan_;
};

}  // namespace peal::render

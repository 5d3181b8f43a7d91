#pragma once

#include <peal/base/radiation_tables.h>
#include <peal/scene/scene.h>
#include <peal/util/progress.h>

#include <memory>
#include <string>
#include <vector>

namespace peal::render {

/// The precomputed radiation of a body; null where it has none.
struct PrecomputedBody {
  std::string name;
  std::shared_ptr<const base::RigidRadiation> rigid;
  std::shared_ptr<const base::ModalRadiation> modal;
};

/// Computes, or finds in the user's cache, the tables of all bodies of a scene that are heard, up
/// to the scene's `table_frequency`: its motion is simulated first.
std::vector<PrecomputedBody> precompute(const scene::Scene& scene, util::Progress& progress,
                                        std::vector<std::string>& notices);

/// The same for one body: its acceleration noise and, if it has a material, its modes.
PrecomputedBody precompute(const scene::Object& object, const base::Medium& medium,
                           double max_frequency, util::Progress& progress,
                           std::vector<std::string>& notices);

}  // namespace peal::render

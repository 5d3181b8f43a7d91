#pragma once

#include <peal/base/world.h>
#include <peal/scene/scene.h>

#include <string>
#include <vector>

namespace peal::render {

/// Says which sounding walls have bending waves in the band that the grid of the wave solver does
/// not resolve: below coincidence they are shorter than sound waves.
void mention_bending_waves(const scene::Scene& scene, const base::World& world,
                           std::vector<std::string>& notices);

}  // namespace peal::render

#pragma once

#include <peal/scene/scene.h>

#include <string>

namespace peal::scene {

/// A sound in words, for the manifest and `peal inspect`: "tone of 440 Hz, 0.5 Pa at 1 m".
std::string describe(const Sound& sound);

/// The word of the scene format.
std::string describe(Solver solver);

/// The word of the scene format.
std::string describe(Radiation::Model model);

/// What a body collides as, in words: "a ball of radius 0.02 m".
std::string describe(const CollisionShape& shape);

}  // namespace peal::scene

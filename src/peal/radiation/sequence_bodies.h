#pragma once

#include <peal/base/world.h>

#include <vector>

namespace peal::radiation {

/// The meshes of a sounding body whose surface changes its triangles, each as a body that keeps
/// them and sounds for the time of the mesh. Where one mesh takes over from another, the sound of
/// one fades into that of the other, over 5 ms or the time of the shorter mesh: their gains add up
/// to 1. Meshes outside of 0 to `duration` [s] are left out.
std::vector<base::Body> bodies_of_sequence(const base::Body& body, double duration);

}  // namespace peal::radiation

#pragma once

#include <peal/base/world.h>

#include <vector>

namespace peal::radiation {

/// The meshes of a sounding body whose triangles change over time, each as a body that has this one
/// mesh and sounds while the mesh is in use. Where one mesh replaces another, their sounds are
/// crossfaded over 5 ms, or over the duration of the shorter mesh if that is less; the gains add up
/// to 1. Meshes outside of 0 to `duration` [s] are omitted.
std::vector<base::Body> bodies_of_sequence(const base::Body& body, double duration);

}  // namespace peal::radiation

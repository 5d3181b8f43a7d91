#pragma once

#include <peal/geometry/volume/tet_surface.h>

namespace peal::vibration {

using geometry::CurvedTetMesh;
using geometry::FittedSurface;
using geometry::SmoothSurface;

/// Moves the midpoints of outer edges onto the smooth surface. Inner edges follow as in an elastic
/// body with these surface displacements (Persson & Peraire 2009), because elements in thin walls
/// would otherwise fold. Where an element still folds, its edges are bent less. Returns the number
/// of outer edges that are not on the surface.
std::size_t bend(CurvedTetMesh& mesh, const FittedSurface& surface, const SmoothSurface& smooth);

}  // namespace peal::vibration

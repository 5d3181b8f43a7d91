#pragma once

#include <peal/geometry/volume/tet_surface.h>

namespace peal::vibration {

using geometry::CurvedTetMesh;
using geometry::FittedSurface;
using geometry::SmoothSurface;

/// Moves the middles of outer edges to the smooth surface. Inner edges follow as in an elastic body
/// whose surface is pushed there (Persson & Peraire 2009): elements in thin walls would fold
/// otherwise. Where one still folds, its edges are bent less. Returns how many outer edges are not
/// on the surface.
std::size_t bend(CurvedTetMesh& mesh, const FittedSurface& surface, const SmoothSurface& smooth);

}  // namespace peal::vibration

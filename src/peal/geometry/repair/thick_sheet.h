#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// The solid of a sheet of constant thickness [m] whose middle an open surface is: the surface
/// moved by half the thickness to both sides, and a wall along its rims. Flipped faces are turned.
/// Throws std::invalid_argument with the reason if the surface is closed, branches, or is bent or
/// folded more tightly than the thickness allows, so that the sides would cross.
TriMesh thick_sheet(const TriMesh& sheet, double thickness);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <optional>

namespace peal::geometry {

/// The solid behind an open sheet, such as the ground of a scene: its faces extruded by a tenth of
/// the smaller of its sides along their mean normal, downward, or backward if the sheet is upright
/// (within 17 degrees). Returns nullopt if the mesh is closed, or if some of its faces deviate from
/// the mean normal by more than 80 degrees. `down` is the direction of gravity, of any length; zero
/// without gravity.
std::optional<TriMesh> backed_sheet(const TriMesh& mesh, const Vec3& down);

}  // namespace peal::geometry

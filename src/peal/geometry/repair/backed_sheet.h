#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <optional>

namespace peal::geometry {

/// The solid behind an open sheet, such as the ground of a scene: what its faces cover when they
/// move by a tenth of the smaller of its sides along their mean normal, downward, or back if the
/// sheet stands upright (within 17 degrees). Nothing if the mesh is closed, or no such sheet: some
/// of its faces are off the mean by more than 80 degrees.
/// `down`: where weight pulls; of any length, zero if nowhere.
std::optional<TriMesh> backed_sheet(const TriMesh& mesh, const Vec3& down);

}  // namespace peal::geometry

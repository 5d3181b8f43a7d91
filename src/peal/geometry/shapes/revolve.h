#pragma once

#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// The surface that a line of points (r, y) sweeps around the Y axis, with the solid to the left
/// of the line. If `closed`, the last point is joined to the first. Points with r = 0 become one
/// vertex each; sides along the axis make no triangles.
///
/// Rings have n 2^k vertices, 4 <= n <= 7, k as small as the edge length allows: rings of like
/// size match vertex by vertex, and triangles near the axis are no thinner than elsewhere.
TriMesh revolved(const std::vector<Vec2>& line, bool closed, double edge_length);

/// A turned sheet without thickness: points (r, y) from the axis or the lower rim outward and up,
/// as for the wall of a lathe. It is closed if the last point is the first, or if both ends are on
/// the axis. Throws std::invalid_argument like lathe_mesh().
TriMesh turned_sheet_mesh(const std::vector<Vec2>& profile, double edge_length);

}  // namespace peal::geometry

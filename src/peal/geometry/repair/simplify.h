#pragma once

#include <peal/geometry/mesh/surface_query.h>

#include <vector>

namespace peal::geometry {

/// Simplifies a closed manifold surface to the triangles that a tolerance needs: edges collapse in
/// the order of quadric error (Garland & Heckbert 1997), to the point that is best by the quadrics
/// and keeps the enclosed volume (Lindstrom & Turk 1998).
///
/// `tolerance` is how far the new surface may be from the given one near each vertex [m]: new
/// vertices, and the middles of new edges and triangles, are tested. Where the result would cross
/// itself, the tolerance is reduced. Groups are dropped.
TriMesh simplified(const SurfaceQuery& given, std::vector<double> tolerance);

/// The noise of the vertices of a fine surface, as scans have it [m]: by how much their heights
/// above their neighbours differ from those of the neighbours, so that curvature does not count. It
/// is the standard deviation, from the median, so that edges do not count either.
double surface_noise(const TriMesh& mesh);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/surface_query.h>

#include <vector>

namespace peal::geometry {

/// Moves the vertices of a closed surface, at most `limits` [m], so that the smooth patches that it
/// represents (SmoothSurface) meet `target` in the mean around each vertex. Vertices of a
/// simplified surface that keeps the volume lie outside of round targets, and patches bend outward
/// once more. Vertices on creases move to the nearest point of the target.
TriMesh patch_fitted(TriMesh mesh, const SurfaceQuery& target, const std::vector<double>& limits);

/// The signed distance along `normal` from a point to the nearest part of the target that faces the
/// same way (within 60 degrees) and is at most `reach` [m] away; nullopt if there is none.
std::optional<double> distance_along(const SurfaceQuery& target, const Vec3& point,
                                     const Vec3& normal, double reach);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/polygon.h>

namespace peal::geometry {

/// A triangulated region of the plane.
struct PlanarMesh {
  std::vector<Vec2> points;                             ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise
};

/// Triangulates a counter-clockwise outline with clockwise holes with well-shaped triangles: ear
/// clipping, sides divided into equal parts of at most `edge_length` [m], long inner edges
/// bisected, edges flipped to the constrained Delaunay triangulation (Lawson 1977) after every
/// change, and inner points moved to the centroid of their neighbours. Edges end up shorter than
/// 1.5 edge_length. Corners keep their numbers (outline first, then the holes).
PlanarMesh mesh_polygon(const Polygon& outline, const std::vector<Polygon>& holes,
                        double edge_length);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <optional>

namespace peal::elastic {

/// A sharp edge of a surface in its present shape.
struct SharpEdge {
  std::array<geometry::Vec3, 2> ends;     ///< [m]
  std::array<geometry::Vec3, 2> normals;  ///< outward unit normals of its faces
};

/// The points where two edges pass each other between their ends.
struct EdgeCrossing {
  double on_first = 0.0, on_second = 0.0;  ///< fraction of the edge from its first end
  geometry::Vec3 normal;                   ///< out of the second body, across both edges
  double depth = 0.0;                      ///< of the first edge in the second body [m]
  double share = 0.0;  ///< fraction of the force that edges carry, up to 1; faces carry the rest
};

/// Finds the crossing of two edges. There is none if the edges are parallel or are nearest to each
/// other at an end, or if faces lie on each other: the normal must point steeply out of both faces
/// of the second edge and into both of the first.
std::optional<EdgeCrossing> crossing_of(const SharpEdge& first, const SharpEdge& second);

}  // namespace peal::elastic

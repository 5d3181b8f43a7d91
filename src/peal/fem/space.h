#pragma once

#include <peal/fem/lagrange_tet.h>
#include <peal/geometry/volume/tet_mesh.h>

#include <vector>

namespace peal::fem {

using geometry::CurvedTetMesh;
using geometry::Tet;
using geometry::tet_edges;

/// A space of continuous piecewise polynomials over a mesh: its nodes, and the nodes of each
/// tetrahedron.
struct Space {
  int order = 0;
  std::vector<geometry::Vec3> nodes;  ///< nodes at corners, then on edges, on faces and inside [m]
  std::vector<std::int32_t>
      element_nodes;  ///< nodes of tetrahedron 0, of 1, ...; LagrangeTet order
  /// The outer surface: every curved triangle, divided into order^2 flat ones between its nodes.
  geometry::TriMesh surface;
  std::vector<std::int32_t> surface_node;  ///< node of each vertex of the surface

  std::size_t nodes_per_element() const { return (order + 1) * (order + 2) * (order + 3) / 6; }
};

Space make_space(const CurvedTetMesh& mesh, int order);

}  // namespace peal::fem

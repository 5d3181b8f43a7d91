#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/geometry/volume/tet_relax.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::geometry {
namespace {

/// The lowest height of any tetrahedron [m].
double lowest_height(const TetMesh& mesh) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Tet& tet : mesh.tets) {
    const double volume = std::abs(signed_volume(mesh, tet));
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3 &a = mesh.vertices[tet[(k + 1) % 4]], &b = mesh.vertices[tet[(k + 2) % 4]],
                 &c = mesh.vertices[tet[(k + 3) % 4]];
      lowest = std::min(lowest, 6.0 * volume / (b - a).cross(c - a).norm());
    }
  }
  return lowest;
}

/// Eight tetrahedra of an octahedron of radius 1 around a vertex within it, of either handedness.
TetMesh octahedron_around(const Vec3& within) {
  TetMesh mesh;
  for (const double sign : {1.0, -1.0}) {
    for (int axis = 0; axis < 3; ++axis) mesh.vertices.push_back(sign * Vec3::Unit(axis));
  }
  mesh.vertices.push_back(within);
  for (std::uint32_t k = 0; k < 8; ++k)
    mesh.tets.push_back({(k & 1) * 3, 1 + (k >> 1 & 1) * 3, 2 + (k >> 2) * 3, 6});
  return mesh;
}

TEST(TetRelax, AVertexThatFlatTetrahedraHangOnGoesToTheMiddle) {
  // Far off, but not so far that all are flat: the usual one is a measure.
  TetMesh mesh = octahedron_around({0.28, 0.28, 0.28});
  const double before = lowest_height(mesh);
  relax(mesh, 6);
  EXPECT_GT(lowest_height(mesh), 2.0 * before);
  EXPECT_NEAR(volume(mesh), 4.0 / 3.0, 1e-12);
  const TetMesh old = octahedron_around({0.28, 0.28, 0.28});
  for (std::size_t v = 0; v < 6; ++v) EXPECT_EQ(mesh.vertices[v], old.vertices[v]);
}

TEST(TetRelax, WhatIsWellShapedStays) {
  TetMesh mesh = octahedron_around({0.02, 0.01, 0.0});
  relax(mesh, 6);
  EXPECT_EQ(mesh.vertices[6], Vec3(0.02, 0.01, 0.0));
}

TEST(TetRelax, VerticesOfTheSurfaceStay) {
  TetMesh mesh = octahedron_around({0.28, 0.28, 0.28});
  relax(mesh, 7);
  EXPECT_EQ(mesh.vertices[6], Vec3(0.28, 0.28, 0.28));
}

TEST(TetRelax, NoTetrahedronOfACylinderIsFlat) {
  // Tetgen leaves vertices 0.5 mm below the surface of this one.
  std::vector<std::string> notices;
  const SolidTets tets = tets_of(cylinder_mesh(0.02, 0.12, 0.006), 0.008, "cylinder", notices);
  EXPECT_GT(lowest_height(tets.mesh), 0.0015);
}

}  // namespace
}  // namespace peal::geometry

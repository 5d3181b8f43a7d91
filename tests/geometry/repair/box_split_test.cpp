#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/box_split.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

double inside_area(const BoxSplit& split) {
  double area = 0.0;
  for (std::size_t t = 0; t < split.inside.size(); ++t) {
    if (split.inside[t]) area += area_vector(split.mesh, t).norm();
  }
  return area;
}

/// Area of the part of a triangle within a box, by clipping it as a polygon (an independent way).
double clipped_area(std::vector<Vec3> polygon, const Box& box) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const double at = sign < 0.0 ? box.min()[axis] : box.max()[axis];
      std::vector<Vec3> kept;
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double da = sign * (at - a[axis]), db = sign * (at - b[axis]);
        if (da >= 0.0) kept.push_back(a);
        if (da * db < 0.0) kept.push_back(a + da / (da - db) * (b - a));
      }
      polygon = std::move(kept);
    }
  }
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    sum += 0.5 * (polygon[i - 1] - polygon[0]).cross(polygon[i] - polygon[0]);
  }
  return sum.norm();
}

double clipped_area(const TriMesh& mesh, const Box& box) {
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    area += clipped_area({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, box);
  }
  return area;
}

TEST(BoxSplit, APatchOfACoarseBoxHasItsExactArea) {
  const TriMesh mesh = box_mesh({0.3, 0.2, 0.1}, 1.0);
  ASSERT_EQ(mesh.triangles.size(), 12u);
  const BoxSplit split = split_by_box(mesh, Box(Vec3(-0.05, -0.03, 0.04), Vec3(0.07, 0.05, 0.06)));
  EXPECT_NEAR(inside_area(split), 0.12 * 0.08, 1e-12);
  EXPECT_NEAR(surface_area(split.mesh), surface_area(mesh), 1e-12);
  EXPECT_TRUE(check_mesh(split.mesh).watertight);
  EXPECT_LT(split.mesh.triangles.size(), 60u) << "only what reaches into the box is cut";
}

TEST(BoxSplit, TheBoxMayTouchTheSurfaceWithItsSide) {
  const TriMesh mesh = box_mesh({0.3, 0.2, 0.1}, 1.0);
  const BoxSplit outer = split_by_box(mesh, Box(Vec3(-0.1, -0.1, 0.05), Vec3(0.0, 0.05, 0.2)));
  EXPECT_NEAR(inside_area(outer), 0.1 * 0.15, 1e-12);
  // The side of the solid as 32-bit floats have it.
  TriMesh rounded = mesh;
  for (Vec3& vertex : rounded.vertices) vertex = vertex.cast<float>().cast<double>();
  const BoxSplit inner =
      split_by_box(rounded, Box(Vec3(-0.1, -0.05, -0.2), Vec3(0.15, 0.05, -0.05)));
  EXPECT_NEAR(inside_area(inner), 0.25 * 0.1, 1e-7);
}

TEST(BoxSplit, AMeshAwayFromTheBoxStaysAsItIs) {
  const TriMesh mesh = sphere_mesh(0.1, 0.02);
  const BoxSplit split = split_by_box(mesh, Box(Vec3(1, 1, 1), Vec3(2, 2, 2)));
  EXPECT_EQ(split.mesh.triangles, mesh.triangles);
  EXPECT_EQ(inside_area(split), 0.0);
}

TEST(BoxSplit, ABoxAroundEverythingCutsNothing) {
  const TriMesh mesh = sphere_mesh(0.1, 0.02);
  const BoxSplit split = split_by_box(mesh, Box(Vec3(-1, -1, -1), Vec3(1, 1, 1)));
  EXPECT_EQ(split.mesh.triangles, mesh.triangles);
  EXPECT_NEAR(inside_area(split), surface_area(mesh), 1e-12);
}

TEST(BoxSplit, PiecesKeepGroupsOrientationAndTheirSource) {
  TriMesh mesh = box_mesh({1, 1, 1}, 2.0);
  mesh.groups = {"low", "high"};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) mesh.triangle_group.push_back(t % 2);
  const BoxSplit split = split_by_box(mesh, Box(Vec3(-0.2, -0.3, -0.9), Vec3(0.1, 0.4, 0.9)));
  ASSERT_EQ(split.mesh.triangle_group.size(), split.mesh.triangles.size());
  std::vector<Vec3> pieces(mesh.triangles.size(), Vec3::Zero());
  for (std::size_t t = 0; t < split.mesh.triangles.size(); ++t) {
    const std::uint32_t source = split.source[t];
    EXPECT_EQ(split.mesh.triangle_group[t], mesh.triangle_group[source]);
    EXPECT_GT(area_vector(split.mesh, t).dot(area_vector(mesh, source)), 0.0);
    pieces[source] += area_vector(split.mesh, t);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    EXPECT_NEAR((pieces[t] - area_vector(mesh, t)).norm(), 0.0, 1e-14);
  }
}

TEST(BoxSplit, RandomBoxesOnRandomlyTurnedSolidsAreExactAndWatertight) {
  Random random(7);
  const std::vector<TriMesh> solids = {box_mesh({1, 0.7, 0.4}, 2.0), uv_sphere(0.5, 7, 9),
                                       torus_mesh(0.4, 0.15, 0.1), sphere_mesh(0.5, 0.07)};
  for (int i = 0; i < 60; ++i) {
    const Eigen::AngleAxisd turn(random.uniform(0.0, 3.0), random.direction());
    const TriMesh mesh = transformed(solids[i % solids.size()], Affine(turn));
    Box box;
    box.extend(random.in_cube(0.7));
    box.extend(random.in_cube(0.7));
    const BoxSplit split = split_by_box(mesh, box);
    EXPECT_NEAR(inside_area(split), clipped_area(mesh, box), 1e-5) << i;
    EXPECT_NEAR(surface_area(split.mesh), surface_area(mesh), 1e-12) << i;
    EXPECT_NEAR(signed_volume(split.mesh), signed_volume(mesh), 1e-12) << i;
    const MeshReport report = check_mesh(split.mesh, {.self_intersections = false});
    EXPECT_TRUE(report.watertight) << i;
    EXPECT_EQ(report.find(MeshProblemKind::degenerate_face), nullptr) << i;
  }
}

TEST(BoxSplit, ASeamOfDoubledVerticesStaysClosed) {
  // Every triangle has its own vertices, as in an STL file that was not welded.
  const TriMesh solid = box_mesh({1, 1, 1}, 0.5);
  TriMesh mesh;
  for (const Triangle& triangle : solid.triangles) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const std::uint32_t v : triangle) mesh.vertices.push_back(solid.vertices[v]);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  const BoxSplit split = split_by_box(mesh, Box(Vec3(-0.13, -0.31, 0.2), Vec3(0.27, 0.36, 0.9)));
  EXPECT_TRUE(check_mesh(split.mesh).watertight);
  EXPECT_NEAR(inside_area(split), 0.4 * 0.67, 1e-12);
}

TEST(BoxSplit, AnyTrianglesAreSafe) {
  const TriMesh soup = triangle_soup(500, 3);
  const Box box(Vec3(-0.3, -0.2, -0.4), Vec3(0.5, 0.3, 0.2));
  const BoxSplit split = split_by_box(soup, box);
  EXPECT_NEAR(inside_area(split), clipped_area(soup, box), 1e-4);
  EXPECT_NEAR(surface_area(split.mesh), surface_area(soup), 1e-10);
}

}  // namespace
}  // namespace peal::geometry

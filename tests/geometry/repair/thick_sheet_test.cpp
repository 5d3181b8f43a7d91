#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/thick_sheet.h>
#include <peal/geometry/repair/wall_thickness.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>

#include <stdexcept>

namespace peal::geometry {
namespace {

/// The half of a sphere's surface above its middle, its rim where the triangles end.
TriMesh dome(double radius, double edge) {
  TriMesh mesh = sphere_mesh(radius, edge);
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return mesh.vertices[t[0]].y() + mesh.vertices[t[1]].y() + mesh.vertices[t[2]].y() < 0.0;
  });
  return mesh;
}

TEST(ThickSheet, APlateHasTheVolumeOfItsAreaTimesItsThickness) {
  const TriMesh plate = thick_sheet(plane_mesh(0.2, 0.1, 0.02), 0.003);
  EXPECT_TRUE(check_mesh(plate).watertight);
  EXPECT_NEAR(signed_volume(plate), 0.2 * 0.1 * 0.003, 1e-12);
  EXPECT_NEAR(thin_wall(plate, 0.05), 0.003, 1e-9);
}

TEST(ThickSheet, ACurvedSheetHasItsThicknessEverywhere) {
  const TriMesh sheet = dome(0.05, 0.005);
  const TriMesh bowl = thick_sheet(sheet, 0.002);
  EXPECT_TRUE(check_mesh(bowl).watertight);
  EXPECT_NEAR(signed_volume(bowl) / (surface_area(sheet) * 0.002), 1.0, 0.02);
  EXPECT_NEAR(thin_wall(bowl, 0.5), 0.002, 1e-4);
}

TEST(ThickSheet, ASharpBendIsMitred) {
  TriMesh angle;  // two squares at a right angle
  angle.vertices = {{0, 0, 0}, {0, 0, 0.1}, {0.1, 0, 0.1}, {0.1, 0, 0}, {0, 0.1, 0.1}, {0, 0.1, 0}};
  angle.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 0, 5}, {1, 5, 4}};
  const TriMesh solid = thick_sheet(angle, 0.004);
  EXPECT_TRUE(check_mesh(solid).watertight);
  EXPECT_NEAR(signed_volume(solid), 2.0 * 0.1 * 0.1 * 0.004, 1e-8);
}

TEST(ThickSheet, WhatHasNoMiddleIsRefused) {
  EXPECT_THROW(thick_sheet(box_mesh({0.1, 0.1, 0.1}, 1.0), 0.01), std::invalid_argument);
  // A sheet bent to a radius of 5 mm cannot be 12 mm thick.
  EXPECT_THROW(thick_sheet(dome(0.005, 0.0008), 0.012), std::invalid_argument);
}

TEST(WallThickness, PartsThatCrossCountAsOneBody) {
  const TriMesh post = box_mesh({0.02, 0.3, 0.02}, 1.0), board = box_mesh({0.3, 0.03, 0.3}, 1.0);
  const TriMesh both = joined(post, board);
  EXPECT_NEAR(thin_wall(both, 0.05), 0.02, 1e-6);
  EXPECT_NEAR(thin_wall(board, 0.5), 0.03, 1e-6);
}

}  // namespace
}  // namespace peal::geometry

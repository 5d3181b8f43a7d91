#include <peal/geometry/mesh/rotation.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/wave/boundary/creases.h>
#include <peal/wave/boundary/cut_geometry.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

std::size_t count(const std::vector<std::uint32_t>& parts) {
  return std::set(parts.begin(), parts.end()).size();
}

TEST(Creases, part_the_faces_of_a_box_and_leave_a_sphere_whole) {
  EXPECT_EQ(count(parted_at_creases(geometry::box_mesh({1, 2, 3}, 0.4), {})), 6u);
  EXPECT_EQ(count(parted_at_creases(sphere_at(geometry::Vec3::Zero(), 1, 5), {})), 1u);
}

TEST(Creases, keep_patches_apart) {
  const geometry::TriMesh sphere = sphere_at(geometry::Vec3::Zero(), 1, 5);
  std::vector<std::uint32_t> patch;
  for (const geometry::Triangle& t : sphere.triangles)
    patch.push_back(sphere.vertices[t[0]].y() > 0.5 ? 7 : 3);
  const std::vector<std::uint32_t> parts = parted_at_creases(sphere, patch);
  EXPECT_EQ(count(parts), 2u);
  for (std::size_t i = 1; i < parts.size(); ++i)
    EXPECT_EQ(parts[i] == parts[0], patch[i] == patch[0]);
}

/// A plate of 0.2 cells that shakes along its normal, in many places: what its front drives, its
/// back takes away, and both are driven by their whole area.
TEST(Creases, a_thin_plate_that_shakes_displaces_nothing) {
  const geometry::Vec3 normal = geometry::Vec3(0.36, 0.8, 0.48).normalized();
  const auto turn = geometry::least_turn(geometry::Vec3::UnitY(), normal);
  geometry::TriMesh plate = geometry::cylinder_mesh(5, 0.2, 0.8);
  for (geometry::Vec3& v : plate.vertices) v = turn * v;
  const std::vector<std::uint32_t> parts = parted_at_creases(plate, {});
  EXPECT_EQ(count(parts), 3u);
  double face = 0;
  for (std::size_t t = 0; t < plate.triangles.size(); ++t)
    face += std::max(0.0, normal.dot(geometry::area_vector(plate, t)));
  const Grid grid = unit_grid(18);
  for (int index = 0; index < 6; ++index) {
    std::vector<geometry::Vec3> vertices = plate.vertices;
    for (geometry::Vec3& v : vertices)
      v += geometry::Vec3(9.1, 8.8, 9.3) + 0.17 * index * geometry::Vec3(0.82, 0.43, -0.38);
    const CutFractions body = cut_fractions(grid, vertices, plate.triangles, parts);
    const CutGeometry g = combined(grid, std::span(&body, 1));
    double net = 0, driven = 0;
    for (const Wall& wall : g.walls) {
      net += normal.dot(wall.area_vector);
      driven += 0.5 * std::abs(normal.dot(wall.area_vector));
    }
    EXPECT_NEAR(net, 0, 1e-6 * face);
    EXPECT_NEAR(driven, face, 0.02 * face);
  }
}

}  // namespace
}  // namespace peal::wave

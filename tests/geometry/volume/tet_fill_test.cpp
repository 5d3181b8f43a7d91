#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_fill.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace peal::geometry {
namespace {

TEST(TetFill, RoundBodiesHaveTheirVolumeThoughFacetsAreFlat) {
  struct Body {
    std::string name;
    TriMesh mesh;
    double edge_length, volume;
  };
  const Body bodies[] = {
      {"torus", torus_mesh(0.06, 0.012, 0.004), 0.008,
       2.0 * std::pow(std::numbers::pi, 2) * 0.06 * 0.012 * 0.012},
      {"sphere", sphere_mesh(0.05, 0.008), 0.03, 4.0 / 3.0 * std::numbers::pi * std::pow(0.05, 3)},
      {"cylinder", cylinder_mesh(0.02, 0.08, 0.004), 0.012, std::numbers::pi * 0.02 * 0.02 * 0.08}};
  for (const Body& body : bodies) {
    std::vector<std::string> notices;
    const SolidTets tets = tets_of(body.mesh, body.edge_length, body.name, notices);
    EXPECT_NEAR(volume(tets.mesh) / body.volume, 1.0, 0.01) << body.name;
  }
}

TEST(TetFill, FlatFacesAndCornersStayWhereTheyAre) {
  std::vector<std::string> notices;
  const SolidTets tets = tets_of(box_mesh({0.1, 0.06, 0.04}, 0.01), 0.02, "box", notices);
  EXPECT_NEAR(volume(tets.mesh), 0.1 * 0.06 * 0.04, 1e-12);
  for (const Vec3& v : tets.mesh.vertices) {
    EXPECT_LE(std::abs(v.x()), 0.05 + 1e-12);
    EXPECT_LE(std::abs(v.y()), 0.03 + 1e-12);
    EXPECT_LE(std::abs(v.z()), 0.02 + 1e-12);
  }
}

}  // namespace
}  // namespace peal::geometry

#include <peal/elastic/notch.h>
#include <peal/fem/symmetric_eigen.h>

#include <elastic/trial_solids.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::elastic {
namespace {

base::Material light_plastic() {
  return {.name = "plastic", .density = 1000.0, .young_modulus = 1e9, .poisson_ratio = 0.3};
}

std::vector<NotchParts> parts_of(const geometry::HexMesh& mesh) {
  return notch_parts(mesh, geometry::rows_of(mesh), fem::checked_lame(light_plastic(), ""));
}

/// An L of 0.2 m, 4 mm thick.
geometry::HexMesh angle_plate(double edge_length) {
  const geometry::Polygon outline = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.0},
                                     {0.0, 0.0},   {0.0, 0.1},  {-0.1, 0.1}};
  return geometry::extruded_hexes({.outline = outline, .height = 0.004}, edge_length);
}

TEST(Notch, OnlyTheCellsAroundAnInnerCornerGiveWay) {
  const geometry::HexMesh mesh = angle_plate(0.02);
  const NotchParts square = square_notch(fem::checked_lame(light_plastic(), ""));
  const std::vector<NotchParts> parts = parts_of(mesh);
  int softer = 0;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    double nearest = 1.0;
    for (const std::uint32_t v : mesh.hexes[e]) {
      const geometry::Vec3& at = mesh.vertices[v];
      nearest = std::min(nearest, std::hypot(at.x(), at.z()));
    }
    const bool is_at_corner = nearest < 1e-9;
    softer += is_at_corner ? 1 : 0;
    EXPECT_NEAR(parts[e].bent, is_at_corner ? square.bent : 1.0, 1e-6);
    EXPECT_NEAR(parts[e].stretched, is_at_corner ? square.stretched : 1.0, 1e-6);
  }
  EXPECT_EQ(softer, 3);
}

TEST(Notch, BodiesWithoutInnerCornersKeepAllOfTheirStiffness) {
  for (const geometry::HexMesh& mesh :
       {geometry::box_hexes({0.3, 0.2, 0.1}, {3, 2, 1}, 2),
        distorted(geometry::box_hexes({0.3, 0.3, 0.3}, {3, 3, 3}, 2), 0.02),
        geometry::lathe_hexes({{0.0, 0.0}, {0.04, 0.0}, {0.04, 0.05}}, 0.004, 16, 6)}) {
    for (const NotchParts& parts : parts_of(mesh)) {
      EXPECT_EQ(parts.bent, 1.0);
      EXPECT_EQ(parts.stretched, 1.0);
    }
  }
}

TEST(Notch, FewCellsAroundAnInnerCornerRingAsTheBodyDoes) {
  // From `peal modes --accuracy 0.002`. With all of their stiffness these cells have +0.4 and +1.5
  // %.
  constexpr double modes[] = {75.2, 81.4};
  const Solid solid =
      make_hexahedral_solid(angle_plate(0.02), light_plastic(), HexElement::by_shape);
  const Eigen::VectorXd values = fem::symmetric_eigen(scaled_matrix(solid)).values;
  for (int k = 0; k < 2; ++k) {
    const double frequency = std::sqrt(values[6 + k]) / (2.0 * std::numbers::pi);
    EXPECT_NEAR(frequency / modes[k], 1.0, 0.006) << k;
  }
}

}  // namespace
}  // namespace peal::elastic

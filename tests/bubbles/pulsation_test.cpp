#include <peal/bubbles/capacitance.h>
#include <peal/bubbles/mesh_capacitance.h>
#include <peal/bubbles/pulsation.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::bubbles {
namespace {

using base::Liquid;
using geometry::TriMesh;

TEST(BubblePulsationAnalytic, MinnaertsFrequencyIsThatOfTheFormula) {
  EXPECT_NEAR(minnaert_frequency(1e-3, Liquid{}), 3286.20233790283, 1e-8);
  EXPECT_NEAR(minnaert_frequency(1e-2, Liquid{}), 328.620233790283, 1e-9);
  // Two metres down the pressure is higher by a fifth.
  EXPECT_NEAR(minnaert_frequency(3.3e-3, Liquid{}, 2.0), 1087.80887383404, 1e-8);
  EXPECT_NEAR(adiabatic_frequency(50e-6, Liquid{}), 66436.7814751304, 1e-6);
}

TEST(BubblePulsationAnalytic, DampingIsThatOfProsperetti) {
  const Pulsation one = pulsation(1e-3, Liquid{});
  EXPECT_NEAR(one.frequency(), 3243.2670033761, 1e-6);
  EXPECT_NEAR(one.thermal, 256.86508823281, 1e-6);
  EXPECT_NEAR(one.viscous, 2.0076137046684, 1e-9);
  EXPECT_NEAR(one.radiation, 140.102841865668, 1e-6);
  EXPECT_NEAR(pulsation(5e-4, Liquid{}).beta(), 988.116963278707, 1e-6);
  EXPECT_NEAR(pulsation(3e-3, Liquid{}).beta(), 98.5632237375648, 1e-7);
}

TEST(BubblePulsationAnalytic, TheQuickDampingIsCloseToIt) {
  for (const double radius : {3e-4, 5e-4, 1e-3, 3e-3}) {
    const double ratio =
        quick_pulsation(radius, Liquid{}).beta() / pulsation(radius, Liquid{}).beta();
    EXPECT_NEAR(ratio, 1.0, 0.1) << radius;
  }
  EXPECT_NEAR(quick_pulsation(1e-3, Liquid{}).decay_time(), 16.7e-3, 0.2e-3);
  EXPECT_NEAR(pulsation(1e-3, Liquid{}).decay_time(), 17.3e-3, 0.1e-3);
}

TEST(BubblePulsation, TinyAndHugeBubblesHaveFiniteValues) {
  for (const double radius : {1e-7, 1e-6, 1e-5, 0.1, 10.0}) {
    const Pulsation one = pulsation(radius, Liquid{});
    EXPECT_TRUE(std::isfinite(one.omega) && std::isfinite(one.beta()) && one.omega > 0.0) << radius;
    EXPECT_GT(one.beta(), 0.0) << radius;
  }
}

TEST(BubbleCapacitanceAnalytic, AFreeSurfaceRaisesTheFrequencyAsTwoSpheresSay) {
  const double distances[] = {1.1, 1.5, 2.0, 3.0, 5.0, 10.0};
  const double exact[] = {1.468021156868401, 1.2391006855119777, 1.1580413693294511,
                          1.095972301017817, 1.0541518315753917, 1.0259817363394679};
  const double strasberg[] = {1.4103177160902,  1.2362450755382,  1.15771936846787,
                              1.09595261798637, 1.05415111896738, 1.0259817270306};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(std::sqrt(capacitance_below_surface(distances[i])), exact[i], 1e-10);
    EXPECT_NEAR(std::sqrt(quick_capacitance_below_surface(distances[i])), strasberg[i], 1e-10);
  }
}

TEST(BubbleCapacitanceAnalytic, AWallLowersItByAtMostLogarithmOfTwo) {
  // Two spheres that touch at one potential have ln 2 each; at a distance there is one image.
  EXPECT_NEAR(capacitance_beside_wall(closest_distance), std::numbers::ln2, 0.012);
  EXPECT_GT(capacitance_beside_wall(closest_distance), std::numbers::ln2);
  EXPECT_NEAR(capacitance_beside_wall(10.0), quick_capacitance_beside_wall(10.0), 2e-5);
  EXPECT_EQ(capacitance_beside_wall(INFINITY), 1.0);
  EXPECT_EQ(capacitance_below_surface(INFINITY), 1.0);
}

/// A sphere of 2000 triangles, stretched along Y.
TriMesh spheroid(double across, double along) {
  TriMesh mesh = geometry::sphere_mesh(1.0, 0.14);
  for (auto& vertex : mesh.vertices)
    vertex = {across * vertex.x(), along * vertex.y(), across * vertex.z()};
  return mesh;
}

TEST(BubbleCapacitanceAnalytic, MeshesOfSpheroidsAreRightWithinAPercent) {
  const TriMesh ball = spheroid(1.0, 1.0);
  EXPECT_NEAR(static_cast<double>(ball.triangles.size()), 2000.0, 400.0);
  EXPECT_NEAR(mesh_capacitance(ball), 1.0, 0.01);
  // Prolate and oblate: eccentric lengths over their logarithm and angle.
  const double prolate = std::sqrt(3.0) / std::acosh(2.0);
  EXPECT_NEAR(mesh_capacitance(spheroid(1.0, 2.0)) / prolate, 1.0, 0.01);
  const double oblate = std::sqrt(3.0) / std::acos(0.5);
  EXPECT_NEAR(mesh_capacitance(spheroid(2.0, 1.0)) / oblate, 1.0, 0.01);
}

TEST(BubbleCapacitanceAnalytic, MeshesBelowAPlaneAgreeWithTheSeries) {
  TriMesh mesh = geometry::sphere_mesh(1.0, 0.25);
  for (const double distance : {1.5, 3.0}) {
    const NearbyPlane plane{.normal = {0.0, 1.0, 0.0}, .offset = distance};
    EXPECT_NEAR(mesh_capacitance(mesh, plane), capacitance_below_surface(distance), 0.02);
    const NearbyPlane wall{.normal = {0.0, 1.0, 0.0}, .offset = distance, .is_free = false};
    EXPECT_NEAR(mesh_capacitance(mesh, wall), capacitance_beside_wall(distance), 0.02);
  }
}

TEST(BubbleCapacitance, AMeshThatIsTooLargeIsRefused) {
  EXPECT_THROW(mesh_capacitance({}), util::InputError);
  EXPECT_THROW(mesh_capacitance(geometry::sphere_mesh(1.0, 0.03)), util::InputError);
}

}  // namespace
}  // namespace peal::bubbles

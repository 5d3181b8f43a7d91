#include <peal/geometry/mesh/mass_properties.h>

#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

using std::numbers::pi;

TEST(MassPropertiesAnalytic, BoxIsExact) {
  const Vec3 size(0.2, 0.5, 1.1);
  const MassProperties body = mass_properties(box_mesh(size, 0.1), 1000.0);
  const double mass = 110.0;
  EXPECT_NEAR(body.mass, mass, 1e-12 * mass);
  EXPECT_LT(body.centre.norm(), 1e-15);
  const Vec3 s2 = size.cwiseAbs2();
  const Vec3 expected = mass / 12.0 * Vec3(s2.y() + s2.z(), s2.z() + s2.x(), s2.x() + s2.y());
  EXPECT_LT((body.inertia - Mat3(expected.asDiagonal())).norm(), 1e-13 * expected.norm());
}

struct RoundBody {
  const char* name;
  TriMesh (*mesh)(double edge_length);
  double volume;
  Vec3 moments;  ///< for unit density
};

class RoundBodyAnalytic : public testing::TestWithParam<RoundBody> {};

TEST_P(RoundBodyAnalytic, VolumeAndInertiaConvergeWithOrderTwo) {
  const RoundBody& round = GetParam();
  std::array<double, 2> volume_error, inertia_error;
  for (int i = 0; i < 2; ++i) {
    const MassProperties body = mass_properties(round.mesh(0.05 / (1 << i)), 1.0);
    volume_error[i] = std::abs(body.volume / round.volume - 1.0);
    inertia_error[i] =
        (body.inertia - Mat3(round.moments.asDiagonal())).norm() / round.moments.norm();
  }
  EXPECT_LT(volume_error[1], 3e-3);
  EXPECT_NEAR(order(volume_error[0], volume_error[1]), 2.0, 0.15);
  EXPECT_NEAR(order(inertia_error[0], inertia_error[1]), 2.0, 0.15);
}

Vec3 cylinder_moments(double r, double h) {
  const double m = pi * r * r * h, side = m * (3 * r * r + h * h) / 12;
  return {side, m * r * r / 2, side};
}

Vec3 torus_moments(double major, double minor) {
  const double m = 2 * pi * pi * major * minor * minor;
  const double side = m * (4 * major * major + 5 * minor * minor) / 8;
  return {side, m * (major * major + 0.75 * minor * minor), side};
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RoundBodyAnalytic,
    testing::Values(RoundBody{"sphere", [](double h) { return sphere_mesh(0.5, h); },
                              4.0 / 3 * pi * 0.125,
                              Vec3::Constant(0.4 * 0.25 * 4.0 / 3 * pi * 0.125)},
                    RoundBody{"cylinder", [](double h) { return cylinder_mesh(0.4, 1.2, h); },
                              pi * 0.16 * 1.2, cylinder_moments(0.4, 1.2)},
                    RoundBody{"torus", [](double h) { return torus_mesh(0.5, 0.2, h); },
                              2 * pi* pi * 0.5 * 0.04, torus_moments(0.5, 0.2)}),
    [](const auto& test) { return test.param.name; });

TEST(MassPropertiesAnalytic, AMovedBodyKeepsItsDigits) {
  const TriMesh mesh = torus_mesh(0.05, 0.02, 0.005);
  const MassProperties here = mass_properties(mesh, 7800.0);
  Affine motion = Affine::Identity();
  motion.translate(Vec3(1000.0, -2000.0, 500.0));
  motion.rotate(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const MassProperties there = mass_properties(transformed(mesh, motion), 7800.0);
  const Mat3 turn = motion.rotation();
  // Vertices 2000 m out are rounded to 2e-13 m, which is 1e-11 of the tube.
  EXPECT_NEAR(there.mass, here.mass, 1e-10 * here.mass);
  EXPECT_LT((there.centre - motion * here.centre).norm(), 1e-12);
  EXPECT_LT((there.inertia - turn * here.inertia * turn.transpose()).norm(),
            1e-9 * here.inertia.norm());
}

TEST(MassPropertiesAnalytic, TwoDisjointBodiesAddUp) {
  const TriMesh box = box_mesh({1, 1, 1}, 1.0);
  const MassProperties body =
      mass_properties(joined(translated(box, {-2, 0, 0}), translated(box, {2, 0, 0})), 1.0);
  EXPECT_NEAR(body.mass, 2.0, 1e-14);
  EXPECT_LT(body.centre.norm(), 1e-14);
  EXPECT_NEAR(body.inertia(0, 0), 2.0 / 6.0, 1e-13);
  EXPECT_NEAR(body.inertia(1, 1), 2.0 * (1.0 / 6.0 + 4.0), 1e-13);
}

TEST(MassProperties, PrincipalAxesDiagonaliseTheInertia) {
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(0.3, -1, 0.5).normalized()).toRotationMatrix();
  const Mat3 inertia = turn * Vec3(3.0, 1.0, 2.0).asDiagonal() * turn.transpose();
  const PrincipalAxes principal = principal_axes(inertia);
  EXPECT_LT((principal.moments - Vec3(1, 2, 3)).norm(), 1e-14);
  EXPECT_NEAR(principal.axes.determinant(), 1.0, 1e-14);
  EXPECT_LT((principal.axes * principal.moments.asDiagonal() * principal.axes.transpose() - inertia)
                .norm(),
            1e-14);
}

TEST(MassProperties, AMeshWithoutVolumeIsRefused) {
  EXPECT_THROW(mass_properties(plane_mesh(1, 1, 0.5), 1.0), std::invalid_argument);
  EXPECT_THROW(mass_properties(TriMesh{}, 1.0), std::invalid_argument);
  TriMesh inside_out = box_mesh({1, 1, 1}, 1.0);
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_NEAR(signed_volume(inside_out), -1.0, 1e-14);
  EXPECT_THROW(mass_properties(inside_out, 1.0), std::invalid_argument);
  EXPECT_THROW(mass_properties(box_mesh({1, 1, 1}, 1.0), 0.0), std::invalid_argument);
}

// Reference C07-effective-mass.
TEST(EffectiveMassAnalytic, RodAndSphere) {
  MassProperties rod{.volume = 1.0, .mass = 1.0};
  rod.inertia = Vec3(0.0, 1.0 / 12.0, 1.0 / 12.0).asDiagonal();
  EXPECT_NEAR(effective_mass(rod, {0.5, 0, 0}, Vec3::UnitY()), 0.25, 1e-12);
  EXPECT_NEAR(effective_mass(rod, {0.25, 0, 0}, Vec3::UnitY()), 4.0 / 7.0, 1e-12);
  EXPECT_EQ(effective_mass(rod, {0, 0.1, 0}, Vec3::UnitZ()), 0.0);

  MassProperties sphere{.volume = 1.0, .mass = 1.0};
  sphere.inertia = 0.4 * Mat3::Identity();
  EXPECT_NEAR(effective_mass(sphere, {1, 0, 0}, -Vec3::UnitX()), 1.0, 1e-12);
  EXPECT_NEAR(effective_mass(sphere, {1, 0, 0}, Vec3::UnitY()), 2.0 / 7.0, 1e-12);
}

// Reference P-C03-effective-mass-cube.
TEST(EffectiveMassAnalytic, Cube) {
  const MassProperties cube = mass_properties(box_mesh({1, 1, 1}, 0.5), 1.0);
  EXPECT_NEAR(effective_mass(cube, {0, 0.5, 0}, -Vec3::UnitY()), 1.0, 1e-12);
  EXPECT_NEAR(effective_mass(cube, {0.5, 0.5, 0}, -Vec3::UnitY()), 0.4, 1e-12);
  EXPECT_NEAR(effective_mass(cube, {0.5, 0.5, 0.5}, -Vec3::UnitY()), 0.25, 1e-12);
  EXPECT_NEAR(effective_mass(cube, {0.5, 0.5, 0.5}, Vec3(-2, -2, -2)), 1.0, 1e-12);
}

}  // namespace
}  // namespace peal::geometry

#include <peal/contact/hertz.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace peal::contact {
namespace {

constexpr double flat_face = std::numeric_limits<double>::infinity();
constexpr double large_patch = 1e3;  // [m]

/// The ball of the paper's Table 1, whose columns headed rho, E, nu hold E [GPa], nu, rho.
ContactSide ball_bearing() {
  const double radius = 0.0075, density = 8940.0;
  const double mass = density * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
  return {.inverse_mass = 1.0 / mass,
          .radius = radius,
          .compliance = fem::contact_compliance(123.4e9, 0.34)};
}

constexpr ContactSide rigid_wall = {};

struct HertzCase {
  HertzContact contact;
  double depth, force, time, radius;
};

// References C03 to C05: a ball bearing on a rigid plane, two steel balls, a marble on steel.
TEST(HertzAnalytic, EncountersMatchTheExactSolution) {
  const HertzCase cases[] = {{{0.0075, 0.0157982840567397, 139529624604.251, 5.0},
                              6.23059695258478e-05,
                              7923.74118451528,
                              3.66767227881438e-05,
                              0.000683589622100759},
                             {{0.00375, 0.00693604753050371, 109890109890.11, 1.0},
                              1.5633047165316e-05,
                              554.598174076088,
                              4.60123597770524e-05,
                              0.000242123784188863},
                             {{0.008, 0.00557611752061164, 49915465743.4989, 2.0},
                              2.9392276595806e-05,
                              948.568495950956,
                              4.32547791576218e-05,
                              0.000484910520370973}};
  for (const HertzCase& one : cases) {
    EXPECT_NEAR(one.contact.depth() / one.depth, 1.0, 1e-9);
    EXPECT_NEAR(one.contact.peak_force() / one.force, 1.0, 1e-9);
    EXPECT_NEAR(one.contact.contact_time() / one.time, 1.0, 1e-9);
    EXPECT_NEAR(one.contact.contact_radius() / one.radius, 1.0, 1e-9);
  }
}

// Chadwick et al. 2012, equation 7 prints 2.87; reference C01.
TEST(HertzAnalytic, TimeScaleHasTheConstantOfEquation7) {
  const HertzContact contact{.radius = 0.01, .mass = 0.3, .modulus = 2e10, .speed = 0.7};
  const double scale = std::pow(0.3 * 0.3 / (0.01 * 2e10 * 2e10 * 0.7), 0.2);
  EXPECT_NEAR(contact.contact_time() / scale, 2.8682656991953315, 1e-9);
}

// Reference C06: h = tau / 5 at 5 m/s; the paper prints 7.3264 us, its mesh lacks 0.55 % volume.
TEST(HertzAnalytic, BallBearingOfTable1) {
  const HertzContact contact = hertz_contact(ball_bearing(), rigid_wall, 5.0, large_patch);
  EXPECT_NEAR(contact.contact_time() * 2.87 / 2.8682656991953315 / 5.0, 7.3397798838164e-6, 1e-14);
  EXPECT_NEAR(contact.contact_time() / 5.0, 7.3264e-6, 0.002 * 7.3264e-6);
}

TEST(Hertz, TwoEqualSpheresHaveHalfTheRadiusAndMass) {
  const HertzContact contact = hertz_contact(ball_bearing(), ball_bearing(), 1.0, large_patch);
  EXPECT_NEAR(contact.radius, 0.00375, 1e-12);
  EXPECT_NEAR(contact.mass * ball_bearing().inverse_mass, 0.5, 1e-12);
  EXPECT_NEAR(contact.modulus, 0.5 * 123.4e9 / (1.0 - 0.34 * 0.34), 1e-3);
}

// Notes of the design: a clamped flat_face contact lies within 30 % or so of a rigid flat_face
// punch.
TEST(Hertz, FlatFacesAreAsStiffAsAPunch) {
  for (const double patch : {0.002, 0.01}) {
    for (const double speed : {0.1, 1.0, 5.0}) {
      ContactSide die{.inverse_mass = 1.0 / 0.004,
                      .radius = flat_face,
                      .compliance = fem::contact_compliance(2.4e9, 0.37)};
      const HertzContact contact = hertz_contact(die, rigid_wall, speed, patch);
      EXPECT_NEAR(contact.contact_radius(), patch, 1e-9);
      const double punch =
          std::numbers::pi * std::sqrt(contact.mass / (2.0 * contact.modulus * patch));
      EXPECT_NEAR(contact.contact_time() / punch, 1.0, 1.0 / 3.0);
    }
  }
}

TEST(Hertz, RadiusOfASideIsTheGeometricMeanAboveTheFillet) {
  EXPECT_NEAR(side_radius(1.0 / 0.02, 1.0 / 0.02, 1e-4), 0.02, 1e-15);
  EXPECT_NEAR(side_radius(1e9, 1e9, 3e-4), 3e-4, 1e-15) << "a corner of a mesh";
  EXPECT_NEAR(side_radius(1e9, 1.0 / 0.035, 2e-4), std::sqrt(2e-4 * 0.035), 1e-12) << "a rim";
  EXPECT_EQ(side_radius(0.0, 0.0, 3e-4), flat_face);
  EXPECT_EQ(side_radius(50.0, 0.0, 3e-4), flat_face) << "a cylinder: the patch decides";
  EXPECT_EQ(side_radius(-20.0, 30.0, 3e-4), flat_face) << "a hollow";
}

// References C07 and P-C03, equation 9.
TEST(HertzAnalytic, EffectiveMassesAreExact) {
  using geometry::effective_mass;
  using geometry::MassProperties;
  using geometry::Vec3;
  const MassProperties rod{.mass = 1.0, .inertia = Vec3(1.0 / 12, 1e-9, 1.0 / 12).asDiagonal()};
  EXPECT_NEAR(effective_mass(rod, {0, 0.5, 0}, Vec3::UnitX()), 0.25, 1e-12);
  EXPECT_NEAR(effective_mass(rod, {0, 0.25, 0}, Vec3::UnitX()), 4.0 / 7.0, 1e-12);
  const MassProperties ball{.mass = 1.0, .inertia = 0.4 * geometry::Mat3::Identity()};
  EXPECT_NEAR(effective_mass(ball, {1, 0, 0}, Vec3::UnitX()), 1.0, 1e-12);
  EXPECT_NEAR(effective_mass(ball, {1, 0, 0}, Vec3::UnitY()), 2.0 / 7.0, 1e-12);
  const MassProperties cube{.mass = 1.0, .inertia = geometry::Mat3::Identity() / 6.0};
  EXPECT_NEAR(effective_mass(cube, {0.5, 0, 0}, Vec3::UnitX()), 1.0, 1e-12);
  EXPECT_NEAR(effective_mass(cube, {0.5, 0.5, 0}, Vec3::UnitX()), 0.4, 1e-12);
  EXPECT_NEAR(effective_mass(cube, {0.5, 0.5, 0.5}, Vec3::UnitX()), 0.25, 1e-12);
  EXPECT_NEAR(effective_mass(cube, {0.5, 0.5, 0.5}, Vec3::Ones()), 1.0, 1e-12);
}

}  // namespace
}  // namespace peal::contact

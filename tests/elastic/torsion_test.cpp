#include <peal/elastic/hex_stiffness.h>
#include <peal/elastic/scaled_stiffness.h>
#include <peal/elastic/selective_mass_scaling.h>
#include <peal/elastic/torsion.h>
#include <peal/fem/symmetric_eigen.h>

#include <elastic/trial_solids.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::elastic {
namespace {

using geometry::Mat3;
using geometry::Vec3;

TEST(TwistAnalytic, ARectangleHasDeSaintVenantsConstant) {
  // Timoshenko & Goodier, Theory of Elasticity, section 109: k1 of b t^3.
  EXPECT_NEAR(torsion_constant(1.0), 0.1406, 5e-5);
  EXPECT_NEAR(torsion_constant(2.0), 2.0 * 0.229, 1e-3);
  EXPECT_NEAR(torsion_constant(10.0), 10.0 * 0.312, 4e-3);
  EXPECT_NEAR(torsion_constant(0.5), std::pow(0.5, 4) * torsion_constant(2.0), 1e-12);
}

TEST(TwistAnalytic, ALayerOfManyCellsTendsToTheConstantOfLinearWarping) {
  for (const double width : {0.7, 2.5, 9.0}) {
    const double y = std::sqrt(3.0) * width;
    const double limit = width / 3.0 * (1.0 - std::tanh(y) / y);
    EXPECT_NEAR(layer_torsion_constant(width, 1, 1.0), width / 3.0 / (1.0 + 1.0 / width / width),
                1e-12);
    const double coarse = layer_torsion_constant(width, 64, 1.0) - limit;
    const double fine = layer_torsion_constant(width, 128, 1.0) - limit;
    EXPECT_GT(fine, 0.0);
    EXPECT_NEAR(coarse / fine, 4.0, 0.4) << width;
  }
}

TEST(Twist, EveryNumberOfCellsHasTheConstantOfTheRectangle) {
  for (const double width : {1.0, 1.7, 2.5, 4.0, 8.0, 30.0}) {
    for (const int cells : {1, 2, 3, 5}) {
      const double least = least_shear(width, cells);
      for (const double shear : {1.0, 0.5 * (1.0 + least), least}) {
        const double kept = twist_factor(width, cells, shear);
        EXPECT_TRUE(kept > 0.25 && kept <= 1.0) << width << ", " << cells;
        EXPECT_NEAR(layer_torsion_constant(width, cells, kept, shear) / torsion_constant(width),
                    1.0, 1e-6)
            << width << ", " << cells << ", " << shear;
      }
    }
  }
  EXPECT_NEAR(twist_factor(1000.0, 1000), twist_factor(24.0, 24), 1e-12)
      << "what is in the middle does not matter";
}

/// The energy of a solid that turns at 1 rad/s about an axis [J].
double turning_energy(const Solid& solid, const Vec3& axis) {
  double sum = 0.0;
  const auto velocity = [&](std::uint32_t node) { return axis.cross(solid.rest.at(node)); };
  for (std::uint32_t n = 0; n < solid.mass.size(); ++n) {
    sum += 0.5 * solid.mass[n] * velocity(n).squaredNorm();
  }
  const auto add = [&](const auto& all) {
    for (const auto& one : all) {
      double mass = 0.0;
      Vec3 momentum = Vec3::Zero();
      for (const std::uint32_t node : one.nodes) {
        mass += solid.mass[node];
        momentum += solid.mass[node] * velocity(node);
        sum -= 0.5 * (1.0 - one.factor) * solid.mass[node] * velocity(node).squaredNorm();
      }
      sum += 0.5 * (1.0 - one.factor) * momentum.squaredNorm() / mass;
    }
  };
  add(mass_scaled_pairs(solid));
  add(mass_scaled_sections(solid));
  return sum;
}

struct TrialBar {
  double width, thickness;  // [m]; all are 0.2 m long
  int along, beside;
};
constexpr TrialBar trial_bars[] = {{0.02, 0.01, 15, 1}, {0.02, 0.01, 15, 2}, {0.03, 0.005, 20, 3},
                                   {0.01, 0.01, 20, 1}, {0.01, 0.01, 20, 2}, {0.025, 0.008, 15, 3}};

Solid trial_bar(const TrialBar& bar) {
  const geometry::HexMesh mesh =
      geometry::box_hexes({0.2, bar.thickness, bar.width}, {bar.along, 1, bar.beside}, 1);
  return make_hexahedral_solid(mesh, trial_steel(), HexElement::by_shape);
}

TEST(TwistAnalytic, BarsOfAnyNumberOfCellsHaveTheirInertia) {
  for (const TrialBar& bar : trial_bars) {
    const Solid solid = trial_bar(bar);
    const Vec3 sides(0.2, bar.thickness, bar.width);
    const double mass = 7850.0 * sides.prod();
    for (int axis = 0; axis < 3; ++axis) {
      const double inertia = mass * (sides.squaredNorm() - sides[axis] * sides[axis]) / 12.0;
      EXPECT_NEAR(turning_energy(solid, Vec3::Unit(axis)) / (0.5 * inertia), 1.0,
                  axis == 1 ? 3e-3 : 1e-9)
          << bar.width << " by " << bar.thickness << ", " << bar.beside << " beside, " << axis;
    }
  }
}

TEST(TwistAnalytic, PlatesOfAnyNumberOfCellsTurnOverAsTheyShould) {
  for (const int n : {2, 4, 16}) {
    const geometry::HexMesh mesh = geometry::box_hexes({0.3, 0.01, 0.2}, {n, 1, n}, 1);
    const Solid solid = make_hexahedral_solid(mesh, trial_steel(), HexElement::by_shape);
    const double mass = 7850.0 * 0.3 * 0.01 * 0.2;
    EXPECT_NEAR(turning_energy(solid, Vec3::UnitZ()) / (mass / 24.0 * (0.09 + 1e-4)), 1.0, 1e-9)
        << n;
    EXPECT_NEAR(turning_energy(solid, Vec3::UnitX()) / (mass / 24.0 * (0.04 + 1e-4)), 1.0, 1e-9)
        << n;
    // In their plane lumps lack what pairs have more against turning over.
    EXPECT_NEAR(turning_energy(solid, Vec3::UnitY()) / (mass / 24.0 * 0.13), 1.0, 0.25 / (n * n));
  }
}

/// The frequency of the first twist of a free bar along x [Hz]: of all modes that which is most
/// like a turn about x by cos(pi x / length).
double twist_frequency(const Solid& solid) {
  const std::size_t n = solid.rest.size();
  FreeAxes free;
  for (auto& axis : free) axis.assign(n, 1.0);
  const fem::SymmetricEigen modes = fem::symmetric_eigen(scaled_matrix(solid));
  Nodes push(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 at = solid.rest.at(i);
    const double turn = -std::sin(std::numbers::pi * at.x() / 0.2);
    push.set(i, solid.mass[i] * turn * Vec3(0.0, -at.z(), at.y()));
  }
  const std::vector<double> scaled = ScaledStiffness(solid, free, solid.rest).scaled(push);
  const Eigen::Map<const Eigen::VectorXd> wanted(scaled.data(), 3 * n);
  Eigen::Index best = 0;
  (modes.vectors.transpose() * wanted).cwiseAbs().maxCoeff(&best);
  return std::sqrt(modes.values[best]) / (2.0 * std::numbers::pi);
}

TEST(TwistAnalytic, BarsOfAnyNumberOfCellsTwistAsTheoryTells) {
  const double shear = 200e9 / 2.6;
  for (const TrialBar& bar : trial_bars) {
    const double b = bar.width, t = bar.thickness;
    const double J = std::pow(t, 4) * torsion_constant(b / t);
    const double polar = b * t * (b * b + t * t) / 12.0;
    const double theory = std::sqrt(shear * J / (7850.0 * polar)) / (2.0 * 0.2);
    EXPECT_NEAR(twist_frequency(trial_bar(bar)) / theory, 1.0, 0.005)
        << b << " by " << t << ", " << bar.beside << " beside";
  }
}

TEST(TwistAnalytic, SofterTwistLeavesUniformStretchesAsTheyAre) {
  const auto mesh = distorted(geometry::box_hexes({0.1, 0.1, 0.13}, {1, 1, 1}, 2), 0.01);
  const HexCorners corners = corners_of(mesh, mesh.hexes[0]);
  const fem::Lame lame = fem::checked_lame(trial_steel(), "");
  Mat3 gradient;
  gradient << 0.2, 0.1, 0.05, -0.1, -0.1, 0.2, 0.0, 0.15, 0.1;
  Eigen::Matrix<double, 24, 1> moved;
  for (int c = 0; c < 8; ++c) moved.segment<3>(3 * c) = gradient * corners[c];
  const auto energy = [&](const CachedStiffness& kept) {
    return moved.dot(hex_stiffness(corners, lame, HexElement::incompatible, kept) * moved);
  };
  EXPECT_NEAR(energy({.twist = 0.4}) / energy({}), 1.0, 1e-12);
}

}  // namespace
}  // namespace peal::elastic

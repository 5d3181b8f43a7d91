#include <peal/util/error.h>

#include <elastic/trial_solids.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace peal::elastic {
namespace {

using geometry::Affine;
using geometry::Mat3;
using geometry::Vec3;

TEST(Elements, ForcesAreTheGradientOfTheEnergyAlsoInsideOut) {
  for (const TrialSolid& trial : trial_solids()) {
    Solid solid = trial.make();
    for (const double amount : {0.005, 0.2}) {  // the larger one turns elements inside out
      const Nodes x = shaken(solid.rest, amount);
      if (amount > 0.1) {
        EXPECT_LT(solid.forces->most_strained(x).volume_ratio, 0.0) << trial.name;
      }
      const Nodes forces = forces_at(solid, x);
      for (std::uint64_t direction = 0; direction < 4; ++direction) {
        const Nodes p = shaken(Nodes(x.size()), 1.0, 40 + direction);
        const double h = 1e-6 * amount;
        Nodes ahead = x, behind = x;
        double slope = 0.0, scale = 0.0;
        for (std::size_t n = 0; n < x.size(); ++n) {
          ahead.add(n, h * p.at(n));
          behind.add(n, -h * p.at(n));
          slope -= forces.at(n).dot(p.at(n));
          scale += forces.at(n).norm() * p.at(n).norm();
        }
        const double difference =
            (solid.forces->energy(ahead) - solid.forces->energy(behind)) / (2.0 * h);
        EXPECT_NEAR(slope, difference, 1e-7 * scale) << trial.name << " moved by " << amount;
      }
    }
  }
}

TEST(Elements, BlocksGiveWhatSingleElementsGive) {
  for (const TrialSolid& trial : trial_solids()) {
    Solid solid = trial.make();
    const Nodes x = shaken(solid.rest, 0.01), fast = forces_at(solid, x);
    Nodes slow(x.size());
    solid.forces->add_one_by_one(x, slow);
    for (std::size_t n = 0; n < x.size(); ++n) {
      EXPECT_LT((fast.at(n) - slow.at(n)).norm(), 1e-12 * largest_of(slow)) << trial.name;
    }
  }
}

TEST(Elements, TheLeastVolumeIsThatOfTheMostSqueezedElement) {
  for (const TrialSolid& trial : trial_solids()) {
    Solid solid = trial.make();
    EXPECT_NEAR(solid.forces->least_volume(solid.rest), 1.0, 1e-12) << trial.name;
    for (const double amount : {0.005, 0.2}) {
      const Nodes x = shaken(solid.rest, amount);
      const InternalForces::Strained one = solid.forces->most_squeezed(x);
      EXPECT_NEAR(solid.forces->least_volume(x), one.volume_ratio, 1e-12) << trial.name;
      EXPECT_EQ(one.volume_ratio<0.0, amount> 0.1) << trial.name;
    }
  }
}

TEST(Elements, ForcesKeepMomentum) {
  for (const TrialSolid& trial : trial_solids()) {
    Solid solid = trial.make();
    const Nodes x = shaken(solid.rest, 0.02), forces = forces_at(solid, x);
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    double scale = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      sum += forces.at(n);
      torque += x.at(n).cross(forces.at(n));
      scale += forces.at(n).norm();
    }
    EXPECT_LT(sum.norm(), 1e-13 * scale) << trial.name;
    EXPECT_LT(torque.norm(), 1e-13 * scale) << trial.name;
  }
}

TEST(Elements, TurningAndMovingASolidTurnsItsForces) {
  const Affine motion = Eigen::Translation3d(0.3, -1.0, 0.2) *
                        Eigen::AngleAxisd(2.0, Vec3(1.0, 2.0, -0.5).normalized());
  for (const TrialSolid& trial : trial_solids()) {
    Solid solid = trial.make();
    const Nodes x = shaken(solid.rest, 0.005);
    const Nodes here = forces_at(solid, x), there = forces_at(solid, mapped(x, motion));
    for (std::size_t n = 0; n < x.size(); ++n) {
      EXPECT_LT((there.at(n) - motion.linear() * here.at(n)).norm(), 1e-11 * largest_of(here))
          << trial.name;
    }
    EXPECT_NEAR(solid.forces->energy(mapped(x, motion)), solid.forces->energy(x),
                1e-11 * solid.forces->energy(x))
        << trial.name;
  }
}

TEST(Elements, ThinTetrahedraTurnedAsTheyAreFeelNoMoreThanTheRoundingOfTheirNodes) {
  // Nodes up to 1 m away are rounded by 1e-16 m: over 1 mm of thickness that is a strain of 1e-13,
  // and over 0.1 m by 0.1 m a force of 2e-4 N. Squares of slopes, multiplied with those of the
  // gradients, would add some 25 times as much.
  const Affine turn(Eigen::AngleAxisd(2.0, Vec3(1.0, 2.0, -0.5).normalized()));
  for (const int order : {1, 2}) {
    Solid solid = make_tetrahedral_solid(geometry::box_tets({1.0, 0.8, 0.005}, {10, 8, 5}),
                                         trial_steel(), order);
    EXPECT_LT(largest_of(forces_at(solid, mapped(solid.rest, turn))), 1e-3) << order;
  }
}

/// Nodes at which neighbouring elements must cancel.
std::vector<bool> is_inner(const Solid& solid) {
  std::vector<bool> inner(solid.rest.size(), true);
  for (const std::uint32_t node : solid.surface_node) inner[node] = false;
  return inner;
}

TEST(ElementsAnalytic, AnyUniformStretchIsHeldByTheSurfaceAlone) {
  Affine stretch = Affine::Identity();
  stretch.linear() << 1.2, 0.1, 0.05, -0.1, 0.9, 0.2, 0.0, 0.15, 1.1;
  const auto box = [](double amount, HexElement element) {
    return make_hexahedral_solid(
        distorted(geometry::box_hexes({0.3, 0.3, 0.3}, {3, 3, 3}, 2), amount), trial_steel(),
        element);
  };
  std::vector<Solid> solids;
  solids.push_back(box(0.02, HexElement::incompatible));
  solids.push_back(box(0.0, HexElement::solid_shell));
  solids.push_back(
      make_tetrahedral_solid(geometry::box_tets({0.3, 0.3, 0.3}, {3, 3, 3}), trial_steel(), 1));
  solids.push_back(
      make_tetrahedral_solid(geometry::box_tets({0.3, 0.3, 0.3}, {2, 2, 2}), trial_steel(), 2));
  const Mat3& F = stretch.linear();
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
  const double lambda = 200e9 * 0.3 / (1.3 * 0.4), mu = 200e9 / 2.6;
  for (Solid& solid : solids) {
    const Nodes forces = forces_at(solid, mapped(solid.rest, stretch));
    const std::vector<bool> inner = is_inner(solid);
    for (std::size_t n = 0; n < forces.size(); ++n) {
      if (inner[n]) {
        EXPECT_LT(forces.at(n).norm(), 1e-11 * largest_of(forces));
      }
    }
    // A distorted block has no plain volume: only boxes.
    if (&solid == &solids[0]) continue;
    const double W = 0.027 * (0.5 * lambda * E.trace() * E.trace() + mu * E.squaredNorm());
    EXPECT_NEAR(solid.forces->energy(mapped(solid.rest, stretch)), W, 1e-11 * W);
  }
}

TEST(ElementsAnalytic, AShellWithCellsDistortedInItsPlaneStretchesUniformly) {
  geometry::HexMesh mesh = geometry::box_hexes({0.3, 0.3, 0.02}, {3, 3, 1}, 2);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const std::size_t column = v % 16;  // both faces alike
    const bool on_edge = column % 4 == 0 || column % 4 == 3 || column < 4 || column >= 12;
    if (on_edge) continue;
    mesh.vertices[v].x() += 0.02 * trial_random(7, column);
    mesh.vertices[v].y() += 0.02 * trial_random(8, column);
  }
  Solid solid = make_hexahedral_solid(mesh, trial_steel(), HexElement::solid_shell);
  Affine stretch = Affine::Identity();
  stretch.linear() << 1.1, 0.1, 0.0, -0.1, 0.95, 0.0, 0.0, 0.0, 1.0 / 1.02;
  const Nodes forces = forces_at(solid, mapped(solid.rest, stretch));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const std::size_t column = v % 16;
    if (column % 4 == 0 || column % 4 == 3 || column < 4 || column >= 12) continue;
    EXPECT_LT(Vec3(forces.x[v], forces.y[v], 0.0).norm(), 1e-11 * largest_of(forces));
  }
}

TEST(Elements, MassIsThatOfTheBody) {
  for (const TrialSolid& trial : trial_solids()) {
    if (trial.name.starts_with("any") || trial.name == "shell") continue;  // of another volume
    const Solid solid = trial.make();
    double mass = 0.0;
    for (const double part : solid.mass) mass += part;
    EXPECT_NEAR(mass, 7850.0 * 0.006, 1e-12 * mass) << trial.name;
  }
}

TEST(ElementsAnalytic, LumpsTendToTheInertiaOfTheBodyFasterThanTheTrapezoidalRule) {
  // Second moments of an even line of n cells: corner lumps exceed them by 2 / n^2, Gregory's rule
  // by 2 / n^3.
  for (const int n : {2, 4, 8, 16}) {
    const Solid solid = make_hexahedral_solid(geometry::box_hexes({0.3, 0.01, 0.2}, {n, 2, n}, 1),
                                              trial_steel(), HexElement::incompatible);
    double along = 0.0;
    for (std::size_t i = 0; i < solid.mass.size(); ++i) {
      along += solid.mass[i] * solid.rest.x[i] * solid.rest.x[i];
    }
    const double exact = 7850.0 * 0.3 * 0.01 * 0.2 * 0.3 * 0.3 / 12.0;
    EXPECT_NEAR(along / exact - 1.0, 2.0 / std::pow(n, 3), 1e-9) << n;
  }
}

TEST(Elements, BadElementsAndMaterialsAreNamed) {
  const auto message = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "no error";
  };
  geometry::HexMesh folded = geometry::box_hexes({1, 1, 1}, {2, 1, 1}, 2);
  std::swap(folded.hexes[1][0], folded.hexes[1][1]);
  EXPECT_THAT(message([&] {
                make_hexahedral_solid(folded, trial_steel(), HexElement::incompatible, "cup");
              }),
              testing::AllOf(testing::HasSubstr("cup"), testing::HasSubstr("hexahedron 1")));
  geometry::TetMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}};
  EXPECT_THAT(message([&] { make_tetrahedral_solid(flat, trial_steel(), 1, "cup"); }),
              testing::HasSubstr("tetrahedron 0"));
  base::Material rubber = trial_steel();
  rubber.poisson_ratio = 0.5;
  EXPECT_THAT(message([&] {
                make_hexahedral_solid(geometry::box_hexes({1, 1, 1}, {1, 1, 1}, 2), rubber,
                                      HexElement::incompatible, "cup");
              }),
              testing::HasSubstr("Poisson"));
}

}  // namespace
}  // namespace peal::elastic

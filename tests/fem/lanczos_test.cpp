#include <peal/fem/assembly.h>
#include <peal/fem/cholesky.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_program.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace peal::fem {
namespace {

/// A cube of size, density and Young's modulus 1, nu = 0.3 (reference S18).
struct Cube {
  CurvedTetMesh mesh;
  Space space;
  Matrices matrices;

  explicit Cube(int order, double edge = 0.5) {
    const auto attempt = tetrahedralise(geometry::box_mesh({1, 1, 1}, edge), 0.1);
    EXPECT_TRUE(attempt.fine()) << attempt.problem;
    mesh = straight(attempt.mesh);
    space = make_space(mesh, order);
    matrices = assemble(mesh, space, {"unit", 1.0, 1.0, 0.3, {}});
  }
  Eigenpairs lowest(Eigen::Index count, double shift = 0.3) const {
    LanczosSettings settings;
    settings.count = count;
    settings.shift = shift;
    return lowest_eigenpairs(matrices, rigid_motions(matrices, space.nodes), settings);
  }
};

TEST(TetQuadrature, IntegratesPolynomialsExactly) {
  const TetQuadrature rule(4);
  double sum = 0.0;  // x^2 y z^3 over the tetrahedron: 2! 1! 3! / 9!
  for (Eigen::Index q = 0; q < rule.weights.size(); ++q) {
    const auto p = rule.points.col(q);
    sum += rule.weights[q] * p[0] * p[0] * p[1] * p[2] * p[2] * p[2];
  }
  EXPECT_NEAR(sum, 12.0 / 362880.0, 1e-18);
  EXPECT_NEAR(rule.weights.sum(), 1.0 / 6.0, 1e-15);
}

TEST(FemAssembly, RigidMotionsCostNoEnergyAndWeighTheBody) {
  for (const int order : {1, 2, 3, 4}) {
    const Cube cube(order, 1.0);
    const Eigen::MatrixXd rigid = rigid_motions(cube.matrices, cube.space.nodes);
    ASSERT_EQ(rigid.cols(), 6);
    EXPECT_LT(cube.matrices.times_stiffness(rigid).norm(), 1e-12) << order;
    Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(cube.matrices.size(), 1);
    for (Eigen::Index i = 1; i < lift.rows(); i += 3) lift(i, 0) = 1.0;
    EXPECT_NEAR((lift.transpose() * cube.matrices.times_mass(lift))(0, 0), 1.0, 1e-12) << order;
  }
}

TEST(FemAssembly, AUniformStretchHasItsExactEnergy) {
  const Cube cube(3, 1.0);
  Eigen::MatrixXd stretch = Eigen::MatrixXd::Zero(cube.matrices.size(), 1);
  for (std::size_t i = 0; i < cube.space.nodes.size(); ++i)
    stretch(3 * static_cast<Eigen::Index>(i), 0) = cube.space.nodes[i].x();
  const double lambda = 0.3 / (1.3 * 0.4), mu = 1.0 / 2.6;
  EXPECT_NEAR((stretch.transpose() * cube.matrices.times_stiffness(stretch))(0, 0),
              lambda + 2.0 * mu, 1e-12);
}

TEST(Cholesky, SolvesWhatItFactorised) {
  const Cube cube(2);
  const Cholesky factor(cube.matrices.shifted(2.0));
  // 19 columns: a whole set of lanes and a rest.
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(cube.matrices.size(), 19);
  Eigen::MatrixXd x = b;
  factor.solve(x);
  const Eigen::MatrixXd back = cube.matrices.times_stiffness(x) + 2.0 * cube.matrices.times_mass(x);
  EXPECT_LT((back - b).norm(), 1e-11 * b.norm());
}

TEST(Lanczos, PairsSolveTheProblemAndAreOrthonormal) {
  const Cube cube(2);
  const Eigenpairs pairs = cube.lowest(20);
  ASSERT_EQ(pairs.values.size(), 20);
  const PairErrors errors = pair_errors(cube.matrices, pairs, 0.3);
  EXPECT_LT(errors.backward, 1e-10);
  EXPECT_LT(errors.energy, 1e-8);
  EXPECT_LT(errors.orthogonality, 1e-12);
}

TEST(Lanczos, PairsOfThinBodiesAreAsGoodAsThoseOfACube) {
  // Stiffness in a wall is up to 1e10 times that of its bending. Rounding K itself, once, then
  // changes r and lambda as much as solving does: by energy a plate of 0.2 mm is not known better.
  struct Body {
    const char* name;
    geometry::TriMesh surface;
    double energy;
  };
  const std::vector<Body> bodies = {
      {"plate of 2 mm", geometry::box_mesh({0.2, 0.002, 0.15}, 0.05), 1e-8},
      {"plate of 0.2 mm", geometry::box_mesh({0.1, 0.0002, 0.075}, 0.025), 1e-5},
      {"cup of 1 mm",
       geometry::lathe_mesh(
           {{0.0, 0.0}, {0.04, 0.0}, {0.04, 0.06}, {0.039, 0.06}, {0.039, 0.001}, {0.0, 0.001}},
           0.03),
       1e-8},
  };
  for (const auto& [name, surface, energy] : bodies) {
    const auto attempt = tetrahedralise(surface, 1e-4);
    ASSERT_TRUE(attempt.fine()) << name << ": " << attempt.problem;
    const CurvedTetMesh mesh = straight(attempt.mesh);
    const Space space = make_space(mesh, 3);
    const Matrices matrices = assemble(mesh, space, {"steel", 7850.0, 200e9, 0.3, {}});
    constexpr double shift = 1e6;
    const Eigenpairs pairs = lowest_eigenpairs(matrices, rigid_motions(matrices, space.nodes),
                                               {.count = 12, .shift = shift});
    const PairErrors errors = pair_errors(matrices, pairs, shift);
    EXPECT_LT(errors.backward, 1e-13) << name;
    EXPECT_LT(errors.energy, energy) << name;
    EXPECT_LT(errors.orthogonality, 1e-12) << name;
    // A pair that is a little wrong is reported: x + 1e-4 y of two pairs.
    Eigenpairs wrong = pairs;
    wrong.vectors.col(0) += 1e-4 * pairs.vectors.col(5);
    EXPECT_GT(pair_errors(matrices, wrong, shift).energy, 5e-5) << name;
    EXPECT_GT(pair_errors(matrices, wrong, shift).orthogonality, 5e-5) << name;
  }
}

TEST(Lanczos, TheAnswerDoesNotDependOnTheShift) {
  const Cube cube(2, 1.0);
  const Eigenpairs a = cube.lowest(12, 0.05), b = cube.lowest(12, 3.0);
  EXPECT_LT((a.values - b.values).cwiseQuotient(a.values).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Lanczos, HigherOrdersLowerEveryFrequency) {
  // Spaces of higher order on one mesh hold those of lower order: Rayleigh quotients fall.
  const Cube second(2, 1.0), third(3, 1.0), fourth(4, 1.0);
  const Eigenpairs a = second.lowest(10), b = third.lowest(10), c = fourth.lowest(10);
  for (Eigen::Index i = 0; i < 10; ++i) {
    EXPECT_GT(a.values[i], b.values[i] * (1.0 - 1e-10)) << i;
    EXPECT_GT(b.values[i], c.values[i] * (1.0 - 1e-10)) << i;
  }
}

TEST(LanczosAnalytic, TheCubeHasItsKnownFrequencies) {
  const Cube cube(4);
  const Eigenpairs pairs = cube.lowest(8);
  // Reference S18: Ritz solution, converged to 1e-6.
  const double omega[] = {1.77124407, 1.77124407, 2.38517029, 2.38517029,
                          2.38517029, 2.42565458, 2.42565458, 2.42565458};
  for (Eigen::Index i = 0; i < 8; ++i)
    EXPECT_NEAR(std::sqrt(pairs.values[i]) / omega[i], 1.0, 5e-4) << i;
}

TEST(TetProgram, AnOpenSurfaceGivesAReasonAndNoMesh) {
  geometry::TriMesh open = geometry::box_mesh({1, 1, 1}, 1.0);
  open.triangles.pop_back();
  const auto attempt = tetrahedralise(open, 0.0);
  EXPECT_FALSE(attempt.fine());
}

}  // namespace
}  // namespace peal::fem

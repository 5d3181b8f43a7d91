#include <peal/fem/assembly.h>
#include <peal/fem/mode_errors.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_program.h>
#include <peal/util/parallel.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/tet_bend.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace peal::fem {
namespace {

const base::Material unit_material{"unit", 1.0, 1.0, 0.3, {}};

/// A cube of size, density and Young's modulus 1 in few elements, solved.
struct CoarseCube {
  CurvedTetMesh mesh;
  Space space;
  Matrices matrices;
  Eigenpairs pairs;

  explicit CoarseCube(int order, Eigen::Index count = 11)
      : mesh(straight(tetrahedralise(geometry::box_mesh({1, 1, 1}, 0.6), 0.1).mesh)),
        space(make_space(mesh, order)),
        matrices(assemble(mesh, space, unit_material)) {
    pairs = lowest_eigenpairs(matrices, rigid_motions(matrices, space.nodes),
                              {.count = count, .shift = 0.3});
  }
};

TEST(FemErrorAnalytic, TheEstimateIsCloseToTheTrueError) {
  // Reference S18.
  const double omega[] = {1.77124407, 1.77124407, 2.38517029, 2.38517029, 2.38517029, 2.42565458,
                          2.42565458, 2.42565458, 2.75535903, 2.75535903, 2.75535903};
  for (const int order : {2, 3}) {
    const CoarseCube cube(order);
    const Eigen::VectorXd estimate =
        discretisation_errors(cube.mesh, cube.space, cube.matrices, unit_material, cube.pairs)
            .rowwise()
            .sum();
    // Sums over modes that lie so close together that errors change their order.
    for (const auto& [first, last] : {std::pair{0, 2}, {2, 8}, {8, 11}}) {
      double error = 0.0;
      for (int i = first; i < last; ++i) error += std::sqrt(cube.pairs.values[i]) / omega[i] - 1.0;
      EXPECT_GT(error, 0.0);
      EXPECT_NEAR(estimate.segment(first, last - first).sum() / error, 1.0, 0.3)
          << "order " << order << ", modes from " << first;
    }
  }
}

TEST(FemError, TheEstimateHoldsAtInnerCorners) {
  // A bracket with an inner corner of 270 degrees, against a much finer solution.
  const geometry::Polygon bracket = {{0, 0}, {1, 0}, {1, 0.2}, {0.2, 0.2}, {0.2, 1}, {0, 1}};
  const auto solve = [&](double edge, int order) {
    const CurvedTetMesh mesh = straight(
        tetrahedralise(geometry::extruded_mesh(bracket, {}, 0.2, edge), edge * edge * edge).mesh);
    const Space space = make_space(mesh, order);
    const Matrices matrices = assemble(mesh, space, unit_material);
    Eigenpairs pairs = lowest_eigenpairs(matrices, rigid_motions(matrices, space.nodes),
                                         {.count = 6, .shift = 0.1});
    Eigen::VectorXd estimate;
    if (order < 4)
      estimate = discretisation_errors(mesh, space, matrices, unit_material, pairs).rowwise().sum();
    return std::pair(pairs.values, estimate);
  };
  const Eigen::VectorXd reference = solve(0.07, 4).first;
  for (const int order : {2, 3}) {
    const auto [values, estimate] = solve(0.2, order);
    for (Eigen::Index i = 0; i < 6; ++i) {
      const double error = std::sqrt(values[i] / reference[i]) - 1.0;
      EXPECT_GT(estimate[i], 0.9 * error) << "order " << order << ", mode " << i;
      EXPECT_LT(estimate[i], 4.0 * error) << "order " << order << ", mode " << i;
    }
  }
}

TEST(FemErrorAnalytic, ALargerBodySoundsLowerByAsMuch) {
  // Elements fill a cube of 1, the surface that is meant is that of a cube of 1.01.
  const CoarseCube cube(3, 4);
  const SmoothSurface larger(geometry::box_mesh({1.01, 1.01, 1.01}, 0.6));
  const GeometryErrors errors =
      geometry_errors(cube.mesh, cube.space, unit_material, cube.pairs, larger);
  for (Eigen::Index i = 0; i < errors.fit.size(); ++i) {
    EXPECT_NEAR(errors.fit[i], -0.01, 0.0005) << i;
    EXPECT_NEAR(errors.facets[i], 0.0, 1e-12) << i;
  }
}

TEST(TetBend, ASphereIsRoundThoughItsElementsAreFew) {
  const SmoothSurface smooth(geometry::sphere_mesh(0.05, 0.004));
  const geometry::FittedSurface fitted =
      fitted_surface(smooth, std::vector(smooth.mesh().vertices.size(), 0.04));
  CurvedTetMesh mesh = straight(tetrahedralise(fitted.mesh, 1e-5).mesh);
  EXPECT_LT(vibration::bend(mesh, fitted, smooth), mesh.boundary_edges.size() / 10);
  const Space space = make_space(mesh, 3);
  const Matrices matrices = assemble(mesh, space, {"unit", 1.0, 1.0, 0.3, {}});
  Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(matrices.size(), 1);
  for (Eigen::Index i = 1; i < lift.rows(); i += 3) lift(i, 0) = 1.0;
  const double volume = (lift.transpose() * matrices.times_mass(lift))(0, 0);
  EXPECT_NEAR(volume / (4.0 / 3.0 * std::numbers::pi * 0.05 * 0.05 * 0.05), 1.0, 0.005);
}

TEST(SolidModes, AreTheSameForAnyNumberOfThreads) {
  const auto modes = [](int threads) {
    const util::ThreadLimit limit(threads);
    util::Silent silent;
    return vibration::solid_modes(geometry::cylinder_mesh(0.02, 0.01, 0.005),
                                  {"steel", 7850, 200e9, 0.3, {}},
                                  {.max_frequency = 0.0, .count = 6, .clamps = {}}, silent)
        .model;
  };
  const base::ModalModel one = modes(1), two = modes(2);
  ASSERT_EQ(one.modes.size(), two.modes.size());
  for (std::size_t i = 0; i < one.modes.size(); ++i) {
    EXPECT_EQ(one.modes[i].frequency, two.modes[i].frequency);
    EXPECT_EQ(one.modes[i].relative_error, two.modes[i].relative_error);
  }
  EXPECT_EQ(one.shapes, two.shapes);
}

}  // namespace
}  // namespace peal::fem

#include <peal/fem/assembly.h>
#include <peal/fem/cholesky.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_program.h>
#include <peal/vibration/residual_modes.h>
#include <peal/vibration/tet_bend.h>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace peal::vibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A block of density and Young's modulus 1, its lowest modes and what stands for the others.
struct ResidualBlock {
  fem::Space space;
  fem::Matrices matrices;
  MatrixXd rigid, known;
  fem::Eigenpairs modes, residual;

  explicit ResidualBlock(Index count) {
    const base::Material material{"unit", 1.0, 1.0, 0.45, {}};
    const auto mesh =
        straight(geometry::tetrahedralise(geometry::box_mesh({1, 0.8, 0.9}, 0.5), 0.05).mesh);
    space = fem::make_space(mesh, 3);
    matrices = fem::assemble(mesh, space, material);
    rigid = fem::rigid_motions(matrices, space.nodes);
    modes = fem::lowest_eigenpairs(matrices, rigid, {.count = count, .shift = 0.1});
    known.resize(rigid.rows(), rigid.cols() + count);
    known << rigid, modes.vectors;
    residual = residual_modes(matrices, space, known, 1e-3, 0.0, 36);
  }

  /// A pressure on what of the surface lies around its middle in y.
  VectorXd load() const {
    VectorXd forces = VectorXd::Zero(matrices.size());
    for (std::uint32_t t = 0; t < space.surface.triangles.size(); ++t) {
      const geometry::Vec3 area = geometry::area_vector(space.surface, t);
      if (area.normalized().x() < 0.99) continue;
      for (const std::uint32_t v : space.surface.triangles[t]) {
        const double y = space.surface.vertices[v].y();
        forces.segment<3>(3 * Index{space.surface_node[v]}) -=
            std::exp(-y * y / (2.0 * 0.15 * 0.15)) * area / 3.0;
      }
    }
    return forces;
  }
};

TEST(ResidualModes, AreOrthonormalToTheModesAndAboveThem) {
  const ResidualBlock block(12);
  const MatrixXd& shapes = block.residual.vectors;
  ASSERT_GE(shapes.cols(), 30);
  EXPECT_GT(block.residual.values.minCoeff(), block.modes.values.maxCoeff());
  const MatrixXd mass = block.matrices.times_mass(shapes);
  EXPECT_LT((block.known.transpose() * mass).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((shapes.transpose() * mass - MatrixXd::Identity(shapes.cols(), shapes.cols()))
                .cwiseAbs()
                .maxCoeff(),
            1e-8);
}

TEST(ResidualModes, CarryTheStaticComplianceOfWhatIsLeftOut) {
  const ResidualBlock block(12);
  const VectorXd load = block.load();
  const VectorXd gains = block.modes.vectors.transpose() * load,
                 rest = block.residual.vectors.transpose() * load,
                 moved = block.rigid.transpose() * load;
  // Exactly, for forces that grow as exp(sqrt(s) t).
  const double highest = block.modes.values.maxCoeff();
  for (const double part : {0.01, 0.3}) {
    const double s = part * highest;
    MatrixXd answer = load;
    fem::Cholesky(block.matrices.shifted(s)).solve(answer);
    const double exact = load.dot(answer.col(0)) - moved.squaredNorm() / s;
    const double without = (gains.array().square() / (block.modes.values.array() + s)).sum();
    const double with =
        without + (rest.array().square() / (block.residual.values.array() + s)).sum();
    // The pressure is narrower than one of the patches.
    EXPECT_LT(std::abs(with / exact - 1.0), 0.3 * std::abs(without / exact - 1.0)) << part;
  }
}

TEST(ResidualModes, BringTheMobilityNearerToThatOfAllModesAsFarAsTheBandGoes) {
  const ResidualBlock few(30), many(240);
  const auto receptance = [](const VectorXd& values, const VectorXd& gains, double w) {
    const std::complex<double> i(0.0, 1.0);
    std::complex<double> sum = 0.0;
    for (Index m = 0; m < values.size(); ++m)
      sum += gains[m] * gains[m] / (values[m] - w * w + 0.1 * i * w * std::sqrt(values[m]));
    return sum;
  };
  const VectorXd load = few.load();
  const VectorXd all = many.modes.vectors.transpose() * load,
                 gains = few.modes.vectors.transpose() * load,
                 rest = few.residual.vectors.transpose() * load;
  double without = 0.0, with = 0.0, size = 0.0;
  const double cut = std::sqrt(few.modes.values.maxCoeff());
  for (double w = 0.5 * cut; w < cut; w += 0.01 * cut) {
    const auto exact = receptance(many.modes.values, all, w);
    const auto lower = receptance(few.modes.values, gains, w);
    without += std::norm(lower - exact);
    with += std::norm(lower + receptance(few.residual.values, rest, w) - exact);
    size += std::norm(exact);
  }
  RecordProperty("without", std::to_string(std::sqrt(without / size)));
  RecordProperty("with", std::to_string(std::sqrt(with / size)));
  EXPECT_LT(std::sqrt(with), 0.35 * std::sqrt(without));
}

}  // namespace
}  // namespace peal::vibration

#include <peal/vibration/cholesky.h>
#include <peal/vibration/fem_project.h>

namespace peal::vibration {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd restricted(const FemSpace& fine, const FemSpace& coarse, const MatrixXd& x) {
  const LagrangeTet fine_element(fine.order), coarse_element(coarse.order);
  const std::size_t fine_count = fine.nodes_per_element(),
                    coarse_count = coarse.nodes_per_element();
  Eigen::Matrix3Xd points(3, static_cast<Eigen::Index>(fine_count));
  for (std::size_t a = 0; a < fine_count; ++a) {
    const auto& node = fine_element.nodes()[a];
    points.col(static_cast<Eigen::Index>(a)) =
        Eigen::Vector3d(node[1], node[2], node[3]) / fine.order;
  }
  const MatrixXd values = coarse_element.values(points);  // coarse functions at fine nodes
  MatrixXd result = MatrixXd::Zero(3 * static_cast<Eigen::Index>(coarse.nodes.size()), x.cols());
  std::vector<bool> done(fine.nodes.size(), false);
  for (std::size_t e = 0; e < fine.element_nodes.size() / fine_count; ++e) {
    for (std::size_t a = 0; a < fine_count; ++a) {
      const std::int32_t node = fine.element_nodes[e * fine_count + a];
      if (done[node]) continue;
      done[node] = true;
      for (std::size_t b = 0; b < coarse_count; ++b) {
        const double value = values(static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(a));
        if (std::abs(value) < 1e-14) continue;
        result.middleRows<3>(3 * coarse.element_nodes[e * coarse_count + b]) +=
            value * x.middleRows<3>(3 * node);
      }
    }
  }
  return result;
}

VectorXd coarse_excess(const FemMatrices& fine, const FemSpace& fine_space,
                       const FemMatrices& coarse, const FemSpace& coarse_space,
                       const Eigenpairs& pairs, double shift, MatrixXd& projected) {
  // (K + s M) x = (lambda + s) M x, tested with the coarse functions.
  const VectorXd scale = pairs.values.array() + shift;
  MatrixXd load =
      restricted(fine_space, coarse_space, fine.times_mass(pairs.vectors)) * scale.asDiagonal();
  for (std::size_t i = 0; i < coarse.held.size(); ++i)
    if (coarse.held[i]) load.row(static_cast<Eigen::Index>(i)).setZero();
  projected = load;
  Cholesky(coarse.shifted(shift)).solve(projected);
  const VectorXd kept = projected.cwiseProduct(load).colwise().sum().transpose();
  return (1.0 - kept.array() / scale.array()).max(0.0);
}

VectorXd quotients_near(const FemMatrices& matrices, const MatrixXd& known, const MatrixXd& x,
                        double shift) {
  MatrixXd y = matrices.times_mass(x);
  Cholesky(matrices.shifted(shift)).solve(y);
  if (known.cols() > 0) y -= known * (known.transpose() * matrices.times_mass(y));
  const VectorXd stiffness = y.cwiseProduct(matrices.times_stiffness(y)).colwise().sum();
  const VectorXd mass = y.cwiseProduct(matrices.times_mass(y)).colwise().sum();
  return stiffness.cwiseQuotient(mass);
}

}  // namespace peal::vibration

#include <peal/fem/quadrature.h>
#include <peal/vibration/edge_polynomials.h>

#include <cmath>

namespace peal::vibration {

namespace {

using EdgeReal = EdgePolynomials::Real;
using EdgeTriple = Eigen::Matrix<EdgeReal, 1, 3>;
using EdgeArray = Eigen::Array<EdgeReal, Eigen::Dynamic, 1>;

/// (1 + s)^low (1 - s)^high with two derivatives.
EdgeTriple edge_factor(int low, int high, EdgeReal s) {
  // A power with its derivatives; `sign` is the inner derivative.
  const auto power = [](EdgeReal base, int n, EdgeReal sign) -> EdgeTriple {
    return {std::pow(base, n), n < 1 ? EdgeReal(0) : sign * n * std::pow(base, n - 1),
            n < 2 ? EdgeReal(0) : n * (n - 1) * std::pow(base, n - 2)};
  };
  const EdgeTriple a = power(1.0 + s, low, 1.0), b = power(1.0 - s, high, -1.0);
  return {a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]};
}

}  // namespace

EdgePolynomials::EdgePolynomials(int low, int high, int count)
    : low_(low), high_(high), alpha_(count), beta_(count) {
  // Stieltjes' procedure with a rule that is exact for all that is integrated.
  const fem::Quadrature rule = fem::gauss_legendre(count + low + high + 1);
  const auto points = static_cast<Eigen::Index>(rule.points.size());
  const EdgeArray s = Eigen::Map<const Eigen::ArrayXd>(rule.points.data(), points).cast<EdgeReal>();
  EdgeArray weight = Eigen::Map<const Eigen::ArrayXd>(rule.weights.data(), points).cast<EdgeReal>();
  for (Eigen::Index i = 0; i < points; ++i) {
    weight[i] *= std::pow(edge_factor(low, high, s[i])[0], 2);
  }
  EdgeArray before = EdgeArray::Zero(points), here = EdgeArray::Ones(points);
  for (Eigen::Index k = 0; k < count; ++k) {
    beta_[k] = (weight * here.square()).sum();
    here /= std::sqrt(beta_[k]);
    alpha_[k] = low == high ? EdgeReal(0) : (weight * s * here.square()).sum();
    const EdgeArray next =
        (s - alpha_[k]) * here - (k == 0 ? EdgeReal(0) : std::sqrt(beta_[k])) * before;
    before = here;
    here = next;
  }
}

EdgePolynomials::Columns EdgePolynomials::at(EdgeReal s) const {
  const EdgeTriple f = edge_factor(low_, high_, s);
  Columns values(count(), 3);
  EdgeTriple before = EdgeTriple::Zero();
  EdgeTriple here(1 / std::sqrt(beta_[0]), 0, 0);
  for (Eigen::Index k = 0; k < count(); ++k) {
    values.row(k) << f[0] * here[0], f[1] * here[0] + f[0] * here[1],
        f[2] * here[0] + 2.0 * f[1] * here[1] + f[0] * here[2];
    if (k + 1 == count()) break;
    const EdgeReal x = s - alpha_[k];
    EdgeTriple next(x * here[0], here[0] + x * here[1], 2.0 * here[1] + x * here[2]);
    if (k > 0) next -= std::sqrt(beta_[k]) * before;
    before = here;
    here = next / std::sqrt(beta_[k + 1]);
  }
  return values;
}

}  // namespace peal::vibration

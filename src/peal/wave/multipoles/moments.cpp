#include <peal/base/radiation_tables.h>
#include <peal/util/parallel.h>
#include <peal/wave/multipoles/moments.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

/// Distance of central differences of harmonics along a normal, of the distance from the centre.
constexpr double difference = 1e-4;
/// Largest growth of coefficients from the farthest face: of rounding errors of 1e-6 to 1 %.
constexpr double most_growth = 5e3;

/// j_l of many arguments, a column an order, by Miller's downward recursion as in
/// base::spherical_bessel_up_to(), several arguments at a time.
Eigen::ArrayXXd bessel_columns(int order, const Eigen::ArrayXd& x) {
  constexpr Index lanes = 16;
  constexpr double too_large = 1e200, smaller = 1e-250;
  using Lanes = Eigen::Array<double, lanes, 1>;
  Eigen::ArrayXXd result(x.size(), order + 1);
  for (Index first = 0; first < x.size(); first += lanes) {
    const Index count = std::min(lanes, x.size() - first);
    Lanes here = Lanes::Ones();
    here.head(count) = x.segment(first, count).max(1e-12);
    const double most = here.maxCoeff();
    const int start = std::max(order, static_cast<int>(most)) + 20 +
                      static_cast<int>(std::sqrt(40.0 * (order + most)));
    const Lanes inverse = here.inverse();
    Lanes above = Lanes::Zero(), now = Lanes::Constant(1e-300);
    std::vector<Lanes> rows(static_cast<std::size_t>(order) + 1, Lanes::Zero());
    for (int l = start; l > 0; --l) {
      const Lanes below = (2.0 * l + 1.0) * inverse * now - above;
      above = now;
      now = below;
      if (l - 1 <= order) rows[static_cast<std::size_t>(l - 1)] = now;
      if (l <= order) rows[static_cast<std::size_t>(l)] = above;
      if (!(now.abs() > too_large).any()) continue;
      const Lanes scale = (now.abs() > too_large).select(Lanes::Constant(smaller), Lanes::Ones());
      above *= scale;
      now *= scale;
      for (int i = l - 1; i <= order; ++i) rows[static_cast<std::size_t>(i)] *= scale;
    }
    // j_0 and j_1 are not zero at the same place.
    const Lanes j0 = here.sin() * inverse, j1 = (j0 - here.cos()) * inverse;
    const Lanes scale =
        (j0.abs() >= j1.abs() || Lanes::Constant(order) == 0.0).select(j0 / now, j1 / above);
    for (int l = 0; l <= order; ++l)
      result.col(l).segment(first, count) = (rows[static_cast<std::size_t>(l)] * scale).head(count);
  }
  return result;
}

}  // namespace

Moments::Moments(const KirchhoffSurface& box, const Vec3& centre, int order) {
  const auto slots = static_cast<Index>(box.slots());
  const auto count = static_cast<Index>(base::harmonics_up_to(order));
  distance_ = Eigen::VectorXd::Ones(slots);
  outwards_ = weight_ = Eigen::VectorXd::Zero(slots);
  harmonics_ = slopes_ = Eigen::MatrixXf::Zero(slots, count);
  util::parallel_for(static_cast<std::int64_t>(box.groups().size()), [&](std::int64_t g) {
    const FaceGroup& group = box.groups()[static_cast<std::size_t>(g)];
    std::vector<double> here(static_cast<std::size_t>(count)), before(here), after(here);
    for (int i = 0; i < group.count; ++i) {
      const Index slot = g * FaceGroup::capacity + i;
      const Vec3 from = box.face_centre(group, i) - centre;
      Vec3 normal = Vec3::Zero();
      normal[group.axis] = group.outwards;
      const double r = from.norm(), step = difference * r;
      distance_[slot] = r;
      outwards_[slot] = normal.dot(from) / r;
      weight_[slot] = group.weight[i];
      base::spherical_harmonics(order, from / r, here);
      base::spherical_harmonics(order, (from - step * normal).normalized(), before);
      base::spherical_harmonics(order, (from + step * normal).normalized(), after);
      for (Index n = 0; n < count; ++n) {
        const auto at = static_cast<std::size_t>(n);
        harmonics_(slot, n) = static_cast<float>(here[at]);
        slopes_(slot, n) = static_cast<float>((after[at] - before[at]) / (2.0 * step));
      }
    }
  });
}

Eigen::MatrixXcd Moments::coefficients(int order, double k, double radius,
                                       const Eigen::MatrixXcd& pressures,
                                       const Eigen::MatrixXcd& slopes) const {
  const Index slots = distance_.size(), sounds = pressures.cols();
  const Eigen::ArrayXd x = k * distance_;
  const Eigen::ArrayXXd bessel = bessel_columns(order + 1, x);
  std::vector<Complex> hankel(static_cast<std::size_t>(order) + 1);
  base::spherical_hankel_up_to(order, k * radius, hankel);
  Eigen::MatrixXcd result(base::harmonics_up_to(order), sounds);
  // Real and then imaginary parts of all sounds.
  Eigen::MatrixXf of_value(slots, 2 * sounds), of_slope(slots, 2 * sounds);
  for (int l = 0; l <= order; ++l) {
    // Of the order's size, so that single precision neither over- nor underflows.
    const double size = bessel.col(l).abs().maxCoeff();
    const double scale = size > 0.0 ? 1.0 / size : 0.0;
    const Eigen::ArrayXd value = scale * weight_.array() * bessel.col(l);
    const Eigen::ArrayXd slope = scale * weight_.array() * k * outwards_.array() *
                                 (l / x * bessel.col(l) - bessel.col(l + 1));
    for (Index s = 0; s < sounds; ++s) {
      const auto p = pressures.col(s).array(), dp = slopes.col(s).array();
      of_value.col(2 * s) = (p.real() * slope - dp.real() * value).matrix().cast<float>();
      of_value.col(2 * s + 1) = (p.imag() * slope - dp.imag() * value).matrix().cast<float>();
      of_slope.col(2 * s) = (p.real() * value).matrix().cast<float>();
      of_slope.col(2 * s + 1) = (p.imag() * value).matrix().cast<float>();
    }
    const Eigen::MatrixXf sums = harmonics_.middleCols(l * l, 2 * l + 1).transpose() * of_value +
                                 slopes_.middleCols(l * l, 2 * l + 1).transpose() * of_slope;
    const Complex factor = Complex(0.0, -k) * hankel[static_cast<std::size_t>(l)] * size;
    for (Index s = 0; s < sounds; ++s)
      for (Index m = 0; m < sums.rows(); ++m)
        result(l * l + m, s) = factor * Complex(static_cast<double>(sums(m, 2 * s)),
                                                static_cast<double>(sums(m, 2 * s + 1)));
  }
  return result;
}

int Moments::readable_order(int order, double k, double radius) const {
  std::vector<double> far(static_cast<std::size_t>(order) + 1), near(far);
  base::spherical_bessel_up_to(order, k * distance_.maxCoeff(), far);
  base::spherical_bessel_up_to(order, k * radius, near);
  int readable = std::min(order, base::radiation_order(k, radius));
  while (readable < order) {
    const auto next = static_cast<std::size_t>(readable) + 1;
    if (std::abs(far[next]) > most_growth * std::abs(near[next])) break;
    ++readable;
  }
  return readable;
}

}  // namespace peal::wave

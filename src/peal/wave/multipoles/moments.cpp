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

void Moments::coefficients(int order, double k, double radius, const Eigen::VectorXcd& pressures,
                           const Eigen::VectorXcd& slopes, std::span<Complex> out) const {
  const Index slots = distance_.size();
  Eigen::MatrixXd bessel(slots, order + 2);
  std::vector<double> row(static_cast<std::size_t>(order) + 2);
  for (Index s = 0; s < slots; ++s) {
    base::spherical_bessel_up_to(order + 1, k * distance_[s], row);
    for (Index l = 0; l < bessel.cols(); ++l) bessel(s, l) = row[static_cast<std::size_t>(l)];
  }
  std::vector<Complex> hankel(static_cast<std::size_t>(order) + 1);
  base::spherical_hankel_up_to(order, k * radius, hankel);
  Eigen::MatrixXf of_value(slots, 2), of_slope(slots, 2);
  for (int l = 0; l <= order; ++l) {
    // Of the order's size, so that single precision neither over- nor underflows.
    const double size = bessel.col(l).cwiseAbs().maxCoeff();
    const double scale = size > 0.0 ? 1.0 / size : 0.0;
    for (Index s = 0; s < slots; ++s) {
      const double x = k * distance_[s];
      const double j = bessel(s, l), slope = l / x * j - bessel(s, l + 1);
      const double weight = scale * weight_[s];
      const Complex value = weight * (pressures[s] * (k * outwards_[s] * slope) - slopes[s] * j);
      const Complex along = weight * j * pressures[s];
      of_value(s, 0) = static_cast<float>(value.real());
      of_value(s, 1) = static_cast<float>(value.imag());
      of_slope(s, 0) = static_cast<float>(along.real());
      of_slope(s, 1) = static_cast<float>(along.imag());
    }
    const Eigen::MatrixXf sums = harmonics_.middleCols(l * l, 2 * l + 1).transpose() * of_value +
                                 slopes_.middleCols(l * l, 2 * l + 1).transpose() * of_slope;
    const Complex factor = Complex(0.0, -k) * hankel[static_cast<std::size_t>(l)] * size;
    for (Index m = 0; m < sums.rows(); ++m)
      out[static_cast<std::size_t>(l * l + m)] =
          factor * Complex(static_cast<double>(sums(m, 0)), static_cast<double>(sums(m, 1)));
  }
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

#include <peal/util/fft.h>
#include <peal/validation/paper_tables.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace peal::validation {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using radiation::Vec3;
using std::numbers::pi;
using Complex = std::complex<double>;

/// The signals q_k begin this long before the first arrival: a pulse begins 2 h before its peak,
/// and a band that ends rings before that [s].
constexpr double before_arrival = 2e-4;
/// Singular values below this part of the largest are left out (the paper does not tell which).
constexpr double least_singular = 1e-3;

double radius_of(int i, double radius) {
  return 2.0 * radius * std::exp2(0.25 * i);
}

/// The spectrum of the filter: that of a cubic spline sum, sampled finely.
Complex filter_spectrum(double f, double h) {
  constexpr int slices = 400;
  double sum = 0.0;
  for (int i = 0; i < slices; ++i) {
    const double t = (i + 0.5) / slices * 2.0 * h;
    sum += 2.0 * mitchell_netravali(t, h) * std::cos(2.0 * pi * f * t);
  }
  return sum * 2.0 * h / slices;
}

Vec3 direction_of(int i, int j, const PaperSettings& settings) {
  const double polar = pi * i / (settings.polar - 1), angle = 2.0 * pi * j / settings.around;
  return {std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)};
}

}  // namespace

double mitchell_netravali(double time, double h) {
  const double t = std::abs(time) / h, y = 1.0 - t;
  if (t <= 1.0) return (-15.0 * y * y * y + 18.0 * y * y + 9.0 * y + 2.0) / 18.0;
  if (t <= 2.0) return (5.0 * std::pow(1.0 + y, 3) - 3.0 * std::pow(1.0 + y, 2)) / 18.0;
  return 0.0;
}

double PaperTable::bytes(const PaperSettings& settings) {
  return 6.0 * settings.polar * settings.around * terms *
         std::round(settings.length * settings.rate) * sizeof(float);
}

PaperTable::PaperTable(const radiation::RigidField& field, double radius, double speed_of_sound,
                       int motion, const PaperSettings& settings)
    : settings_(settings), radius_(radius) {
  const double step = 1.0 / settings.rate;
  samples_ = static_cast<int>(std::round((settings.length + before_arrival) * settings.rate));
  // Equation 25: rows are samples at each radius from the arrival there on, columns q_k^j.
  const Index n = samples_;
  MatrixXd system = MatrixXd::Zero(radii * n, terms * n);
  std::vector<double> lags;  // from the arrival at a radius to its first sample [s]
  for (int i = 0; i < radii; ++i) {
    const double arrival = radius_of(i, radius) / speed_of_sound;
    const double first = std::ceil(arrival * settings.rate) * step - arrival;
    lags.push_back(first);
    for (Index l = 0; l < n; ++l) {
      for (Index j = std::max<Index>(0, l - 3); j < std::min(n, l + 4); ++j) {
        const double weight = mitchell_netravali(static_cast<double>(l - j) * step + first, step);
        for (int k = 0; k < terms; ++k)
          system(i * n + l, k * n + j) = weight * std::pow(radius / radius_of(i, radius), k + 1);
      }
    }
  }
  const Eigen::BDCSVD<MatrixXd> svd(system, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& singular = svd.singularValues();
  Index rank = 0;
  while (rank < singular.size() && singular[rank] > least_singular * singular[0]) ++rank;

  std::vector<Complex> pulse;
  for (std::size_t b = 0; b < field.bins(); ++b)
    pulse.push_back(filter_spectrum(field.spacing() * static_cast<double>(b), settings.h));
  MatrixXd pressures(radii * n, settings.polar * settings.around);
  util::RealFft fft(field.block());
  radiation::RigidField::Response response;
  std::vector<double> signal(field.block());
  for (int i = 0; i < settings.polar; ++i) {
    for (int j = 0; j < settings.around; ++j) {
      for (int r = 0; r < radii; ++r) {
        const double distance = radius_of(r, radius);
        field.response(direction_of(i, j, settings), distance, response);
        // The field is recorded from the time on at which sound leaves the ball; q_k from the
        // centre.
        const double start =
            lags[static_cast<std::size_t>(r)] - before_arrival + radius / speed_of_sound;
        std::vector<Complex> spectrum(field.block() / 2 + 1);
        for (std::size_t b = 0; b < field.bins(); ++b) {
          const double w = 2.0 * pi * field.spacing() * static_cast<double>(b);
          spectrum[b] = settings.rate * std::polar(1.0, w * start) * pulse[b] *
                        Complex(response(motion, static_cast<Index>(b)));
        }
        fft.inverse(spectrum, signal);
        pressures.col(i * settings.around + j).segment(r * n, n) =
            Eigen::Map<const Eigen::VectorXd>(signal.data(), n);
      }
    }
  }
  const MatrixXd projected = svd.matrixU().leftCols(rank).transpose() * pressures;
  values_ =
      svd.matrixV().leftCols(rank) * (singular.head(rank).cwiseInverse().asDiagonal() * projected);
}

double PaperTable::pulse(const Vec3& direction, double r, double time) const {
  const double polar = std::acos(std::clamp(direction.z(), -1.0, 1.0)) / pi * (settings_.polar - 1);
  double angle = std::atan2(direction.y(), direction.x()) / (2.0 * pi) * settings_.around;
  if (angle < 0.0) angle += settings_.around;
  const int i = std::min(static_cast<int>(polar), settings_.polar - 2), j = static_cast<int>(angle);
  const double x = polar - i, y = angle - j;
  const double place = (time + before_arrival) * settings_.rate;
  double sum = 0.0;
  for (int di = 0; di < 2; ++di) {
    for (int dj = 0; dj < 2; ++dj) {
      const Index column = (i + di) * settings_.around + (j + dj) % settings_.around;
      const double share = (di == 0 ? 1.0 - x : x) * (dj == 0 ? 1.0 - y : y);
      const int middle = static_cast<int>(std::floor(place));
      for (int q = std::max(0, middle - 2); q < std::min(samples_, middle + 4); ++q) {
        const double weight = share * mitchell_netravali(place - q, 1.0);
        for (int k = 0; k < terms; ++k)
          sum += weight * std::pow(radius_ / r, k + 1) * values_(k * samples_ + q, column);
      }
    }
  }
  return sum;
}

}  // namespace peal::validation

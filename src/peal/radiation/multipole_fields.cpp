#include <peal/radiation/multipole_fields.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::radiation {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double taper_from = 0.9;  ///< of the highest frequency

/// What the spectrum of a table's signals at f0 contributes to that at f, x = (f - f0) T: the
/// spectrum of the window in which they lie.
Complex window_spectrum(double x) {
  const double sinc = std::abs(x) < 1e-9 ? 1.0 : std::sin(pi * x) / (pi * x);
  return sinc * std::polar(1.0, -pi * x * (1.0 - 2.0 * base::RigidRadiation::lead));
}

/// The coefficients of one order and more at other frequencies than those of the table: each is the
/// spectrum of a signal from 0 to the table's duration. A row a frequency, a column a motion and
/// harmonic up to the table's highest order.
Eigen::MatrixXcf interpolated(const base::RigidRadiation& table, double spacing,
                              Eigen::Index bins) {
  const auto given = static_cast<Eigen::Index>(table.frequencies());
  const int harmonics = base::harmonics_up_to(table.max_order());
  Eigen::MatrixXcf values = Eigen::MatrixXcf::Zero(given, 6 * harmonics);
  const std::vector<std::size_t> starts = table.offsets();
  for (Eigen::Index b = 0; b < given; ++b) {
    const auto at = static_cast<std::size_t>(b);
    for (int m = 0; m < 6; ++m) {
      const auto part = table.at(starts[at], at, m);
      for (std::size_t i = 0; i < part.size(); ++i)
        values(b, m * harmonics + static_cast<Eigen::Index>(i)) = part[i];
    }
  }
  Eigen::MatrixXcf direct(bins, given), mirrored(bins, given);
  for (Eigen::Index f = 0; f < bins; ++f) {
    const double x = static_cast<double>(f) * spacing / table.spacing;
    for (Eigen::Index b = 0; b < given; ++b) {
      direct(f, b) = std::complex<float>(window_spectrum(x - static_cast<double>(b)));
      mirrored(f, b) =
          b == 0 ? 0.0f : std::complex<float>(window_spectrum(x + static_cast<double>(b)));
    }
  }
  Eigen::MatrixXcf result = direct * values;
  result += mirrored * values.conjugate();
  return result;
}

}  // namespace

RadialFactors::RadialFactors(int order, double k, double radius)
    : k_(k), radius_(radius), inverse_(static_cast<std::size_t>(order) + 1) {
  if (k == 0.0) return;
  base::spherical_hankel_up_to(order, k * radius, inverse_);
  for (Complex& h : inverse_) h = std::polar(1.0, -k * radius) / h;
}

void RadialFactors::at(double r, std::span<Complex> out) const {
  if (k_ == 0.0) {
    double ratio = radius_ / r;
    for (std::size_t l = 0; l < inverse_.size(); ++l, ratio *= radius_ / r) out[l] = ratio;
    return;
  }
  // Upward recursion of h_l(kr) e^(ikr).
  const double x = 1.0 / (k_ * r);
  Complex before(0.0, x), now(-x, x * x);
  out[0] = before * inverse_[0];
  for (std::size_t l = 1; l < inverse_.size(); ++l) {
    out[l] = now * inverse_[l];
    const Complex next = (2.0 * static_cast<double>(l) + 1.0) * x * now - before;
    before = now;
    now = next;
  }
}

RigidField::RigidField(const base::RigidRadiation& table, base::Rate rate, std::size_t block)
    : block_(block), spacing_(static_cast<double>(rate.hz) / static_cast<double>(block)) {
  const double highest = std::min(table.max_frequency, rate.nyquist());
  const auto bins = static_cast<Eigen::Index>(highest / spacing_) + 1;
  const Eigen::MatrixXcf all = interpolated(table, spacing_, bins);
  const int harmonics = base::harmonics_up_to(table.max_order());
  Eigen::Index next = 0;
  for (Eigen::Index b = 0; b < bins; ++b) {
    const double f = spacing_ * static_cast<double>(b);
    const double k = 2.0 * pi * f / table.medium.speed_of_sound;
    const int order = std::min(base::radiation_order(k, table.radius), table.max_order());
    factors_.emplace_back(order, k, table.radius);
    const double x = (f / highest - taper_from) / (1.0 - taper_from);
    taper_.push_back(x <= 0.0 ? 1.0f : static_cast<float>(0.5 + 0.5 * std::cos(pi * x)));
    starts_.push_back(next);
    next += base::harmonics_up_to(order);
    max_order_ = std::max(max_order_, order);
  }
  values_.resize(12, next);
  for (Eigen::Index b = 0; b < bins; ++b) {
    const int count = base::harmonics_up_to(factors_[static_cast<std::size_t>(b)].order());
    for (Eigen::Index i = 0; i < count; ++i) {
      for (Eigen::Index m = 0; m < 6; ++m) {
        const std::complex<float> value = all(b, m * harmonics + i);
        values_(m, starts_[static_cast<std::size_t>(b)] + i) = value.real();
        values_(6 + m, starts_[static_cast<std::size_t>(b)] + i) = value.imag();
      }
    }
  }
}

void RigidField::response(const Vec3& direction, double r, Response& out) const {
  std::vector<double> exact(static_cast<std::size_t>(base::harmonics_up_to(max_order_)));
  base::spherical_harmonics(max_order_, direction, exact);
  const std::vector<float> harmonics(exact.begin(), exact.end());
  std::vector<Complex> radial(static_cast<std::size_t>(max_order_) + 1);
  out.resize(6, static_cast<Eigen::Index>(bins()));
  for (std::size_t b = 0; b < bins(); ++b) {
    factors_[b].at(r, radial);
    Eigen::Array<float, 6, 1> real = Eigen::Array<float, 6, 1>::Zero(), imaginary = real;
    const float* column = values_.col(starts_[b]).data();
    std::size_t i = 0;
    for (int l = 0; l <= factors_[b].order(); ++l) {
      Eigen::Array<float, 12, 1> sum = Eigen::Array<float, 12, 1>::Zero();
      for (int m = 0; m <= 2 * l; ++m, ++i, column += 12)
        sum += harmonics[i] * Eigen::Map<const Eigen::Array<float, 12, 1>>(column);
      const std::complex<float> factor(radial[static_cast<std::size_t>(l)]);
      real += factor.real() * sum.head<6>() - factor.imag() * sum.tail<6>();
      imaginary += factor.real() * sum.tail<6>() + factor.imag() * sum.head<6>();
    }
    for (Eigen::Index m = 0; m < 6; ++m)
      out(m, static_cast<Eigen::Index>(b)) = taper_[b] * std::complex<float>(real[m], imaginary[m]);
  }
}

ModalField::ModalField(const base::ModalRadiation& table) : table_(table) {
  for (const base::ModeRadiation& mode : table.modes) {
    const double k = 2.0 * pi * mode.frequency / table.medium.speed_of_sound;
    factors_.emplace_back(mode.order, k, table.radius);
    turns_.push_back(std::polar(1.0, k * table.radius));
    highest_ = std::max(highest_, k);
    max_order_ = std::max<int>(max_order_, mode.order);
  }
}

void ModalField::gains(const Vec3& direction, double r, std::span<std::complex<float>> out) const {
  std::vector<double> exact(static_cast<std::size_t>(base::harmonics_up_to(max_order_)));
  base::spherical_harmonics(max_order_, direction, exact);
  const std::vector<float> harmonics(exact.begin(), exact.end());
  std::vector<Complex> radial(static_cast<std::size_t>(max_order_) + 1);
  for (std::size_t j = 0; j < modes(); ++j) {
    factors_[j].at(r, radial);
    const std::vector<base::RadiationCoefficient>& values = table_.modes[j].values;
    Complex sum = 0.0;
    std::size_t i = 0;
    for (int l = 0; l <= factors_[j].order(); ++l) {
      float real = 0.0f, imaginary = 0.0f;
      for (int m = 0; m <= 2 * l; ++m, ++i) {
        real += harmonics[i] * values[i].real();
        imaginary += harmonics[i] * values[i].imag();
      }
      sum += radial[static_cast<std::size_t>(l)] *
             Complex(static_cast<double>(real), static_cast<double>(imaginary));
    }
    out[j] = std::complex<float>(sum * turns_[j]);
  }
}

}  // namespace peal::radiation

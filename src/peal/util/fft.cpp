#include <peal/util/fft.h>

#include <cmath>
#include <kissfft.hh>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace peal::util {

using Complex = std::complex<double>;

/// A real signal of length n is transformed as a complex one of length h = n/2 that holds the even
/// samples in its real and the odd samples in its imaginary part:
///   Z = E + i O,   X[k] = E[k] + exp(-2 pi i k / n) O[k].
struct RealFft::Plan {
  explicit Plan(std::size_t half)
      : forward(half, false), inverse(half, true), twiddle(half + 1), packed(half), result(half) {
    for (std::size_t k = 0; k <= half; ++k) {
      const double angle = -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half);
      twiddle[k] = {std::cos(angle), std::sin(angle)};
    }
  }

  kissfft<double> forward;
  kissfft<double> inverse;
  std::vector<Complex> twiddle;  ///< exp(-2 pi i k / n), k = 0 .. h
  std::vector<Complex> packed;   ///< input of the complex transform
  std::vector<Complex> result;   ///< its output
};

namespace {

/// Plain complex product: std::complex multiplication also sorts out infinities, at a branch each.
Complex product(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::size_t checked_half(std::size_t size) {
  if (size < 2 || size % 2 != 0) {
    throw std::invalid_argument("RealFft: the length must be even and at least 2");
  }
  return size / 2;
}

void require(bool same_size) {
  if (!same_size) throw std::invalid_argument("RealFft: signal or spectrum of another length");
}

}  // namespace

RealFft::RealFft(std::size_t size) : plan_(std::make_unique<Plan>(checked_half(size))) {}
RealFft::~RealFft() = default;
RealFft::RealFft(RealFft&&) noexcept = default;
RealFft& RealFft::operator=(RealFft&&) noexcept = default;

std::size_t RealFft::size() const {
  return 2 * plan_->packed.size();
}
std::size_t RealFft::bins() const {
  return plan_->packed.size() + 1;
}

void RealFft::forward(std::span<const double> signal, std::span<Complex> spectrum) {
  require(signal.size() == size() && spectrum.size() >= bins());
  Plan& plan = *plan_;
  const std::size_t half = plan.packed.size();
  for (std::size_t m = 0; m < half; ++m) plan.packed[m] = {signal[2 * m], signal[2 * m + 1]};
  plan.forward.transform(plan.packed.data(), plan.result.data());
  for (std::size_t k = 0; k <= half; ++k) {
    const Complex z = plan.result[k % half];
    const Complex mirrored = std::conj(plan.result[(half - k) % half]);
    const Complex even = 0.5 * (z + mirrored);
    const Complex i_odd = 0.5 * (z - mirrored);
    const Complex odd{i_odd.imag(), -i_odd.real()};
    spectrum[k] = even + product(plan.twiddle[k], odd);
  }
}

void RealFft::inverse(std::span<const Complex> spectrum, std::span<double> signal) {
  require(spectrum.size() >= bins() && signal.size() == size());
  Plan& plan = *plan_;
  const std::size_t half = plan.packed.size();
  const auto bin = [&](std::size_t k) {
    return k == 0 || k == half ? Complex(spectrum[k].real()) : spectrum[k];
  };
  for (std::size_t k = 0; k < half; ++k) {
    const Complex x = bin(k);
    const Complex mirrored = std::conj(bin(half - k));
    const Complex even = 0.5 * (x + mirrored);
    const Complex odd = product(std::conj(plan.twiddle[k]), 0.5 * (x - mirrored));
    plan.packed[k] = even + Complex(-odd.imag(), odd.real());
  }
  plan.inverse.transform(plan.packed.data(), plan.result.data());
  const double scale = 1.0 / static_cast<double>(half);
  for (std::size_t m = 0; m < half; ++m) {
    signal[2 * m] = scale * plan.result[m].real();
    signal[2 * m + 1] = scale * plan.result[m].imag();
  }
}

std::size_t fast_fft_size(std::size_t size) {
  for (std::size_t n = size < 2 ? 2 : size + size % 2;; n += 2) {
    std::size_t rest = n;
    for (const std::size_t prime : {2u, 3u, 5u}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return n;
  }
}

}  // namespace peal::util

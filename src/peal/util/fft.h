#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>

namespace peal::util {

/// The discrete Fourier transform of real signals of one even length, in double precision.
///
///   forward:  X[k] = sum_m x[m] exp(-2 pi i k m / n),      k = 0 .. n/2
///   inverse:  x[m] = (1/n) sum_k X[k] exp(+2 pi i k m / n), with X[n-k] = conj X[k]
///
/// so that inverse(forward(x)) = x. Any even n works; lengths with small prime factors are fast
/// (O(n log n)), a prime factor p costs O(n p); see fast_fft_size(). A plan owns scratch memory, so
/// each thread needs its own.
class RealFft {
 public:
  /// Throws std::invalid_argument unless `size` is even and at least 2.
  explicit RealFft(std::size_t size);
  ~RealFft();
  RealFft(RealFft&&) noexcept;
  RealFft& operator=(RealFft&&) noexcept;

  std::size_t size() const;  ///< samples of the signal, n
  std::size_t bins() const;  ///< values of the spectrum, n/2 + 1

  /// `signal` has size() samples, `spectrum` has room for bins() values.
  void forward(std::span<const double> signal, std::span<std::complex<double>> spectrum);

  /// The imaginary parts of the first and last bin are ignored: a real signal has none there.
  void inverse(std::span<const std::complex<double>> spectrum, std::span<double> signal);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

/// The smallest even length >= `size` whose only prime factors are 2, 3 and 5.
std::size_t fast_fft_size(std::size_t size);

}  // namespace peal::util

#include <peal/plot/spectral_peaks.h>

#include <algorithm>
#include <cmath>

namespace peal::plot {

namespace {

/// Lowest power on the way from bin k in steps of `direction` until something stronger (or the
/// end).
double valley(const std::vector<double>& power, std::size_t k, std::ptrdiff_t direction) {
  double lowest = power[k];
  const auto end = static_cast<std::ptrdiff_t>(power.size());
  for (auto i = static_cast<std::ptrdiff_t>(k) + direction; i >= 0 && i < end; i += direction) {
    if (power[i] > power[k]) break;
    lowest = std::min(lowest, power[i]);
  }
  return lowest;
}

SpectralPeak refined(const util::PowerSpectrum& spectrum, std::size_t k) {
  const auto level = [&](std::size_t i) { return std::log(std::max(spectrum.power[i], 1e-300)); };
  const double left = level(k - 1);
  const double mid = level(k);
  const double right = level(k + 1);
  const double bend = left - 2.0 * mid + right;
  const double shift = bend < 0.0 ? std::clamp(0.5 * (left - right) / bend, -0.5, 0.5) : 0.0;
  return {(static_cast<double>(k) + shift) * spectrum.bin_width,
          std::exp(mid - 0.25 * (left - right) * shift)};
}

}  // namespace

std::vector<SpectralPeak> spectral_peaks(const util::PowerSpectrum& spectrum, double prominence_db,
                                         double range_db) {
  const std::vector<double>& power = spectrum.power;
  std::vector<std::size_t> tops;
  for (std::size_t k = 1; k + 1 < power.size(); ++k) {
    if (power[k] > power[k - 1] && power[k] >= power[k + 1]) tops.push_back(k);
  }
  std::stable_sort(tops.begin(), tops.end(),
                   [&](std::size_t a, std::size_t b) { return power[a] > power[b]; });
  const double prominence = std::pow(10.0, 0.1 * prominence_db);
  const double range = std::pow(10.0, 0.1 * range_db);
  std::vector<SpectralPeak> peaks;
  for (const std::size_t k : tops) {
    if (peaks.size() >= 64 || power[k] * range < power[tops.front()]) break;
    const double base = std::max(valley(power, k, -1), valley(power, k, +1));
    if (power[k] >= prominence * base) peaks.push_back(refined(spectrum, k));
  }
  return peaks;
}

}  // namespace peal::plot

#include <peal/radiation/short_delay.h>

#include <cmath>
#include <numbers>

namespace peal::radiation {

namespace {

constexpr double window_beta = 6.25;

double short_sinc(double x) {
  const double edge = x / ShortDelay::half;
  if (std::abs(edge) >= 1.0) return 0.0;
  const double angle = std::numbers::pi * x;
  const double sinc = std::abs(x) < 1e-9 ? 1.0 : std::sin(angle) / angle;
  return sinc * std::cyl_bessel_i(0.0, window_beta * std::sqrt(1.0 - edge * edge));
}

}  // namespace

ShortDelay::ShortDelay() {
  for (int phase = 0; phase <= phases; ++phase) {
    const double fraction = static_cast<double>(phase) / phases;
    double sum = 0.0;
    for (int k = 0; k < taps; ++k) sum += short_sinc(k - (half - 1) - fraction);
    // Equal sums: a constant stays exactly constant while the delay moves.
    Lanes row{};
    for (int k = 0; k < taps; ++k)
      row[k] = static_cast<float>(short_sinc(k - (half - 1) - fraction) / sum);
    table_.push_back(row);
  }
}

}  // namespace peal::radiation

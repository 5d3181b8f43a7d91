#include <peal/vibration/bessel.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace peal::vibration {

namespace {

constexpr double bessel_too_large = 1e250;

/// An even start order so high that the recurrence has converged at `highest`.
int start_order(int highest, double x) {
  const double top = std::max(static_cast<double>(highest), x);
  return 2 * static_cast<int>((top + 20.0 + 12.0 * std::cbrt(top) + std::sqrt(40.0 * top)) / 2.0);
}

/// f_{n-1} = (2 n / x) f_n - sign f_{n+1} from high orders down, with any scale. The scale follows
/// from the sum: f_0 + 2 (f_2 + f_4 + ...) is 1 for J (sign 1), f_0 + 2 (f_1 + f_2 + ...) is e^x
/// for I (sign -1).
std::vector<double> recur_down(int highest, double x, double sign) {
  std::vector<double> values(static_cast<std::size_t>(highest) + 1, 0.0);
  double above = 0.0, here = 1e-250, sum = 0.0;
  for (int n = start_order(highest, x); n >= 0; --n) {
    if (n <= highest) values[static_cast<std::size_t>(n)] = here;
    const double weight = n == 0 ? 1.0 : sign < 0.0 || n % 2 == 0 ? 2.0 : 0.0;
    sum += weight * here;
    const double below = 2.0 * n / x * here - sign * above;
    above = here;
    here = below;
    if (std::abs(here) > bessel_too_large) {
      here /= bessel_too_large;
      above /= bessel_too_large;
      sum /= bessel_too_large;
      for (int m = std::max(n, 0); m <= highest; ++m) {
        values[static_cast<std::size_t>(m)] /= bessel_too_large;
      }
    }
  }
  for (double& value : values) value /= sum;
  return values;
}

}  // namespace

BesselTable bessel_table(int highest, double x, bool with_I) {
  if (x < 1e-12) {
    BesselTable table;
    table.J.assign(static_cast<std::size_t>(highest) + 1, 0.0);
    table.J[0] = 1.0;
    if (highest > 0) table.J[1] = 0.5 * x;
    if (with_I) table.scaled_I = table.J;
    return table;
  }
  return {recur_down(highest, x, 1.0),
          with_I ? recur_down(highest, x, -1.0) : std::vector<double>{}};
}

}  // namespace peal::vibration

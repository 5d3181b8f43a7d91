#include <peal/base/time.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace peal::base {

Rate multiple_at_least(Rate rate, double hz) {
  const double factor = std::ceil(hz / static_cast<double>(rate.hz));
  return {rate.hz * std::max<std::int64_t>(1, static_cast<std::int64_t>(factor))};
}

Rate commensurate_at_least(Rate rate, double hz) {
  constexpr double parts = 32.0;
  // The divisors of `rate` from the largest one that is small enough.
  auto unit = std::clamp(static_cast<std::int64_t>(hz / parts), std::int64_t{1}, rate.hz);
  while (rate.hz % unit != 0) --unit;
  const double count = std::ceil(hz / static_cast<double>(unit));
  return {unit * std::max<std::int64_t>(1, static_cast<std::int64_t>(count))};
}

CommonTick::CommonTick(Rate rate, Rate other)
    : samples(rate.hz / std::gcd(rate.hz, other.hz)),
      other_samples(other.hz / std::gcd(rate.hz, other.hz)) {}

}  // namespace peal::base

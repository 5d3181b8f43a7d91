#include <peal/base/time.h>

#include <algorithm>
#include <cmath>

namespace peal::base {

Rate multiple_at_least(Rate rate, double hz) {
  const double factor = std::ceil(hz / static_cast<double>(rate.hz));
  return {rate.hz * std::max<std::int64_t>(1, static_cast<std::int64_t>(factor))};
}

}  // namespace peal::base

#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace peal::elastic {

/// When what is apart may touch: at the step `now` of length `dt` [s] a gap [m] closes with at most
/// `speed` [m/s]. Returns the first step at which it may have closed, `longest` steps on at most.
inline std::int64_t may_close(std::int64_t now, double gap, double speed, double dt,
                              std::int64_t longest) {
  assert(dt > 0.0 && "simulations have a step before their contact is asked");
  const double steps = std::min(gap / (speed * dt), static_cast<double>(longest));
  return now + std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

}  // namespace peal::elastic

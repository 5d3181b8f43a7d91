#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace peal::elastic {

/// Returns the first step after `now` at which a gap [m] may have closed, at most `longest` steps
/// later. The gap closes with at most `speed` [m/s]; a step takes `dt` [s].
inline std::int64_t may_close(std::int64_t now, double gap, double speed, double dt,
                              std::int64_t longest) {
  assert(dt > 0.0 && "simulations have a step before their contact is asked");
  const double steps = std::min(gap / (speed * dt), static_cast<double>(longest));
  return now + std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

}  // namespace peal::elastic

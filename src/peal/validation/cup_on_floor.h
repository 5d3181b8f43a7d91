#pragma once

#include <peal/base/time.h>

#include <vector>

namespace peal::validation {

/// A cup with thick walls, upside down over a floor, with a tone inside it: it is lowered at 0.5
/// m/s, stays on the floor for 80 ms, and is lifted again. Cells are 10 mm, in single precision.
struct CupOnFloor {
  base::Rate rate;
  std::vector<double> cavity, outside;  ///< pressures in the cup and beside it [Pa]

  double bang() const;   ///< second difference at the opening over that of the open tone [dB]
  double drift() const;  ///< mean pressure in the closed cup over its rms
  double leak() const;   ///< largest pressure beside the closed cup over that in it
};

CupOnFloor lower_and_lift_cup();

}  // namespace peal::validation

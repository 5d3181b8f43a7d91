#pragma once

#include <peal/base/time.h>

#include <vector>

namespace peal::validation {

/// A cup with thick walls, upside down over a floor, and a tone inside it: lowered at 0.5 m/s,
/// 80 ms on the floor, lifted again. Cells of 10 mm, in float.
struct CupOnFloor {
  base::Rate rate;
  std::vector<double> cavity, outside;  ///< [Pa], in the cup and beside it

  double bang() const;   ///< second difference at the opening over that of the open tone [dB]
  double drift() const;  ///< mean pressure in the closed cup over its rms
  double leak() const;   ///< largest pressure beside the closed cup over that in it
};

CupOnFloor lower_and_lift_cup();

}  // namespace peal::validation

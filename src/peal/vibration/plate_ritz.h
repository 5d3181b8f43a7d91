#pragma once

#include <peal/vibration/ideal_rectangle.h>

namespace peal::vibration {

/// Ritz's method for a rectangular plate with any edges; see rectangular_plate().
std::unique_ptr<IdealShape> plate_by_ritz(const RectangularPlate& plate, const ModeLimits& limits);

}  // namespace peal::vibration

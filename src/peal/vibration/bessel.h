#pragma once

#include <vector>

namespace peal::vibration {

/// Bessel functions of integer orders 0 ... highest at one argument x >= 0, to rounding.
struct BesselTable {
  std::vector<double> J;         ///< J_n(x)
  std::vector<double> scaled_I;  ///< exp(-x) I_n(x), so that large arguments do not overflow
};

/// Computes the table by Miller's downward recurrence (Abramowitz & Stegun 9.12, example 1).
/// `scaled_I` stays empty unless `with_I` is set.
BesselTable bessel_table(int highest, double x, bool with_I);

}  // namespace peal::vibration

#pragma once

#include <peal/plot/line_chart.h>
#include <peal/validation/wave_trial.h>

#include <functional>
#include <string>

namespace peal::validation {

/// Half a sine of length T, from t = 0.
struct HalfSine {
  double height, length;  ///< [m/s^2], [s]
  double operator()(double t) const;
};

/// Exact potential-like answer of an oscillating sphere (Koss & Alfredson 1973): with
/// p = cos d/dr (F(t - (r - a) / c) / r), the wall's condition is
/// F'' + 2 (c/a) F' + 2 (c/a)^2 F = -rho c^2 a A. Solved in closed form for A = sin, then damped.
class OscillatingAnswer {
 public:
  OscillatingAnswer(const HalfSine& drive, double a);

  /// At r [m] from the middle, at an angle of this cosine from the acceleration [Pa].
  double pressure(double t, double r, double cosine) const;

 private:
  struct State {
    double f, slope;
  };
  /// e^(-bt) (p cos bt + q sin bt) with given value and slope at 0.
  State free_part(double f, double slope) const { return {f, slope / b_ + f}; }
  State free_at(const State& s, double t) const;
  State during(double t) const;
  State at(double t) const;

  double w_, b_, length_, a_;
  Complex steady_;
  State start_{}, after_{};
};

/// The largest error of a waveform over its largest value.
double waveform_error(const Received& received, const std::function<double(double t)>& exact);

/// What was heard and what is exact, and their difference, until a time [s].
plot::LineChart waveform_chart(const std::string& title, const Received& received, double until,
                               const std::function<double(double t)>& exact);

}  // namespace peal::validation

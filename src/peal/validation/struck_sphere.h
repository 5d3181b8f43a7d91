#pragma once

#include <peal/plot/line_chart.h>
#include <peal/validation/wave_trial.h>

#include <functional>
#include <string>

namespace peal::validation {

/// An acceleration pulse: half a sine of length T, from t = 0.
struct HalfSine {
  double height, length;  ///< [m/s^2], [s]
  double operator()(double t) const;
};

/// The exact response of an oscillating sphere (Koss & Alfredson 1973): with p = cos d/dr (F(t - (r
/// - a) / c) / r), the boundary condition is F'' + 2 (c/a) F' + 2 (c/a)^2 F = -rho c^2 a A. The
/// solution is in closed form: driven for A = sin, then decaying.
class OscillatingAnswer {
 public:
  OscillatingAnswer(const HalfSine& drive, double a);

  /// The pressure at r [m] from the centre, at an angle with this cosine from the acceleration
  /// [Pa].
  double pressure(double t, double r, double cosine) const;

 private:
  struct State {
    double f, slope;
  };
  /// The function e^(-bt) (p cos bt + q sin bt) with given value and slope at 0.
  State free_part(double f, double slope) const { return {f, slope / b_ + f}; }
  State free_at(const State& s, double t) const;
  State during(double t) const;
  State at(double t) const;

  double w_, b_, length_, a_;
  Complex steady_;
  State start_{}, after_{};
};

/// The largest error of a waveform, relative to its largest value.
double waveform_error(const Received& received, const std::function<double(double t)>& exact);

/// Computed and exact pressure and their difference, until a time [s].
plot::LineChart waveform_chart(const std::string& title, const Received& received, double until,
                               const std::function<double(double t)>& exact);

}  // namespace peal::validation

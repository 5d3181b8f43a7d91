#pragma once

#include <string>
#include <vector>

namespace peal::plot {

enum class Scale { linear, log };

/// One axis of a panel: which values lie along it, and how.
struct Axis {
  std::string label;  ///< with its unit: "frequency (Hz)"
  Scale scale = Scale::linear;
  double min = 0;
  double max = 0;  ///< as min: charts make it as wide as their data

  /// 0 at min, 1 at max, not clamped; NaN where a logarithm does not exist.
  double position(double value) const;
  double value(double position) const;

  bool operator==(const Axis&) const = default;
};

/// The same axis made drawable: finite, min < max, and min > 0 if logarithmic.
Axis usable(Axis axis);

/// `axis` with min and max at round numbers just outside of [low, high].
Axis around(Axis axis, double low, double high);

struct Tick {
  double value = 0;
  std::string text;  ///< empty for a minor tick
};

/// Ticks at round numbers inside the axis, at most `most` of them with text (but at least two
/// where that is possible). Linear steps are 1, 2 or 5 times a power of ten; logarithmic axes show
/// 1-2-5, decades or every few decades.
std::vector<Tick> ticks(const Axis& axis, int most);

/// Distance of linear ticks for a range: the smallest 1, 2 or 5 times a power of ten that makes no
/// more than `most` steps.
double tick_step(double range, int most);

/// A number with `digits` significant digits and an SI prefix where it is large or small:
/// "0.25", "440", "1.5 k", "20 µ"; with a unit "440 Hz", "20 µs".
std::string si_text(double value, int digits = 4, const std::string& unit = "");

/// A frequency to read off a picture: "440.0 Hz", "1297 Hz", "12.35 kHz".
std::string frequency_text(double hertz);

}  // namespace peal::plot

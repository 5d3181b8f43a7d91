#include <peal/plot/axis.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace peal::plot {

namespace {

constexpr double tolerance = 1e-9;  ///< of a step: a tick on the very end of the axis is inside

/// "µ" for -6, "" for 0; for multiples of 3 from -15 to 12.
std::string_view si_prefix(int exponent) {
  constexpr std::array<std::string_view, 10> prefixes = {"f", "p", "n", "µ", "m",
                                                         "",  "k", "M", "G", "T"};
  return prefixes[static_cast<std::size_t>(exponent / 3 + 5)];
}

/// The power of 1000 in which to write numbers up to `largest`.
int si_exponent(double largest) {
  if (largest == 0.0 || (largest >= 1e-2 && largest < 1e4)) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(largest) / 3.0 + tolerance));
}

bool has_prefix(int exponent) {
  return exponent >= -15 && exponent <= 12;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                       "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number)) {
    text += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::string signed_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::vector<Tick> linear_ticks(const Axis& axis, int most) {
  const double step = tick_step(axis.max - axis.min, most);
  const double first = std::ceil(axis.min / step - tolerance);
  const double last = std::floor(axis.max / step + tolerance);
  const int exponent = si_exponent(std::max(std::abs(axis.min), std::abs(axis.max)));
  const double unit = std::pow(10.0, exponent);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
  std::vector<Tick> result;
  for (double i = first; i <= last; ++i) {
    const double value = i * step;
    std::string text;
    if (i == 0.0) {
      text = "0";
    } else if (!has_prefix(exponent) || decimals > 9) {
      text = fmt::format("{:g}", value);
    } else {
      text = signed_text(value / unit, decimals);
      if (exponent != 0) text += fmt::format(" {}", si_prefix(exponent));
    }
    result.push_back({value, text});
  }
  return result;
}

std::string log_text(int digit, int decade, bool powers) {
  if (!powers) return si_text(digit * std::pow(10.0, decade));
  return digit == 1 ? "10" + superscript(decade)
                    : fmt::format("{}·10{}", digit, superscript(decade));
}

std::vector<Tick> log_ticks(const Axis& axis, int most) {
  const double low = std::log10(axis.min);
  const double high = std::log10(axis.max);
  const int first = static_cast<int>(std::floor(low + tolerance));
  const int last = static_cast<int>(std::floor(high + tolerance));
  const auto inside = [&](int digit, int decade) {
    const double at = decade + std::log10(digit);
    return at > low - tolerance && at < high + tolerance;
  };
  const auto count = [&](std::initializer_list<int> digits) {
    int sum = 0;
    for (int decade = first; decade <= last; ++decade) {
      for (const int digit : digits) sum += inside(digit, decade);
    }
    return sum;
  };
  if (count({1, 2, 5}) < 2) return linear_ticks(axis, most);

  const bool by_125 = count({1, 2, 5}) <= most || count({1}) < 2;
  const int every = by_125 ? 1 : std::max(1, (count({1}) + most - 1) / std::max(most, 1));
  const bool powers = axis.min < 0.99e-3 || axis.max > 1.01e6;
  std::vector<Tick> result;
  for (int decade = first; decade <= last; ++decade) {
    for (int digit = 1; digit <= 9; ++digit) {
      if (!inside(digit, decade)) continue;
      const bool major = by_125 ? digit == 1 || digit == 2 || digit == 5
                                : digit == 1 && (decade - first) % every == 0;
      if (!major && (every > 1 && digit != 1)) continue;
      result.push_back({digit * std::pow(10.0, decade),
                        major ? log_text(digit, decade, powers) : std::string()});
    }
  }
  return result;
}

}  // namespace

double Axis::position(double value) const {
  if (scale == Scale::linear) return (value - min) / (max - min);
  return value > 0.0 ? std::log(value / min) / std::log(max / min) : std::nan("");
}

double Axis::value(double position) const {
  if (scale == Scale::linear) return min + position * (max - min);
  return min * std::pow(max / min, position);
}

Axis usable(Axis axis) {
  if (!std::isfinite(axis.min)) axis.min = 0.0;
  if (!std::isfinite(axis.max)) axis.max = axis.min + 1.0;
  if (axis.max < axis.min) std::swap(axis.min, axis.max);
  if (axis.scale == Scale::log) {
    if (axis.max <= 0.0) axis.max = 1.0;
    if (axis.min <= 0.0) axis.min = axis.max * 1e-3;
    if (axis.max < axis.min * (1 + 1e-9)) {
      axis.min /= 2.0;
      axis.max *= 2.0;
    }
    return axis;
  }
  const double size = std::max(std::abs(axis.min), std::abs(axis.max));
  if (axis.max - axis.min <= 1e-12 * size || size == 0.0) {
    axis.min -= size > 0.0 ? 0.5 * size : 1.0;
    axis.max += size > 0.0 ? 0.5 * size : 1.0;
  }
  return axis;
}

Axis around(Axis axis, double low, double high) {
  axis.min = low;
  axis.max = high;
  axis = usable(axis);
  if (axis.scale == Scale::linear) {
    const double step = tick_step(axis.max - axis.min, 10);
    axis.min = std::floor(axis.min / step + tolerance) * step;
    axis.max = std::ceil(axis.max / step - tolerance) * step;
    return axis;
  }
  const auto rounded = [](double value, bool up) {
    const double decade = std::pow(10.0, std::floor(std::log10(value) + tolerance));
    double best = up ? 10.0 : 1.0;
    for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
      const bool reached = up ? digit >= value / decade * (1 - tolerance)
                              : digit <= value / decade * (1 + tolerance);
      if (reached) best = up ? std::min(best, digit) : std::max(best, digit);
    }
    return best * decade;
  };
  axis.min = rounded(axis.min, false);
  axis.max = rounded(axis.max, true);
  return usable(axis);
}

double tick_step(double range, int most) {
  const double least = range / std::max(most, 1);
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * decade >= least * (1 - tolerance)) return digit * decade;
  }
  return 10.0 * decade;
}

std::vector<Tick> ticks(const Axis& axis, int most) {
  std::vector<Tick> result;
  for (int allowed = most; result.size() < 2 && allowed <= most + 8; ++allowed) {
    result = axis.scale == Scale::linear ? linear_ticks(axis, allowed) : log_ticks(axis, allowed);
  }
  return result;
}

std::string si_text(double value, int digits, const std::string& unit) {
  const double size = std::abs(value);
  int exponent = 0;
  if (std::isfinite(value) && value != 0.0 && (size < 1e-3 || size >= 999.95)) {
    exponent = 3 * static_cast<int>(std::floor(std::log10(size) / 3 + tolerance));
  }
  if (!has_prefix(exponent)) exponent = 0;
  std::string text = fmt::format("{:.{}g}", value / std::pow(10.0, exponent), digits);
  if (text.front() == '-') text.replace(0, 1, "−");
  const std::string suffix = std::string(si_prefix(exponent)) + unit;
  return suffix.empty() ? text : text + " " + suffix;
}

std::string frequency_text(double hertz) {
  if (hertz < 999.95) return fmt::format("{:.1f} Hz", hertz);
  if (hertz < 9999.5) return fmt::format("{:.0f} Hz", hertz);
  return fmt::format("{:.2f} kHz", hertz / 1000.0);
}

}  // namespace peal::plot

#include <peal/plot/colour.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace peal::plot {

namespace {

using Triple = std::array<double, 3>;

/// OKLab to linear sRGB: the published matrices (Ottosson, "A perceptual color space for image
/// processing", 2020).
Triple linear_rgb(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

double gamma_encoded(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

double gamma_decoded(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

// Chroma and hue [degrees] at equal distances along the map.
constexpr std::array<double, 7> chromas = {0.02, 0.11, 0.165, 0.195, 0.18, 0.15, 0.09};
constexpr std::array<double, 7> hues = {285, 298, 322, 367, 405, 439, 468};

/// Cubic through the values (Catmull-Rom), t from 0 to 1.
double along(std::span<const double> values, double t) {
  const double at = t * static_cast<double>(values.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), values.size() - 2);
  const double u = at - static_cast<double>(i);
  const double b = values[i];
  const double c = values[i + 1];
  const double a = i > 0 ? values[i - 1] : 2 * b - c;
  const double d = i + 2 < values.size() ? values[i + 2] : 2 * c - b;
  return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

/// The colour of this lightness and hue with as much of the wanted chroma as a screen can show.
Colour shown(double lightness, double chroma, double hue) {
  const auto at = [&](double share) {
    return linear_rgb(lightness, share * chroma * std::cos(hue), share * chroma * std::sin(hue));
  };
  const auto fits = [](const Triple& rgb) {
    return std::all_of(rgb.begin(), rgb.end(), [](double x) { return x >= 0.0 && x <= 1.0; });
  };
  double inside = 0.0;
  double outside = 1.0;
  if (fits(at(1.0))) inside = 1.0;
  for (int i = 0; i < 30 && inside < 1.0; ++i) {
    const double middle = 0.5 * (inside + outside);
    (fits(at(middle)) ? inside : outside) = middle;
  }
  const Triple rgb = at(inside);
  return {gamma_encoded(rgb[0]), gamma_encoded(rgb[1]), gamma_encoded(rgb[2])};
}

}  // namespace

Colour level_colour(double level) {
  const double t = level > 0.0 ? std::min(level, 1.0) : 0.0;  // NaN becomes 0
  return shown(0.10 + 0.87 * t, along(chromas, t), along(hues, t) * std::numbers::pi / 180.0);
}

Colour signed_colour(double level) {
  const double t = std::isnan(level) ? 0.0 : std::clamp(level, -1.0, 1.0);
  const double strength = std::abs(t);
  const double hue = t < 0 ? 255.0 : 27.0;  // [degrees]
  const double chroma = 0.20 * std::sin(0.5 * std::numbers::pi * std::min(1.0, 1.25 * strength));
  return shown(0.98 - 0.56 * strength, chroma, hue * std::numbers::pi / 180.0);
}

double lightness(const Colour& colour) {
  const double r = gamma_decoded(colour.red);
  const double g = gamma_decoded(colour.green);
  const double b = gamma_decoded(colour.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

Colour series_colour(std::size_t i) {
  constexpr std::array<Colour, 6> colours = {{{0.10, 0.36, 0.66},
                                              {0.84, 0.33, 0.10},
                                              {0.12, 0.55, 0.38},
                                              {0.55, 0.27, 0.62},
                                              {0.80, 0.60, 0.08},
                                              {0.40, 0.40, 0.42}}};
  return colours[i % colours.size()];
}

}  // namespace peal::plot

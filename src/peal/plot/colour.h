#pragma once

#include <cstddef>

namespace peal::plot {

/// sRGB components from 0 to 1.
struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
  double alpha = 1;
};

/// Colour of a level from 0 (almost black) over violet, red and orange to 1 (pale yellow). The
/// lightness of the OKLab colour space (Ottosson 2020) grows in equal steps, so equal steps of
/// level look equal, also in grey and to people who see few colours. Values outside of 0..1 are
/// clamped.
Colour level_colour(double level);

/// Colour of a level from -1 (blue) over 0 (almost white) to 1 (red): equal levels of either sign
/// are equally light, and the lightness falls in equal steps. Values outside are clamped.
Colour signed_colour(double level);

/// Lightness of a colour in OKLab, 0 (black) to 1 (white).
double lightness(const Colour& colour);

/// The i-th of a few colours for curves that stay apart in print and for the colour-blind.
Colour series_colour(std::size_t i);

}  // namespace peal::plot

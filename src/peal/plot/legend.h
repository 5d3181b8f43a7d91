#pragma once

#include <peal/plot/canvas.h>
#include <peal/plot/figure.h>

namespace peal::plot {

/// Lengths of dashes and gaps of a stroke [px]; empty for a solid line.
std::span<const double> dashes(Stroke stroke);

/// The names of a panel's curves and dots with their look, in the corner that hides least.
void draw_legend(Canvas& canvas, const Panel& panel, const PlacedAxes& axes);

}  // namespace peal::plot

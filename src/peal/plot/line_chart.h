#pragma once

#include <peal/plot/figure.h>

#include <string>
#include <vector>

namespace peal::plot {

enum class Look { line, dashed, points, line_and_points };

/// One named set of values (x[i], y[i]).
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  Look look = Look::line;
};

enum class Residual {
  none,
  difference,  ///< ours - theory, in the unit of y
  relative,    ///< (ours - theory) / |theory| [%]
};

/// A chart for validation: published or exact values as a line, ours as points, and below, if
/// wanted, by how much they differ.
///
///   plot::write_line_chart("bar.png", {.title = "Clamped bar, first modes",
///                                      .x = {.label = "mode"}, .y = {.label = "frequency (Hz)"},
///                                      .series = {{"theory", n, exact},
///                                                 {"Peal", n, ours, plot::Look::points}},
///                                      .residual = plot::Residual::relative});
struct LineChart {
  std::string title;
  std::string subtitle;
  Axis x, y;
  std::vector<Series> series;
  Residual residual = Residual::none;  ///< of every other series against the first, interpolated
                                       ///< between its points in the coordinates of the axes
  std::vector<Guide> guides = {};
  int width = 1000;  ///< [px]
  int height = 640;  ///< [px]
};

Figure line_chart_figure(const LineChart& chart);
std::string line_chart_png(const LineChart& chart);
void write_line_chart(const std::filesystem::path& path, const LineChart& chart);

}  // namespace peal::plot

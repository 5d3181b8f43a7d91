#include <peal/plot/line_chart.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::plot {

namespace {

/// Smallest and largest value that an axis of this scale can show.
class Extent {
 public:
  explicit Extent(Scale scale) : scale_(scale) {}

  void add(double value) {
    if (!std::isfinite(value) || (scale_ == Scale::log && value <= 0.0)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool empty() const { return low_ > high_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  Scale scale_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

Axis fitted(const Axis& axis, const std::vector<Series>& series,
            std::vector<double> Series::*values) {
  if (axis.min != axis.max) return axis;
  Extent extent(axis.scale);
  for (const Series& one : series) {
    for (const double value : one.*values) extent.add(value);
  }
  if (extent.empty()) return usable({.label = axis.label, .scale = axis.scale, .min = 0, .max = 1});
  // A little air, so that points do not sit on the frame.
  Axis tight = usable({axis.label, axis.scale, extent.low(), extent.high()});
  return around(tight, tight.value(-0.03), tight.value(1.03));
}

void add_series(Panel& panel, const Series& series, std::size_t i) {
  if (series.look == Look::points) {
    panel.dots.push_back({series.name, series.x, series.y, series_colour(i)});
    return;
  }
  Curve curve{series.name, series.x, series.y, series_colour(i)};
  if (series.look == Look::dashed) curve.stroke = Stroke::dashed;
  if (series.look == Look::line_and_points) curve.dot_radius = 3.5;
  panel.curves.push_back(std::move(curve));
}

/// Piecewise linear in the coordinates of the axes; NaN outside of the series.
double interpolated(const Series& series, const Axis& x_axis, const Axis& y_axis, double x) {
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (series.x[i] == x) return series.y[i];
  }
  const double at = x_axis.position(x);
  for (std::size_t i = 1; i < series.x.size(); ++i) {
    const double a = x_axis.position(series.x[i - 1]);
    const double b = x_axis.position(series.x[i]);
    if (!((a < at && at < b) || (b < at && at < a))) continue;
    const double from = y_axis.position(series.y[i - 1]);
    const double to = y_axis.position(series.y[i]);
    return y_axis.value(from + (at - a) / (b - a) * (to - from));
  }
  return std::nan("");
}

Panel residual_panel(const LineChart& chart, const Panel& main) {
  const bool relative = chart.residual == Residual::relative;
  const Series& theory = chart.series.front();
  std::vector<Series> residuals;
  double largest = 0;
  for (std::size_t i = 1; i < chart.series.size(); ++i) {
    Series residual = chart.series[i];
    for (std::size_t k = 0; k < std::min(residual.x.size(), residual.y.size()); ++k) {
      const double exact = interpolated(theory, usable(main.x), usable(main.y), residual.x[k]);
      residual.y[k] -= exact;
      if (relative) residual.y[k] *= 100.0 / std::abs(exact);
      if (std::isfinite(residual.y[k])) largest = std::max(largest, std::abs(residual.y[k]));
    }
    residual.name.clear();
    residuals.push_back(std::move(residual));
  }
  const double limit = largest > 0.0 ? 1.15 * largest : 1.0;
  Panel panel{.x = main.x,
              .y = {.label = relative ? "error (%)" : "error", .min = -limit, .max = limit},
              .share = 0.35};
  panel.guides.push_back({.axis = Guide::Along::y, .at = 0, .colour = series_colour(0)});
  for (std::size_t i = 0; i < residuals.size(); ++i) add_series(panel, residuals[i], i + 1);
  return panel;
}

}  // namespace

Figure line_chart_figure(const LineChart& chart) {
  Figure figure{.title = chart.title, .subtitle = chart.subtitle};
  figure.width = chart.width;
  figure.height = chart.height;
  Panel panel{.x = fitted(chart.x, chart.series, &Series::x),
              .y = fitted(chart.y, chart.series, &Series::y),
              .guides = chart.guides};
  for (std::size_t i = 0; i < chart.series.size(); ++i) add_series(panel, chart.series[i], i);
  if (chart.series.empty()) panel.notice = "no data";
  figure.panels.push_back(std::move(panel));
  if (chart.residual != Residual::none && chart.series.size() > 1) {
    figure.panels.push_back(residual_panel(chart, figure.panels.front()));
  }
  return figure;
}

std::string line_chart_png(const LineChart& chart) {
  return draw_png(line_chart_figure(chart));
}

void write_line_chart(const std::filesystem::path& path, const LineChart& chart) {
  write_png(path, line_chart_figure(chart));
}

}  // namespace peal::plot

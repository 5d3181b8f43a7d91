#include <peal/plot/legend.h>

#include <algorithm>
#include <cmath>

namespace peal::plot {

namespace {

constexpr double row_height = 21;
constexpr double sample_width = 30;
constexpr double padding = 10;
const TextStyle name_style{.size = 13, .align_y = 0.5};

struct Box {
  Point top_left;
  double width = 0;
  double height = 0;

  bool holds(const Point& p) const {
    return p.x >= top_left.x && p.x <= top_left.x + width && p.y >= top_left.y &&
           p.y <= top_left.y + height;
  }
};

/// Points along every curve (also between its vertices) and every dot: what a legend could hide.
std::vector<Point> occupied(const Panel& panel, const PlacedAxes& axes) {
  std::vector<Point> points;
  const auto at = [&](double x, double y) { return Point{axes.column(x), axes.row(y)}; };
  for (const Dots& dots : panel.dots) {
    for (std::size_t i = 0; i < dots.x.size(); ++i) points.push_back(at(dots.x[i], dots.y[i]));
  }
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 1; i < curve.x.size(); ++i) {
      const Point a = at(curve.x[i - 1], curve.y[i - 1]);
      const Point b = at(curve.x[i], curve.y[i]);
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      const int pieces = length < 5000 ? 1 + static_cast<int>(length / 8) : 1;
      for (int k = 0; k < pieces; ++k) {
        const double t = static_cast<double>(k) / pieces;
        points.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      }
    }
  }
  return points;
}

Box best_corner(const Panel& panel, const PlacedAxes& axes, double width, double height) {
  const double left = axes.left + 12;
  const double top = axes.top + 12;
  const double right = axes.left + axes.width - 12 - width;
  const double bottom = axes.top + axes.height - 12 - height;
  const std::vector<Point> points = occupied(panel, axes);
  Box best;
  std::ptrdiff_t fewest = -1;
  for (const Point& at : {Point{right, top}, {left, top}, {right, bottom}, {left, bottom}}) {
    const Box box{at, width, height};
    const auto hidden =
        std::count_if(points.begin(), points.end(), [&](const Point& p) { return box.holds(p); });
    if (fewest >= 0 && hidden >= fewest) continue;
    fewest = hidden;
    best = box;
  }
  return best;
}

}  // namespace

std::span<const double> dashes(Stroke stroke) {
  static constexpr double dashed[] = {8, 5};
  static constexpr double dotted[] = {2, 4};
  if (stroke == Stroke::dashed) return dashed;
  if (stroke == Stroke::dotted) return dotted;
  return {};
}

void draw_legend(Canvas& canvas, const Panel& panel, const PlacedAxes& axes) {
  double widest = 0;
  int rows = 0;
  const auto measure = [&](const std::string& name) {
    if (name.empty()) return;
    widest = std::max(widest, canvas.text_width(name, name_style));
    ++rows;
  };
  for (const Curve& curve : panel.curves) measure(curve.name);
  for (const Dots& dots : panel.dots) measure(dots.name);
  if (rows == 0) return;

  const Box box =
      best_corner(panel, axes, widest + sample_width + 3 * padding, rows * row_height + padding);
  canvas.fill(box.top_left, box.width, box.height, {1, 1, 1, 0.88});
  canvas.outline(box.top_left, box.width, box.height, {0.8, 0.8, 0.8}, 1);
  const double x = box.top_left.x + padding;
  double y = box.top_left.y + 0.5 * padding + 0.5 * row_height;
  const auto write = [&](const std::string& name) {
    canvas.text({x + sample_width + padding, y}, name, name_style);
    y += row_height;
  };
  for (const Curve& curve : panel.curves) {
    if (curve.name.empty()) continue;
    canvas.polyline(std::vector<Point>{{x, y}, {x + sample_width, y}}, curve.colour,
                    curve.width + 0.4, dashes(curve.stroke));
    if (curve.dot_radius > 0)
      canvas.disc({x + 0.5 * sample_width, y}, curve.dot_radius, curve.colour);
    write(curve.name);
  }
  for (const Dots& dots : panel.dots) {
    if (dots.name.empty()) continue;
    canvas.disc({x + 0.5 * sample_width, y}, dots.radius, dots.colour);
    write(dots.name);
  }
}

}  // namespace peal::plot

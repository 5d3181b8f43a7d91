#include <peal/plot/canvas.h>
#include <peal/plot/figure.h>
#include <peal/plot/legend.h>
#include <peal/util/files.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peal::plot {

namespace {

constexpr Colour ink = {0.12, 0.12, 0.13};
constexpr Colour frame_ink = {0.35, 0.35, 0.37};
constexpr Colour grid_ink = {0.885, 0.885, 0.895};
constexpr Colour minor_grid_ink = {0.945, 0.945, 0.95};
constexpr Colour warning_ink = {0.75, 0.10, 0.08};
constexpr double tick_text = 13;
constexpr double label_text = 14;

/// Far outside of the picture is far enough: Cairo's coordinates overflow beyond 2^23.
double bounded(double pixel) {
  return std::clamp(pixel, -3e4, 3e4);
}

Point place(const PlacedAxes& axes, double x, double y) {
  return {bounded(axes.column(x)), bounded(axes.row(y))};
}

bool drawable(const PlacedAxes& axes, double x, double y) {
  return std::isfinite(axes.x.position(x)) && std::isfinite(axes.y.position(y));
}

Point corner(const PlacedAxes& axes) {
  return {static_cast<double>(axes.left), static_cast<double>(axes.top)};
}

/// Number of labels that fit: one every so many pixels, more for short texts up the side.
int most_x_ticks(const PlacedAxes& axes) {
  return std::max(2, axes.width / 85);
}
int most_y_ticks(const PlacedAxes& axes) {
  return std::max(2, axes.height / 36);
}

void shorten(Canvas& canvas, std::string& text, const TextStyle& style, double width) {
  text = printable(text);
  if (canvas.text_width(text, style) <= width) return;
  while (!text.empty() && canvas.text_width(text + "…", style) > width) {
    text.pop_back();
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) {
      text.pop_back();
    }
    // A lead byte without its followers would be shown as "?".
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.pop_back();
  }
  text += "…";
}

void draw_header(Canvas& canvas, const Figure& figure, double left) {
  double y = 40;
  const auto line = [&](std::string text, TextStyle style, double advance) {
    if (text.empty()) return;
    shorten(canvas, text, style, figure.width - left - 20);
    canvas.text({left, y}, text, style);
    y += advance;
  };
  line(figure.title, {.size = 20, .bold = true, .colour = ink}, 26);
  line(figure.subtitle, {.size = 14, .colour = {0.3, 0.3, 0.32}}, 24);
  line(figure.warning, {.size = 14, .bold = true, .colour = warning_ink}, 24);
}

void draw_grid(Canvas& canvas, const PlacedAxes& axes) {
  const double right = axes.left + axes.width;
  const double bottom = axes.top + axes.height;
  for (const bool major : {false, true}) {
    const Colour& colour = major ? grid_ink : minor_grid_ink;
    for (const Tick& tick : ticks(axes.x, most_x_ticks(axes))) {
      if (tick.text.empty() == major) continue;
      const double x = std::round(axes.column(tick.value)) + 0.5;
      canvas.polyline(std::vector<Point>{{x, double(axes.top)}, {x, bottom}}, colour, 1);
    }
    for (const Tick& tick : ticks(axes.y, most_y_ticks(axes))) {
      if (tick.text.empty() == major) continue;
      const double y = std::round(axes.row(tick.value)) + 0.5;
      canvas.polyline(std::vector<Point>{{double(axes.left), y}, {right, y}}, colour, 1);
    }
  }
}

/// Tick marks point outward, so that they never hide the picture.
void draw_ticks(Canvas& canvas, const PlacedAxes& axes) {
  const double bottom = axes.top + axes.height;
  for (const Tick& tick : ticks(axes.x, most_x_ticks(axes))) {
    const double x = std::round(axes.column(tick.value)) + 0.5;
    const double length = tick.text.empty() ? 3 : 6;
    canvas.polyline(std::vector<Point>{{x, bottom}, {x, bottom + length}}, frame_ink, 1);
    if (!axes.x_labels) continue;
    canvas.text({x, bottom + 20}, tick.text, {.size = tick_text, .align_x = 0.5, .colour = ink});
  }
  for (const Tick& tick : ticks(axes.y, most_y_ticks(axes))) {
    const double y = std::round(axes.row(tick.value)) + 0.5;
    const double length = tick.text.empty() ? 3 : 6;
    canvas.polyline(std::vector<Point>{{axes.left - length, y}, {double(axes.left), y}}, frame_ink,
                    1);
    canvas.text({axes.left - 10.0, y}, tick.text,
                {.size = tick_text, .align_x = 1, .align_y = 0.5, .colour = ink});
  }
}

void draw_labels(Canvas& canvas, const Panel& panel, const PlacedAxes& axes) {
  const TextStyle style{.size = label_text, .align_x = 0.5, .colour = ink};
  if (axes.x_labels) {
    canvas.text({axes.left + 0.5 * axes.width, axes.top + axes.height + 44.0}, axes.x.label, style);
  }
  TextStyle upward = style;
  upward.upward = true;
  std::string label = axes.y.label;
  shorten(canvas, label, upward, axes.height + 24);
  canvas.text({26, axes.top + 0.5 * axes.height}, label, upward);
  canvas.text({double(axes.left), axes.top - 8.0}, panel.title,
              {.size = label_text, .bold = true, .colour = ink});
}

std::uint32_t packed(const Colour& colour) {
  const auto byte = [](double x) { return static_cast<std::uint32_t>(std::lround(255 * x)); };
  return byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue);
}

std::vector<std::uint32_t> colour_table() {
  std::vector<std::uint32_t> table(1024);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = packed(level_colour(static_cast<double>(i) / double(table.size() - 1)));
  }
  return table;
}

void draw_image(Canvas& canvas, const Image& image, const PlacedAxes& axes) {
  if (image.values.size() != image.columns * image.rows || image.values.empty()) {
    throw std::invalid_argument("plot: an image needs rows x columns values");
  }
  const std::vector<std::uint32_t> table = colour_table();
  std::vector<std::uint32_t> pixels(image.values.size());
  for (std::size_t row = 0; row < image.rows; ++row) {
    const float* values = &image.values[(image.rows - 1 - row) * image.columns];
    for (std::size_t column = 0; column < image.columns; ++column) {
      const double level = (values[column] - image.low) / (image.high - image.low);
      const double clamped = level > 0 ? std::min(level, 1.0) : 0.0;
      pixels[row * image.columns + column] = table[std::lround(clamped * double(table.size() - 1))];
    }
  }
  canvas.image(pixels, static_cast<int>(image.columns), static_cast<int>(image.rows), corner(axes),
               axes.width, axes.height);
}

void draw_colour_bar(Canvas& canvas, const Image& image, const PlacedAxes& axes) {
  constexpr int width = 18;
  std::vector<std::uint32_t> table = colour_table();
  std::reverse(table.begin(), table.end());
  PlacedAxes bar = axes;
  bar.left = axes.left + axes.width + 18;
  bar.y = usable({.label = image.label, .min = image.low, .max = image.high});
  canvas.image(table, 1, static_cast<int>(table.size()), corner(bar), width, bar.height);
  canvas.outline({bar.left + 0.5, bar.top + 0.5}, width - 1, bar.height - 1, frame_ink, 1);
  for (const Tick& tick : ticks(bar.y, std::max(2, bar.height / 50))) {
    const double y = std::round(bar.row(tick.value)) + 0.5;
    const double right = bar.left + width;
    canvas.polyline(std::vector<Point>{{right, y}, {right + 5, y}}, frame_ink, 1);
    canvas.text({right + 9, y}, tick.text, {.size = tick_text, .align_y = 0.5, .colour = ink});
  }
  const TextStyle style{.size = label_text, .align_x = 0.5, .upward = true, .colour = ink};
  std::string label = image.label;
  shorten(canvas, label, style, bar.height + 24);
  canvas.text({bar.left + width + 70.0, bar.top + 0.5 * bar.height}, label, style);
}

void draw_band(Canvas& canvas, const Band& band, const PlacedAxes& axes) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < band.x.size(); ++i) {
    points.push_back(place(axes, band.x[i], band.high[i]));
  }
  for (std::size_t i = band.x.size(); i-- > 0;) {
    points.push_back(place(axes, band.x[i], band.low[i]));
  }
  canvas.polygon(points, band.colour);
  points.push_back(points.front());
  canvas.polyline(points, band.colour, 1.0);  // keeps flat stretches visible
}

void draw_dots(Canvas& canvas, const Dots& dots, const PlacedAxes& axes) {
  for (std::size_t i = 0; i < std::min(dots.x.size(), dots.y.size()); ++i) {
    if (!drawable(axes, dots.x[i], dots.y[i])) continue;
    const Point at = place(axes, dots.x[i], dots.y[i]);
    canvas.disc(at, dots.radius + 1.0, {1, 1, 1});
    canvas.disc(at, dots.radius, dots.colour);
  }
}

void draw_curve(Canvas& canvas, const Curve& curve, const PlacedAxes& axes) {
  std::vector<Point> run;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (drawable(axes, curve.x[i], curve.y[i])) {
      run.push_back(place(axes, curve.x[i], curve.y[i]));
      continue;
    }
    canvas.polyline(run, curve.colour, curve.width, dashes(curve.stroke));
    run.clear();
  }
  canvas.polyline(run, curve.colour, curve.width, dashes(curve.stroke));
  if (curve.dot_radius > 0) {
    draw_dots(canvas, {"", curve.x, curve.y, curve.colour, curve.dot_radius}, axes);
  }
}

void draw_guide(Canvas& canvas, const Guide& guide, const PlacedAxes& axes) {
  const bool upright = guide.axis == Guide::Along::x;
  const Axis& axis = upright ? axes.x : axes.y;
  const double position = axis.position(guide.at);
  if (!(position >= 0.0 && position <= 1.0)) return;
  const double right = axes.left + axes.width;
  const double bottom = axes.top + axes.height;
  const double at = upright ? axes.column(guide.at) : axes.row(guide.at);
  const std::vector<Point> line = upright
                                      ? std::vector<Point>{{at, double(axes.top)}, {at, bottom}}
                                      : std::vector<Point>{{double(axes.left), at}, {right, at}};
  canvas.polyline(line, guide.colour, 1.4, dashes(Stroke::dashed));
  TextStyle style{.size = tick_text, .align_x = 1, .halo = true, .colour = guide.colour};
  style.upward = upright;
  const Point end = upright ? Point{at - 6, axes.top + 8.0} : Point{right - 8, at - 6};
  canvas.text(end, guide.text, style);
}

void draw_note(Canvas& canvas, const Note& note, const PlacedAxes& axes) {
  const Point at = place(axes, note.x, note.y);
  const double y = at.y - 8 - note.raised;
  if (note.raised > 0) {
    canvas.polyline(std::vector<Point>{{at.x, at.y - 4}, {at.x, y + 3}}, {0.6, 0.6, 0.6}, 1);
  }
  canvas.text({at.x, y}, note.text, {.size = 12.5, .align_x = 0.5, .halo = true, .colour = ink});
}

void draw_panel(Canvas& canvas, const Panel& panel, const PlacedAxes& axes) {
  if (panel.image) {
    draw_image(canvas, *panel.image, axes);
    draw_colour_bar(canvas, *panel.image, axes);
  } else {
    draw_grid(canvas, axes);
  }
  canvas.clip(corner(axes), axes.width, axes.height);
  for (const Band& band : panel.bands) {
    if (!band.x.empty()) draw_band(canvas, band, axes);
  }
  for (const Curve& curve : panel.curves) draw_curve(canvas, curve, axes);
  for (const Guide& guide : panel.guides) draw_guide(canvas, guide, axes);
  for (const Note& note : panel.notes) draw_note(canvas, note, axes);
  for (const Dots& dots : panel.dots) draw_dots(canvas, dots, axes);
  draw_legend(canvas, panel, axes);
  canvas.unclip();
  if (!panel.notice.empty()) {
    canvas.text({axes.left + 0.5 * axes.width, axes.top + 0.5 * axes.height}, panel.notice,
                {.size = 20, .align_x = 0.5, .align_y = 0.5, .halo = true, .colour = frame_ink});
  }
  canvas.outline({axes.left + 0.5, axes.top + 0.5}, axes.width - 1, axes.height - 1, frame_ink, 1);
  draw_ticks(canvas, axes);
  draw_labels(canvas, panel, axes);
}

}  // namespace

std::string draw_png(const Figure& figure) {
  Canvas canvas(figure.width, figure.height);
  const std::vector<PlacedAxes> placed = layout(figure);
  draw_header(canvas, figure, placed.empty() ? 20 : placed.front().left);
  for (std::size_t i = 0; i < placed.size(); ++i) draw_panel(canvas, figure.panels[i], placed[i]);
  return canvas.png();
}

void write_png(const std::filesystem::path& path, const Figure& figure) {
  util::write_file(path, draw_png(figure));
}

}  // namespace peal::plot

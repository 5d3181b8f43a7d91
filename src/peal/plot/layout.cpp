#include <peal/plot/figure.h>

#include <algorithm>
#include <cmath>

namespace peal::plot {

namespace {

// Space around and between panels [px], for the text sizes of draw_figure.cpp.
constexpr int left_margin = 96;
constexpr int right_margin = 34;
constexpr int colour_bar_margin = 116;
constexpr int top_margin = 24;
constexpr int title_height = 32;
constexpr int line_height = 24;
constexpr int panel_title_height = 24;
constexpr int panel_gap = 14;
constexpr int x_labels_height = 58;
constexpr int bottom_margin = 6;

bool has_image(const Figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return panel.image.has_value(); });
}

int header_height(const Figure& figure) {
  int height = top_margin;
  if (!figure.title.empty()) height += title_height;
  if (!figure.subtitle.empty()) height += line_height;
  if (!figure.warning.empty()) height += line_height;
  return height;
}

int above(const Panel& panel) {
  return panel.title.empty() ? 0 : panel_title_height;
}
int below(const PlacedAxes& axes) {
  return axes.x_labels ? x_labels_height : panel_gap;
}

}  // namespace

double PlacedAxes::column(double x_value) const {
  return left + width * x.position(x_value);
}
double PlacedAxes::row(double y_value) const {
  return top + height * (1.0 - y.position(y_value));
}
double PlacedAxes::x_at(double column) const {
  return x.value((column - left) / width);
}
double PlacedAxes::y_at(double row) const {
  return y.value(1.0 - (row - top) / height);
}

std::vector<PlacedAxes> layout(const Figure& figure) {
  const int right = has_image(figure) ? colour_bar_margin : right_margin;
  const std::size_t count = figure.panels.size();
  std::vector<PlacedAxes> placed(count);
  int free_height = figure.height - header_height(figure) - bottom_margin;
  double shares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Panel& panel = figure.panels[i];
    placed[i].left = left_margin;
    placed[i].width = std::max(1, figure.width - left_margin - right);
    placed[i].x = usable(panel.x);
    placed[i].y = usable(panel.y);
    placed[i].x_labels = i + 1 == count || !(figure.panels[i + 1].x == panel.x);
    free_height -= above(panel) + below(placed[i]);
    shares += panel.share;
  }
  int top = header_height(figure);
  for (std::size_t i = 0; i < count; ++i) {
    top += above(figure.panels[i]);
    placed[i].top = top;
    placed[i].height = std::max(1, static_cast<int>(free_height * figure.panels[i].share / shares));
    top += placed[i].height + below(placed[i]);
  }
  return placed;
}

}  // namespace peal::plot

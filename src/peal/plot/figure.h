#pragma once

#include <peal/plot/axis.h>
#include <peal/plot/colour.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Pictures for people: a Figure is plain data, draw_png turns it into the bytes of a PNG file.
/// Same figure, same bytes. Texts are UTF-8; whatever is not is shown as "?".
namespace peal::plot {

enum class Stroke { solid, dashed, dotted };

/// A line through points in order; it is interrupted where a value cannot be drawn (NaN, or not
/// positive on a logarithmic axis).
struct Curve {
  std::string name;  ///< in the legend; "" keeps it out
  std::vector<double> x;
  std::vector<double> y;
  Colour colour = series_colour(0);
  double width = 1.8;  ///< [px]
  Stroke stroke = Stroke::solid;
  double dot_radius = 0;  ///< of a dot at each point [px]; 0: none
};

struct Dots {
  std::string name;  ///< in the legend; "" keeps it out
  std::vector<double> x;
  std::vector<double> y;
  Colour colour = series_colour(1);
  double radius = 3.5;  ///< [px]
};

/// The filled area between two curves, such as the envelope of a waveform.
struct Band {
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> high;
  Colour colour = series_colour(0);
};

/// Values on a grid of cells that fills the panel, evenly spaced along its axes as drawn (so evenly
/// in the logarithm on a logarithmic axis), with a colour bar.
struct Image {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<float> values;  ///< rows x columns, the first row at the bottom
  double low = 0;             ///< value of the darkest colour
  double high = 1;            ///< value of the lightest colour
  std::string label;          ///< of the colour bar, with unit
};

/// A straight line across the panel at one value.
struct Guide {
  enum class Along { x, y } axis = Along::x;  ///< the axis on which `at` is a value
  double at = 0;
  std::string text;
  Colour colour = {0.35, 0.35, 0.35};
};

/// Text centred just above a point of the panel.
struct Note {
  double x = 0;
  double y = 0;
  std::string text;
  double raised = 0;  ///< higher by so much [px], with a thin line down to the point
};

struct Panel {
  std::string title;
  Axis x;
  Axis y;
  double share = 1;  ///< of the figure's height, relative to the other panels
  std::optional<Image> image;
  std::vector<Band> bands;
  std::vector<Curve> curves;
  std::vector<Dots> dots;
  std::vector<Guide> guides;
  std::vector<Note> notes;
  std::string notice;  ///< large, in the middle: why there is nothing to see ("silence")
};

/// Panels from top to bottom, all of the same width. Neighbours with equal x axes share one set of
/// tick labels.
struct Figure {
  std::string title;
  std::string subtitle;
  std::string warning;  ///< in red under the subtitle
  int width = 1400;     ///< [px]
  int height = 900;     ///< [px]
  std::vector<Panel> panels;
};

/// Where a panel's axes lie in the picture [px], x to the right, y down from the top left corner.
struct PlacedAxes {
  int left = 0;
  int top = 0;
  int width = 1;
  int height = 1;
  Axis x;
  Axis y;
  bool x_labels = true;  ///< false if the panel below shows them

  double column(double x_value) const;
  double row(double y_value) const;
  double x_at(double column) const;
  double y_at(double row) const;
};

/// The place of every panel. Data do not matter to it, only sizes, titles, axes and whether there
/// is an image: so an image can be computed for exactly the pixels it will fill.
std::vector<PlacedAxes> layout(const Figure& figure);

/// Returns the bytes of a PNG file.
std::string draw_png(const Figure& figure);

/// Writes the result of draw_png() to a file, whole or not at all.
void write_png(const std::filesystem::path& path, const Figure& figure);

}  // namespace peal::plot

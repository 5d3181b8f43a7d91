#pragma once

#include <peal/plot/colour.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

// cairo_t and cairo_surface_t.
struct _cairo;          // NOLINT(bugprone-reserved-identifier)
struct _cairo_surface;  // NOLINT(bugprone-reserved-identifier)

namespace peal::plot {

struct Point {
  double x = 0;  ///< [px] from the left
  double y = 0;  ///< [px] from the top
};

/// Size and alignment of a text.
struct TextStyle {
  double size = 14;    ///< [px]
  double align_x = 0;  ///< 0: the text starts at the point, 0.5: centred, 1: ends there
  double align_y = 0;  ///< 0: the point is on the baseline, 0.5: in the middle, 1: on top
  bool bold = false;
  bool upward = false;  ///< turned to be read from below; the alignment turns along
  bool halo = false;    ///< a light rim that keeps it readable on lines
  Colour colour = {0.1, 0.1, 0.1};
};

/// A picture in memory with antialiased lines and text (Cairo).
/// Throws std::runtime_error if it cannot be made or drawn.
class Canvas {
 public:
  Canvas(int width, int height);

  void fill(Point top_left, double width, double height, const Colour& colour);
  void outline(Point top_left, double width, double height, const Colour& colour, double line);
  void polyline(std::span<const Point> points, const Colour& colour, double line,
                std::span<const double> dashes = {});
  void polygon(std::span<const Point> points, const Colour& colour);
  void disc(Point centre, double radius, const Colour& colour);

  /// Draws pixels 0xRRGGBB, rows from the top, stretched to the rectangle.
  void image(std::span<const std::uint32_t> pixels, int columns, int rows, Point top_left,
             double width, double height);

  void text(Point at, const std::string& utf8, const TextStyle& style);
  double text_width(const std::string& utf8, const TextStyle& style);

  /// Nothing outside of the rectangle is drawn until unclip.
  void clip(Point top_left, double width, double height);
  void unclip();

  std::string png();

 private:
  struct Destroy {
    void operator()(_cairo* context) const;
    void operator()(_cairo_surface* surface) const;
  };
  void use(const Colour& colour);
  void use_font(const TextStyle& style);

  std::unique_ptr<_cairo_surface, Destroy> surface_;
  std::unique_ptr<_cairo, Destroy> context_;
};

/// `text` with everything that is not valid UTF-8 replaced by "?" and control characters by spaces.
std::string printable(const std::string& text);

}  // namespace peal::plot

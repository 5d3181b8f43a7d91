#pragma once

#include <peal/plot/canvas.h>

#include <cstdint>
#include <string>
#include <vector>

namespace peal::plot {

/// Where the surface of one body crosses the plane of a picture.
struct Section {
  struct Segment {
    Point from, to;
  };
  std::vector<Segment> segments;  ///< [m] from the lower left corner of the field, y up
  bool is_solid = true;           ///< its inside is filled
};

/// A signed field on a plane of square cells, and what stands in it. Plain data for draw_field.
struct FieldPicture {
  int columns = 1, rows = 1;
  /// Rows x columns, the first row at the bottom; NaN is drawn grey: nobody knows.
  std::vector<float> values;
  /// Cells without a value of their own; they are drawn as their neighbours go on, under the
  /// sections.
  std::vector<bool> unknown;
  double cell_size = 1.0;  ///< [m]
  double full = 1.0;       ///< value of the strongest colours; their range is -full to full
  std::string unit;        ///< of values
  std::string heading;     ///< large, above: the time
  std::string subheading;  ///< small, below it
  std::string directions;  ///< small, under the field: where the axes point
  std::vector<Section> sections;
};

/// The bytes of a PNG file. Width and height are even and follow from columns and rows alone.
std::string draw_field(const FieldPicture& picture);

}  // namespace peal::plot

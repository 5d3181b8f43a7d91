#pragma once

#include <peal/plot/canvas.h>

#include <cstdint>
#include <string>
#include <vector>

namespace peal::plot {

/// Cross section of the surface of one body with the plane of a picture.
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
  /// Rows x columns, the first row at the bottom; NaN (unknown) is drawn grey.
  std::vector<float> values;
  /// Cells without a value of their own, drawn under the sections by extrapolating their
  /// neighbours.
  std::vector<bool> unknown;
  double cell_size = 1.0;  ///< [m]
  double full = 1.0;       ///< value of the strongest colours; their range is -full to full
  std::string unit;        ///< of values
  std::string heading;     ///< large, above: the time
  std::string subheading;  ///< small, below it
  std::string directions;  ///< small, under the field: where the axes point
  std::vector<Section> sections;
};

/// Returns the bytes of a PNG file. Width and height are even and follow from columns and rows
/// alone.
std::string draw_field(const FieldPicture& picture);

}  // namespace peal::plot

#pragma once

#include <peal/plot/colour.h>

#include <cstdint>
#include <string>
#include <vector>

namespace peal::plot {

/// A PNG read back by an independent reader (Cairo's).
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xRRGGBB, rows from the top

  Colour at(int column, int row) const;
};

/// Throws std::runtime_error if the bytes are not a PNG.
Picture decode_png(const std::string& bytes);

}  // namespace peal::plot

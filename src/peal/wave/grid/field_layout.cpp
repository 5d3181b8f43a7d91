#include <peal/util/error.h>
#include <peal/wave/grid/field_layout.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::wave {

void check_size(const Grid& grid) {
  const Cell& n = grid.size;
  if (std::ranges::max(n) <= most_cells_along) return;
  throw util::InputError(
      {"", "radiation"},
      fmt::format("{} x {} x {} = {:.3g} cells of {:.3g} mm are too many: at most {} fit along one "
                  "axis",
                  n[0], n[1], n[2], static_cast<double>(grid.cells()), 1e3 * grid.cell_size,
                  most_cells_along),
      "Lower \"max_frequency\", raise \"accuracy\", give a smaller \"domain\", or render "
      "what is far apart as scenes of its own.");
}

}  // namespace peal::wave

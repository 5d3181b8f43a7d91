#pragma once

#include <peal/wave/boundary/cut_lattice.h>

namespace peal::wave {

/// The lattices of those `cells` that a surface crosses, in the order of `cells`, with their
/// crossings but without their subcells. The crossings of a cell are in the order of the surfaces
/// and their triangles.
std::vector<LatticeCell> with_crossings(const Grid& grid, std::span<const Cell> cells,
                                        std::span<const LatticeSurface> surfaces);

}  // namespace peal::wave

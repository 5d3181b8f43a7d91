#pragma once

#include <peal/wave/boundary/cut_lattice.h>

namespace peal::wave {

/// The lattices of those `cells` that a surface crosses, with their crossings but without their
/// subcells; otherwise as crossed_lattices().
std::vector<LatticeCell> with_crossings(const Grid& grid, std::span<const Cell> cells,
                                        std::span<const LatticeSurface> surfaces);

}  // namespace peal::wave

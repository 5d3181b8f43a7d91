#pragma once

#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_rows.h>

#include <array>
#include <vector>

namespace peal::elastic {

/// The parts of their stiffness against mean shear (of r and s, s and t, t and r) with which cells
/// of a layer bend as the body does [1].
///
/// Sections of cells turn linearly: a wave of wave number k along cells of length h is sharp by (k
/// h)^2 / 24. It is right to (k h)^4 if shear gives way by h^2 / (12 D) more than by itself, D
/// being the stiffness against bending (MacNeal's residual bending flexibility, 1978). And it
/// counts 5 / (6 - nu) of what it would if it was the same all over the thickness of a wall, or 5
/// (1 + nu) / (6 + 5 nu) in a rod. A wall whose faces are free has no other shear across it than
/// that of bending.
///
/// It gives way where waves mostly go along rows of cells: in what is more than twice as long as
/// wide, and around walls that are bent one way only, as tubes and cones are. Where they go all
/// ways, mass makes up for it (hex_mass.cpp). What is long bends sideways, too, and then the shear
/// in its plane is that of bending.
std::vector<std::array<double, 3>> shear_factors(const geometry::HexMesh& mesh,
                                                 const std::vector<geometry::HexRows>& rows,
                                                 const fem::Lame& lame);

}  // namespace peal::elastic

#pragma once

#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_rows.h>

#include <array>
#include <vector>

namespace peal::elastic {

/// Factors on the stiffness of cells against mean shear (of r and s, s and t, t and r) with which a
/// layer of cells bends as the body does [1].
///
/// The rotation of a section varies linearly within a cell: the pitch of a wave of wave number k
/// along cells of length h is too high by a factor of (k h)^2 / 24. The error falls to (k h)^4 if
/// the shear compliance grows by h^2 / (12 D), where D is the bending stiffness (MacNeal's residual
/// bending flexibility, 1978). Shear stiffness also counts 5 / (6 - nu) of what it would if shear
/// were constant over the thickness of a wall, or 5 (1 + nu) / (6 + 5 nu) in a rod. A wall whose
/// faces are free has no other transverse shear than that of bending.
///
/// Shear is softened where waves mostly travel along rows of cells: in parts more than twice as
/// long as wide, and around walls that are curved in one direction only, such as tubes and cones.
/// Where waves travel in all directions, the mass makes up for it (hex_mass.cpp). Long parts bend
/// sideways, too, and then the shear in their plane is that of bending.
std::vector<std::array<double, 3>> shear_factors(const geometry::HexMesh& mesh,
                                                 const std::vector<geometry::HexRows>& rows,
                                                 const fem::Lame& lame);

}  // namespace peal::elastic

#pragma once

#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_neighbours.h>

#include <array>
#include <cstdint>

namespace peal::elastic {

/// Factors on the stiffness of the block in the corner of two walls against mean shear (of r and s,
/// s and t, t and r), with which the rotation of the walls against each other is right [1].
///
/// A moment M [N] rotates walls of thickness t that meet at an angle phi (straight: 0) by 5.8 phi M
/// / (E' t^2) more than their own bending up to the block. A block of one cell, whose sides stay
/// straight and are fixed by the long cells of the walls, rotates by a third less. It does so by
/// shear in the plane of both walls, which is therefore softened.
std::array<double, 3> corner_shears(const geometry::HexMesh& mesh,
                                    const geometry::HexNeighbours& neighbours, std::uint32_t corner,
                                    const fem::Lame& lame);

}  // namespace peal::elastic

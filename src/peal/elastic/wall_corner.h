#pragma once

#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_neighbours.h>

#include <array>
#include <cstdint>

namespace peal::elastic {

/// The parts of its stiffness against mean shear (of r and s, s and t, t and r) with which the
/// block in the corner of two walls lets them turn against each other as they do [1].
///
/// A moment M [N] turns walls of thickness t that meet at an angle phi from the straight by 5.8 phi
/// M / (E' t^2) more than what they bend by themselves, up to the block. A block of one cell, whose
/// sides stay straight and are fixed by the long cells of the walls, gives way by a third less. It
/// does so by shear in the plane of both, of which a part is taken off.
std::array<double, 3> corner_shears(const geometry::HexMesh& mesh,
                                    const geometry::HexNeighbours& neighbours, std::uint32_t corner,
                                    const fem::Lame& lame);

}  // namespace peal::elastic

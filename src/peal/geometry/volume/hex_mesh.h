#pragma once

#include <peal/geometry/volume/solid_surface.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::geometry {

/// Corners of a hexahedron by their place in it: corner c is at r = -1 or 1 by its bit 0, s by bit
/// 1, t by bit 2; (r, s, t) are right-handed.
using Hex = std::array<std::uint32_t, 8>;

/// A solid cut into hexahedra.
struct HexMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Hex> hexes;      ///< thin bodies: one layer, t across it
};

/// The outside, two triangles a face, cut so that even lattices look the same in mirrors: what
/// meets them in the middle is not pushed aside.
SolidSurface surface_of(const HexMesh& mesh);

/// The mean lengths of its sides along r, s, t [m].
std::array<double, 3> mean_sides(const HexMesh& mesh, const Hex& hex);

/// Whether a cell is thinner along t than along r and s.
bool is_thin(const HexMesh& mesh, const Hex& hex);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/volume/solid_surface.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::geometry {

/// The corners of a hexahedron: corner c is at r = -1 or 1 by its bit 0, s by bit 1, t by bit 2;
/// (r, s, t) are right-handed.
using Hex = std::array<std::uint32_t, 8>;

/// A solid divided into hexahedra.
struct HexMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Hex> hexes;      ///< cells; thin bodies have one layer, with t across it
};

/// The outer surface, with two triangles per face, divided so that regular lattices are
/// mirror-symmetric: a contact in the middle is not deflected sideways.
SolidSurface surface_of(const HexMesh& mesh);

/// The mean lengths of a cell's sides along r, s, t [m].
std::array<double, 3> mean_sides(const HexMesh& mesh, const Hex& hex);

/// Whether a cell is thinner along t than along r and s.
bool is_thin(const HexMesh& mesh, const Hex& hex);

}  // namespace peal::geometry

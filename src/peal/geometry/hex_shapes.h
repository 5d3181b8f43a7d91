#pragma once

#include <peal/geometry/hex_mesh.h>
#include <peal/geometry/polygon.h>
#include <peal/geometry/tet_mesh.h>

#include <variant>

namespace peal::geometry {

// Built-in shapes cut into hexahedra; places and sizes are those of shapes.h. Thin bodies get one
// layer of cells, whose third direction is across it. Impossible sizes throw std::invalid_argument
// with a sentence that says what would be right.

/// `divisions` are cells along x, y, z; the third direction of cells is that of `across` (0, 1, 2).
HexMesh box_hexes(const Vec3& size, const std::array<int, 3>& divisions, int across);

/// The cells of such a box cut into five tetrahedra each; neighbours mirror each other.
TetMesh box_tets(const Vec3& size, const std::array<int, 3>& divisions);

/// A turned wall (lathe_mesh), one cell thick. `around` cells go around, a multiple of 4, and
/// `along` pieces along the profile, of which corners of more than 20 degrees are kept, and kinks
/// of more than 5 degrees that are as far apart as cells are long. An end on the axis is closed by
/// a square patch of cells that turns into rings: cells stay whole at the pole.
HexMesh lathe_hexes(const std::vector<Vec2>& profile, double wall, int around, int along);

/// An extrusion along Y of an outline (x, z) that has one upper and one lower side along x, one
/// cell thick between them (an arched bar), or of one whose sides are all along x or z (a bar with
/// a step), where cells are as `edge_length` asks. `layers` cells along y.
HexMesh extruded_hexes(const Polygon& outline, double height, double edge_length, int layers);

/// A shape that can be cut into hexahedra.
struct HexBoxShape {
  Vec3 size;  ///< [m]
};
struct HexWallShape {
  std::vector<Vec2> profile;  ///< (distance from the axis, height) [m]
  double wall = 0.0;          ///< [m]
};
struct HexExtrusion {
  Polygon outline;      ///< (x, z) [m]
  double height = 0.0;  ///< [m]
};
using HexShape = std::variant<HexBoxShape, HexWallShape, HexExtrusion>;

/// Cells with sides of about `edge_length` [m] along the body, and one layer across it where it is
/// thinner than that.
HexMesh hexes_of(const HexShape& shape, double edge_length);

/// Across the body where it is thinnest, or on the average of an extrusion [m].
double thickness(const HexShape& shape);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/volume/hex_mesh.h>
#include <peal/geometry/volume/tet_mesh.h>

#include <optional>
#include <variant>

namespace peal::geometry {

// Built-in shapes divided into hexahedra; positions and sizes are those of shapes.h. Thin bodies
// get one layer of cells, whose third direction is across it. Impossible sizes throw
// std::invalid_argument with a sentence that says how to fix it.

/// `divisions` are cells along x, y, z; the third direction of cells is the axis `across` (0, 1,
/// 2). Cells and nodes are numbered along their first direction: `along`, or the axis after
/// `across`.
HexMesh box_hexes(const Vec3& size, const std::array<int, 3>& divisions, int across,
                  std::optional<int> along = {});

/// A box whose cells are divided into five tetrahedra each; neighbours are mirror images.
TetMesh box_tets(const Vec3& size, const std::array<int, 3>& divisions);

/// A wall of revolution (lathe_mesh), one cell thick, with `around` cells around the axis, a
/// multiple of 4, and `along` cells along the profile. Corners of the profile of more than 20
/// degrees are kept, and so are kinks of more than 5 degrees that are at least a cell apart. An end
/// on the axis is closed by a square patch of cells that turns into rings, so that cells at the
/// pole do not degenerate.
HexMesh lathe_hexes(const std::vector<Vec2>& profile, double wall, int around, int along);

/// A shape that can be divided into hexahedra.
struct HexBoxShape {
  Vec3 size;                   ///< [m]
  Vec3 centre = Vec3::Zero();  ///< [m]
};
struct HexWallShape {
  std::vector<Vec2> profile;  ///< (distance from the axis, height) [m]
  double wall = 0.0;          ///< [m]
};
struct HexExtrusion {
  Polygon outline;             ///< (x, z) [m]
  std::vector<Polygon> holes;  ///< holes in the outline
  double height = 0.0;         ///< along Y [m]
};
/// Whether an extrusion has a hole, or a re-entrant corner of more than 20 degrees.
bool is_notched(const HexExtrusion& extrusion);

using HexShape = std::variant<HexBoxShape, HexWallShape, HexExtrusion>;

/// Divides an extrusion whose outline has one upper and one lower side along x (an arched bar, a
/// plate with slanted ends), or whose sides and holes are all along x or z (a bar with a step, a
/// frame). Cells have sides of `edge_length` [m]; there is one cell from side to side where that is
/// thinner than the height.
HexMesh extruded_hexes(const HexExtrusion& extrusion, double edge_length);

/// Divides a box into cells whose third direction is its thinnest side, in rows along the side with
/// most cells.
HexMesh divided_box(const HexBoxShape& box, const std::array<int, 3>& divisions);

/// Divides a shape into cells with sides of about `edge_length` [m] along the body, and layers
/// across it (one for most bodies: hex_cuts.h). Walls of revolution have at least `least_around`
/// cells around the axis.
HexMesh hexes_of(const HexShape& shape, double edge_length, int least_around = 8);

}  // namespace peal::geometry

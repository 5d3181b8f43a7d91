#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/wave/grid/grid.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

// The open fractions of cells and faces around a closed surface, exact for its triangles, at a cost
// that grows with the surface and not with the volume.
//
// With n out of the solid, S = sum of area times n over the surface in a cell, and areas and
// volumes in cells, the divergence theorem gives along each axis d, starting from A = 1 outside the
// body,
//   A_d(high face) = A_d(low face) + S_d,      V = A_x(low face) + integral of (x_high - x) n_x dA.

/// The faces of a cell are numbered -x, +x, -y, +y, -z, +z.
inline constexpr int cell_faces = 6;

/// A cell that the surface passes through.
struct CutCell {
  Cell cell;
  double volume;                        ///< V, open fraction of the cell, 0 to 1
  std::array<double, cell_faces> area;  ///< A, open fraction of each face, 0 to 1
  Vec3 wall;                            ///< S, the wall's area vector into the fluid [cell face]
  double wall_area;                     ///< W, the wall's area without signs [cell face]

  /// Whether two walls face each other, as in a gap or a plate thinner than the cell.
  bool has_two_walls() const { return wall.norm() < 0.5 * wall_area; }
};

/// The contribution of one part of the surface to the wall in a cell.
struct WallPatch {
  std::uint32_t cell;  ///< index in CutFractions::cells
  std::uint32_t part;
  std::uint32_t triangle;  ///< the largest one of the part in the cell
  Vec3 area_vector;        ///< into the fluid; the patches of a cell add up to S [cell face]
  double area;             ///< without signs; the patches of a cell add up to W [cell face]
  Vec3 centre;             ///< centroid [m]
};

/// Untouched cells inside the solid: begin <= x < end in the row (y, z).
struct SolidRun {
  int y, z;
  int begin, end;
};

/// The open fractions around one body. Cells in neither list are all fluid.
struct CutFractions {
  std::vector<CutCell> cells;      ///< in the order of the grid's index
  std::vector<WallPatch> patches;  ///< by cell, then part
  std::vector<SolidRun> solid;     ///< in the order of z, y, begin; they do not touch or overlap
  /// A measure of how far the surface is from closed: the worst error of the open area of a column
  /// where the column leaves the surface, before it was distributed to the cut cells of the column.
  /// It is round-off for a watertight mesh; above about 0.3 the inside is a guess.
  double residual = 0;

  /// The surface itself, for cells where two walls are close: vertices in cells from the lowest
  /// corner of the grid, moved by a millionth of a cell so that none lies in a plane of the
  /// lattice.
  std::vector<Vec3> vertices;
  std::vector<geometry::Triangle> triangles;
  std::vector<std::uint32_t> part;  ///< by triangle; empty: all 0
  bool is_sheet = false;            ///< fluid on both sides
};

/// Computes the open fractions around a body, which may lie partly or wholly outside the grid.
/// Normals must point out of the solid.
///
/// Cracks and small holes are tolerated: where a column of cells leaves the surface, A must be
/// whole, and the error is subtracted from the cut cells just passed, in proportion to their wall
/// area.
///
/// `part` is the part of the surface that each triangle belongs to; if empty, all are part 0.
CutFractions cut_fractions(const Grid& grid, std::span<const Vec3> vertices,
                           std::span<const geometry::Triangle> triangles,
                           std::span<const std::uint32_t> part = {});
CutFractions cut_fractions(const Grid& grid, const geometry::TriMesh& mesh);

/// Computes the fractions of a surface without thickness or inside: every V and A is 1, and S and W
/// are those of its front.
CutFractions cut_sheet(const Grid& grid, std::span<const Vec3> vertices,
                       std::span<const geometry::Triangle> triangles,
                       std::span<const std::uint32_t> part = {});
CutFractions cut_sheet(const Grid& grid, const geometry::TriMesh& mesh);

bool is_solid(std::span<const SolidRun> runs, const Cell& cell);

/// The same cells in ordered runs that neither touch nor overlap.
std::vector<SolidRun> merged(std::vector<SolidRun> runs);

}  // namespace peal::wave

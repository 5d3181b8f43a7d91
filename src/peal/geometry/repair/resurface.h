#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>

namespace peal::geometry {

struct ResurfaceOptions {
  double resolution = 0.0;  ///< longest side of the lattice's tetrahedra at the surface [m]
  /// Shortest sides with which walls and gaps thinner than the lattice are resolved [m]; 0: an
  /// eighth of `resolution`.
  double finest = 0.0;
  std::size_t max_tetrahedra = 3'000'000;  ///< limit of the lattice, about 150 bytes each
};

/// A closed surface made from arbitrary triangles.
struct Resurfaced {
  TriMesh mesh;                       ///< watertight, faces out, no two triangles cross; no groups
  std::vector<std::uint32_t> source;  ///< for each triangle, the nearest given triangle
  double resolution = 0.0;  ///< resolution used: coarser if the lattice would be too large [m]
  double finest = 0.0;      ///< [m]
  double volume = 0.0;      ///< enclosed [m^3]

  std::size_t turned = 0;    ///< given triangles that faced the wrong way
  std::size_t copies = 0;    ///< given triangles that repeat another
  double closed_area = 0.0;  ///< area of `mesh` without given triangles: closed holes [m^2]
  /// Area of given triangles that bound nothing: inner walls, loose sheets, parts thinner than
  /// `finest` [m^2].
  double left_out_area = 0.0;
  std::size_t thin_places = 0;  ///< number of lattice sides that cross an unresolved wall or gap
  std::vector<Vec3> thin_examples;  ///< some of their locations [m]
};

/// The surface of the solid described by arbitrary triangles: with holes, cracks, crossing, doubled
/// or inner faces, flipped patches, or without any connectivity. The solid is the region where the
/// winding number of the triangles, oriented consistently (orient_soup.h), is above one half.
///
/// A lattice of tetrahedra, refined at the surface, is cut at it. A tetrahedron with corners inside
/// and outside contains one part of the surface: the cone over a loop on its four faces. The loop
/// passes through points of the given triangles on the sides (exactly on them; in a hole, where the
/// winding number is one half). Where the normals at two of these differ, it passes through the
/// crease between them on the face; where three creases meet, a corner is placed inside. Cones over
/// simple loops on convex cells cannot cross, so the result is watertight and free of crossings by
/// construction, and edges stay sharp.
///
/// The lattice is refined where one of its sides enters and leaves the solid more than once (thin
/// walls, gaps).
///
/// The result does not depend on the number of threads. Throws std::invalid_argument if there are
/// no triangles, or if they enclose nothing or if hundreds of them coincide.
Resurfaced resurfaced(const TriMesh& mesh, const ResurfaceOptions& options);

/// A readable summary of the changes to `given` and of the assumptions about it.
std::string describe(const Resurfaced& made, const TriMesh& given);

}  // namespace peal::geometry

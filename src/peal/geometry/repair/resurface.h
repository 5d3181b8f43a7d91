#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>

namespace peal::geometry {

struct ResurfaceOptions {
  double resolution = 0.0;  ///< longest side of the lattice's tetrahedra at the surface [m]
  /// Walls and gaps thinner than the lattice are looked for with sides down to this [m]; 0: an
  /// eighth of `resolution`.
  double finest = 0.0;
  std::size_t max_tetrahedra = 3'000'000;  ///< about 150 bytes each
};

/// A closed surface in place of triangles that are not one.
struct Resurfaced {
  TriMesh mesh;                       ///< watertight, faces out, no two triangles cross; no groups
  std::vector<std::uint32_t> source;  ///< for each triangle the nearest of the given ones
  double resolution = 0.0;            ///< that was used: coarser if the lattice would not fit [m]
  double finest = 0.0;                ///< [m]
  double volume = 0.0;                ///< enclosed [m^3]

  std::size_t turned = 0;       ///< given triangles that faced the wrong way
  std::size_t copies = 0;       ///< given triangles that repeat another
  double closed_area = 0.0;     ///< of `mesh` where there was no triangle: closed holes [m^2]
  double left_out_area = 0.0;   ///< of the given triangles that bound nothing: inner walls, loose
                                ///< sheets, parts thinner than `finest` [m^2]
  std::size_t thin_places = 0;  ///< sides of the lattice that cross a wall or gap unseen
  std::vector<Vec3> thin_examples;  ///< where, a few [m]
};

/// The surface of the solid that a heap of triangles means: with holes, cracks, crossing, doubled
/// or inner faces, flipped patches, or not joined at all. The solid is where the winding number of
/// the triangles, turned to agree (orient_soup.h), is above one half.
///
/// A lattice of tetrahedra, refined at the surface, is cut at it. A tetrahedron with corners inside
/// and outside holds one piece of the surface: the cone over a loop on its four faces. It goes
/// through points of the given triangles on the sides (exactly on them; across a hole through where
/// the winding number is one half), and where the normals at two of these differ, through the
/// crease between them on the face; where three creases meet, a corner is put inside. Cones over
/// simple loops on convex cells cannot cross, so the result is watertight and free of crossings by
/// construction, and edges stay sharp.
///
/// Where a side of the lattice passes in and out more than once, it is refined (thin walls, gaps).
///
/// Deterministic for any number of threads. Throws std::invalid_argument if there are no
/// triangles, or if they enclose nothing or lie on top of each other by the hundred.
Resurfaced resurfaced(const TriMesh& mesh, const ResurfaceOptions& options);

/// What was made of `given` and assumed about it, for people.
std::string describe(const Resurfaced& made, const TriMesh& given);

}  // namespace peal::geometry

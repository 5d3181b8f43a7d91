#pragma once

#include <peal/geometry/volume/tet_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// The result of filling a surface with tetrahedra.
struct TetAttempt {
  TetMesh mesh;
  std::string problem;  ///< why there is no mesh; empty if there is one
  bool timed_out = false;

  bool fine() const { return problem.empty(); }
};

/// Fills a closed surface with tetrahedra by the program `tetgen` (Si 2015), which runs as a
/// separate process. The surface is unchanged (its vertices come first); shells that face inward
/// are cavities. `max_volume` limits the size of tetrahedra [m^3].
///
/// The result is accepted only if it fills the surface's volume. Throws util::InputError if the
/// program is not installed.
TetAttempt tetrahedralise(const TriMesh& surface, double max_volume);

/// What tetgen answered for a surface: its tables of nodes and of tetrahedra, as texts.
TetAttempt parse_tetgen(std::string_view nodes, std::string_view elements, const TriMesh& surface);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

enum class MeshProblemKind {
  bad_index,            ///< a triangle names a vertex that does not exist
  not_finite,           ///< a vertex position is not finite
  hole,                 ///< a rim where the surface ends
  non_manifold_edge,    ///< more than two faces on one edge
  flipped_face,         ///< neighbours disagree about outside
  inside_out,           ///< the whole surface faces inward
  degenerate_face,      ///< no area
  duplicate_face,       ///< the same corners twice
  duplicate_vertex,     ///< the same position twice
  unreferenced_vertex,  ///< no face uses it
  self_intersection,    ///< faces cross
  suspicious_units,     ///< far too large or too small for metres
  several_components,   ///< more than one connected part
};

/// Stable key for machines: "holes", "non_manifold_edges", ...
std::string_view key(MeshProblemKind kind);

/// error: the solid is not well defined; warning: likely a mistake; info: good to know.
enum class Severity { info, warning, error };

struct MeshProblem {
  MeshProblemKind kind;
  Severity severity;
  std::size_t count = 0;
  bool count_is_complete = true;  ///< false if counting stopped at a cap
  std::vector<Vec3> examples;     ///< locations, at most MeshCheckOptions::examples [m]
  std::string sentence;           ///< description of the problem
  std::string hint;               ///< how to fix it
};

struct MeshHole {
  Vec3 centre;    ///< mean of the rim's vertices [m]
  double length;  ///< length of the rim [m]
  std::size_t edges;
};

struct MeshReport {
  std::vector<MeshProblem> problems;  ///< most severe first
  std::vector<MeshHole> holes;        ///< longest first
  std::size_t components = 0;         ///< connected by shared edges
  bool watertight = false;            ///< closed, manifold, consistently oriented

  /// The entry of that kind, or null.
  const MeshProblem* find(MeshProblemKind kind) const;
};

struct MeshCheckOptions {
  std::size_t examples = 5;
  bool self_intersections = true;
  std::size_t max_self_intersections = 1000;  ///< counting stops here
  /// Faces whose height is below this fraction of their longest side count as degenerate.
  /// Coordinates rounded to 32-bit floats leave heights of about 1e-7.
  double degenerate_height = 1e-7;
};

/// Reports all defects of a mesh that matter for its use as a solid. Vertices at the same position
/// count as one when edges are compared, so that an unwelded mesh is distinguished from one with
/// holes. Any mesh is accepted, even with invalid indices or coordinates.
MeshReport check_mesh(const TriMesh& mesh, const MeshCheckOptions& options = {});

/// Whether a surface has no inside: its largest hole could let more than 1 % of its area through.
/// Smaller holes count as defects of a solid.
bool is_open_surface(const MeshReport& report, const TriMesh& mesh);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/shell_mesh.h>

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace peal::geometry {

/// A shell that was made of arbitrary triangles, and what was repaired for it.
struct RepairedShell {
  ShellMesh shell;                   ///< without groups
  std::vector<std::string> repairs;  ///< one sentence each, without the name of the object
};

/// The shell whose middle surface a mesh is, open or closed, with a thickness at each of its
/// vertices [m].
///
/// Coinciding vertices are merged; triangles without area, and doubled ones, are removed; vertices
/// that lie on the free edge of another triangle cut it; parts that touch at a single vertex are
/// separated there; triangles that disagree about the outside are turned. Throws
/// std::invalid_argument with the reason and the place if there is no surface, more than two
/// triangles share an edge, the surface has one side only, or it is folded back on itself.
RepairedShell repaired_shell(const TriMesh& sheet, std::span<const double> thickness);

/// How thin a shell is.
struct ShellForm {
  /// The least radius of curvature over the thickness there, beside sharp edges, and its place [m].
  double tightest = std::numeric_limits<double>::infinity();
  Vec3 tightest_at = Vec3::Zero();
  /// The radius of curvature over the thickness that 90 % of the area exceed.
  double typical = std::numeric_limits<double>::infinity();
  /// The shortest edge over the thickness there, and its place [m].
  double shortest_edge = std::numeric_limits<double>::infinity();
  Vec3 shortest_edge_at = Vec3::Zero();
  /// The second largest side of the bounding box over the largest thickness.
  double width = 0.0;
};

ShellForm shell_form(const ShellMesh& shell);

/// Which elements suit a shell, and a sentence that says why.
struct ElementChoice {
  bool is_shell = true;
  std::string reason;
};

/// Shell elements where walls are thin: at least 20 times as wide as thick, bent to at least 30
/// times their thickness over most of the area and to 3 times it everywhere. Thicker walls shear
/// and twist as solids do (docs/theory/shells.md). The sentence names the place where a shell has
/// edges shorter than 3 times its thickness, or where one that was asked for is too thick.
ElementChoice choose_elements(const ShellForm& form, bool is_asked_for = false);

/// The solid of a shell: its middle moved by half the thickness to both sides, with mitres at
/// folds, and walls along its free edges. Vertices and triangles are in the order of surface_of().
/// Throws std::invalid_argument with the reason and the place if the sides cross.
TriMesh solid_of(const ShellMesh& shell);

/// The same shell with edges of about `edge_length` [m] where they are longer: the longest edges of
/// triangles are halved, and new vertices lie on the smooth surface that the old ones stand for.
ShellMesh refined_shell(const ShellMesh& shell, double edge_length);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::render {

/// What is known about the surface of a body before anyone has looked at it.
struct GivenSurface {
  std::string name;  ///< of the body
  geometry::TriMesh mesh;
  bool is_sheet = false;  ///< open on purpose
  bool deforms = false;
};

/// A surface whose inside waves can tell, or a sheet that has none.
struct SettledSurface {
  geometry::TriMesh mesh;
  bool is_sheet = false;
  /// For each triangle the one of the given mesh that it lies on; empty: they are the same.
  std::vector<std::uint32_t> source;
};

/// Makes a mesh fit for waves. Faces that disagree about outside are turned. A surface with a large
/// hole counts as a sheet, small holes count as closed. A solid whose faces cross, repeat or meet
/// wrongly, or that is not joined at all, gets a new surface (geometry/repair/resurface.h), fine
/// enough for waves of `wavelength` [m]; not one that deforms, whose triangles must stay. Adds a
/// sentence for each thing that was done.
///
/// Throws InputError if a new surface is needed and there is no inside.
SettledSurface settle_surface(GivenSurface given, double wavelength,
                              std::vector<std::string>& notices);

}  // namespace peal::render

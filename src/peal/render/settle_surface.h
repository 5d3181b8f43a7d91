#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::render {

/// The surface of a body as given, before it is checked.
struct GivenSurface {
  std::string name;  ///< name of the body
  geometry::TriMesh mesh;
  bool is_sheet = false;  ///< open on purpose
  bool deforms = false;
};

/// A closed surface with a well-defined inside, or a sheet that has none.
struct SettledSurface {
  geometry::TriMesh mesh;
  bool is_sheet = false;
  /// Triangle of the given mesh on which each triangle lies; empty: they are the same.
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

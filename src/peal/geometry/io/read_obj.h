#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// Reads the polygons of a Wavefront OBJ file. `name` is the file for errors (InputError with the
/// line).
///
/// Polygons of any size become triangles (read_polygon.h). Texture coordinates, normals, colours,
/// smoothing groups and material libraries are ignored. Lines, points, free-form curves and
/// surfaces and unknown statements are errors: nothing that could be geometry is skipped.
///
/// Groups: faces have labels, the names of `g` (it may give several) or, where no `g` follows it,
/// of `o`, and then the name of `usemtl`. Each combination that has faces is one group, named by
/// its labels joined with a slash: "body/steel". Choose faces with has_label(group, "body") or
/// has_label(group, "steel"). A file without labels has no groups.
TriMesh parse_obj(std::string_view bytes, const std::string& name);

/// Whether `label` is the group's name or one of the labels it is joined from.
bool has_label(std::string_view group, std::string_view label);

}  // namespace peal::geometry

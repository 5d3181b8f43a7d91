#pragma once

#include <peal/elastic/solid.h>
#include <peal/geometry/mesh/shell_mesh.h>

#include <string>

namespace peal::elastic {

/// Makes a solid of shell triangles (fem/shell.h). With n vertices, node v lies on the outer side
/// and node n + v on the inner side of vertex v: they are x + t d / 2 and x - t d / 2, where x is
/// its position and d its director. Throws util::InputError at `name`.
Solid make_shell_solid(const geometry::ShellMesh& shell, const base::Material& material,
                       const std::string& name = {});

}  // namespace peal::elastic

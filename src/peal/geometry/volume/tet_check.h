#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::geometry {

/// The surface as the boundary of one solid: welded, facing outward, cavities facing inward. What
/// was mended is reported in `notices`; a surface with small holes, crossing or branching faces is
/// replaced by a closed one. Throws util::InputError that says what is wrong if it bounds no solid:
/// an open sheet, several bodies, no volume.
TriMesh checked_solid(const TriMesh& surface, const std::string& file,
                      std::vector<std::string>& notices);

/// A closed surface in place of one that will not do (geometry/repair/resurface.h), because of
/// `fault`; a notice says what was assumed. Throws util::InputError if there is none.
TriMesh replaced_surface(const TriMesh& surface, const std::string& fault, const std::string& file,
                         std::vector<std::string>& notices);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::geometry {

/// Returns the surface as the boundary of one solid: welded, facing outward, cavities facing
/// inward. Repairs are reported in `notices`; a surface with small holes, crossing or branching
/// faces is replaced by a closed one. Throws util::InputError with the reason if it does not bound
/// a solid: an open sheet, several bodies, no volume.
TriMesh checked_solid(const TriMesh& surface, const std::string& file,
                      std::vector<std::string>& notices);

/// Returns a closed surface that replaces one with the defect `fault`
/// (geometry/repair/resurface.h); a notice says what was assumed. Throws util::InputError if that
/// is impossible.
TriMesh replaced_surface(const TriMesh& surface, const std::string& fault, const std::string& file,
                         std::vector<std::string>& notices);

}  // namespace peal::geometry

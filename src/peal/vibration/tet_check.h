#pragma once

#include <peal/geometry/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::vibration {

/// The surface as the boundary of one solid: welded, facing outward, cavities facing inward. What
/// was mended is told in `notices`. Throws util::InputError that says what is wrong if it bounds
/// none: a hole, faces that disagree about outside, several bodies, no volume.
geometry::TriMesh checked_solid(const geometry::TriMesh& surface, const std::string& file,
                                std::vector<std::string>& notices);

}  // namespace peal::vibration

#pragma once

#include <peal/dynamics/smooth_shape.h>

namespace peal::dynamics {

/// Makes a closed mesh into the smooth solid that it approximates: a sampled signed distance from
/// its curved surface, its corners and sharp lines with the fillet as features, and points of its
/// round faces from which contacts are sought. Fields that take long are stored in `fields`, if
/// given. Throws std::invalid_argument if the mesh is open, has no volume or is too thin.
std::unique_ptr<SmoothShape> make_mesh_shape(const scene::MeshShape& shape,
                                             const util::Store* fields);

}  // namespace peal::dynamics

#pragma once

#include <peal/dynamics/smooth_shape.h>

namespace peal::dynamics {

/// A closed mesh as the smooth solid it stands for: a sampled distance from its curved surface,
/// its corners and sharp lines with the fillet as features, and points of its round faces from
/// which contacts are sought. Fields that take long are stored in `fields`, if given.
/// Throws std::invalid_argument: open, no volume, too thin.
std::unique_ptr<SmoothShape> make_mesh_shape(const scene::MeshShape& shape,
                                             const util::Store* fields);

}  // namespace peal::dynamics

#pragma once

#include <peal/dynamics/smooth_shape.h>

#include <filesystem>

namespace peal::dynamics {

/// A closed mesh as the smooth solid it stands for: a sampled distance from its curved surface,
/// its corners and sharp lines with the fillet as features, and points of its round faces from
/// which contacts are sought. `cache` is a folder for fields that take long, if there is one.
/// Throws std::invalid_argument: open, no volume, too thin.
std::unique_ptr<SmoothShape> make_mesh_shape(const scene::MeshShape& shape,
                                             const std::optional<std::filesystem::path>& cache);

}  // namespace peal::dynamics

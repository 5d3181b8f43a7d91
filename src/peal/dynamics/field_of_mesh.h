#pragma once

#include <peal/dynamics/creased_mesh.h>
#include <peal/dynamics/distance_field.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace peal::dynamics {

/// The distance from the surface that a closed mesh stands for (CurvedSurface), negative inside.
/// Cells are at most a fifth of `wall` [m], the thickness of its walls; a field that takes longer
/// than 0.3 s is kept in `cache` and found there by its mesh. Throws std::invalid_argument if walls
/// are too thin.
std::shared_ptr<const DistanceField> field_of_mesh(
    const CreasedMesh& mesh, double wall, const std::optional<std::filesystem::path>& cache);

/// How thick the body is where it is thin: a twentieth of its surface has less behind it [m].
double wall_thickness(const CreasedMesh& mesh);

}  // namespace peal::dynamics

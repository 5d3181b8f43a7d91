#pragma once

#include <peal/dynamics/creased_mesh.h>
#include <peal/dynamics/distance_field.h>
#include <peal/util/store.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace peal::dynamics {

/// Signed distance from the surface that a closed mesh stands for (CurvedSurface), negative inside.
/// Cells are at most a fifth of `wall` [m], the thickness of its walls; a field that takes longer
/// than 0.3 s is stored in `fields`, if given, and found there by its mesh. Throws
/// std::invalid_argument if walls are too thin.
std::shared_ptr<const DistanceField> field_of_mesh(const CreasedMesh& mesh, double wall,
                                                   const util::Store* fields);

/// Distances at the nodes of a lattice, as they are stored [m].
struct FieldSamples {
  std::size_t count = 0;  ///< expected
  std::vector<float> distances = {};
};
void serialize(util::Archive& archive, FieldSamples& samples);

/// Thickness of the body where it is thin: the 5 % quantile over its surface of the thickness
/// behind it [m].
double wall_thickness(const CreasedMesh& mesh);

}  // namespace peal::dynamics

#pragma once

#include <peal/geometry/volume/hex_rows.h>

#include <vector>

namespace peal::elastic {

/// The torsion constant J of a rectangle of sides 1 and `width` (de Saint-Venant 1855) [1].
double torsion_constant(double width);

/// Torsion constant J of one layer of `cells` across the width that warp linearly. The torsional
/// stiffness of the cells at its ends has the factor `kept`; the stiffness of all cells against
/// mean shear across the layer has the factor `shear` (bending.h) [1].
double layer_torsion_constant(double width, int cells, double kept, double shear = 1.0);

/// The factor `kept` with which a layer has the J of the rectangle. Cells cannot warp as sections
/// do near free edges, within a third of the thickness: without the factor the torsional modes of
/// bars are up to 9 % too high.
double twist_factor(double width, int cells, double shear = 1.0);

/// The least factor `shear` for which a twist_factor() exists.
double least_shear(double width, int cells);

/// The twist_factor() of every cell of a mesh, by the rows that end at its sides; 1 where the mesh
/// is not one layer.
std::vector<double> twist_factors(const geometry::HexMesh& mesh,
                                  const std::vector<geometry::HexRows>& rows,
                                  const std::vector<std::array<double, 3>>& shears);

}  // namespace peal::elastic

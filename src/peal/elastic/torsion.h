#pragma once

#include <peal/geometry/volume/hex_rows.h>

#include <vector>

namespace peal::elastic {

/// The torsion constant J of a rectangle of sides 1 and `width` (de Saint-Venant 1855) [1].
double torsion_constant(double width);

/// What J becomes with one layer of `cells` across the width that warp linearly, if those at its
/// ends keep a part `kept` of their stiffness against twisting, and all of them a part `shear` of
/// that against mean shear across the layer (bending.h) [1].
double layer_torsion_constant(double width, int cells, double kept, double shear = 1.0);

/// The part to keep with which a layer has the J of the rectangle. Cells cannot warp as sections do
/// near free edges, within a third of the thickness: without it bars twist up to 9 % too fast.
double twist_factor(double width, int cells, double shear = 1.0);

/// The least shear with which there is such a part.
double least_shear(double width, int cells);

/// That of every cell of a mesh, by the rows that end at its sides; 1 where it is not one layer.
std::vector<double> twist_factors(const geometry::HexMesh& mesh,
                                  const std::vector<geometry::HexRows>& rows,
                                  const std::vector<std::array<double, 3>>& shears);

}  // namespace peal::elastic

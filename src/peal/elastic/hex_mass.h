#pragma once

#include <peal/elastic/solid.h>
#include <peal/geometry/volume/hex_rows.h>

#include <vector>

namespace peal::elastic {

/// Lumps the mass of cells at their corners with the rotational inertia of the body
/// (docs/theory/elastic.md): fills `mass`, `across` and `rods` of `solid`. `rows` are the rows of
/// the mesh.
void add_mass(const geometry::HexMesh& mesh, const std::vector<geometry::HexRows>& rows,
              Solid& solid);

}  // namespace peal::elastic

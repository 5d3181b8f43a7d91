#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::bench {

/// A mug of 90 mm height and 3 mm wall, with a rounded rim and a rounded bottom; edges of 3 mm.
geometry::TriMesh mug();

/// A wine glass of 140 mm height: foot, stem, and a bowl of 1.2 mm wall; edges of 2 mm.
geometry::TriMesh wine_glass();

}  // namespace peal::bench

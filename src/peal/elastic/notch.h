#pragma once

#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_rows.h>

#include <vector>

namespace peal::elastic {

/// Factors on the stiffness of a cell at the inner corner of a notch or hole [1].
///
/// Stress is singular at the corner, with a power of the distance, and cells of any size are too
/// stiff by the same fraction of their compliance: the pitch of notched bodies is up to 3 % too
/// high, and the error falls only in proportion to the cell size. A factor on the stiffness of the
/// cells around the corner that depends only on its angle removes the error (Egger, Ruede &
/// Wohlmuth 2014).
struct NotchParts {
  double bent = 1.0;       ///< factor on bending of the layer
  double stretched = 1.0;  ///< factor on stretching of the layer
};

/// Factors for a corner of 270 degrees.
NotchParts square_notch(const fem::Lame& lame);

/// Factors of every cell of a mesh whose t axis is along the edges of its notches.
std::vector<NotchParts> notch_parts(const geometry::HexMesh& mesh,
                                    const std::vector<geometry::HexRows>& rows,
                                    const fem::Lame& lame);

}  // namespace peal::elastic

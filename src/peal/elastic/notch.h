#pragma once

#include <peal/fem/lame.h>
#include <peal/geometry/volume/hex_rows.h>

#include <vector>

namespace peal::elastic {

/// Parts of its stiffness that a cell keeps at the inner corner of a notch or hole [1].
///
/// Stress is singular there, as a power of the distance, and cells of any size are too stiff by the
/// same part of what they would have to give way: notched bodies are up to 3 % sharp, and the error
/// falls only as the size of cells. If the cells around the corner keep a part of their stiffness,
/// which depends on its angle alone, that error is gone (Egger, Ruede & Wohlmuth 2014).
struct NotchParts {
  double bent = 1.0;       ///< against bending the layer
  double stretched = 1.0;  ///< against stretching it
};

/// At a corner of 270 degrees.
NotchParts square_notch(const fem::Lame& lame);

/// That of every cell of a mesh whose t is along the edges of its notches.
std::vector<NotchParts> notch_parts(const geometry::HexMesh& mesh,
                                    const std::vector<geometry::HexRows>& rows,
                                    const fem::Lame& lame);

}  // namespace peal::elastic

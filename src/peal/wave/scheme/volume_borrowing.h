#pragma once

#include <peal/wave/scheme/cut_node.h>

#include <span>

namespace peal::wave {

/// Compensates for the volume that the stability rule has added to small cells at rest. Each raised
/// cell takes the added volume from its cut neighbours, in proportion to open area times their
/// excess over their own smallest stable volume, and never more than that excess. `floor` is the
/// smallest stable volume and `volume` is Vs, by node.
template <class Real>
void borrow_volume(const Grid& grid, const BoundaryPlan& plan, std::span<const CutNode<Real>> nodes,
                   std::span<const double> floor, std::span<double> volume);

}  // namespace peal::wave

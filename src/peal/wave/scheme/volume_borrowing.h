#pragma once

#include <peal/wave/scheme/cut_node.h>

#include <span>

namespace peal::wave {

/// Makes up for volume that the stability rule has added to small cells at rest: each raised cell
/// takes what it added from its cut neighbours, by open area times what they have above their own
/// floor, and never more than that. `floor` is the smallest stable volume and `volume` Vs, by node.
template <class Real>
void borrow_volume(const Grid& grid, const BoundaryPlan& plan, std::span<const CutNode<Real>> nodes,
                   std::span<const double> floor, std::span<double> volume);

}  // namespace peal::wave

#pragma once

#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/grid/field_layout.h>
#include <peal/wave/scheme/cut_scheme.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// An open area between two nodes that is not a face of the grid.
template <class Real>
struct NodeLink {
  std::uint32_t a, b;          ///< numbers of nodes
  CellIndex place_a, place_b;  ///< of their values
  Real area;
  bool inner;  ///< between sides of one cell
  Real pull;   ///< part of their difference that the sides lose in a step
};

/// The links that join subcells of split cells with each other and with other nodes (cut_cells.h),
/// on their way between two keys.
template <class Real>
class SubcellLinks {
 public:
  explicit SubcellLinks(const CutScheme& scheme) : scheme_(scheme) {}

  /// Those of an interval; `places` are those of the values of all nodes.
  void enter(const CutInterval& interval, std::span<const CellIndex> indices);
  /// To a part t of the way.
  void advance(double t);

  bool empty() const { return links_.empty(); }
  std::span<const NodeLink<Real>> links() const { return links_; }
  /// What they add to the smallest stable volume of a node.
  double floor(std::size_t node) const { return floor_.empty() ? 0.0 : floor_[node]; }

  /// Works out what flows to each node, from values now and a step before.
  void find_fluxes(const NodePressures<Real>& now, const NodePressures<Real>& before);
  /// By node; null if there are no links.
  const Real* fluxes() const { return flux_.empty() ? nullptr : flux_.data(); }

  /// Draws the new values of sides to their mean by volume, which keeps the sum of
  /// Vs (p^(n+1) - p^n).
  void pull_together(std::span<const double> volume, std::span<Real> values) const;

 private:
  /// Linear functions of t.
  struct LinkCoefficients {
    double area, area_change;
    double pull, pull_change;
  };

  CutScheme scheme_;
  std::vector<NodeLink<Real>> links_;
  std::vector<LinkCoefficients> coefficients_;
  std::vector<double> floor_;  ///< by node
  std::vector<Real> flux_;     ///< by node
};

extern template class SubcellLinks<float>;
extern template class SubcellLinks<double>;

}  // namespace peal::wave

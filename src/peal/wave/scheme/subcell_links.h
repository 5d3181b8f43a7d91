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
  std::uint32_t a, b;          ///< indices of the nodes
  CellIndex place_a, place_b;  ///< indices of their values
  Real area;
  bool inner;  ///< whether it joins subcells of one cell
  Real pull;   ///< fraction of their difference that the subcells lose in a step
};

/// The links that join subcells of split cells with each other and with other nodes (cut_cells.h),
/// between two keys.
template <class Real>
class SubcellLinks {
 public:
  explicit SubcellLinks(const CutScheme& scheme) : scheme_(scheme) {}

  /// Sets the links of an interval; `indices` are those of the values of all nodes.
  void enter(const CutInterval& interval, std::span<const CellIndex> indices);
  /// Advances the links to the time t in the interval, 0 to 1.
  void advance(double t);

  /// Linear functions of t.
  struct LinkCoefficients {
    double area, area_change;
    double pull, pull_change;
  };

  bool empty() const { return links_.empty(); }
  std::span<const LinkCoefficients> coefficients() const { return coefficients_; }
  std::span<const NodeLink<Real>> links() const { return links_; }
  /// The amount that the links add to the smallest stable volume of a node.
  double floor(std::size_t node) const { return floor_.empty() ? 0.0 : floor_[node]; }

  /// Computes the flux to each node from the values now and a step before.
  void find_fluxes(const NodePressures<Real>& now, const NodePressures<Real>& before);
  /// The fluxes by node; null if there are no links.
  const Real* fluxes() const { return flux_.empty() ? nullptr : flux_.data(); }

  /// Relaxes the new values of subcells towards their mean by volume, which conserves the sum of Vs
  /// (p^(n+1) - p^n).
  void pull_together(std::span<const double> volume, std::span<Real> values) const;

 private:
  CutScheme scheme_;
  std::vector<NodeLink<Real>> links_;
  std::vector<LinkCoefficients> coefficients_;
  std::vector<double> floor_;  ///< by node
  std::vector<Real> flux_;     ///< by node
};

extern template class SubcellLinks<float>;
extern template class SubcellLinks<double>;

}  // namespace peal::wave

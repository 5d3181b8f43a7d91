#pragma once

#include <peal/wave/boundary/boundary_plan.h>
#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/grid/grid.h>
#include <peal/wave/scheme/cut_node.h>
#include <peal/wave/scheme/cut_scheme.h>
#include <peal/wave/scheme/subcell_links.h>
#include <peal/wave/scheme/subcell_values.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

// The conservative cut-cell scheme for rigid and driven walls: a finite-volume leapfrog that is
// explicit, second order, and the ordinary seven-point scheme where nothing is cut. Cells with
// V < 1 or an A < 1 form a list whose values replace those of the plain scheme.
//
// With lambda = c dt / h, fluxes over the open faces f of cell i to neighbours j, and the wall's
// volume acceleration Q_i (integral of the acceleration along the normal into the fluid over the
// wall in the cell, over h^2):
//   F_i = sum_f A_f (p_j - p_i)^n + gamma sum_f A_f (1 - A_f) [(p_j - p_i)^n - (p_j - p_i)^(n-1)]
//         + h rho Q_i
//   p_i^(n+1) = p_i^n + [ Vs_i^old (p_i^n - p_i^(n-1)) + lambda^2 F_i ] / Vs_i^new
//
// Vs is the volume of the cell, raised where it is too small for the time step:
//   Vs_i = max(V_i, lambda^2 G_i / 2),   G_i = sum_f A_f (1 + 2 gamma (1 - A_f)).
// By Gershgorin's theorem this alone makes resting geometry with gamma = 0 stable for any
// symmetric A up to lambda^2 = 1/3, and the scheme conserves a discrete energy exactly. The proof
// needs Vs^old = Vs^new. Where volumes grow, small cells exceed the limit for some steps, and the
// field grew around spheres faster than Mach 0.15. So fast walls get a reserve of up to half the
// limit, with which spheres, boxes and sheets were stable to Mach 0.5.
//
// A cell that thin walls divide (a split cell) has a node for each subcell. Its nodes are joined
// with others by links instead of faces, with the same fluxes, which count in G alike. Around a rim
// the subcells of a cell are linked with each other, and their values relax towards each other
// where little of the wall is left. The value of the first subcell is that of the cell in the
// field; the values of the others are stored here.
//
// Moving walls: V and A change from step to step. A cell that opens starts from
//   p = [ sum_f A_f p_j + h rho Q ] / sum_f A_f  over neighbours that were open before,  Vs^old = 0
// (without the source term a driven body is 20 dB noisier in motion); a cell that closes is zero.
// Vs^old counts as at most 2 Vs^new: a cell that shrinks to nothing within a step would multiply
// its p^n - p^(n-1) without bound (1e5 was seen at 0.15 cells a step). The part of the conserved
// sum of Vs (p^(n+1) - p^n) that this drops would be dropped anyway when the cell closes; noise in
// motion is the same without it.

/// One time step:
///   move, or advance in an interval, if anything moves, then resolve_changes;
///   update;  the plain scheme;  overwrite.
/// update reads both old fields, so it must come before a plain scheme that works in place. It
/// expects the values that it read as p to be p_old in the next step.
///
/// `source` holds h rho Q for each cell of the geometry or interval [Pa], see wall_source().
template <class Real>
class CutCells {
 public:
  CutCells(const Grid& grid, const FieldLayout& layout, const CutScheme& scheme);

  /// Sets geometry that is at rest or at the start of its motion.
  void index(const CutGeometry& geometry);

  /// Sets the geometry of the coming step, less than a cell away from the last one.
  void move(const CutGeometry& geometry);

  /// Sets the motion between two keys: the list is made once, and each step advances to its time, t
  /// = 0 at the first key and 1 at the second. Equal to move(interval.at(t)), and much cheaper.
  /// `moved` is how far walls move in a step [cells].
  void enter(const CutInterval& interval, double moved = 0);
  void advance(double t);

  /// Sets the values of cells that have opened or closed; call it after move or advance.
  /// `source_before` is the source at the time of p_old; both are read in opened cells only.
  void resolve_changes(std::span<Real> p, std::span<Real> p_old, std::span<const Real> source,
                       std::span<const Real> source_before);

  void update(std::span<const Real> p, std::span<const Real> p_old, std::span<const Real> source);

  /// Overwrites the values of the plain scheme by the updated values, and by zeros behind the
  /// walls. Call it once per step.
  void overwrite(std::span<Real> p_new);

  /// The pressure of the cell at a position within the grid; in a split cell, that of the subcell
  /// at the position.
  Real pressure_at(std::span<const Real> p, const Vec3& position) const;

  std::span<const CutNode<Real>> nodes() const { return nodes_; }
  std::span<const NodeLink<Real>> links() const { return links_.links(); }
  std::span<const typename SubcellLinks<Real>::LinkCoefficients> link_coefficients() const {
    return links_.coefficients();
  }
  const CutScheme& scheme() const { return scheme_; }
  double reserve() const { return reserve_; }  ///< factor of the smallest stable volumes
  /// The plan of the interval, and Vs of its nodes at present.
  const BoundaryPlan& plan() const { return plan_; }
  std::span<const double> volumes() const { return volume_; }
  const Cell& cell_of(std::size_t node) const { return plan_.coefficients[node].cell; }
  /// Values of the further subcells of split cells, now and a step before.
  std::span<Real> extra() { return sides_.now(); }
  std::span<Real> extra_old() { return sides_.before(); }
  /// The value at an index before this step, for which `p` is the field; call it after overwrite.
  Real value_before(std::span<const Real> p, CellIndex index) const {
    return NodePressures<Real>{p, sides_.before()}.at(index);
  }
  /// Vs of the cells of the geometry or interval, in their order; 0 where no face is open.
  std::span<const double> stable_volumes() const { return std::span(volume_).first(plan_.listed); }

 private:
  CutNode<Real> node(std::size_t number) const;
  void advance_node(std::size_t i, double t);
  double smallest_stable_volume(const CutNode<Real>& node) const;
  void fill_opened(std::span<Real> p, std::span<Real> p_old, std::span<const Real> source,
                   std::span<const Real> source_before);
  template <bool damped, bool known>
  void update_nodes(std::span<const Real> p, std::span<const Real> p_old,
                    std::span<const Real> source);

  Grid grid_;
  FieldLayout layout_;
  CutScheme scheme_;
  BoundaryPlan plan_;                 ///< of the interval
  std::vector<CutNode<Real>> nodes_;  ///< the listed cells, then cells that are whole again
  std::vector<double> volume_;        ///< Vs by node
  SubcellLinks<Real> links_;
  SubcellValues<Real> sides_;
  double reserve_ = 1;                 ///< factor of the smallest stable volumes
  bool entered_ = false;               ///< whether an interval has begun without an advance
  double time_ = 0;                    ///< time in the interval, 0 to 1
  std::vector<std::uint32_t> opened_;  ///< indices of nodes that have opened
  std::vector<CellIndex> closed_;      ///< indices of values to clear
  std::vector<Real> updated_;
  /// p_j - p_i of the last step, by node and face, which is cheaper to store than to gather again.
  std::vector<std::array<Real, face_lanes>> differences_;
  bool differences_known_ = false;
};

/// h rho Q of each cell [Pa] from the volume acceleration of each wall [m/s^2 times cell face]:
/// the normal acceleration into the fluid times Wall::driving_area(), or, exact for a rigid
/// translation, the acceleration vector times Wall::area_vector.
template <class Real>
std::vector<Real> wall_source(std::size_t cells, std::span<const Wall> walls,
                              std::span<const double> acceleration, double cell_size,
                              double density);

}  // namespace peal::wave

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
// Vs is the cell's volume, raised where it is too small for the time step:
//   Vs_i = max(V_i, lambda^2 G_i / 2),   G_i = sum_f A_f (1 + 2 gamma (1 - A_f)).
// By Gershgorin's theorem this alone makes resting geometry with gamma = 0 stable for any
// symmetric A up to lambda^2 = 1/3, and the scheme conserves a discrete energy exactly.
//
// A cell that thin walls divide has a node for each side, joined with others by links, in place of
// faces, with the same fluxes and counted in G alike. Around a rim the subcells of a cell are
// linked with each other, and their values drawn together where the rim leaves little of the wall.
// The first side's value is the cell's in the field; those of the others are kept here.
//
// Moving walls: V and A change from step to step. A cell that opens starts from
//   p = [ sum_f A_f p_j + h rho Q ] / sum_f A_f  over neighbours that were open before,  Vs^old = 0
// (without the source term a driven body is 20 dB noisier in motion); a cell that closes is zero.
// Vs^old counts as at most 2 Vs^new: a cell that shrinks to nothing within a step would multiply
// its p^n - p^(n-1) without bound (1e5 was seen at 0.15 cells a step). What this drops of the
// conserved sum of Vs (p^(n+1) - p^n) was about to be dropped when the cell closed; noise in motion
// is the same without it.

/// One time step:
///   move, or advance in an interval, if anything moves, then resolve_changes;
///   update;  the plain scheme;  overwrite.
/// update reads both old fields, so it must come before a plain scheme that works in place. What it
/// has read as p it expects as p_old in the next step.
///
/// `source` holds h rho Q for each cell of the geometry or interval [Pa], see wall_source.
template <class Real>
class CutCells {
 public:
  CutCells(const Grid& grid, const FieldLayout& layout, const CutScheme& scheme);

  /// Geometry at rest, or at the start of its motion.
  void index(const CutGeometry& geometry);

  /// Geometry of the coming step, less than a cell away from the last one.
  void move(const CutGeometry& geometry);

  /// Motion between two keys: the list is made once, and each step advances to its time, t = 0 at
  /// the first key and 1 at the second. Equal to move(interval.at(t)), and much cheaper.
  void enter(const CutInterval& interval);
  void advance(double t);

  /// After move or advance: values of cells that have opened or closed. `source_before` is the
  /// source at the time of p_old; both are read in opened cells only.
  void resolve_changes(std::span<Real> p, std::span<Real> p_old, std::span<const Real> source,
                       std::span<const Real> source_before);

  void update(std::span<const Real> p, std::span<const Real> p_old, std::span<const Real> source);

  /// Puts the updated values, and zeros behind the walls, over those of the plain scheme. Once a
  /// step.
  void overwrite(std::span<Real> p_new);

  /// Pressure of the cell at a place within the grid; in a split cell, that of the place's side.
  Real pressure_at(std::span<const Real> p, const Vec3& position) const;

  std::span<const CutNode<Real>> nodes() const { return nodes_; }
  std::span<const NodeLink<Real>> links() const { return links_.links(); }
  const Cell& cell_of(std::size_t node) const { return plan_.coefficients[node].cell; }
  /// Values of further subcells of split cells, now and a step before.
  std::span<Real> extra() { return sides_.now(); }
  std::span<Real> extra_old() { return sides_.before(); }
  /// After `overwrite`: the value at a place before this step, of which `p` is the field.
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
  std::vector<CutNode<Real>> nodes_;  ///< the listed cells, then cells just left whole
  std::vector<double> volume_;        ///< Vs by node
  SubcellLinks<Real> links_;
  SubcellValues<Real> sides_;
  bool entered_ = false;               ///< an interval, without having advanced in it
  double time_ = 0;                    ///< in the interval, 0 to 1
  std::vector<std::uint32_t> opened_;  ///< numbers of nodes
  std::vector<CellIndex> closed_;      ///< places whose values are to be cleared
  std::vector<Real> updated_;
  /// p_j - p_i of the last step, by node and face: cheaper to keep than to gather again.
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

#pragma once

#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/grid/grid.h>
#include <peal/wave/scheme/cut_scheme.h>
#include <peal/wave/scheme/side_links.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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
// faces, with the same fluxes and counted in G alike. Around a rim the sides of a cell are linked
// with each other, and their values drawn together where the rim leaves little of the wall. The
// first side's value is the cell's in the field; those of the others are kept here.
//
// Moving walls: V and A change from step to step. A cell that opens starts from
//   p = [ sum_f A_f p_j + h rho Q ] / sum_f A_f  over neighbours that were open before,  Vs^old = 0
// (without the source term a driven body is 20 dB noisier in motion); a cell that closes is zero.
// Vs^old counts as at most 2 Vs^new: a cell that shrinks to nothing within a step would multiply
// its p^n - p^(n-1) without bound (1e5 was seen at 0.15 cells a step). What this drops of the
// conserved sum of Vs (p^(n+1) - p^n) was about to be dropped when the cell closed; noise in motion
// is the same without it.

/// Where the value of a cell lies in a field's memory.
struct FieldLayout {
  std::size_t offset = 0;                         ///< of cell (0, 0, 0)
  std::array<std::size_t, 3> stride = {1, 0, 0};  ///< between neighbours along x, y, z

  /// The grid's own index, without padding.
  static FieldLayout packed(const Grid& grid);
  std::size_t at(const Cell& c) const {
    return offset + static_cast<std::size_t>(c[0]) * stride[0] +
           static_cast<std::size_t>(c[1]) * stride[1] + static_cast<std::size_t>(c[2]) * stride[2];
  }
};

/// Values of a node's faces, and two zeros, so that all are worked on at once.
inline constexpr int kFaceLanes = 8;

/// One cell of the list, ready to step. Neighbours beyond the grid are behind closed faces.
template <class Real>
struct CutNode {
  std::uint32_t cell;                           ///< place in the field
  std::array<std::uint32_t, kFaces> neighbour;  ///< places in the field
  std::array<Real, kFaceLanes> area;            ///< A
  Real inertia;                                 ///< Vs^old / Vs^new; exactly 1 at rest
  Real gain;  ///< lambda^2 / Vs^new; 0 in a cell without open faces
};

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
  void place(const CutGeometry& geometry);

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

  /// Pressure of the cell at a place within the grid; in a divided cell, that of the place's side.
  Real pressure_at(std::span<const Real> p, const Vec3& position) const;

  std::span<const CutNode<Real>> nodes() const { return nodes_; }
  std::span<const NodeLink<Real>> links() const { return links_.links(); }
  const Cell& cell_of(std::size_t node) const { return courses_[node].cell; }
  /// Values of further sides of divided cells, now and a step before.
  std::span<Real> extra() { return extra_; }
  std::span<Real> extra_old() { return extra_old_; }
  /// After `overwrite`: the value at a place before this step, of which `p` is the field.
  Real value_before(std::span<const Real> p, std::uint32_t place) const {
    return value(p, extra_old_, place);
  }
  /// Vs of the cells of the geometry or interval, in their order; 0 where no face is open.
  std::span<const double> stable_volumes() const { return std::span(volume_).first(listed_); }

 private:
  /// V and A of a node as linear functions of t.
  struct Course {
    Cell cell;
    double volume, volume_change;
    std::array<double, kFaceLanes> area{}, area_change{};
  };

  /// A share of what a node of the last list hands to one of the next.
  struct Handover {
    std::uint32_t to, from;  ///< places of values
    double weight;           ///< volume handed over; 0: nothing, the value is cleared
  };
  /// Nodes of one cell in a list: one, or the sides of a divided cell.
  struct Group {
    Cell cell;
    std::size_t first = 0, count = 0;
    const DividedCell* divided = nullptr;
  };

  static std::vector<Group> groups(std::span<const Course> courses,
                                   std::span<const DividedCell> divided);
  Course course(const OpenCell& from, const OpenCell& to) const;
  CutNode<Real> node(const Course& course) const;
  void add_nodes(const CutInterval& interval);
  void take_over_volumes(std::vector<Course>& next, const CutInterval& interval);
  void hand_over(const Group* from, const Group& to, double volume_of_uncut,
                 std::vector<double>& volume);
  void settle_handovers(std::span<Real> p, std::span<Real> p_old);
  static Real value(std::span<const Real> p, std::span<const Real> extra, std::uint32_t place) {
    return SidedValues<Real>{p, extra}.at(place);
  }
  template <bool damped, bool known>
  void update_nodes(std::span<const Real> p, std::span<const Real> p_old,
                    std::span<const Real> source);
  void advance_node(std::size_t i, double t);
  void find_moving();
  void find_solid_neighbours();
  double smallest_stable_volume(const CutNode<Real>& node) const;
  void borrow_volume();
  void borrow_for(std::size_t i, double owed, std::span<const double> floor);
  std::optional<std::size_t> number_of(const Cell& cell) const;

  Grid grid_;
  FieldLayout layout_;
  CutScheme scheme_;
  std::vector<SolidRun> solid_;
  std::vector<Course> courses_;        ///< by node
  std::vector<CutNode<Real>> nodes_;   ///< the listed cells, then cells just left whole
  std::vector<std::uint32_t> places_;  ///< of their values
  std::vector<std::uint32_t> moving_;  ///< numbers of nodes that change on the way
  bool entered_ = false;               ///< an interval, without having advanced in it
  std::vector<double> volume_;         ///< Vs by node
  std::size_t listed_ = 0;             ///< cells of the geometry or interval
  std::vector<std::uint32_t> opened_;  ///< numbers of nodes
  std::vector<std::uint32_t> closed_;  ///< places in the field, both values to be cleared
  std::vector<std::uint32_t> sealed_;  ///< places of cells that left the list as solid
  std::vector<std::uint32_t> behind_;  ///< places of solid cells next to nodes
  std::vector<Real> updated_;
  /// p_j - p_i of the last step, by node and face: cheaper to keep than to gather again.
  std::vector<std::array<Real, kFaceLanes>> differences_;
  bool differences_known_ = false;

  std::vector<DividedCell> divided_;      ///< at the end of the interval
  std::vector<DividedCell> divided_now_;  ///< at its start
  double time_ = 0;                       ///< in the interval, 0 to 1
  SideLinks<Real> links_;
  std::vector<Real> extra_, extra_old_;
  std::size_t extras_ = 0;  ///< of the present list
  std::vector<Handover> handovers_;
};

/// h rho Q of each cell [Pa] from the volume acceleration of each wall [m/s^2 times cell face]:
/// the normal acceleration into the fluid times Wall::driving_area(), or, exact for a rigid
/// translation, the acceleration vector times Wall::area_vector.
template <class Real>
std::vector<Real> wall_source(std::size_t cells, std::span<const Wall> walls,
                              std::span<const double> acceleration, double cell_size,
                              double density);

}  // namespace peal::wave

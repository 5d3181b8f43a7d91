#pragma once

#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/ghost_stencil.h>
#include <peal/wave/scheme/cut_cells.h>

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace peal::wave {

// The paper's sharp boundary (Wang et al. 2018, sections 3.2 and 3.3), for comparison with the cut
// cells. A cell is solid if its centre is inside a body. Solid cells next to air are ghosts: their
// pressures are set, before each step, so that the wall condition dp/dn = -rho a_n holds between
// them and their images beyond the wall, and the plain scheme then runs over them as if there were
// no bodies. Ghosts depend on each other through their stencils, so one sparse system is solved for
// all of them.
//
// The paper leaves two cases open. A stencil may need a solid cell that has no air beside it; that
// cell becomes a ghost, too. Where bodies overlap, the one in which a ghost is deepest counts.
//
// This scheme does not conserve energy: see docs/decisions/boundaries.md for the consequences.

/// One time step:
///   index, if anything moves, then resolve_changes;   set;   the plain scheme;   clear.
///
/// `source` holds h rho a_n [Pa] for each cell of walls(), as WallSource computes it. An empty one
/// is silence.
class GhostCells {
 public:
  GhostCells(const Grid& grid, const FieldLayout& layout, std::span<const BodyShape> bodies,
             double kappa);
  ~GhostCells();

  /// The cells that are air or solid at a time [s], by their centres.
  CutGeometry raster(const CutGeometry& cut, double t);

  /// Sets the raster of the coming step, which must be the last one made.
  void index(const CutGeometry& raster);

  /// The walls that bodies drive: those of the ghosts, each of area 1, then those of cells that
  /// have opened.
  const CutInterval& walls() const { return walls_; }

  /// Sets the values of cells that have opened or closed; call it after index.
  template <class Real>
  void resolve_changes(std::span<Real> p, std::span<Real> p_old, std::span<const Real> source,
                       std::span<const Real> source_before) const;

  template <class Real>
  void set(std::span<Real> p, std::span<const Real> source) const;

  /// Clears the values that the plain scheme has computed in the solid.
  template <class Real>
  void clear(std::span<Real> p_new) const;

  std::size_t count() const { return ghosts_.size(); }
  /// The number of ghosts of first order.
  std::size_t fallbacks() const { return fallbacks_; }

 private:
  struct Ghost {
    Cell cell;
    GhostStencil stencil;
  };
  /// A cell that was solid and is air now.
  struct Fresh {
    Cell cell;
    double reach;  ///< distance of the wall [m]
    GhostStencil image;
  };
  struct System;

  bool is_air(const Cell& cell) const { return !is_solid(solid_, cell); }
  void find_ghosts(const CutGeometry& raster);
  void add_ghost(const Cell& cell);
  void find_fresh(std::span<const SolidRun> before);
  void find_behind();
  void add_wall(std::uint32_t body, const NearestWall& wall);
  std::pair<std::uint32_t, NearestWall> wall_of(const Cell& cell) const;
  GhostStencil stencil_of(const Cell& cell, const NearestWall& wall);
  GhostStencil least_squares(const Vec3& x) const;
  void factorise();
  template <class Real>
  double sum(const GhostStencil& stencil, std::span<const Real> p) const;

  Grid grid_;
  FieldLayout layout_;
  double kappa_;
  std::vector<BodySurface> bodies_;
  std::vector<SolidRun> solid_;
  std::vector<Ghost> ghosts_;
  std::unordered_map<std::size_t, std::uint32_t> number_;  ///< of ghosts, by the grid's index
  std::size_t fallbacks_ = 0;
  std::vector<Fresh> fresh_;
  std::vector<CellIndex> behind_;  ///< indices of other solid cells next to ghosts
  CutInterval walls_;
  std::unique_ptr<System> system_;
};

}  // namespace peal::wave

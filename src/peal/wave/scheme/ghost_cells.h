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
// pressures are set, before each step, so that the wall's condition dp/dn = -rho a_n holds between
// them and their images beyond the wall, and the plain scheme then runs over them as if there were
// no bodies. Ghosts depend on each other through their stencils: one sparse system gives all.
//
// What the paper leaves open: a stencil may need a solid cell that has no air beside it; that
// becomes a ghost, too. Where bodies overlap the one in which a ghost is deepest counts.
//
// Nothing here conserves energy: see docs/decisions/boundaries.md for what that does.

/// One time step:
///   place, if anything moves, then resolve_changes;   set;   the plain scheme;   clear.
///
/// `source` holds h rho a_n [Pa] for each of the indices of walls(): what WallSource makes of them.
/// An empty one is silence.
class GhostCells {
 public:
  GhostCells(const Grid& grid, const FieldLayout& layout, std::span<const BodyShape> bodies,
             double kappa);
  ~GhostCells();

  /// Which cells are air or solid at a time [s], by their centres.
  CutGeometry raster(const CutGeometry& cut, double t);

  /// The raster of the coming step, made last.
  void index(const CutGeometry& raster);

  /// Where bodies drive: the ghosts' walls, each of area 1, then those of cells that have opened.
  const CutInterval& walls() const { return walls_; }

  /// After place: values of cells that have opened or closed.
  template <class Real>
  void resolve_changes(std::span<Real> p, std::span<Real> p_old, std::span<const Real> source,
                       std::span<const Real> source_before) const;

  template <class Real>
  void set(std::span<Real> p, std::span<const Real> source) const;

  /// What the plain scheme has made of the solid.
  template <class Real>
  void clear(std::span<Real> p_new) const;

  std::size_t count() const { return ghosts_.size(); }
  /// Ghosts of first order.
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

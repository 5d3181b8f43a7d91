#pragma once

#include <peal/wave/grid/field.h>
#include <peal/wave/grid/sides.h>
#include <peal/wave/scheme/cpml.h>
#include <peal/wave/scheme/engquist_majda.h>
#include <peal/wave/scheme/leapfrog_row.h>

#include <array>
#include <cstddef>
#include <vector>

namespace peal::wave {

struct LeapfrogSettings {
  double speed_of_sound = 343.2;  ///< c [m/s]
  double time_step = 1e-5;        ///< tau [s], at most stable_step (time_step.h)
  double viscosity = 0.0;         ///< alpha of equation (1) [m]
  Sides sides = all_sides(Side::absorbing_layer);
  CpmlSettings layer;
};

/// The wave equation in an empty box of cells (Wang et al. 2018, equations (1), (3)-(5)):
///
///     p_new = 2 p - p_old + (tau c / h)^2 h^2 Laplacian of (p + alpha / (c tau) (p - p_old))
///
/// There are two fields: p_old is overwritten by p_new. With viscosity, three planes of the bracket
/// are stored as well. A step is
///
///     solver.advance_planes(0, size_z);   // or in several calls, z ascending
///     (overwrite nodes of solver.next(), add sources to it)
///     solver.finish_step();
///
/// Nodes with a boundary of their own read p_old before advance_planes overwrites it.
template <class Real>
class Leapfrog {
 public:
  Leapfrog(const Grid& grid, const LeapfrogSettings& settings);

  const Grid& grid() const { return grid_; }
  Field<Real>& pressure() { return now_; }  ///< p [Pa]
  const Field<Real>& pressure() const { return now_; }
  Field<Real>& previous() { return other_; }  ///< p_old [Pa] before advance_planes
  Field<Real>& next() { return other_; }      ///< p_new [Pa] after it
  Cpml<Real>& layer() { return layer_; }
  double courant() const { return courant_; }

  void advance_planes(int begin, int end);
  void finish_step();
  void step();

  /// Adds a point source between advance_planes and finish_step: `strength` is density times volume
  /// acceleration [kg/s^2], so that p = strength(t - r / c) / (4 pi r) in free space.
  void add_monopole(const Cell& cell, double strength);

  std::size_t bytes() const;

 private:
  void advance_plane(int z);
  void advance_rows(int begin, int end, int z);
  template <bool viscous, bool ends>
  static auto rows_function(bool in_y, bool in_z);
  void fill_viscous_plane(int z);
  void fill_row_ends(int z);
  Real* operand_row(int y, int z);
  Star<Real> star(int begin, int end, int z);
  const Real* outside(int side, int y, int z, const Real* row) const;

  Grid grid_;
  LeapfrogSettings settings_;
  double courant_;
  Real courant2_;
  Real viscous_;  ///< alpha / (c tau)
  Field<Real> now_, other_;
  Cpml<Real> layer_;
  EngquistMajda<Real> engquist_majda_;
  Field<Real> viscous_planes_;  ///< p + alpha / (c tau) (p - p_old) of planes z - 1, z, z + 1
  AlignedArray<Real> zeros_;    ///< a plane of p = 0
  AlignedArray<Real> in_grid_;  ///< 1 or 0 for a row's partial vector: cell or padding
};

extern template class Leapfrog<float>;
extern template class Leapfrog<double>;

}  // namespace peal::wave

#pragma once

#include <peal/wave/grid/field.h>
#include <peal/wave/grid/sides.h>

#include <array>
#include <cstddef>

namespace peal::wave {

/// The Engquist-Majda absorbing boundary of second order (Wang et al. 2018, equation (23)), with x
/// pointing out of the grid:
///
///     p_xt + p_tt / c - c / 2 (p_yy + p_zz) = 0
///
/// It reflects ((1 - cos) / (1 + cos))^2 of a plane wave and needs no layer of cells, but is far
/// worse than one: 11 % at 60 degrees. Together with the wave equation it is equivalent to
///
///     (d/dt + c d/dx)^2 p = 0                                             (Higdon 1986)
///
/// and this form is discretised, by the box rule, twice, with slight damping that keeps a uniform
/// pressure from drifting (docs/decisions/engquist-majda.md). With u0 beyond the side, u1
/// in the outermost cell, u2 in the next, g = (1 - lambda) / (1 + lambda) and e = 1 - damping:
///
///     u0_new = -2 g u1_new - g^2 u2_new + 2 e (g u0 + (1 + g^2) u1 + g u2)
///                - e^2 (g^2 u0_old + 2 g u1_old + u2_old)
///
/// There are no differences along the side, so edges and corners are like the rest.
template <class Real>
class EngquistMajda {
 public:
  /// Throws std::invalid_argument if the grid has less than two cells along an axis with such a
  /// side.
  EngquistMajda(const Cell& size, const Sides& sides, double courant);

  /// p beyond a y or z side, next to the row of cells; the rows of a z side follow at the stride of
  /// the field.
  const Real* row(int side, int y, int z) const {
    return planes_[side].beyond.row(side / 2 == 1 ? z : y, 0);
  }
  /// p beyond an x side.
  Real beyond(int side, int y, int z) const { return planes_[side].beyond.row(z, 0)[y]; }

  /// Advances the pressure beyond the sides to the time of p_new.
  void advance(const Field<Real>& p, const Field<Real>& p_new);

  std::size_t bytes() const;

 private:
  /// u0, u1 and u2 of one side. Rows run along x, or along y at x sides.
  struct Plane {
    Field<Real> beyond{{0, 0, 0}}, beyond_old{{0, 0, 0}};
    Field<Real> outermost_old{{0, 0, 0}}, next_old{{0, 0, 0}};
  };

  void advance_side(int side, const Field<Real>& p, const Field<Real>& p_new);

  Cell size_;
  Sides sides_;
  Real g_;
  std::array<Plane, 6> planes_;
};

extern template class EngquistMajda<float>;
extern template class EngquistMajda<double>;

}  // namespace peal::wave

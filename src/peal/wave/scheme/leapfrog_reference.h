#pragma once

#include <peal/wave/scheme/leapfrog.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace peal::wave {

/// A readable reference implementation of Leapfrog: every cell and face has its memory, in or out
/// of the layer, and every face is visited from both sides. It is many times slower; the fast
/// kernels are compared with it.
template <class Real>
class ReferenceLeapfrog {
 public:
  ReferenceLeapfrog(const Grid& grid, const LeapfrogSettings& settings)
      : grid_(grid),
        settings_(settings),
        courant_(settings.speed_of_sound * settings.time_step / grid.cell_size),
        p_(grid.cells()),
        p_old_(grid.cells()) {
    for (int axis = 0; axis < 3; ++axis) {
      xi_[axis].resize(grid.cells());
      psi_[axis].resize(faces(axis).cells());
    }
  }

  Real& pressure(const Cell& c) { return p_[grid_.index(c)]; }
  Real& previous(const Cell& c) { return p_old_[grid_.index(c)]; }

  void step() {
    const double viscous = settings_.viscosity / (settings_.speed_of_sound * settings_.time_step);
    std::vector<Real> w(p_), p_new(p_.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] += static_cast<Real>(viscous) * (p_[i] - p_old_[i]);
    }
    for (int axis = 0; axis < 3; ++axis) advance_faces(axis, w);
    for_each_cell(grid_.size, [&](const Cell& c) {
      const std::size_t i = grid_.index(c);
      Real sum = 0;
      for (int axis = 0; axis < 3; ++axis) sum += axis_term(axis, c, w);
      p_new[i] = 2 * p_[i] - p_old_[i] + static_cast<Real>(courant_ * courant_) * sum;
    });
    p_old_.swap(p_);
    p_.swap(p_new);
  }

 private:
  /// Face f of an axis lies between cells f - 1 and f.
  Grid faces(int axis) const {
    Grid faces = grid_;
    ++faces.size[axis];
    return faces;
  }

  /// Coefficients of psi <- b psi + a D, and likewise of xi.
  struct Recursion {
    Real a, b;
  };
  /// The recursion at a position along an axis [cells]; a = 0 outside the layers.
  Recursion recursion(int axis, double position) const {
    const int n = settings_.layer.cells;
    double depth = 0.0;
    if (settings_.sides[2 * axis] == Side::absorbing_layer) depth = std::fmax(depth, n - position);
    if (settings_.sides[2 * axis + 1] == Side::absorbing_layer) {
      depth = std::fmax(depth, position - (grid_.size[axis] - n));
    }
    if (depth == 0.0) return {Real(0), Real(0)};
    const CpmlProfile at = cpml_profile(settings_.layer, static_cast<int>(2.0 * depth));
    const int longest = *std::max_element(grid_.size.begin(), grid_.size.end());
    const double d = courant_ * at.damping, alpha = courant_ / longest * at.shift;
    const double b = std::exp(-(d + alpha));
    return {static_cast<Real>(d / (d + alpha) * (b - 1.0)), static_cast<Real>(b)};
  }

  /// Difference of w across face f (a cell's coordinates, or one more along the axis).
  Real difference(int axis, const Cell& f, const std::vector<Real>& w) const {
    Cell low = f;
    --low[axis];
    const bool at_low = !grid_.contains(low), at_high = !grid_.contains(f);
    if (at_low || at_high) {
      const Side side = settings_.sides[2 * axis + (at_low ? 0 : 1)];
      if (side == Side::rigid) return 0;
    }
    return (at_high ? Real(0) : w[grid_.index(f)]) - (at_low ? Real(0) : w[grid_.index(low)]);
  }

  void advance_faces(int axis, const std::vector<Real>& w) {
    const Grid grid = faces(axis);
    for_each_cell(grid.size, [&](const Cell& f) {
      const auto [a, b] = recursion(axis, f[axis]);
      Real& psi = psi_[axis][grid.index(f)];
      psi = b * psi + a * difference(axis, f, w);
    });
  }

  Real axis_term(int axis, const Cell& c, const std::vector<Real>& w) {
    const Grid grid = faces(axis);
    Cell high = c;
    ++high[axis];
    const Real v = difference(axis, high, w) + psi_[axis][grid.index(high)] -
                   difference(axis, c, w) - psi_[axis][grid.index(c)];
    const auto [a, b] = recursion(axis, c[axis] + 0.5);
    Real& xi = xi_[axis][grid_.index(c)];
    xi = b * xi + a * v;
    return v + xi;
  }

  Grid grid_;
  LeapfrogSettings settings_;
  double courant_;
  std::vector<Real> p_, p_old_;
  std::array<std::vector<Real>, 3> psi_, xi_;
};

/// The energy that the scheme conserves in a rigid box without viscosity, up to a factor: |p -
/// p_old|^2 + lambda^2 sum over faces of (difference of p) (difference of p_old).
template <class Real>
double discrete_energy(const Field<Real>& p, const Field<Real>& p_old, double courant) {
  double kinetic = 0.0, potential = 0.0;
  for_each_cell(p.size(), [&](const Cell& c) {
    const double change = static_cast<double>(p[c]) - static_cast<double>(p_old[c]);
    kinetic += change * change;
    for (int axis = 0; axis < 3; ++axis) {
      Cell high = c;
      if (++high[axis] == p.size()[axis]) continue;
      potential += (static_cast<double>(p[high]) - static_cast<double>(p[c])) *
                   (static_cast<double>(p_old[high]) - static_cast<double>(p_old[c]));
    }
  });
  return kinetic + courant * courant * potential;
}

}  // namespace peal::wave

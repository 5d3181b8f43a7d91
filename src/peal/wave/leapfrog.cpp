#include <peal/wave/leapfrog.h>
#include <peal/wave/time_step.h>

#include <algorithm>
#include <cstddef>

namespace peal::wave {

template <class Real>
Leapfrog<Real>::Leapfrog(const Grid& grid, const LeapfrogSettings& settings)
    : grid_(grid),
      settings_(settings),
      courant_(courant_number(grid.cell_size, settings.speed_of_sound, settings.time_step)),
      courant2_(static_cast<Real>(courant_ * courant_)),
      viscous_(
          static_cast<Real>(settings.viscosity / (settings.speed_of_sound * settings.time_step))),
      now_(grid.size),
      other_(grid.size),
      layer_(grid.size, settings.sides, courant_, settings.layer),
      viscous_planes_({grid.size[0], grid.size[1], settings.viscosity > 0.0 ? 3 : 0}),
      zeros_(now_.stride()),
      extra_(now_.stride()),
      in_grid_(AlignedArray<Real>::line) {
  const auto line = static_cast<int>(AlignedArray<Real>::line);
  std::fill_n(in_grid_.data(), grid.size[0] % line, Real(1));
}

template <class Real>
void Leapfrog<Real>::step() {
  advance_planes(0, grid_.size[2]);
  finish_step();
}

template <class Real>
void Leapfrog<Real>::advance_planes(int begin, int end) {
  for (int z = begin; z < end; ++z) {
    if (viscous_ > 0) {
      // The plane above must be read before this step overwrites its p_old.
      if (z == 0) fill_viscous_plane(0);
      if (z + 1 < grid_.size[2]) fill_viscous_plane(z + 1);
    }
    fill_row_ends(z);
    advance_plane(z);
  }
}

template <class Real>
void Leapfrog<Real>::advance_plane(int z) {
  // Rows of the middle have four neighbours and no layer; those before and after take more care.
  const auto [begin, end] = layer_.plain_rows(z);
  const int first = std::max(begin, 1), last = std::min(end, grid_.size[1] - 1);
  const bool has_middle = first < last;
  for (int y = 0; y < (has_middle ? first : grid_.size[1]); ++y) advance_row(y, z);
  if (has_middle) {
    const auto stride = static_cast<std::ptrdiff_t>(now_.stride());
    leapfrog_rows(last - first, stride, grid_.size[0], courant2_, now_.row(first, z),
                  star(first, z), in_grid_.data(), other_.row(first, z));
    for (int y = last; y < grid_.size[1]; ++y) advance_row(y, z);
  }
  layer_.end_terms(z, operand_row(0, z), now_.stride(), courant2_, other_.row(0, z));
}

template <class Real>
void Leapfrog<Real>::advance_row(int y, int z) {
  const Real *p = now_.row(y, z), *extra = extra_.data(), *in_grid = in_grid_.data();
  Real* p_old = other_.row(y, z);
  const Star<Real> w = star(y, z);
  if (layer_.row_terms(y, z, w, extra_.data())) {
    leapfrog_row<true>(grid_.size[0], courant2_, p, w, extra, in_grid, p_old);
  } else {
    leapfrog_row<false>(grid_.size[0], courant2_, p, w, extra, in_grid, p_old);
  }
}

/// Puts what lies beyond rigid x sides to the ends of each row of a plane; elsewhere they are 0.
template <class Real>
void Leapfrog<Real>::fill_row_ends(int z) {
  const auto fill = [&](int beyond, int within) {
    Real* row = operand_row(0, z);
    for (int y = 0; y < grid_.size[1]; ++y, row += now_.stride()) row[beyond] = row[within];
  };
  const int n = grid_.size[0];
  if (settings_.sides[0] == Side::rigid) fill(-1, 0);
  if (settings_.sides[1] == Side::rigid) fill(n, n - 1);
}

template <class Real>
void Leapfrog<Real>::fill_viscous_plane(int z) {
  for (int y = 0; y < grid_.size[1]; ++y) {
    const Real *p = now_.row(y, z), *p_old = other_.row(y, z);
    Real* __restrict w = viscous_planes_.row(y, z % 3);
    for (int x = 0; x < grid_.size[0]; ++x) w[x] = p[x] + viscous_ * (p[x] - p_old[x]);
  }
}

/// A row of what the Laplacian acts on.
template <class Real>
Real* Leapfrog<Real>::operand_row(int y, int z) {
  return viscous_ > 0 ? viscous_planes_.row(y, z % 3) : now_.row(y, z);
}

template <class Real>
Star<Real> Leapfrog<Real>::star(int y, int z) {
  const Real* centre = operand_row(y, z);
  return {.centre = centre,
          .south = y > 0 ? operand_row(y - 1, z) : outside(2, centre),
          .north = y + 1 < grid_.size[1] ? operand_row(y + 1, z) : outside(3, centre),
          .below = z > 0 ? operand_row(y, z - 1) : outside(4, centre),
          .above = z + 1 < grid_.size[2] ? operand_row(y, z + 1) : outside(5, centre)};
}

/// The values beyond a side, given those before it.
template <class Real>
const Real* Leapfrog<Real>::outside(int side, const Real* row) const {
  return settings_.sides[side] == Side::rigid ? row : zeros_.data();
}

template <class Real>
void Leapfrog<Real>::add_monopole(const Cell& cell, double strength) {
  other_[cell] += static_cast<Real>(courant_ * courant_ / grid_.cell_size * strength);
}

template <class Real>
std::size_t Leapfrog<Real>::bytes() const {
  return now_.bytes() + other_.bytes() + viscous_planes_.bytes() + layer_.bytes();
}

template class Leapfrog<float>;
template class Leapfrog<double>;

}  // namespace peal::wave

#include <peal/wave/leapfrog.h>
#include <peal/wave/time_step.h>

#include <algorithm>

namespace peal::wave {

namespace {

/// Rows of a plane that are advanced through all planes before the next ones: three planes of them
/// and p_old stay in a second-level cache.
constexpr std::size_t block_bytes = 384 * 1024;

template <class Real>
int block_rows(const Field<Real>& field) {
  return std::max(8, static_cast<int>(block_bytes / (4 * sizeof(Real) * field.stride())));
}

}  // namespace

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
      extra_(now_.stride()) {}

template <class Real>
void Leapfrog<Real>::step() {
  const int rows = viscous_ > 0 ? grid_.size[1] : block_rows(now_);
  if (rows >= grid_.size[1]) {
    advance_planes(0, grid_.size[2]);
  } else {
    for (int y = 0; y < grid_.size[1]; y += rows) {
      for (int z = 0; z < grid_.size[2]; ++z) {
        advance_rows(y, std::min(y + rows, grid_.size[1]), z);
      }
    }
  }
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
    advance_rows(0, grid_.size[1], z);
  }
}

template <class Real>
void Leapfrog<Real>::advance_rows(int begin, int end, int z) {
  for (int y = begin; y < end; ++y) advance_row(y, z);
}

template <class Real>
void Leapfrog<Real>::advance_row(int y, int z) {
  const int n = grid_.size[0];
  const Real* p = now_.row(y, z);
  Real* p_old = other_.row(y, z);
  const Star<Real> w = star(y, z);
  const Real old_first = p_old[0], old_last = p_old[n - 1];

  const bool layered = layer_.row_terms(y, z, w, extra_.data());
  if (layered) {
    leapfrog_row(n, courant2_, p, w, extra_.data(), p_old);
  } else {
    leapfrog_row(n, courant2_, p, w, p_old);
  }

  // The two ends again, now with what lies beyond them.
  const auto mend = [&](int x, Real old, Real west, Real east) {
    const Real lap =
        laplacian(w.centre[x], west, east, w.south[x], w.north[x], w.below[x], w.above[x]);
    p_old[x] = leapfrog(p[x], old, courant2_, layered ? lap + extra_.data()[x] : lap);
  };
  const Real beyond_first = *outside(0, w.centre), beyond_last = *outside(1, w.centre + n - 1);
  mend(0, old_first, beyond_first, n > 1 ? w.centre[1] : beyond_last);
  if (n > 1) mend(n - 1, old_last, w.centre[n - 2], beyond_last);
  layer_.end_terms(y, z, w.centre, courant2_, p_old);
}

template <class Real>
void Leapfrog<Real>::fill_viscous_plane(int z) {
  for (int y = 0; y < grid_.size[1]; ++y) {
    const Real *p = now_.row(y, z), *p_old = other_.row(y, z);
    Real* __restrict w = viscous_planes_.row(y, z % 3);
    for (int x = 0; x < grid_.size[0]; ++x) w[x] = p[x] + viscous_ * (p[x] - p_old[x]);
  }
}

template <class Real>
const Real* Leapfrog<Real>::operand_row(int y, int z) const {
  return viscous_ > 0 ? viscous_planes_.row(y, z % 3) : now_.row(y, z);
}

/// The values beyond a side, given those before it.
template <class Real>
const Real* Leapfrog<Real>::outside(int side, const Real* row) const {
  return settings_.sides[side] == Side::rigid ? row : zeros_.data();
}

template <class Real>
Star<Real> Leapfrog<Real>::star(int y, int z) const {
  const Real* centre = operand_row(y, z);
  return {.centre = centre,
          .south = y > 0 ? operand_row(y - 1, z) : outside(2, centre),
          .north = y + 1 < grid_.size[1] ? operand_row(y + 1, z) : outside(3, centre),
          .below = z > 0 ? operand_row(y, z - 1) : outside(4, centre),
          .above = z + 1 < grid_.size[2] ? operand_row(y, z + 1) : outside(5, centre)};
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

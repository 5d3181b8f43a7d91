#include <peal/util/denormals.h>
#include <peal/wave/grid/time_step.h>
#include <peal/wave/scheme/leapfrog.h>

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
      engquist_majda_(grid.size, settings.sides, courant_),
      viscous_planes_({grid.size[0], grid.size[1], settings.viscosity > 0.0 ? 3 : 0}),
      zeros_(now_.stride() * static_cast<std::size_t>(grid.size[1])),
      in_grid_(lanes<Real>) {
  std::fill_n(in_grid_.data(), grid.size[0] % lanes<Real>, Real(1));
}

template <class Real>
void Leapfrog<Real>::step() {
  advance_planes(0, grid_.size[2]);
  finish_step();
}

template <class Real>
void Leapfrog<Real>::finish_step() {
  const util::FlushDenormals flush;
  engquist_majda_.advance(now_, other_);
  now_.swap(other_);
}

/// The row kernel for rows with or without y and z layers.
template <class Real>
template <bool viscous, bool ends>
auto Leapfrog<Real>::rows_function(bool in_y, bool in_z) {
  if (in_y) {
    return in_z ? leapfrog_rows<viscous, true, true, ends, Real>
                : leapfrog_rows<viscous, true, false, ends, Real>;
  }
  return in_z ? leapfrog_rows<viscous, false, true, ends, Real>
              : leapfrog_rows<viscous, false, false, ends, Real>;
}

template <class Real>
void Leapfrog<Real>::advance_planes(int begin, int end) {
  const util::FlushDenormals flush;
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
  // Rows of the same kind are processed together; those in layers have memory. x layers that are
  // not part of the rows follow while a few rows are still in the cache.
  const auto [low, high] = layer_.rows_between();
  const bool ends_apart = layer_.has_ends() && !layer_.ends_fit_rows();
  const int size = grid_.size[1], batch = ends_apart ? 24 : size;
  for (int begin = 0, end = 0; begin < size; begin = end) {
    end = std::min(begin + batch, size);
    for (const int edge : {low, high}) {
      if (edge > begin) end = std::min(end, edge);
    }
    advance_rows(begin, end, z);
    if (ends_apart) {
      layer_.end_terms(begin, end, z, operand_row(begin, z), now_.stride(), courant2_,
                       other_.row(begin, z));
    }
  }
}

template <class Real>
void Leapfrog<Real>::advance_rows(int begin, int end, int z) {
  const auto [low, high] = layer_.rows_between();
  const bool in_y = begin < low || begin >= high, in_z = layer_.plane_in_layer(z);
  const Real* centre = operand_row(begin, z);
  SlabRow<Real> along_y, along_z;
  if (in_y) {
    if (begin == 0 && low > 0) {
      layer_.advance_lowest_faces(1, 0, z, 1, centre, now_.stride());
    }
    along_y = layer_.slab_row(1, begin, z);
  }
  if (in_z) {
    if (z == 0 && settings_.sides[4] == Side::absorbing_layer) {
      layer_.advance_lowest_faces(2, begin, 0, end - begin, centre, now_.stride());
    }
    along_z = layer_.slab_row(2, begin, z);
  }
  const bool ends = layer_.ends_fit_rows();
  const auto rows = viscous_ > 0 ? (ends ? rows_function<true, true>(in_y, in_z)
                                         : rows_function<true, false>(in_y, in_z))
                                 : (ends ? rows_function<false, true>(in_y, in_z)
                                         : rows_function<false, false>(in_y, in_z));
  rows(end - begin, static_cast<std::ptrdiff_t>(now_.stride()), grid_.size[0], courant2_,
       now_.row(begin, z), star(begin, end, z), along_y, along_z,
       ends ? layer_.row_ends(begin, z) : RowEnds<Real>(), in_grid_.data(), other_.row(begin, z));
}

/// Sets the values beyond the x sides at the ends of each row of a plane; 0 at layers.
template <class Real>
void Leapfrog<Real>::fill_row_ends(int z) {
  const auto fill = [&](int side, int outside, int within) {
    if (settings_.sides[side] == Side::absorbing_layer) return;
    const bool rigid = settings_.sides[side] == Side::rigid;
    Real* row = operand_row(0, z);
    for (int y = 0; y < grid_.size[1]; ++y, row += now_.stride()) {
      row[outside] = rigid ? row[within] : engquist_majda_.beyond(side, y, z);
    }
  };
  const int n = grid_.size[0];
  fill(0, -1, 0);
  fill(1, n, n - 1);
}

template <class Real>
void Leapfrog<Real>::fill_viscous_plane(int z) {
  for (int y = 0; y < grid_.size[1]; ++y) {
    const Real *p = now_.row(y, z), *p_old = other_.row(y, z);
    Real* __restrict w = viscous_planes_.row(y, z % 3);
    for (int x = 0; x < grid_.size[0]; ++x) w[x] = p[x] + viscous_ * (p[x] - p_old[x]);
  }
}

/// A row of the field that the Laplacian acts on.
template <class Real>
Real* Leapfrog<Real>::operand_row(int y, int z) {
  return viscous_ > 0 ? viscous_planes_.row(y, z % 3) : now_.row(y, z);
}

/// The star of the first of some consecutive rows; `north` is that of the last.
template <class Real>
Star<Real> Leapfrog<Real>::star(int begin, int end, int z) {
  const Real *first = operand_row(begin, z), *last = operand_row(end - 1, z);
  return {.centre = first,
          .south = begin > 0 ? operand_row(begin - 1, z) : outside(2, begin, z, first),
          .north = end < grid_.size[1] ? operand_row(end, z) : outside(3, end - 1, z, last),
          .below = z > 0 ? operand_row(begin, z - 1) : outside(4, begin, z, first),
          .above = z + 1 < grid_.size[2] ? operand_row(begin, z + 1) : outside(5, begin, z, first)};
}

/// The values beyond a side, next to a row of cells.
template <class Real>
const Real* Leapfrog<Real>::outside(int side, int y, int z, const Real* row) const {
  switch (settings_.sides[side]) {
    case Side::rigid:
      return row;
    case Side::engquist_majda:
      return engquist_majda_.row(side, y, z);
    case Side::absorbing_layer:
      break;
  }
  return zeros_.data();
}

template <class Real>
void Leapfrog<Real>::add_monopole(const Cell& cell, double strength) {
  other_[cell] += static_cast<Real>(courant_ * courant_ / grid_.cell_size * strength);
}

template <class Real>
std::size_t Leapfrog<Real>::bytes() const {
  return now_.bytes() + other_.bytes() + viscous_planes_.bytes() + layer_.bytes() +
         engquist_majda_.bytes();
}

template class Leapfrog<float>;
template class Leapfrog<double>;

}  // namespace peal::wave

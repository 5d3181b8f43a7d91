#pragma once

#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/grid/grid.h>
#include <peal/wave/scheme/cut_cells.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace peal::wave {

/// The plain seven-point leapfrog in a rigid box: p_old becomes the next field.
template <class Real>
void plain_step(const Grid& grid, double lambda, std::span<const Real> p, std::span<Real> p_old) {
  const auto [nx, ny, nz] = grid.size;
  const Real l2 = static_cast<Real>(lambda * lambda);
  const std::ptrdiff_t row = nx, plane = row * ny;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y) {
      const Real* const c = p.data() + grid.index({0, y, z});
      const Real *const south = y > 0 ? c - row : c, *const north = y + 1 < ny ? c + row : c;
      const Real *const low = z > 0 ? c - plane : c, *const high = z + 1 < nz ? c + plane : c;
      Real* const out = p_old.data() + grid.index({0, y, z});
      const auto next = [&](int x, Real west, Real east) {
        const Real flux = (west + east) + (south[x] + north[x]) + (low[x] + high[x]) - 6 * c[x];
        return c[x] + ((c[x] - out[x]) + l2 * flux);
      };
      out[0] = next(0, c[0], c[1]);
      for (int x = 1; x < nx - 1; ++x) out[x] = next(x, c[x - 1], c[x + 1]);
      out[nx - 1] = next(nx - 1, c[nx - 2], c[nx - 1]);
    }
}

/// The cut-cell scheme written plainly: every cell of a small grid has its V and A, in double.
class DenseCutReference {
 public:
  DenseCutReference(const Grid& grid, const CutScheme& scheme, const CutGeometry& geometry)
      : p(grid.cells()), p_old(grid.cells()), grid_(grid), scheme_(scheme) {
    set(geometry);
    volume_old = volume;
  }

  /// Takes the geometry of the coming step; opened cells get values, closed ones none.
  void move(const CutGeometry& geometry, std::span<const double> source,
            std::span<const double> source_before) {
    volume_old = volume;
    set(geometry);
    const std::vector<double> now = p, before = p_old;
    for_each_cell([&](const Cell& c, std::size_t i) {
      if (volume[i] == 0) p[i] = p_old[i] = 0;
      if (volume[i] == 0 || volume_old[i] > 0) return;
      double sum = 0, q = source[i], q_before = source_before[i];
      for (int f = 0; f < cell_faces; ++f) {
        const double a = area(c, f);
        if (a == 0 || volume_old[neighbour(c, f)] == 0) continue;
        sum += a;
        q += a * now[neighbour(c, f)];
        q_before += a * before[neighbour(c, f)];
      }
      p[i] = sum > 0 ? q / sum : 0;
      p_old[i] = sum > 0 ? q_before / sum : 0;
    });
  }

  void step(std::span<const double> source) {
    std::vector<double> next(p.size());
    for_each_cell([&](const Cell& c, std::size_t i) {
      if (volume[i] == 0) return;
      double flux = source[i];
      for (int f = 0; f < cell_faces; ++f) {
        const double a = area(c, f);
        const std::size_t j = neighbour(c, f);
        flux += a * (p[j] - p[i]) +
                scheme_.gamma * a * (1 - a) * ((p[j] - p[i]) - (p_old[j] - p_old[i]));
      }
      const double inertia = std::min(volume_old[i], 2 * volume[i]) * (p[i] - p_old[i]);
      next[i] = p[i] + (inertia + scheme_.lambda * scheme_.lambda * flux) / volume[i];
    });
    p_old = std::exchange(p, next);
    volume_old = volume;
  }

  /// Exactly constant for geometry at rest without damping and sources.
  double energy(std::span<const double> now, std::span<const double> before) const {
    double sum = 0;
    for_each_cell([&](const Cell& c, std::size_t i) {
      const double rate = now[i] - before[i];
      sum += volume[i] * rate * rate;
      for (int f = 1; f < cell_faces; f += 2) {
        const std::size_t j = neighbour(c, f);
        sum += scheme_.lambda * scheme_.lambda * area(c, f) * (now[j] - now[i]) *
               (before[j] - before[i]);
      }
    });
    return sum;
  }

  std::vector<double> p, p_old;
  std::vector<double> volume, volume_old;  ///< Vs; 0 where no face is open

 private:
  template <class Visit>
  void for_each_cell(Visit visit) const {
    for (int z = 0; z < grid_.size[2]; ++z)
      for (int y = 0; y < grid_.size[1]; ++y)
        for (int x = 0; x < grid_.size[0]; ++x) visit(Cell{x, y, z}, grid_.index({x, y, z}));
  }
  std::size_t neighbour(Cell c, int face) const {
    const std::size_t here = grid_.index(c);
    c[face / 2] += face % 2 ? 1 : -1;
    return grid_.contains(c) ? grid_.index(c) : here;
  }
  /// Every face is closed if either of its cells says so.
  double area(const Cell& c, int face) const {
    const std::size_t i = grid_.index(c), j = neighbour(c, face);
    return i == j ? 0 : std::min(open_[i][face], open_[j][face ^ 1]);
  }
  void set(const CutGeometry& geometry) {
    open_.assign(grid_.cells(), {1, 1, 1, 1, 1, 1});
    volume.assign(grid_.cells(), 1);
    for (const SolidRun& run : geometry.solid)
      for (int x = run.begin; x < run.end; ++x) open_[grid_.index({x, run.y, run.z})] = {};
    for (const OpenCell& c : geometry.cells) {
      volume[grid_.index(c.cell)] = c.volume;
      open_[grid_.index(c.cell)] = c.area;
      for (double& a : open_[grid_.index(c.cell)])
        if (a < 1e-9) a = 0;
    }
    for_each_cell([&](const Cell& c, std::size_t i) {
      double g = 0;
      for (int f = 0; f < cell_faces; ++f)
        g += area(c, f) * (1 + 2 * scheme_.gamma * (1 - area(c, f)));
      volume[i] = g > 0 ? std::max(volume[i], 0.5 * scheme_.lambda * scheme_.lambda * g) : 0;
    });
  }

  Grid grid_;
  CutScheme scheme_;
  std::vector<std::array<double, cell_faces>> open_;
};

/// Relative to the largest value of b.
inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return worst / largest;
}

/// Two fields, and the list over the plain scheme.
template <class Real>
struct Stepper {
  Grid grid;
  CutScheme scheme;
  CutCells<Real> cells;
  std::vector<Real> p, p_old;

  Stepper(const Grid& g, const CutScheme& s)
      : grid(g), scheme(s), cells(g, FieldLayout::packed(g), s), p(g.cells()), p_old(g.cells()) {}

  void step(std::span<const Real> source = {}) {
    cells.update(p, p_old, source);
    plain_step<Real>(grid, scheme.lambda, p, p_old);
    cells.overwrite(p_old);
    std::swap(p, p_old);
  }
  /// White noise at rest in the open cells.
  void fill_with_noise(const DenseCutReference& open) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double value = noise(random);
      p[i] = p_old[i] = static_cast<Real>(open.volume[i] > 0 ? value : 0);
    }
  }
  double rms() const {
    double sum = 0;
    for (Real value : p) sum += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(sum / static_cast<double>(p.size()));
  }
};

}  // namespace peal::wave

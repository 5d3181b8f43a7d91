#include <peal/util/smoothstep.h>
#include <peal/wave/far_field/kirchhoff_surface.h>
#include <peal/wave/grid/lanes.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::wave {

namespace {

constexpr double grid_only = 0.5;      ///< distance up to which only the grid is used [cells]
constexpr double integral_only = 2.5;  ///< distance from which only the integral is used [cells]

/// The weight of face i of n in a row; `open(i)` is its open fraction. The end correction applies
/// if the three faces at that end are fully open.
template <class Open>
double row_weight(int i, int n, const Open& open) {
  constexpr double end[] = {13.0 / 12.0, 7.0 / 8.0, 25.0 / 24.0};
  if (n < 6) return 1.0;
  const int from_end = std::min(i, n - 1 - i);
  if (from_end > 2) return 1.0;
  const bool low = i < n / 2;
  for (int k = 0; k < 3; ++k) {
    if (open(low ? k : n - 1 - k) < 1.0) return 1.0;
  }
  return end[from_end];
}

Cell moved(Cell c, int axis, int by) {
  c[axis] += by;
  return c;
}

/// Reads p and q of `count` faces, `step` values apart, from cells `n` values apart across the
/// face.
template <class Real>
[[gnu::always_inline]] inline void read_wide(int count, const Real* inner, std::ptrdiff_t n,
                                             std::ptrdiff_t step, Real per_cell, Real* __restrict p,
                                             Real* __restrict q) {
  const Real a = Real(9.0 / 16.0), b = Real(1.0 / 16.0), slope = per_cell / Real(24);
  const Real *i2 = inner - n, *o1 = inner + n, *o2 = inner + 2 * n;
  for (int i = 0; i < count; ++i) {
    const std::ptrdiff_t k = i * step;
    p[i] = a * (inner[k] + o1[k]) - b * (i2[k] + o2[k]);
    q[i] = slope * (Real(27) * (o1[k] - inner[k]) - (o2[k] - i2[k]));
  }
}

/// Reads p and q of faces across x, whose four cells are adjacent in memory: four faces at once,
/// with their cells transposed.
template <class Real>
void read_across(const Real* first, std::ptrdiff_t step, Real per_cell, Real* p, Real* q) {
  using Four = typename LanesOf<Real, 4 * sizeof(Real)>::type;
  const Real a = Real(9.0 / 16.0), b = Real(1.0 / 16.0), slope = per_cell / Real(24);
  for (int i = 0; i < FaceGroup::capacity; i += 4, first += 4 * step) {
    const auto r0 = load<Four>(first), r1 = load<Four>(first + step);
    const auto r2 = load<Four>(first + 2 * step), r3 = load<Four>(first + 3 * step);
    const Four low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5);
    const Four low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
    const Four high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
    const Four x0 = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    const Four x1 = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    const Four x2 = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    const Four x3 = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
    store(p + i, a * (x1 + x2) - b * (x0 + x3));
    store(q + i, slope * (Real(27) * (x2 - x1) - (x3 - x0)));
  }
}

template <class Real>
void read_narrow(int count, const Real* inner, std::ptrdiff_t n, std::ptrdiff_t step, Real per_cell,
                 Real* __restrict p, Real* __restrict q) {
  for (int i = 0; i < count; ++i) {
    const Real in = inner[i * step], out = inner[i * step + n];
    p[i] = Real(0.5) * (in + out);
    q[i] = per_cell * (out - in);
  }
}

}  // namespace

KirchhoffSurface::KirchhoffSurface(const FarFieldSetup& setup) : grid_(setup.grid) {
  for (int axis = 0; axis < 3; ++axis) {
    low_[axis] = grid_.origin[axis] + grid_.cell_size * setup.low[axis];
    high_[axis] = grid_.origin[axis] + grid_.cell_size * setup.high[axis];
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1}) add_side(setup, axis, side);
  }
}

void KirchhoffSurface::add_side(const FarFieldSetup& setup, int axis, int side) {
  const int along = axis == 0 ? 1 : 0, across = 3 - axis - along;
  const int outwards = side == 0 ? -1 : 1, face = 2 * axis + side;
  const auto open_area = [&](const Cell& c) {
    return setup.open_area ? setup.open_area(c, face) : 1.0;
  };
  const int columns = setup.high[along] - setup.low[along];
  const int rows = setup.high[across] - setup.low[across];
  for (int row = 0; row < rows; ++row) {
    Cell start = setup.low;
    start[axis] = side == 0 ? setup.low[axis] : setup.high[axis] - 1;
    start[across] += row;
    FaceGroup group;
    const auto finish = [&] {
      if (group.count > 0) groups_.push_back(group);
      group.count = 0;
    };
    for (int i = 0; i < columns; ++i) {
      const Cell inside = moved(start, along, i);
      const double open = open_area(inside);
      if (open <= 0.0) {
        finish();
        continue;
      }
      if (!grid_.contains(inside) || !grid_.contains(moved(inside, axis, outwards))) {
        throw std::invalid_argument("an open face of the listening box is not in the grid");
      }
      const bool wide = is_wide(setup, inside, axis, outwards);
      if (group.count == FaceGroup::capacity || wide != group.wide) finish();
      if (group.count == 0) {
        group = {.first = inside, .along = along, .axis = axis, .outwards = outwards, .wide = wide};
      }
      const double ends =
          row_weight(i, columns, [&](int k) { return open_area(moved(start, along, k)); }) *
          row_weight(row, rows, [&](int k) { return open_area(moved(inside, across, k - row)); });
      group.weight[group.count++] = grid_.cell_size * grid_.cell_size * open * ends;
      ++faces_;
    }
    finish();
  }
}

bool KirchhoffSurface::is_wide(const FarFieldSetup& setup, const Cell& inside, int axis,
                               int outwards) const {
  for (int k = -1; k <= 2; ++k) {
    if (!setup.has_air(moved(inside, axis, k * outwards))) return false;
  }
  return true;
}

Vec3 KirchhoffSurface::face_centre(const FaceGroup& group, int index) const {
  Vec3 x = grid_.centre(moved(group.first, group.along, index));
  x[group.axis] += 0.5 * group.outwards * grid_.cell_size;
  return x;
}

double KirchhoffSurface::distance(const Vec3& x) const {
  return (low_ - x).cwiseMax(x - high_).cwiseMax(0.0).norm();
}

double KirchhoffSurface::farthest(const Vec3& x) const {
  return (x - low_).cwiseAbs().cwiseMax((x - high_).cwiseAbs()).norm();
}

SoundingFace KirchhoffSurface::sounding_face(const FaceGroup& group, int index) const {
  const Vec3 centre = face_centre(group, index);
  return {.position = {centre.x(), centre.y(), centre.z()},
          .weight = group.weight[index] / (4.0 * std::numbers::pi)};
}

double KirchhoffSurface::exit_distance(const Vec3& direction) const {
  return (0.5 * (high_ - low_)).cwiseQuotient(direction.cwiseAbs()).minCoeff();
}

double KirchhoffSurface::grid_share(const Vec3& x) const {
  const double cells = distance(x) / grid_.cell_size;
  return 1.0 - util::smoothstep((cells - grid_only) / (integral_only - grid_only));
}

template <class Real>
void KirchhoffSurface::read(const Field<Real>& field, Real* out) const {
  const Real per_cell = static_cast<Real>(1.0 / grid_.cell_size);
  const auto row = static_cast<std::ptrdiff_t>(field.stride());
  const std::ptrdiff_t strides[3] = {1, row, row * field.size()[1]};
  for (const FaceGroup& group : groups_) {
    const Real* inner = field.row(group.first[1], group.first[2]) + group.first[0];
    Real *p = out, *q = out + FaceGroup::capacity;
    const std::ptrdiff_t n = group.outwards * strides[group.axis], step = strides[group.along];
    if (!group.wide) {
      read_narrow(group.count, inner, n, step, per_cell, p, q);
    } else if (group.count < FaceGroup::capacity) {
      read_wide(group.count, inner, n, step, per_cell, p, q);
    } else if (step == 1) {
      read_wide(FaceGroup::capacity, inner, n, 1, per_cell, p, q);
    } else {
      // Groups with other axes run along x; this one is across it.
      const auto outwards = static_cast<Real>(group.outwards);
      read_across(inner - (group.outwards > 0 ? 1 : 2), step, outwards * per_cell, p, q);
    }
    out += 2 * FaceGroup::capacity;
  }
}

template void KirchhoffSurface::read(const Field<float>&, float*) const;
template void KirchhoffSurface::read(const Field<double>&, double*) const;

}  // namespace peal::wave

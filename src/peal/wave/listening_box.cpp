#include <peal/wave/listening_box.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace peal::wave {

namespace {

constexpr double grid_only = 0.5;      ///< distance up to which only the grid is heard [cells]
constexpr double integral_only = 2.5;  ///< and from which only the integral is [cells]

double smoothstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

/// Weight of face i of n in a row; `open(i)` is the part of it in the air. An end is corrected if
/// its three faces are whole.
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

}  // namespace

ListeningBox::ListeningBox(const HearingSetup& setup) : grid_(setup.grid) {
  for (int axis = 0; axis < 3; ++axis) {
    low_[axis] = grid_.origin[axis] + grid_.cell_size * setup.low[axis];
    high_[axis] = grid_.origin[axis] + grid_.cell_size * setup.high[axis];
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1}) add_side(setup, axis, side);
  }
}

void ListeningBox::add_side(const HearingSetup& setup, int axis, int side) {
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

bool ListeningBox::is_wide(const HearingSetup& setup, const Cell& inside, int axis,
                           int outwards) const {
  for (int k = -1; k <= 2; ++k) {
    if (!setup.has_air(moved(inside, axis, k * outwards))) return false;
  }
  return true;
}

Vec3 ListeningBox::face_centre(const FaceGroup& group, int index) const {
  Vec3 x = grid_.centre(moved(group.first, group.along, index));
  x[group.axis] += 0.5 * group.outwards * grid_.cell_size;
  return x;
}

double ListeningBox::distance(const Vec3& x) const {
  return (low_ - x).cwiseMax(x - high_).cwiseMax(0.0).norm();
}

double ListeningBox::exit_distance(const Vec3& direction) const {
  return (0.5 * (high_ - low_)).cwiseQuotient(direction.cwiseAbs()).minCoeff();
}

double ListeningBox::grid_share(const Vec3& x) const {
  const double cells = distance(x) / grid_.cell_size;
  return 1.0 - smoothstep((cells - grid_only) / (integral_only - grid_only));
}

template <class Real>
void ListeningBox::read(const Field<Real>& field, Real* p, Real* q) const {
  const Real per_cell = static_cast<Real>(1.0 / grid_.cell_size);
  const Real wide = per_cell / Real(24), a = Real(9.0 / 16.0), b = Real(1.0 / 16.0);
  const auto rows = static_cast<std::ptrdiff_t>(field.stride());
  const std::ptrdiff_t strides[3] = {1, rows, rows * field.size()[1]};
  for (const FaceGroup& group : groups_) {
    const Real* inner = field.row(group.first[1], group.first[2]) + group.first[0];
    const std::ptrdiff_t n = group.outwards * strides[group.axis], step = strides[group.along];
    const auto read_wide = [&](std::ptrdiff_t stride) {
      for (int i = 0; i < group.count; ++i) {
        const Real* c = inner + i * stride;
        p[i] = a * (c[0] + c[n]) - b * (c[-n] + c[2 * n]);
        q[i] = wide * (Real(27) * (c[n] - c[0]) - (c[2 * n] - c[-n]));
      }
    };
    if (!group.wide) {
      for (int i = 0; i < group.count; ++i) {
        const Real* c = inner + i * step;
        p[i] = Real(0.5) * (c[0] + c[n]);
        q[i] = per_cell * (c[n] - c[0]);
      }
    } else if (step == 1) {
      read_wide(1);
    } else {
      read_wide(step);
    }
    p += FaceGroup::capacity;
    q += FaceGroup::capacity;
  }
}

template void ListeningBox::read(const Field<float>&, float*, float*) const;
template void ListeningBox::read(const Field<double>&, double*, double*) const;

}  // namespace peal::wave

#include <peal/vibration/cholesky_kernel.h>

// Products of a panel with 16 right-hand sides. The panel is read once and from memory: what a
// general matrix product would do first, copying it into a better order, takes as long as the
// product itself. This file is compiled with fused multiply-adds.
namespace peal::vibration {

namespace {

using Eigen::Index;
/// Half of the right-hand sides: one register of AVX-512.
using Half = double __attribute__((vector_size(sizeof(double) * rhs_lanes / 2), aligned(8)));
struct Row {
  Half a, b;
};
Row operator-(const Row& x, const Row& y) {
  return {x.a - y.a, x.b - y.b};
}
Row operator/(const Row& x, double d) {
  return {x.a / d, x.b / d};
}

/// Rows or columns of a panel that are worked on together.
constexpr Index tile = 8;

Row load(const double* from) {
  return {*reinterpret_cast<const Half*>(from),
          *reinterpret_cast<const Half*>(from + rhs_lanes / 2)};
}
void store(double* to, const Row& row) {
  *reinterpret_cast<Half*>(to) = row.a;
  *reinterpret_cast<Half*>(to + rhs_lanes / 2) = row.b;
}
void add_product(Row& sum, double factor, const Row& x) {
  sum.a += factor * x.a;
  sum.b += factor * x.b;
}
const double* row_of(const double* z, Index row) {
  return z + rhs_lanes * row;
}
double* row_of(double* z, Index row) {
  return z + rhs_lanes * row;
}

template <Index count>
struct Rows {
  Row row[count];
};

/// sums.row[i] = sum over columns k < count of L(row + i, k) z_k.
template <Index rows>
Rows<rows> times_rows(const PanelView& panel, Index row, Index count, const double* z) {
  Rows<rows> sums{};
  const double* l = panel.values + row;
  for (Index k = 0; k < count; ++k, l += panel.height) {
    const Row x = load(row_of(z, k));
    for (Index i = 0; i < rows; ++i) add_product(sums.row[i], l[i], x);
  }
  return sums;
}

/// sums.row[k] = sum over rows i from `row` on of L(i, column + k) z_i.
template <Index columns>
Rows<columns> times_columns(const PanelView& panel, Index column, Index row, const double* z) {
  Rows<columns> sums{};
  const double* l = panel.values + column * panel.height;
  for (Index i = row; i < panel.height; ++i) {
    const Row x = load(row_of(z, i));
    for (Index k = 0; k < columns; ++k) add_product(sums.row[k], l[k * panel.height + i], x);
  }
  return sums;
}

/// Calls visit with a compile-time count: whole tiles first, then single ones.
template <class Visit>
void in_tiles(Index begin, Index end, const Visit& visit) {
  Index at = begin;
  for (; at + tile <= end; at += tile) visit.template operator()<tile>(at);
  for (; at < end; ++at) visit.template operator()<1>(at);
}

}  // namespace

void forward(const PanelView& panel, double* z) {
  in_tiles(0, panel.width, [&]<Index count>(Index first) {
    const auto sums = times_rows<count>(panel, first, first, z);
    for (Index i = 0; i < count; ++i) {
      const Index row = first + i;
      Row x = load(row_of(z, row)) - sums.row[i];
      for (Index k = first; k < row; ++k)
        add_product(x, -panel.values[k * panel.height + row], load(row_of(z, k)));
      store(row_of(z, row), x / panel.values[row * panel.height + row]);
    }
  });
  in_tiles(panel.width, panel.height, [&]<Index count>(Index first) {
    const auto sums = times_rows<count>(panel, first, panel.width, z);
    for (Index i = 0; i < count; ++i) store(row_of(z, first + i), sums.row[i]);
  });
}

void backward(const PanelView& panel, double* z) {
  // From the last column to the first: single ones until whole tiles remain.
  Index end = panel.width;
  const auto solve = [&]<Index count>(Index first) {
    const auto sums = times_columns<count>(panel, first, first + count, z);
    for (Index k = count - 1; k >= 0; --k) {
      const Index column = first + k;
      const double* l = panel.values + column * panel.height;
      Row x = load(row_of(z, column)) - sums.row[k];
      for (Index i = column + 1; i < first + count; ++i) add_product(x, -l[i], load(row_of(z, i)));
      store(row_of(z, column), x / l[column]);
    }
  };
  for (; end % tile != 0; --end) solve.template operator()<1>(end - 1);
  for (; end > 0; end -= tile) solve.template operator()<tile>(end - tile);
}

}  // namespace peal::vibration

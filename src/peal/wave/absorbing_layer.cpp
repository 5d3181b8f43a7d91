#include <peal/wave/absorbing_layer.h>

#include <cassert>
#include <cmath>

namespace peal::wave {

namespace {

constexpr int end_vector = 8;  ///< cells of an x layer that are worked on at once

/// Advances one row of a slab; D points outwards. Puts (or adds) psi_out - psi_in + xi to `extra`.
template <bool Add, class Real>
void layer_row(int n, const Real* outer, const Real* centre, const Real* inner,
               Real* __restrict psi, Real own_a, Real own_b, const Real* psi_inner, Real inner_a,
               Real inner_b, Real* __restrict xi, Real cell_a, Real cell_b,
               Real* __restrict extra) {
  for (int x = 0; x < n; ++x) {
    const Real out = outer[x] - centre[x], in = centre[x] - inner[x];
    const Real psi_out = own_b * psi[x] + own_a * out;
    const Real bend = psi_out - (inner_b * psi_inner[x] + inner_a * in);
    const Real memory = cell_b * xi[x] + cell_a * ((out - in) + bend);
    psi[x] = psi_out;
    xi[x] = memory;
    extra[x] = Add ? extra[x] + (bend + memory) : bend + memory;
  }
}

template <class Real>
struct EndVector {
  Real own_a[end_vector], own_b[end_vector], inner_a[end_vector], inner_b[end_vector];
  Real cell_a[end_vector], cell_b[end_vector];
};

/// One vector of an x layer. `step` is the direction to the outside: -1 at low x, +1 at high x.
template <int step, class Real>
inline void end_vector_terms(const Real* centre, const EndVector<Real>& c, Real* __restrict psi,
                             Real* __restrict xi, Real courant2, Real* __restrict p_new) {
  // Each loop is one vector operation or a few; locals, because the pointers might alias.
  Real out[end_vector], in[end_vector], psi_out[end_vector], psi_in[end_vector];
  Real bend[end_vector], memory[end_vector], sum[end_vector];
  for (int i = 0; i < end_vector; ++i) out[i] = centre[i + step] - centre[i];
  for (int i = 0; i < end_vector; ++i) in[i] = centre[i] - centre[i - step];
  for (int i = 0; i < end_vector; ++i) {
    psi_in[i] = c.inner_b[i] * psi[i - step] + c.inner_a[i] * in[i];
  }
  for (int i = 0; i < end_vector; ++i) psi_out[i] = c.own_b[i] * psi[i] + c.own_a[i] * out[i];
  for (int i = 0; i < end_vector; ++i) bend[i] = psi_out[i] - psi_in[i];
  for (int i = 0; i < end_vector; ++i) {
    memory[i] = c.cell_b[i] * xi[i] + c.cell_a[i] * ((out[i] - in[i]) + bend[i]);
  }
  for (int i = 0; i < end_vector; ++i) sum[i] = p_new[i] + courant2 * (bend[i] + memory[i]);
  for (int i = 0; i < end_vector; ++i) psi[i] = psi_out[i];
  for (int i = 0; i < end_vector; ++i) xi[i] = memory[i];
  for (int i = 0; i < end_vector; ++i) p_new[i] = sum[i];
}

/// The same vector on each row of a plane. xi lies `width` values inwards of psi, the next row's
/// psi 2 `width` values after this one's.
template <int step, class Real, class Coefficients>
void end_column_terms(int rows, std::size_t stride, const Real* centre, const Coefficients& c,
                      int first, Real* psi, int width, Real courant2, Real* p_new) {
  EndVector<Real> part;
  for (int i = 0; i < end_vector; ++i) {
    part.own_a[i] = c.own_a[first + i], part.own_b[i] = c.own_b[first + i];
    part.inner_a[i] = c.inner_a[first + i], part.inner_b[i] = c.inner_b[first + i];
    part.cell_a[i] = c.cell_a[first + i], part.cell_b[i] = c.cell_b[first + i];
  }
  for (int row = 0; row < rows; ++row) {
    end_vector_terms<step>(centre, part, psi, psi - step * width, courant2, p_new);
    centre += stride;
    p_new += stride;
    psi += 2 * width;
  }
}

}  // namespace

template <class Real>
AbsorbingLayer<Real>::AbsorbingLayer(const Cell& size, const Sides& sides, double courant,
                                     const LayerSettings& settings)
    : size_(size),
      sides_(sides),
      cells_(settings.cells),
      stride_(AlignedArray<Real>::whole_lines(static_cast<std::size_t>(size[0]))) {
  const double d0 = -1.5 * courant * std::log(settings.reflection) / cells_;
  const auto add = [&](double depth, std::vector<Real>& a, std::vector<Real>& b) {
    const double d = d0 * depth * depth, alpha = settings.pole_shift;
    const double decay = std::exp(-d - alpha);
    a.push_back(static_cast<Real>(d / (d + alpha) * (decay - 1.0)));
    b.push_back(static_cast<Real>(decay));
  };
  for (int k = 0; k < cells_; ++k) {
    add(static_cast<double>(cells_ - k) / cells_, face_a_, face_b_);
    add((cells_ - k - 0.5) / cells_, cell_a_, cell_b_);
  }
  face_a_.push_back(0);
  face_b_.push_back(0);

  end_width_ = (cells_ + end_vector - 1) / end_vector * end_vector;
  for (int side = 0; side < 2; ++side) {
    EndCoefficients& end = ends_[side];
    for (auto* list :
         {&end.own_a, &end.own_b, &end.inner_a, &end.inner_b, &end.cell_a, &end.cell_b}) {
      list->assign(end_width_, Real(0));
    }
    for (int k = 0; k < cells_; ++k) {
      const int i = side == 0 ? k : end_width_ - 1 - k;
      end.own_a[i] = face_a_[k];
      end.own_b[i] = face_b_[k];
      end.inner_a[i] = face_a_[k + 1];
      end.inner_b[i] = face_b_[k + 1];
      end.cell_a[i] = cell_a_[k];
      end.cell_b[i] = cell_b_[k];
    }
  }

  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      if (sides[2 * axis + side] != Side::absorbing_layer) continue;
      assert(size[axis] >= 2 * cells_ && (axis != 0 || size[0] >= end_width_));
      Slab& slab = slabs_[axis][side];
      if (axis == 0) {
        const auto rows = static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(size[2]);
        slab.psi = AlignedArray<Real>(rows * 2 * end_width_ + 2 * AlignedArray<Real>::line);
      } else {
        const std::size_t rows = static_cast<std::size_t>(cells_) * size[axis == 1 ? 2 : 1];
        slab.psi = AlignedArray<Real>(rows * stride_);
        slab.xi = AlignedArray<Real>(rows * stride_);
      }
    }
  }
}

template <class Real>
std::size_t AbsorbingLayer<Real>::row_index(int axis, int depth, int y, int z) const {
  // Neighbours of the sweep lie close: y layers plane by plane, z layers as planes.
  return axis == 1 ? static_cast<std::size_t>(z) * cells_ + depth
                   : static_cast<std::size_t>(depth) * size_[1] + y;
}

template <class Real>
template <bool Add>
void AbsorbingLayer<Real>::slab_terms(int axis, Place place, int y, int z, const Star<Real>& w,
                                      Real* extra) {
  Slab& slab = slabs_[axis][place.side];
  const int k = place.depth;
  const std::size_t own = row_index(axis, k, y, z) * stride_;
  // The sweep ascends: at a low side the inner face is still to be advanced, at a high side it has
  // been.
  const bool last = k + 1 == cells_;
  const std::size_t next = last ? own : row_index(axis, k + 1, y, z) * stride_;
  const bool done = place.side == 1 && !last;
  const Real* low = axis == 1 ? w.south : w.below;
  const Real* high = axis == 1 ? w.north : w.above;
  layer_row<Add>(size_[0], place.side == 0 ? low : high, w.centre, place.side == 0 ? high : low,
                 slab.psi.data() + own, face_a_[k], face_b_[k], slab.psi.data() + next,
                 done ? Real(0) : face_a_[k + 1], done ? Real(1) : face_b_[k + 1],
                 slab.xi.data() + own, cell_a_[k], cell_b_[k], extra);
}

template <class Real>
std::pair<int, int> AbsorbingLayer<Real>::plain_rows(int z) const {
  if (place(2, z).side >= 0) return {0, 0};
  const int low = sides_[2] == Side::absorbing_layer ? cells_ : 0;
  const int high = sides_[3] == Side::absorbing_layer ? cells_ : 0;
  return {low, size_[1] - high};
}

template <class Real>
bool AbsorbingLayer<Real>::row_terms(int y, int z, const Star<Real>& w, Real* extra) {
  const Place in_y = place(1, y), in_z = place(2, z);
  if (in_y.side >= 0) slab_terms<false>(1, in_y, y, z, w, extra);
  if (in_z.side >= 0) {
    if (in_y.side >= 0) {
      slab_terms<true>(2, in_z, y, z, w, extra);
    } else {
      slab_terms<false>(2, in_z, y, z, w, extra);
    }
  }
  return in_y.side >= 0 || in_z.side >= 0;
}

/// psi of the row's x layer in the order of x. xi lies next to it on the inner side, so that the
/// value beside the innermost psi, which is read but does not count, was not just written.
template <class Real>
Real* AbsorbingLayer<Real>::end_block(int side, int y, int z) {
  const std::size_t row = static_cast<std::size_t>(z) * size_[1] + y;
  return slabs_[0][side].psi.data() + AlignedArray<Real>::line + row * 2 * end_width_ +
         side * end_width_;
}

template <class Real>
void AbsorbingLayer<Real>::end_terms(int z, const Real* w, std::size_t stride, Real courant2,
                                     Real* p_new) {
  // Inner faces are computed from their old psi, so the vectors go from the outside inwards.
  if (sides_[0] == Side::absorbing_layer) {
    for (int i = 0; i < end_width_; i += end_vector) {
      Real* psi = end_block(0, 0, z) + i;
      end_column_terms<-1>(size_[1], stride, w + i, ends_[0], i, psi, end_width_, courant2,
                           p_new + i);
    }
  }
  if (sides_[1] == Side::absorbing_layer) {
    const int first = size_[0] - end_width_;
    for (int i = end_width_ - end_vector; i >= 0; i -= end_vector) {
      Real* psi = end_block(1, 0, z) + i;
      end_column_terms<1>(size_[1], stride, w + first + i, ends_[1], i, psi, end_width_, courant2,
                          p_new + first + i);
    }
  }
}

template <class Real>
auto AbsorbingLayer<Real>::axis_memory(int axis, const Cell& cell) -> AxisMemory {
  const Place at = place(axis, cell[axis]);
  if (at.side < 0) return {};
  const int k = at.depth;
  Real *psi = nullptr, *inner_psi = nullptr, *xi = nullptr;
  if (axis == 0) {
    const int inwards = at.side == 0 ? 1 : -1;
    psi = end_block(at.side, cell[1], cell[2]) + (at.side == 0 ? k : end_width_ - 1 - k);
    xi = psi + inwards * end_width_;
    inner_psi = psi + inwards;
  } else {
    Slab& slab = slabs_[axis][at.side];
    const std::size_t own = row_index(axis, k, cell[1], cell[2]) * stride_ + cell[0];
    psi = slab.psi.data() + own;
    xi = slab.xi.data() + own;
    inner_psi = psi + (row_index(axis, 1, 0, 0) - row_index(axis, 0, 0, 0)) * stride_;
  }
  if (k + 1 == cells_) inner_psi = nullptr;
  return {.psi_low = at.side == 0 ? psi : inner_psi,
          .psi_high = at.side == 0 ? inner_psi : psi,
          .outwards = at.side == 0 ? Real(-1) : Real(1),
          .xi = xi,
          .a = cell_a_[k],
          .b = cell_b_[k]};
}

template <class Real>
std::size_t AbsorbingLayer<Real>::bytes() const {
  std::size_t sum = 0;
  for (const auto& axis : slabs_) {
    for (const Slab& slab : axis) sum += slab.psi.bytes() + slab.xi.bytes();
  }
  return sum;
}

template class AbsorbingLayer<float>;
template class AbsorbingLayer<double>;

}  // namespace peal::wave

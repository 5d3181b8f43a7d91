#include <peal/wave/scheme/cpml.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace peal::wave {

namespace {

/// The x layer at one side of the rows of a plane.
template <class Real>
struct Ends {
  int rows;
  std::size_t stride;
  const Real* w;
  Real* p_new;
  Real* memory;
  int width;
  Real courant2;
};

/// Advances one vector of cells of all rows; `first` is its position in the layer. psi belongs to
/// the outer faces; the inner face of the vector's innermost cell is the outer face of the next
/// vector's outermost cell, whose psi of this step is `memory[inner]`, or 0 if there is no such
/// vector.
template <int side, class Real, class Coefficients>
void end_column(const Ends<Real>& e, const Coefficients& c, int first, bool innermost) {
  constexpr int outwards = side == 0 ? -1 : 1;
  const auto face_a = load<Lanes<Real>>(&c.face_a[first]),
             face_b = load<Lanes<Real>>(&c.face_b[first]);
  const auto cell_a = load<Lanes<Real>>(&c.cell_a[first]),
             cell_b = load<Lanes<Real>>(&c.cell_b[first]);
  const Real* w = e.w + first;
  Real *p_new = e.p_new + first, *memory = e.memory + first;
  for (int row = 0; row < e.rows; ++row) {
    const auto centre = load<Lanes<Real>>(w);
    const auto up = load<Lanes<Real>>(w + 1) - centre, down = centre - load<Lanes<Real>>(w - 1);
    const auto psi =
        layer_memory<Lanes<Real>>(face_b, load<Lanes<Real>>(memory), face_a, side == 0 ? down : up);
    Lanes<Real> inner = {};
    if (!innermost) inner = load<Lanes<Real>>(memory - outwards * lanes<Real>);
    const auto bend =
        side == 0 ? from_second<Real>(psi, inner) - psi : psi - from_last<Real>(inner, psi);
    const auto xi = layer_memory<Lanes<Real>>(cell_b, load<Lanes<Real>>(memory + e.width), cell_a,
                                              layer_divergence<Lanes<Real>>(up, down, bend));
    store(memory, psi);
    store(memory + e.width, xi);
    store(p_new, load<Lanes<Real>>(p_new) + e.courant2 * (bend + xi));
    w += e.stride;
    p_new += e.stride;
    memory += 2 * e.width;
  }
}

/// The profile of the layer of 5 cells at depths of half a cell, one cell, ..., as found by
/// scripts/layer-profile.
constexpr std::array<CpmlProfile, 10> best_of_five = {{{0.03624, 3.465},
                                                       {0.1504, 3.828},
                                                       {0.3272, 3.897},
                                                       {0.5299, 3.519},
                                                       {0.7457, 2.913},
                                                       {0.9793, 2.305},
                                                       {1.247, 1.767},
                                                       {1.581, 1.223},
                                                       {2.046, 0.7149},
                                                       {2.849, 0.3554}}};

}  // namespace

CpmlProfile cpml_profile(const CpmlSettings& settings, int half_cells) {
  if (settings.cells == 5) {
    return best_of_five[static_cast<std::size_t>(half_cells - 1)];
  }
  constexpr double reflection = 1e-5;  // reflection of the continuous layer at normal incidence
  const double depth = 0.5 * half_cells / settings.cells;
  return {.damping = -1.5 * std::log(reflection) / settings.cells * depth * depth,
          .shift = 5.0 * (1.0 - 0.9 * depth)};
}

template <class Real>
Cpml<Real>::Cpml(const Cell& size, const Sides& sides, double courant, const CpmlSettings& settings)
    : size_(size),
      sides_(sides),
      cells_(settings.cells),
      stride_(AlignedArray<Real>::row_stride(static_cast<std::size_t>(size[0]))) {
  check_size();
  LayerCoefficients<Real> c = layer_coefficients<Real>(size, courant, settings);
  face_a_ = std::move(c.face_a), face_b_ = std::move(c.face_b);
  cell_a_ = std::move(c.cell_a), cell_b_ = std::move(c.cell_b);
  make_slab_coefficients();
  make_end_coefficients();
  make_memory();
}

template <class Real>
LayerCoefficients<Real> layer_coefficients(const Cell& size, double courant,
                                           const CpmlSettings& settings) {
  const double longest = *std::ranges::max_element(size);
  const auto add = [&](int half_cells, std::vector<Real>& a, std::vector<Real>& b) {
    const CpmlProfile at = cpml_profile(settings, half_cells);
    const double d = courant * at.damping, alpha = courant / longest * at.shift;
    const double decay = std::exp(-d - alpha);
    a.push_back(static_cast<Real>(d / (d + alpha) * (decay - 1.0)));
    b.push_back(static_cast<Real>(decay));
  };
  LayerCoefficients<Real> c;
  for (int k = 0; k < settings.cells; ++k) {
    add(2 * (settings.cells - k), c.face_a, c.face_b);
    add(2 * (settings.cells - k) - 1, c.cell_a, c.cell_b);
  }
  c.face_a.push_back(0);
  c.face_b.push_back(0);
  return c;
}

template <class Real>
void Cpml<Real>::make_slab_coefficients() {
  for (int i = 0; i < cells_; ++i) {
    const int depth = cells_ - 1 - i;
    slab_coefficients_[0].push_back({face_a_[i + 1], face_b_[i + 1], cell_a_[i], cell_b_[i]});
    slab_coefficients_[1].push_back(
        {face_a_[depth], face_b_[depth], cell_a_[depth], cell_b_[depth]});
  }
}

/// Allocates one block for all slabs, so that it can use few large pages.
template <class Real>
void Cpml<Real>::make_memory() {
  std::size_t total = 0;
  const auto take = [&](std::size_t values) {
    constexpr std::size_t line = AlignedArray<Real>::line;
    return std::exchange(total, total + (values + line - 1) / line * line);
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1}) {
      if (sides_[2 * axis + side] != Side::absorbing_layer) continue;
      if (axis == 0) {
        const auto rows = static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(size_[2]);
        slabs_[0][side].psi = take(rows * 2 * static_cast<std::size_t>(end_width_));
      } else {
        const std::size_t plane = stride_ * static_cast<std::size_t>(size_[3 - axis]);
        slabs_[axis][side].psi = take(plane * static_cast<std::size_t>(cells_ + 1));
        slabs_[axis][side].xi = take(plane * static_cast<std::size_t>(cells_));
      }
    }
  }
  memory_ = AlignedArray<Real>(total);
}

template <class Real>
void Cpml<Real>::check_size() const {
  for (int axis = 0; axis < 3; ++axis) {
    const bool low = sides_[2 * axis] == Side::absorbing_layer;
    const bool high = sides_[2 * axis + 1] == Side::absorbing_layer;
    const int least = (low ? cells_ : 0) + (high ? cells_ : 0);
    if (cells_ < 1 || size_[axis] < least) {
      throw std::invalid_argument(
          fmt::format("an absorbing layer of {} cells does not fit a grid of {} cells along {}: "
                      "take {} cells or more, or a thinner layer",
                      cells_, size_[axis], "xyz"[axis], std::max(2, least)));
    }
  }
}

template <class Real>
void Cpml<Real>::make_end_coefficients() {
  end_width_ = (cells_ + lanes<Real> - 1) / lanes<Real> * lanes<Real>;
  for (int side = 0; side < 2; ++side) {
    EndCoefficients& end = ends_[side];
    for (auto* list : {&end.face_a, &end.face_b, &end.cell_a, &end.cell_b}) {
      list->assign(static_cast<std::size_t>(end_width_), Real(0));
    }
    for (int k = 0; k < cells_; ++k) {
      const int i = side == 0 ? k : end_width_ - 1 - k;
      end.face_a[i] = face_a_[k];
      end.face_b[i] = face_b_[k];
      end.cell_a[i] = cell_a_[k];
      end.cell_b[i] = cell_b_[k];
    }
    row_ends_[side] = {load<Lanes<Real>>(end.face_a.data()), load<Lanes<Real>>(end.face_b.data()),
                       load<Lanes<Real>>(end.cell_a.data()), load<Lanes<Real>>(end.cell_b.data())};
  }
}

template <class Real>
void Cpml<Real>::advance_lowest_faces(int axis, int y, int z, int rows, const Real* centre,
                                      std::size_t stride) {
  Real* psi = psi_row(axis, 0, 0, y, z);
  const Real a = face_a_[0], b = face_b_[0];
  for (int row = 0; row < rows; ++row, psi += stride_, centre += stride) {
    for (std::size_t x = 0; x < stride_; x += lanes<Real>) {
      // p = 0 beyond the grid.
      store(psi + x, b * load<Lanes<Real>>(psi + x) + a * load<Lanes<Real>>(centre + x));
    }
  }
}

template <class Real>
void Cpml<Real>::end_terms(int begin, int end, int z, const Real* w, std::size_t stride,
                           Real courant2, Real* p_new) {
  Ends<Real> ends{.rows = end - begin,
                  .stride = stride,
                  .w = w,
                  .p_new = p_new,
                  .memory = nullptr,
                  .width = end_width_,
                  .courant2 = courant2};
  const int last = end_width_ - lanes<Real>;
  if (sides_[0] == Side::absorbing_layer) {
    ends.memory = end_block(0, begin, z);
    for (int i = last; i >= 0; i -= lanes<Real>) end_column<0>(ends, ends_[0], i, i == last);
  }
  if (sides_[1] == Side::absorbing_layer) {
    ends.memory = end_block(1, begin, z);
    ends.w += size_[0] - end_width_;
    ends.p_new += size_[0] - end_width_;
    for (int i = 0; i <= last; i += lanes<Real>) end_column<1>(ends, ends_[1], i, i == 0);
  }
}

template <class Real>
auto Cpml<Real>::axis_memory(int axis, const Cell& cell) -> AxisMemory {
  const LayerPosition at = index(axis, cell[axis]);
  if (at.side < 0) return {};
  AxisMemory memory{.a = cell_a_[at.depth], .b = cell_b_[at.depth]};
  if (axis == 0) {
    Real* outer = end_block(at.side, cell[1], cell[2]) +
                  (at.side == 0 ? at.depth : end_width_ - 1 - at.depth);
    memory.xi = outer + end_width_;
    memory.psi_low = at.side == 0 ? outer : outer - 1;
    memory.psi_high = at.side == 0 ? outer + 1 : outer;
  } else {
    memory.xi = xi_row(axis, at.side, at.index, cell[1], cell[2]) + cell[0];
    memory.psi_low = psi_row(axis, at.side, at.index, cell[1], cell[2]) + cell[0];
    memory.psi_high = psi_row(axis, at.side, at.index + 1, cell[1], cell[2]) + cell[0];
  }
  if (at.depth + 1 == cells_) (at.side == 0 ? memory.psi_high : memory.psi_low) = nullptr;
  return memory;
}

template <class Real>
auto Cpml<Real>::face_recursion(int axis, int low) const -> FaceRecursion {
  const LayerPosition below = index(axis, low), above = index(axis, low + 1);
  const int outer = below.side == 1 ? below.depth : above.side == 0 ? above.depth : cells_;
  return {face_a_[static_cast<std::size_t>(outer)], face_b_[static_cast<std::size_t>(outer)]};
}

template LayerCoefficients<float> layer_coefficients(const Cell&, double, const CpmlSettings&);
template LayerCoefficients<double> layer_coefficients(const Cell&, double, const CpmlSettings&);
template class Cpml<float>;
template class Cpml<double>;

}  // namespace peal::wave

#include <peal/wave/far_field/probe.h>

#include <array>
#include <cmath>
#include <optional>

namespace peal::wave {

namespace {

/// The cells around a point: `base` and its neighbours; `fraction` is the position of the point
/// between them along each axis.
struct Spot {
  Cell base;
  Vec3 fraction;
};

Spot spot(const Grid& grid, const Vec3& x) {
  Spot result;
  const Vec3 cells = grid.to_cells(x) - Vec3::Constant(0.5);
  for (int axis = 0; axis < 3; ++axis) {
    result.base[axis] = static_cast<int>(std::floor(cells[axis]));
    result.fraction[axis] = cells[axis] - result.base[axis];
  }
  return result;
}

/// Weights of the cubic Lagrange polynomial through -1, 0, 1, 2.
std::array<double, 4> cubic_weights(double f) {
  const double a = f + 1.0, b = f - 1.0, c = f - 2.0;
  return {-f * b * c / 6.0, a * b * c / 2.0, -a * f * c / 2.0, a * f * b / 6.0};
}

std::optional<ProbeStencil> cubic(const FarFieldSetup& setup, const Spot& at) {
  for (int axis = 0; axis < 3; ++axis) {
    if (at.base[axis] < 1 || at.base[axis] + 2 >= setup.grid.size[axis]) return std::nullopt;
  }
  const std::array<double, 4> wx = cubic_weights(at.fraction.x());
  const std::array<double, 4> wy = cubic_weights(at.fraction.y());
  const std::array<double, 4> wz = cubic_weights(at.fraction.z());
  ProbeStencil stencil;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) {
        const Cell c = {at.base[0] - 1 + i, at.base[1] - 1 + j, at.base[2] - 1 + k};
        if (!setup.has_air(c)) return std::nullopt;
        stencil.cells[stencil.count] = c;
        stencil.weights[stencil.count++] = wx[i] * wy[j] * wz[k];
      }
    }
  }
  return stencil;
}

ProbeStencil linear(const FarFieldSetup& setup, const Spot& at) {
  ProbeStencil stencil;
  double weights = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    Cell c = at.base;
    double weight = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
      const int up = corner >> axis & 1;
      c[axis] += up;
      weight *= up ? at.fraction[axis] : 1.0 - at.fraction[axis];
    }
    if (weight == 0.0 || !setup.has_air(c)) continue;
    weights += weight;
    stencil.cells[stencil.count] = c;
    stencil.weights[stencil.count++] = weight;
  }
  if (!(weights > 0.0)) return {};
  stencil.divisor = weights;
  return stencil;
}

}  // namespace

ProbeStencil probe_stencil(const FarFieldSetup& setup, const Vec3& x) {
  const Spot at = spot(setup.grid, x);
  if (const std::optional<ProbeStencil> stencil = cubic(setup, at)) return *stencil;
  return linear(setup, at);
}

template <class Real>
double probe(const FarFieldSetup& setup, const Field<Real>& field, const Vec3& x) {
  const ProbeStencil stencil = probe_stencil(setup, x);
  return stencil.evaluate([&](int i) {
    return static_cast<double>(field[stencil.cells[static_cast<std::size_t>(i)]]);
  });
}

template double probe(const FarFieldSetup&, const Field<float>&, const Vec3&);
template double probe(const FarFieldSetup&, const Field<double>&, const Vec3&);

}  // namespace peal::wave

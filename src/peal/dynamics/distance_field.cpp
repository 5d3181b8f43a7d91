#include <peal/dynamics/distance_field.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace peal::dynamics {

std::size_t DistanceField::Lattice::count() const {
  return static_cast<std::size_t>(nodes[0]) * static_cast<std::size_t>(nodes[1]) *
         static_cast<std::size_t>(nodes[2]);
}

Vec3 DistanceField::Lattice::at(int i, int j, int k) const {
  return origin + cell * Vec3(i, j, k);
}

DistanceField::DistanceField(const Lattice& lattice, std::vector<float> samples)
    : lattice_(lattice), coefficients_(std::move(samples)) {
  const std::array<std::ptrdiff_t, 3> stride = {
      1, lattice.nodes[0], static_cast<std::ptrdiff_t>(lattice.nodes[0]) * lattice.nodes[1]};
  const auto n = static_cast<std::ptrdiff_t>(coefficients_.size());
  std::vector<float> line;
  for (int axis = 0; axis < 3; ++axis) {
    const int length = lattice.nodes[axis];
    line.resize(static_cast<std::size_t>(length));
    for (std::ptrdiff_t first = 0; first < n; ++first) {
      if (first / stride[axis] % length != 0) continue;
      for (int i = 0; i < length; ++i) line[i] = coefficients_[first + i * stride[axis]];
      for (int i = 1; i + 1 < length; ++i) {
        coefficients_[first + i * stride[axis]] =
            line[i] - (line[i - 1] - 2.0F * line[i] + line[i + 1]) / 6.0F;
      }
    }
  }
}

double DistanceField::inside(const Vec3& p, Vec3& gradient) const {
  std::array<std::array<double, 4>, 3> weight, slope;
  std::array<std::ptrdiff_t, 3> first;
  for (int axis = 0; axis < 3; ++axis) {
    const double x = (p[axis] - lattice_.origin[axis]) / lattice_.cell;
    const int i = std::clamp(static_cast<int>(x), 1, lattice_.nodes[axis] - 3);
    const double t = x - i, s = 1.0 - t;
    first[axis] = i - 1;
    weight[axis] = {s * s * s / 6.0, (4.0 + t * t * (3.0 * t - 6.0)) / 6.0,
                    (4.0 + s * s * (3.0 * s - 6.0)) / 6.0, t * t * t / 6.0};
    slope[axis] = {-0.5 * s * s, t * (1.5 * t - 2.0), -s * (1.5 * s - 2.0), 0.5 * t * t};
  }
  const std::ptrdiff_t row = lattice_.nodes[0], layer = row * lattice_.nodes[1];
  double value = 0.0;
  gradient.setZero();
  for (int k = 0; k < 4; ++k) {
    double sum = 0.0, along_x = 0.0, along_y = 0.0;
    for (int j = 0; j < 4; ++j) {
      const float* c =
          coefficients_.data() + first[0] + (first[1] + j) * row + (first[2] + k) * layer;
      const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
      const double here =
          weight[0][0] * c0 + weight[0][1] * c1 + weight[0][2] * c2 + weight[0][3] * c3;
      const double rise = slope[0][0] * c0 + slope[0][1] * c1 + slope[0][2] * c2 + slope[0][3] * c3;
      sum += weight[1][j] * here;
      along_x += weight[1][j] * rise;
      along_y += slope[1][j] * here;
    }
    value += weight[2][k] * sum;
    gradient += Vec3(weight[2][k] * along_x, weight[2][k] * along_y, slope[2][k] * sum);
  }
  gradient /= lattice_.cell;
  return value;
}

double DistanceField::distance(const Vec3& p, Vec3& normal) const {
  // The outermost cells are there for the splines of the inner ones.
  const Vec3 margin = Vec3::Constant(lattice_.cell);
  const Vec3 low = lattice_.origin + margin;
  const Vec3 high =
      lattice_.at(lattice_.nodes[0] - 1, lattice_.nodes[1] - 1, lattice_.nodes[2] - 1) - margin;
  const Vec3 within = p.cwiseMax(low).cwiseMin(high);
  const double value = inside(within, normal);
  const double steep = normal.norm();
  if (steep > 1e-9) {
    normal /= steep;
  } else {
    normal = Vec3::UnitY();
  }
  if (within == p) return value;
  // All of the surface is in the box, which is convex: it is no nearer than this.
  const Vec3 out = p - within;
  const double distance = std::hypot(out.norm(), value);
  normal = (out + value * normal).normalized();
  return distance;
}

double DistanceField::least_distance(const Vec3& p) const {
  Vec3 normal;
  const double about = distance(p, normal);
  if (about <= true_distance()) return about;
  // What lies between four samples is off by no more than the way to them, and that of the splines.
  const double off = (std::numbers::sqrt3 * far_spacing + 2.0) * lattice_.cell;
  return std::max(true_distance(), about - off);
}

}  // namespace peal::dynamics

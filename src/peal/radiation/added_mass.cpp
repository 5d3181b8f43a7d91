#include <peal/geometry/mesh/mass_properties.h>
#include <peal/radiation/added_mass.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::radiation {

namespace {

using geometry::Mat3;
using geometry::Vec3;

constexpr double thinnest = 1e-4;  ///< shortest axis over the longest one: sheets have no thickness

/// Carlson's integral R_D(x, y, z) = 3/2 int_0^inf dt / ((t + z) sqrt((t + x) (t + y) (t + z))), by
/// his duplication theorem (Carlson 1979).
double carlson_rd(double x, double y, double z) {
  double sum = 0.0, factor = 1.0;
  for (;;) {
    const double mean = (x + y + 3.0 * z) / 5.0;
    const double dx = 1.0 - x / mean, dy = 1.0 - y / mean, dz = 1.0 - z / mean;
    if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < 1e-3) {
      const double second = dx * dx + dy * dy + 3.0 * dz * dz;  // the remainder is of third order
      return 3.0 * sum + factor * (1.0 + 3.0 / 28.0 * second) / (mean * std::sqrt(mean));
    }
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z);
    const double lambda = rx * ry + ry * rz + rz * rx;
    sum += factor / (rz * (z + lambda));
    factor *= 0.25;
    x = 0.25 * (x + lambda);
    y = 0.25 * (y + lambda);
    z = 0.25 * (z + lambda);
  }
}

/// The factors kappa of an ellipsoid with these half axes [m].
Vec3 kappas(const Vec3& half) {
  Vec3 alpha;
  for (int k = 0; k < 3; ++k) {
    const double x = half[(k + 1) % 3], y = half[(k + 2) % 3], z = half[k];
    alpha[k] = 2.0 / 3.0 * half.prod() * carlson_rd(x * x, y * y, z * z);
  }
  Vec3 kappa;  // the three alphas add up to 2
  for (int k = 0; k < 3; ++k) kappa[k] = alpha[k] / (alpha[(k + 1) % 3] + alpha[(k + 2) % 3]);
  return kappa;
}

/// The middle and the principal axes of a surface.
struct Spread {
  Vec3 middle;
  Mat3 axes;  ///< columns; along the first one the surface is thinnest
};

Spread spread_of(const SurfaceSamples& samples) {
  Vec3 sum = Vec3::Zero();
  double area = 0.0;
  for (std::size_t i = 0; i < samples.points.size(); ++i) {
    sum += samples.area[i] * samples.points[i].position;
    area += samples.area[i];
  }
  const Vec3 middle = sum / area;
  Mat3 second = Mat3::Zero();
  for (std::size_t i = 0; i < samples.points.size(); ++i) {
    const Vec3 arm = samples.points[i].position - middle;
    second += samples.area[i] * arm * arm.transpose();
  }
  return {middle, geometry::principal_axes(second).axes};
}

}  // namespace

std::vector<double> added_mass_lengths(const SurfaceSamples& samples) {
  const Spread spread = spread_of(samples);
  std::vector<Vec3> sample_points, normals;
  Vec3 half = Vec3::Zero();
  double shadow = 0.0;  // twice the area projected along the thin axis
  for (std::size_t i = 0; i < samples.points.size(); ++i) {
    sample_points.emplace_back(spread.axes.transpose() *
                               (samples.points[i].position - spread.middle));
    normals.emplace_back(spread.axes.transpose() * samples.points[i].normal);
    half = half.cwiseMax(sample_points.back().cwiseAbs());
    shadow += samples.area[i] * std::abs(normals.back().x());
  }
  // Use an ellipse of the same projected area as the body: a rectangle is larger than its inscribed
  // ellipse.
  half = half.cwiseMax(thinnest * half.maxCoeff());
  const double growth = std::sqrt(0.5 * shadow / (std::numbers::pi * half.y() * half.z()));
  half.tail<2>() *= growth;
  const Vec3 kappa = kappas(half);
  std::vector<double> lengths;
  for (std::size_t i = 0; i < sample_points.size(); ++i) {
    // Evaluate l on the ellipsoid above or below the sample point; concave parts count like convex
    // ones.
    const double y = sample_points[i].y() / half.y(), z = sample_points[i].z() / half.z();
    const Vec3 at(half.x() * std::sqrt(std::max(0.0, 1.0 - y * y - z * z)), sample_points[i].y(),
                  sample_points[i].z());
    lengths.push_back(kappa.cwiseProduct(at.cwiseAbs()).dot(normals[i].cwiseAbs()));
  }
  return lengths;
}

}  // namespace peal::radiation

#include <peal/fem/inner_corners.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace peal::fem {

namespace {

using geometry::Vec3;
using std::numbers::pi;

/// Facets of round surfaces bend by less [rad].
constexpr double least_bend = 0.25 * pi;

/// The exponent a of an inner corner: the root between 1/2 (a crack) and 1 (a plane).
double exponent(double angle) {
  double low = 0.5, high = 1.0;
  const auto value = [&](double a) { return std::sin(a * angle) + a * std::sin(angle); };
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    // Positive below the root.
    (value(middle) > 0.0 ? low : high) = middle;
  }
  return low;
}

double factor_at(double angle, int order) {
  const double kept = std::pow(order / (order + 1.0), 4.0 * exponent(angle));
  return 1.0 / (1.0 - kept);
}

}  // namespace

Eigen::VectorXd inner_corner_factors(const CurvedTetMesh& mesh, int order) {
  const auto normal = [&](const auto& t) -> Vec3 {
    const Vec3& a = mesh.vertices[t[0]];
    return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).normalized();
  };
  std::vector<double> at_vertex(mesh.vertices.size(), 1.0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> first;
  for (std::size_t i = 0; i < mesh.boundary.size(); ++i) {
    const auto& t = mesh.boundary[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3], opposite = t[(k + 2) % 3];
      const auto [entry, is_new] = first.emplace(std::minmax(a, b), i);
      if (is_new) continue;
      const Vec3 other = normal(mesh.boundary[entry->second]), own = normal(t);
      const double bend = std::acos(std::clamp(own.dot(other), -1.0, 1.0));
      const bool is_inner = other.dot(mesh.vertices[opposite] - mesh.vertices[a]) > 0.0;
      if (!is_inner || bend < least_bend) continue;
      const double factor = factor_at(pi + bend, order);
      for (const std::uint32_t v : {a, b}) at_vertex[v] = std::max(at_vertex[v], factor);
    }
  }
  Eigen::VectorXd factors(static_cast<Eigen::Index>(mesh.tets.size()));
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    double most = 1.0;
    for (const std::uint32_t v : mesh.tets[t]) most = std::max(most, at_vertex[v]);
    factors[static_cast<Eigen::Index>(t)] = most;
  }
  return factors;
}

}  // namespace peal::fem

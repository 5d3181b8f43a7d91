#include <peal/geometry/shapes/shape_limits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peal::geometry {

void require_positive(double value, const std::string& what) {
  if (std::isfinite(value) && value > 0.0) return;
  throw std::invalid_argument(
      fmt::format("{} must be a positive number of metres, not {:g}", what, value));
}

void require_triangle_budget(double triangles, double edge_length) {
  constexpr double most = 20e6;
  if (triangles <= most) return;
  throw std::invalid_argument(fmt::format(
      "an edge length of {} would give about {:.2g} million triangles; the limit is 20 million, "
      "{} would give about one million",
      in_metres(edge_length), triangles / 1e6,
      in_metres(edge_length * std::sqrt(triangles / 1e6))));
}

int pieces(double length, double edge_length) {
  // A length that is a multiple but for rounding is not cut once more. The cap is far above what
  // the triangle budget allows.
  const double exact = std::ceil(length / edge_length * (1.0 - 1e-9));
  return static_cast<int>(std::clamp(exact, 1.0, 1e9));
}

std::string in_metres(double length) {
  return fmt::format("{:.4g} m", length);
}

}  // namespace peal::geometry

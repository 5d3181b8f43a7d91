#include <peal/base/plausible_size.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace peal::base {

namespace {

struct FileUnit {
  double metres;
  std::string_view name;
};

constexpr std::array<FileUnit, 3> file_units{
    {{0.001, "millimetres"}, {0.01, "centimetres"}, {0.0254, "inches"}}};
/// A body that was scaled from millimetres twice.
constexpr double scaled_twice = 1000.0;

/// Bounds of what is plausible, and of what is certainly wrong.
constexpr double least_extent = 0.005, largest_extent = 3.0;  // [m]
constexpr double least_mass = 0.001, largest_mass = 300.0;    // [kg]
constexpr double tiny_extent = 0.001, huge_extent = 20.0;     // [m]
constexpr double tiny_mass = 1e-6, huge_mass = 20e3;          // [kg]

bool lies_within(double extent, double mass, double scale) {
  const double length = scale * extent, weight = scale * scale * scale * mass;
  const bool has_length = length >= least_extent && length <= largest_extent;
  return has_length && (mass == 0.0 || (weight >= least_mass && weight <= largest_mass));
}

/// 1353000 as "1,353,000".
std::string grouped(double value) {
  std::string text = fmt::format("{:.0f}", std::abs(value) < 1e15 ? value : 1e15);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

/// Rounded to four digits.
double four_digits(double value) {
  if (!(value > 0.0)) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3.0);
  return std::round(value / unit) * unit;
}

std::string mass_text(double mass) {
  if (mass >= 1000.0) return grouped(four_digits(mass)) + " kg";
  return mass >= 1.0 ? fmt::format("{:.3g} kg", mass) : fmt::format("{:.3g} g", 1000.0 * mass);
}

/// Whether the area vectors of a surface cancel, up to small holes: an open one encloses nothing.
bool is_closed(const geometry::TriMesh& surface) {
  geometry::Vec3 sum = geometry::Vec3::Zero();
  double area = 0.0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const geometry::Vec3 part = area_vector(surface, t);
    sum += part;
    area += part.norm();
  }
  return sum.norm() <= 0.01 * area;
}

}  // namespace

std::string SizeCheck::describe() const {
  const std::string length =
      extent >= 0.1 ? fmt::format("{:.3g} m", extent) : fmt::format("{:.3g} mm", 1000.0 * extent);
  return mass > 0.0 ? fmt::format("{} and {} long", mass_text(mass), length) : length + " long";
}

std::string SizeCheck::question() const {
  if (factors.empty()) return {};
  std::string units;
  for (const double factor : factors) {
    if (factor == scaled_twice) return "was the mesh scaled from millimetres twice?";
    const auto unit = std::ranges::find(file_units, factor, &FileUnit::metres);
    if (!units.empty()) units += factor == factors.back() ? " or " : ", ";
    units += unit->name;
  }
  return fmt::format("is the mesh in {}?", units);
}

SizeCheck check_size(const geometry::TriMesh& surface, double density) {
  SizeCheck check;
  if (surface.vertices.empty()) return check;
  check.extent = bounds(surface).sizes().maxCoeff();
  if (is_closed(surface)) check.mass = density * std::abs(signed_volume(surface));
  if (!std::isfinite(check.extent) || !std::isfinite(check.mass)) return check;
  check.is_plausible = lies_within(check.extent, check.mass, 1.0);
  if (check.is_plausible) return check;
  for (const FileUnit& unit : file_units)
    if (lies_within(check.extent, check.mass, unit.metres)) check.factors.push_back(unit.metres);
  if (check.factors.empty() && lies_within(check.extent, check.mass, scaled_twice))
    check.factors.push_back(scaled_twice);
  const bool is_huge = check.extent > huge_extent || check.mass > huge_mass;
  const bool is_tiny = check.extent < tiny_extent || (check.mass > 0.0 && check.mass < tiny_mass);
  check.is_extreme = is_huge || is_tiny;
  check.is_wrong = check.is_extreme && !check.factors.empty();
  return check;
}

}  // namespace peal::base

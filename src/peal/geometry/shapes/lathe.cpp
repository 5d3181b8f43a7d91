#include <peal/geometry/shapes/revolve.h>
#include <peal/geometry/shapes/shape_limits.h>
#include <peal/geometry/shapes/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::geometry {
namespace {

std::string place(const Vec2& p) {
  return fmt::format("(r, y) = ({:.4g}, {:.4g})", p.x(), p.y());
}

void check_points(const std::vector<Vec2>& line, std::size_t fewest, const std::string& what) {
  if (line.size() < fewest) {
    throw std::invalid_argument(
        fmt::format("{} needs at least {} points, not {}", what, fewest, line.size()));
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!line[i].allFinite()) throw std::invalid_argument(what + " has a point that is not finite");
    if (line[i].x() < 0.0) {
      throw std::invalid_argument(fmt::format(
          "{} crosses the axis at {}; radii must not be negative", what, place(line[i])));
    }
    if (i > 0 && line[i] == line[i - 1]) {
      throw std::invalid_argument(
          fmt::format("{} has the point {} twice in a row; give it once", what, place(line[i])));
    }
  }
}

void check_simple(const Polygon& section, const std::string& advice) {
  if (const auto crossing = first_crossing({section})) {
    throw std::invalid_argument(fmt::format(
        "the section of a lathe crosses or touches itself near {}; {}", place(*crossing), advice));
  }
}

Vec2 left_normal(const Vec2& a, const Vec2& b) {
  const Vec2 along = (b - a).normalized();
  return {-along.y(), along.x()};
}

/// Where the line through a and b, moved to the left by `wall`, meets the axis.
Vec2 offset_on_axis(const Vec2& end, const Vec2& a, const Vec2& b, double wall) {
  const Vec2 along = (b - a).normalized();
  if (std::abs(along.x()) < 0.1) {
    throw std::invalid_argument(
        fmt::format("the profile of a lathe runs along the axis at {}; let it leave the axis "
                    "sideways",
                    place(end)));
  }
  return {0.0, end.y() + wall / along.x()};
}

/// The other side of the wall, point by point.
std::vector<Vec2> offset_profile(const std::vector<Vec2>& profile, double wall) {
  const std::size_t n = profile.size();
  std::vector<Vec2> inner;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& p = profile[i];
    const bool is_first = i == 0, is_last = i + 1 == n;
    if (p.x() == 0.0 && (is_first || is_last)) {
      inner.push_back(is_first ? offset_on_axis(p, p, profile[1], wall)
                               : offset_on_axis(p, profile[n - 2], p, wall));
      continue;
    }
    const Vec2 before = is_first ? left_normal(p, profile[1]) : left_normal(profile[i - 1], p);
    const Vec2 after = is_last ? before : left_normal(p, profile[i + 1]);
    const double cosine = before.dot(after);
    if (cosine < -0.9) {
      throw std::invalid_argument(
          fmt::format("the profile of a lathe turns back on itself at {}; a wall needs corners "
                      "wider than 25 degrees",
                      place(p)));
    }
    inner.push_back(p + wall / (1.0 + cosine) * (before + after));  // mitre
  }
  return inner;
}

}  // namespace

TriMesh lathe_mesh(const Polygon& section, double edge_length) {
  require_positive(edge_length, "an edge length");
  Polygon line = section;
  if (line.size() > 1 && line.front() == line.back()) line.pop_back();
  check_points(line, 3, "the section of a lathe");
  check_simple(line, "draw its outline without crossings");
  const double area = signed_area(line);
  if (area == 0.0) throw std::invalid_argument("the section of a lathe has no area");
  if (area < 0.0) std::reverse(line.begin(), line.end());
  return revolved(line, true, edge_length);
}

TriMesh turned_sheet_mesh(const std::vector<Vec2>& profile, double edge_length) {
  require_positive(edge_length, "an edge length");
  check_points(profile, 2, "the profile of a lathe");
  const bool is_closed = profile.size() > 3 && profile.front() == profile.back();
  std::vector<Vec2> line = profile;
  if (is_closed) line.pop_back();
  return revolved(line, is_closed, edge_length);
}

Polygon wall_section(const std::vector<Vec2>& profile, double wall) {
  require_positive(wall, "the wall of a lathe");
  check_points(profile, 2, "the profile of a lathe");
  for (std::size_t i = 1; i + 1 < profile.size(); ++i) {
    if (profile[i].x() == 0.0) {
      throw std::invalid_argument(fmt::format(
          "the profile of a lathe touches the axis at {}; only its ends may", place(profile[i])));
    }
  }
  std::vector<Vec2> inner = offset_profile(profile, wall);
  for (const Vec2& p : inner) {
    if (p.x() >= 0.0) continue;
    throw std::invalid_argument(fmt::format(
        "a wall of {} is thicker than the profile's radius near y = {}; make it thinner, or draw "
        "the closed half section of the solid",
        in_metres(wall), in_metres(p.y())));
  }
  for (std::size_t i = 1; i < profile.size(); ++i) {
    if ((profile[i] - profile[i - 1]).dot(inner[i] - inner[i - 1]) > 0.0) continue;
    throw std::invalid_argument(fmt::format(
        "a wall of {} is thicker than the bend of the profile near {} allows; make it thinner",
        in_metres(wall), place(profile[i])));
  }
  Polygon section = profile;
  section.insert(section.end(), inner.rbegin(), inner.rend());
  check_simple(section, fmt::format("a wall of {} may be too thick for the bends of the profile",
                                    in_metres(wall)));
  if (signed_area(section) <= 0.0) {
    throw std::invalid_argument("the profile of a lathe bends too sharply for its wall");
  }
  return section;
}

TriMesh lathe_mesh(const std::vector<Vec2>& profile, double wall, double edge_length) {
  require_positive(edge_length, "an edge length");
  return revolved(wall_section(profile, wall), true, edge_length);
}

TriMesh cone_mesh(double bottom_radius, double top_radius, double height, double edge_length) {
  require_positive(edge_length, "an edge length");
  require_positive(height, "the height of a cone");
  if (bottom_radius != 0.0) require_positive(bottom_radius, "the bottom radius of a cone");
  if (top_radius != 0.0 || bottom_radius == 0.0)
    require_positive(top_radius, "the top radius of a cone");
  const double y = 0.5 * height;
  std::vector<Vec2> line = {{0.0, -y}};
  if (bottom_radius > 0.0) line.push_back({bottom_radius, -y});
  if (top_radius > 0.0) line.push_back({top_radius, y});
  line.push_back({0.0, y});
  return revolved(line, false, edge_length);
}

TriMesh cylinder_mesh(double radius, double height, double edge_length) {
  require_positive(radius, "the radius of a cylinder");
  require_positive(height, "the height of a cylinder");
  return cone_mesh(radius, radius, height, edge_length);
}

TriMesh torus_mesh(double major_radius, double minor_radius, double edge_length) {
  require_positive(edge_length, "an edge length");
  require_positive(major_radius, "the major radius of a torus");
  require_positive(minor_radius, "the minor radius of a torus");
  if (minor_radius >= major_radius) {
    throw std::invalid_argument(
        fmt::format("the minor radius of a torus ({}) must be less than the major radius ({})",
                    in_metres(minor_radius), in_metres(major_radius)));
  }
  const double circumference = 2.0 * std::numbers::pi * minor_radius;
  require_triangle_budget(circumference / edge_length, edge_length);
  const int n = std::max(8, pieces(circumference, edge_length));
  std::vector<Vec2> circle;
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / n;
    circle.push_back(
        {major_radius + minor_radius * std::cos(angle), minor_radius * std::sin(angle)});
  }
  return revolved(circle, true, edge_length);
}

TriMesh disc_mesh(double radius, double edge_length) {
  require_positive(edge_length, "an edge length");
  require_positive(radius, "the radius of a disc");
  // Solid on the left of a line towards the axis is below: the sheet faces +Y.
  return revolved({{radius, 0.0}, {0.0, 0.0}}, false, edge_length);
}

}  // namespace peal::geometry

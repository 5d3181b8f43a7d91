#include <peal/geometry/mesh/triangle.h>
#include <peal/radiation/surface_samples.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

using geometry::Vec3;

using geometry::Corners;

Corners corners_of(const geometry::Triangle& triangle, std::span<const Vec3> vertices) {
  return {vertices[triangle[0]], vertices[triangle[1]], vertices[triangle[2]]};
}

Vec3 area_of(const Corners& corners) {
  return 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]);
}

double longest_edge(const Corners& corners) {
  double longest = 0.0;
  for (int k = 0; k < 3; ++k) {
    longest = std::max(longest, (corners[(k + 1) % 3] - corners[k]).norm());
  }
  return longest;
}

/// A sample point in a triangle and its fraction of the area.
struct Node {
  Vec3 barycentric;
  double share;
};

/// Adds three sample points, one near each corner or edge, which are rotations of each other.
void add_three(std::vector<Node>& nodes, double two_of_them, double share) {
  for (int k = 0; k < 3; ++k) {
    Vec3 at = Vec3::Constant(two_of_them);
    at[k] = 1.0 - 2.0 * two_of_them;
    nodes.push_back({at, share});
  }
}

/// Quadrature rules that are exact for polynomials of degree 1, 2 and 4 (Strang & Fix 1973, table
/// 4.1; the last one with more digits). For a wave along an equilateral triangle that moves as a
/// whole, the first rule loses 5 % at most, the second 1.3 %.
std::vector<Node> rule(double edge, double wavelength) {
  std::vector<Node> nodes;
  if (edge <= 0.25 * wavelength) {
    nodes.push_back({Vec3::Constant(1.0 / 3.0), 1.0});
  } else if (edge <= 0.55 * wavelength) {
    add_three(nodes, 1.0 / 6.0, 1.0 / 3.0);
  } else {
    add_three(nodes, 0.445948490915965, 0.223381589678011);
    add_three(nodes, 0.091576213509771, 0.109951743655322);
  }
  return nodes;
}

/// The corners of the n^2 triangles into which a triangle is divided by dividing each edge into n
/// parts, in barycentric coordinates.
std::vector<Corners> parts_of_triangle(int n) {
  const auto at = [n](int i, int j) {
    const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / n;
    return Vec3(1.0 - u - v, u, v);
  };
  std::vector<Corners> parts;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n - i; ++j) {
      parts.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i + j + 2 <= n) parts.push_back({at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)});
    }
  }
  return parts;
}

/// The number of parts into which an edge is divided; may exceed the range of int.
double cuts_of(double edge, double wavelength) {
  constexpr double longest = 0.9;  // in wavelengths
  return std::max(1.0, std::ceil(edge / (longest * wavelength)));
}

}  // namespace

double count_samples(const geometry::TriMesh& mesh, double wavelength) {
  double count = 0.0;
  for (const geometry::Triangle& triangle : mesh.triangles) {
    const Corners corners = corners_of(triangle, mesh.vertices);
    if (!(area_of(corners).norm() > 0.0)) continue;
    const double edge = longest_edge(corners), cuts = cuts_of(edge, wavelength);
    count += cuts * cuts * static_cast<double>(rule(edge / cuts, wavelength).size());
  }
  return count;
}

SurfaceSamples sample_surface(const geometry::TriMesh& mesh, double wavelength) {
  SurfaceSamples samples;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Corners corners = corners_of(mesh.triangles[t], mesh.vertices);
    if (!(area_of(corners).norm() > 0.0)) continue;
    const double edge = longest_edge(corners);
    const auto cuts = static_cast<int>(cuts_of(edge, wavelength));
    const std::vector<Node> nodes = rule(edge / cuts, wavelength);
    for (const Corners& part : parts_of_triangle(cuts)) {
      for (const Node& node : nodes) {
        samples.points.push_back({.triangle = static_cast<std::uint32_t>(t),
                                  .barycentric = geometry::interpolate(part, node.barycentric)});
        samples.share.push_back(node.share / (cuts * cuts));
      }
    }
  }
  move_to(samples, mesh, mesh.vertices);
  return samples;
}

void move_to(SurfaceSamples& samples, const geometry::TriMesh& mesh,
             std::span<const Vec3> vertices) {
  samples.area.resize(samples.points.size());
  Corners now;
  Vec3 normal;
  double area = 0.0;
  for (std::size_t i = 0; i < samples.points.size(); ++i) {
    base::SurfacePoint& point = samples.points[i];
    if (i == 0 || point.triangle != samples.points[i - 1].triangle) {
      now = corners_of(mesh.triangles[point.triangle], vertices);
      normal = area_of(now);
      area = normal.norm();
      if (area > 0.0) normal /= area;
    }
    point.position = geometry::interpolate(now, point.barycentric);
    point.normal = normal;
    samples.area[i] = samples.share[i] * area;
  }
}

}  // namespace peal::radiation

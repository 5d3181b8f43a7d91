#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/volume/convex_polyhedron.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace peal::geometry {

namespace {

constexpr double on_plane = 1e-12;    ///< of the size: such vertices lie on a plane
constexpr double same_plane = 1e-7;   ///< of the size, and sine of the angle of equal planes
constexpr double same_volume = 1e-6;  ///< relative
constexpr double no_area_of = 1e-10;  ///< of the squared size: triangles without a normal

/// Vertices of the part of a polyhedron that is kept, made on demand.
class CutVertices {
 public:
  CutVertices(const ConvexPolyhedron& solid, const std::vector<double>& heights,
              ConvexPolyhedron& result)
      : solid_(solid), heights_(heights), result_(result) {}

  std::uint32_t kept(std::uint32_t v) {
    const auto [place, is_new] = kept_.try_emplace(v, next());
    if (is_new) result_.vertices.push_back(solid_.vertices[v]);
    return place->second;
  }
  /// Where the edge from a vertex inside to one outside crosses the plane.
  std::uint32_t crossing(std::uint32_t inside, std::uint32_t outside) {
    if (heights_[inside] == 0.0) return kept(inside);
    const auto [place, is_new] =
        crossings_.try_emplace({std::min(inside, outside), std::max(inside, outside)}, next());
    if (is_new) {
      const double part = heights_[inside] / (heights_[inside] - heights_[outside]);
      result_.vertices.push_back(solid_.vertices[inside] +
                                 part * (solid_.vertices[outside] - solid_.vertices[inside]));
    }
    return place->second;
  }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(result_.vertices.size()); }

  const ConvexPolyhedron& solid_;
  const std::vector<double>& heights_;
  ConvexPolyhedron& result_;
  std::map<std::uint32_t, std::uint32_t> kept_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings_;
};

/// The normal of a polygon times twice its area.
Vec3 twice_area(const std::vector<Vec3>& vertices, const std::vector<std::uint32_t>& face) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < face.size(); ++k) {
    sum += (vertices[face[k]] - vertices[face[0]]).cross(vertices[face[k + 1]] - vertices[face[0]]);
  }
  return sum;
}

/// The corner from which the triangles of a fan are least thin.
std::size_t best_apex(const std::vector<Vec3>& vertices, const std::vector<std::uint32_t>& face) {
  const std::size_t n = face.size();
  std::size_t best = 0;
  double highest = -1.0;
  for (std::size_t apex = 0; apex < n; ++apex) {
    double lowest = 1e300;
    for (std::size_t k = 1; k + 1 < n; ++k) {
      const Vec3 &a = vertices[face[apex]], &b = vertices[face[(apex + k) % n]],
                 &c = vertices[face[(apex + k + 1) % n]];
      const double longest = std::max({(a - b).norm(), (b - c).norm(), (c - a).norm(), 1e-300});
      lowest = std::min(lowest, (b - a).cross(c - a).norm() / longest);
    }
    if (lowest > highest) {
      highest = lowest;
      best = apex;
    }
  }
  return best;
}

}  // namespace

std::vector<HalfSpace> ConvexPolyhedron::half_spaces() const {
  std::vector<HalfSpace> result;
  for (const auto& face : faces) {
    const Vec3 normal = twice_area(vertices, face).normalized();
    double offset = 0.0;
    for (const std::uint32_t v : face)
      offset += normal.dot(vertices[v]) / static_cast<double>(face.size());
    result.push_back({normal, offset});
  }
  return result;
}

TriMesh ConvexPolyhedron::mesh() const {
  TriMesh result;
  result.vertices = vertices;
  for (const auto& face : faces) {
    const std::size_t n = face.size(), apex = best_apex(vertices, face);
    for (std::size_t k = 1; k + 1 < n; ++k)
      result.triangles.push_back({face[apex], face[(apex + k) % n], face[(apex + k + 1) % n]});
  }
  return result;
}

ConvexPolyhedron box_polyhedron(const Box& box) {
  ConvexPolyhedron result;
  for (int i = 0; i < 8; ++i) {
    result.vertices.emplace_back((i & 1) != 0 ? box.max().x() : box.min().x(),
                                 (i & 2) != 0 ? box.max().y() : box.min().y(),
                                 (i & 4) != 0 ? box.max().z() : box.min().z());
  }
  result.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return result;
}

ConvexPolyhedron intersection(const ConvexPolyhedron& solid, const HalfSpace& half_space) {
  Box box;
  for (const Vec3& v : solid.vertices) box.extend(v);
  const double least = on_plane * (box.diagonal().norm() + box.center().norm());
  std::vector<double> heights;
  for (const Vec3& v : solid.vertices) {
    const double height = half_space.distance(v);
    heights.push_back(std::abs(height) <= least ? 0.0 : height);
  }
  if (std::ranges::all_of(heights, [](double h) { return h <= 0.0; })) return solid;
  if (std::ranges::all_of(heights, [](double h) { return h >= 0.0; })) return {};

  ConvexPolyhedron result;
  CutVertices cut(solid, heights, result);
  std::map<std::uint32_t, std::uint32_t> next;  // along the new face
  for (const auto& face : solid.faces) {
    std::vector<std::uint32_t> kept;
    std::optional<std::uint32_t> leaves, enters;
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t a = face[k], b = face[(k + 1) % face.size()];
      if (heights[a] <= 0.0) kept.push_back(cut.kept(a));
      if (heights[a] <= 0.0 && heights[b] > 0.0) {
        leaves = cut.crossing(a, b);
        if (kept.back() != *leaves) kept.push_back(*leaves);
      } else if (heights[a] > 0.0 && heights[b] <= 0.0) {
        enters = cut.crossing(b, a);
        if (heights[b] < 0.0) kept.push_back(*enters);
      }
    }
    // A face of which only an edge or a corner is left.
    const bool is_inside =
        std::ranges::any_of(face, [&](std::uint32_t v) { return heights[v] < 0.0; });
    if (!is_inside || kept.size() < 3) continue;
    result.faces.push_back(std::move(kept));
    if (leaves && enters && *leaves != *enters) next[*enters] = *leaves;
  }
  // Faces that end on the plane with an edge of their own border the new face, too.
  for (const auto& face : solid.faces) {
    const bool is_cut =
        std::ranges::any_of(face, [&](std::uint32_t v) { return heights[v] > 0.0; });
    const bool is_inside =
        std::ranges::any_of(face, [&](std::uint32_t v) { return heights[v] < 0.0; });
    if (is_cut || !is_inside) continue;
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t a = face[k], b = face[(k + 1) % face.size()];
      if (heights[a] == 0.0 && heights[b] == 0.0) next[cut.kept(b)] = cut.kept(a);
    }
  }
  if (next.empty()) return result;
  std::vector<std::uint32_t> face;
  const std::uint32_t start = next.begin()->first;
  for (std::uint32_t v = start; face.size() <= next.size();) {
    face.push_back(v);
    const auto following = next.find(v);
    if (following == next.end()) break;
    v = following->second;
    if (v == start) break;
  }
  if (face.size() >= 3) result.faces.push_back(std::move(face));
  return result;
}

ConvexPolyhedron intersection(const std::vector<HalfSpace>& half_spaces, const Box& box) {
  ConvexPolyhedron result = box_polyhedron(box);
  for (const HalfSpace& one : half_spaces) {
    result = intersection(result, one);
    if (result.empty()) break;
  }
  return result;
}

std::optional<ConvexPolyhedron> recognised_polyhedron(const TriMesh& mesh, std::size_t most_faces) {
  if (mesh.empty()) return std::nullopt;
  const Box box = bounds(mesh);
  const double size = box.diagonal().norm();
  const Vec3 middle = box.center();
  std::vector<HalfSpace> planes;  // about the middle
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = area_vector(mesh, t);
    if (area.norm() < no_area_of * size * size) continue;
    const Vec3 normal = area.normalized();
    const double offset = normal.dot(triangle_centre(mesh, t) - middle);
    const bool is_known = std::ranges::any_of(planes, [&](const HalfSpace& one) {
      return std::abs(one.offset - offset) < same_plane * size &&
             (one.normal - normal).norm() < same_plane;
    });
    if (is_known) continue;
    if (planes.size() == most_faces) return std::nullopt;
    for (const Vec3& v : mesh.vertices)
      if (normal.dot(v - middle) - offset > same_plane * size) return std::nullopt;
    planes.push_back({normal, offset});
  }
  const Vec3 margin = Vec3::Constant(0.1 * size);
  ConvexPolyhedron result =
      intersection(planes, Box(box.min() - middle - margin, box.max() - middle + margin));
  if (result.empty()) return std::nullopt;
  for (Vec3& v : result.vertices) v += middle;
  const double volume = signed_volume(mesh);
  if (!(std::abs(signed_volume(result.mesh()) - volume) < same_volume * volume))
    return std::nullopt;
  return result;
}

}  // namespace peal::geometry

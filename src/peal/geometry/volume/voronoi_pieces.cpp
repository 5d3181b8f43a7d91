#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/weld.h>
#include <peal/geometry/volume/plane_cut.h>
#include <peal/geometry/volume/voronoi_pieces.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace peal::geometry {

namespace {

constexpr double thin_part = 0.2;  ///< thickness of thin bodies over the middle one of three sizes
constexpr double near_part = 0.1;  ///< of the size: d0 of the concentration
constexpr int candidates = 12;     ///< of which the one farthest from other sites is taken
constexpr std::uint64_t most_tries = 1000000;
/// Cuts close to vertices leave edges and triangles of nearly no size. What is smaller than this
/// part of the size of the body is welded.
constexpr double welded_part = 1e-5;

/// A body in the axes of its inertia, the shortest extent along x.
class BodyFrame {
 public:
  explicit BodyFrame(const TriMesh& body) {
    const MassProperties mass = mass_properties(body, 1.0);
    centre_ = mass.centre;
    // The largest moment belongs to the shortest extent.
    const Mat3 axes = principal_axes(mass.inertia).axes;
    axes_.col(0) = axes.col(2);
    axes_.col(1) = axes.col(0);
    axes_.col(2) = axes.col(1);
    for (const Vec3& v : body.vertices) box_.extend(axes_.transpose() * (v - centre_));
    const Vec3 size = box_.sizes();
    is_thin_ = size.x() < thin_part * std::min(size.y(), size.z());
  }

  double size() const { return box_.sizes().norm(); }
  /// A point of the bounding box; of a thin body, in its middle plane.
  Vec3 point(double x, double y, double z) const {
    const Vec3 part(is_thin_ ? 0.0 : x, y, z);
    Vec3 local = box_.min() + part.cwiseProduct(box_.sizes());
    if (is_thin_) local.x() = 0.0;
    return centre_ + axes_ * local;
  }
  /// Whether some of the body is above or below a point of the middle plane, or it is inside.
  bool has(const InsideTest& solid, const Vec3& p) const {
    if (!is_thin_) return solid.inside(p);
    constexpr int layers = 9;
    for (int k = 0; k < layers; ++k) {
      const double x = box_.min().x() + (k + 0.5) / layers * box_.sizes().x();
      if (solid.inside(p + x * axes_.col(0))) return true;
    }
    return false;
  }

 private:
  Vec3 centre_;
  Mat3 axes_ = Mat3::Identity();
  Box box_;
  bool is_thin_ = false;
};

/// The half space of points that are nearer to `site` than to `other`.
HalfSpace nearer_to(const Vec3& site, const Vec3& other) {
  const Vec3 normal = (other - site).normalized();
  return {normal, normal.dot(0.5 * (site + other))};
}

double farthest(const std::vector<Vec3>& vertices, const Vec3& from) {
  double most = 0.0;
  for (const Vec3& v : vertices) most = std::max(most, (v - from).norm());
  return most;
}

/// Cuts a solid to the cell of a site, by the nearest other sites first.
template <class Solid, class CutOff>
Solid cell_of(Solid solid, std::span<const Vec3> sites, std::size_t own, const CutOff& cut_off) {
  std::vector<std::size_t> order(sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto distance = [&](std::size_t k) { return (sites[k] - sites[own]).norm(); };
  std::ranges::stable_sort(order, {}, distance);
  for (const std::size_t k : order) {
    if (k == own) continue;
    // What lies farther away cannot be nearer to any point of the cell.
    if (distance(k) > 2.0 * farthest(solid.vertices, sites[own])) break;
    solid = cut_off(solid, nearer_to(sites[own], sites[k]));
    if (solid.vertices.empty()) break;
  }
  return solid;
}

/// The parts of a mesh that do not hang together.
std::vector<TriMesh> connected_parts(const TriMesh& mesh) {
  const Components parts = connected_components(mesh, mesh_topology(mesh), Connection::shared_edge);
  std::vector<TriMesh> result(parts.count);
  std::vector<std::vector<std::uint32_t>> number(
      parts.count, std::vector<std::uint32_t>(mesh.vertices.size(), MeshTopology::none));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t part = parts.of_triangle[t];
    Triangle triangle = mesh.triangles[t];
    for (std::uint32_t& v : triangle) {
      std::uint32_t& now = number[part][v];
      if (now == MeshTopology::none) {
        now = static_cast<std::uint32_t>(result[part].vertices.size());
        result[part].vertices.push_back(mesh.vertices[v]);
      }
      v = now;
    }
    result[part].triangles.push_back(triangle);
  }
  // The wall of a cavity is no piece by itself.
  const bool has_cavity =
      std::ranges::any_of(result, [](const TriMesh& part) { return signed_volume(part) < 0.0; });
  return has_cavity ? std::vector<TriMesh>{mesh} : result;
}

}  // namespace

std::vector<Vec3> fracture_sites(const TriMesh& body, const FracturePattern& pattern) {
  const BodyFrame frame(body);
  const InsideTest solid(body);
  const double near = near_part * frame.size();
  // Distances between sites, relative to this, are even.
  const auto density = [&](const Vec3& p) {
    return std::pow(1.0 + (p - pattern.impact).norm() / near, -pattern.concentration);
  };
  std::uint64_t drawn = 0;
  const auto draw = [&] {
    while (drawn < most_tries) {
      const std::uint64_t at = 4 * drawn++;
      const auto number = [&](std::uint64_t k) {
        return util::random_uniform(pattern.seed, pattern.stream, at + k);
      };
      const Vec3 p = frame.point(number(0), number(1), number(2));
      if (number(3) < density(p) && frame.has(solid, p)) return p;
    }
    throw std::invalid_argument("no points were found inside of it");
  };
  std::vector<Vec3> sites;
  for (int i = 0; i < pattern.pieces; ++i) {
    Vec3 best = Vec3::Zero();
    double most = -1.0;
    for (int k = 0; k < candidates; ++k) {
      const Vec3 p = draw();
      double apart = std::numeric_limits<double>::infinity();
      for (const Vec3& other : sites) apart = std::min(apart, (other - p).norm());
      apart *= std::cbrt(density(p));
      if (apart <= most) continue;
      most = apart;
      best = p;
    }
    sites.push_back(best);
  }
  return sites;
}

std::vector<TriMesh> voronoi_pieces(const TriMesh& body, std::span<const Vec3> sites) {
  std::vector<TriMesh> pieces;
  const auto polyhedron = recognised_polyhedron(body);
  const double tolerance = welded_part * bounds(body).diagonal().norm();
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (polyhedron) {
      const ConvexPolyhedron cell =
          cell_of(*polyhedron, sites, i, [](const ConvexPolyhedron& solid, const HalfSpace& side) {
            return intersection(solid, side);
          });
      if (!cell.empty()) pieces.push_back(cell.mesh());
      continue;
    }
    TriMesh surface = body;
    surface.groups.clear();
    surface.triangle_group.clear();
    const TriMesh cell = cell_of(std::move(surface), sites, i, cut_by_plane);
    if (cell.empty()) continue;
    for (TriMesh& part : connected_parts(cell)) pieces.push_back(welded(part, tolerance));
  }
  return pieces;
}

}  // namespace peal::geometry

#include <peal/dynamics/creased_mesh.h>
#include <peal/dynamics/curved_surface.h>
#include <peal/dynamics/field_of_mesh.h>
#include <peal/dynamics/mesh_shape.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

namespace peal::dynamics {

namespace {

using Edge = CreasedMesh::Edge;

constexpr double no_bend = 1e-4;      ///< angle of a line that does not bend [rad]
constexpr double round_angle = 1e-3;  ///< between triangles of a round face, at least [rad]
constexpr std::uint32_t leaf_size = 8;

/// Balls that touch the faces of a mesh at its edges and corners from inside.
class Edges {
 public:
  Edges(const CreasedMesh& mesh, double fillet) : mesh_(mesh), fillet_(fillet) {}

  std::vector<Feature> features() {
    std::vector<Feature> found;
    for (std::uint32_t v = 0; v < mesh_.mesh.vertices.size(); ++v) {
      if (mesh_.sharp_at[v].empty() || mesh_.goes_on(v)) continue;
      if (const auto centre = in_corner(v)) {
        corners_[v] = *centre;
        found.push_back({.kind = Feature::Kind::ball, .a = *centre, .radius = fillet_});
      }
    }
    std::vector<bool> done(mesh_.edges.size(), false);
    for (std::uint32_t e = 0; e < mesh_.edges.size(); ++e) {
      if (mesh_.edges[e] == Edge::convex && !done[e]) found.push_back(line_through(e, done));
    }
    return found;
  }

 private:
  /// The normals of the faces that meet in a vertex.
  std::vector<Vec3> normals_at(std::uint32_t vertex) const {
    std::vector<Vec3> normals;
    for (const std::uint32_t t : mesh_.topology.vertex_triangles[vertex]) {
      const geometry::Triangle& corners = mesh_.mesh.triangles[t];
      const auto k = std::ranges::find(corners, vertex) - corners.begin();
      const Vec3& normal = mesh_.normals[t][static_cast<std::size_t>(k)];
      const bool known = std::ranges::any_of(
          normals, [&](const Vec3& other) { return other.dot(normal) > 1.0 - 1e-9; });
      if (!known) normals.push_back(normal);
    }
    return normals;
  }

  /// Nothing if the body surrounds the vertex so that no plane meets it first.
  std::optional<Vec3> in_corner(std::uint32_t vertex) const {
    const std::vector<Vec3> normals = normals_at(vertex);
    Vec3 out = Vec3::Zero();
    for (const Vec3& n : normals) out += n;
    const Vec3& at = mesh_.mesh.vertices[vertex];
    for (const std::uint32_t t : mesh_.topology.vertex_triangles[vertex]) {
      for (const std::uint32_t v : mesh_.mesh.triangles[t]) {
        if (v != vertex && out.dot(mesh_.mesh.vertices[v] - at) >= 0.0) return std::nullopt;
      }
    }
    // n . (centre - at) = -fillet for all normals, as well as can be.
    geometry::Mat3 sum = geometry::Mat3::Zero();
    Vec3 right = Vec3::Zero();
    for (const Vec3& n : normals) {
      sum += n * n.transpose();
      right -= fillet_ * n;
    }
    sum += 1e-9 * geometry::Mat3::Identity();
    const Vec3 off = sum.inverse() * right;
    return at + off * std::min(1.0, 4.0 * fillet_ / off.norm());
  }

  /// The middle of the fillet at the end of an edge.
  Vec3 in_edge(std::uint32_t edge, std::uint32_t vertex) const {
    if (const auto corner = corners_.find(vertex); corner != corners_.end()) return corner->second;
    std::array<Vec3, 2> normals;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t t = mesh_.topology.edge_triangles[edge][side];
      const geometry::Triangle& corners = mesh_.mesh.triangles[t];
      const auto k = std::ranges::find(corners, vertex) - corners.begin();
      normals[side] = mesh_.normals[t][static_cast<std::size_t>(k)];
    }
    const double open = std::max(1.0 + normals[0].dot(normals[1]), 0.1);
    return mesh_.mesh.vertices[vertex] - fillet_ / open * (normals[0] + normals[1]);
  }

  Feature line_through(std::uint32_t edge, std::vector<bool>& done) const {
    // Back to its beginning, then forth.
    const std::uint32_t start = edge;
    std::uint32_t from = mesh_.topology.edges[edge][0];
    while (mesh_.goes_on(from)) {
      const auto& at = mesh_.sharp_at[from];
      edge = at[0] == edge ? at[1] : at[0];
      from = mesh_.other_end(edge, from);
      if (edge == start) break;
    }
    auto line = std::make_shared<FeatureLine>();
    double bend = 0.0;
    while (!done[edge]) {
      done[edge] = true;
      const std::uint32_t to = mesh_.other_end(edge, from);
      const Vec3 a = in_edge(edge, from), b = in_edge(edge, to);
      line->arcs.emplace_back(a, b, mesh_.tangent(edge, from), mesh_.tangent(edge, to));
      const Vec3 first = line->arcs.front().points[3] - line->arcs.front().points[0];
      bend = std::max(bend, first.cross(b - a).norm() / (first.norm() * (b - a).norm() + 1e-300));
      from = to;
      if (!mesh_.goes_on(from)) break;
      const auto& at = mesh_.sharp_at[from];
      edge = at[0] == edge ? at[1] : at[0];
    }
    const Vec3 &begin = line->arcs.front().points[0], &end = line->arcs.back().points[3];
    if (bend < no_bend) {
      return {.kind = Feature::Kind::segment, .a = begin, .b = end, .radius = fillet_};
    }
    line->is_closed = mesh_.goes_on(from) && (begin - end).norm() < 1e-9 + 1e-6 * bend;
    geometry::Box box;
    for (const CubicArc& arc : line->arcs) {
      for (const Vec3& p : arc.points) box.extend(p);
    }
    line->middle = box.center();
    line->reach = 0.5 * box.diagonal().norm();
    return {.kind = Feature::Kind::line, .radius = fillet_, .line = std::move(line)};
  }

  const CreasedMesh& mesh_;
  double fillet_;                          ///< [m]
  std::map<std::uint32_t, Vec3> corners_;  ///< middles of the fillets of vertices [m]
};

class RoundTree {
 public:
  explicit RoundTree(std::vector<RoundPoints::Point>& points) : points_(points) {
    if (!points.empty()) split(0, static_cast<std::uint32_t>(points.size()));
  }
  std::vector<RoundPoints::Node> nodes;

 private:
  void split(std::uint32_t begin, std::uint32_t end) {
    const auto at = nodes.size();
    geometry::Box box;
    for (std::uint32_t i = begin; i < end; ++i) box.extend(points_[i].at);
    RoundPoints::Node node{.middle = box.center(), .begin = begin, .end = end};
    for (std::uint32_t i = begin; i < end; ++i) {
      node.reach = std::max(node.reach, (points_[i].at - node.middle).norm() + points_[i].patch);
    }
    nodes.push_back(node);
    if (end - begin <= leaf_size) return;
    Eigen::Index axis;
    box.sizes().maxCoeff(&axis);
    std::sort(points_.begin() + begin, points_.begin() + end, [&](const auto& a, const auto& b) {
      return a.at[axis] < b.at[axis] || (a.at[axis] == b.at[axis] && a.vertex < b.vertex);
    });
    const std::uint32_t middle = begin + (end - begin) / 2;
    split(begin, middle);
    nodes[at].right = static_cast<std::uint32_t>(nodes.size());
    split(middle, end);
  }

  std::vector<RoundPoints::Point>& points_;
};

/// The vertices of round faces that bulge in some direction.
std::unique_ptr<RoundPoints> find_round_points(const CreasedMesh& mesh) {
  auto result = std::make_unique<RoundPoints>();
  result->vertices = mesh.mesh.vertices;
  const std::size_t n = mesh.mesh.vertices.size();
  std::vector<double> patch(n, 0.0);
  std::vector<bool> bulges(n, false);
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (std::uint32_t e = 0; e < mesh.edges.size(); ++e) {
    const auto [a, b] = mesh.topology.edges[e];
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
    const double length = (mesh.mesh.vertices[a] - mesh.mesh.vertices[b]).norm();
    patch[a] = std::max(patch[a], length);
    patch[b] = std::max(patch[b], length);
    if (mesh.edges[e] != Edge::smooth || !mesh.topology.is_manifold(e)) continue;
    const auto sides = mesh.topology.edge_triangles[e];
    const Vec3 n0 = geometry::area_vector(mesh.mesh, sides[0]).normalized();
    const Vec3 away = geometry::triangle_centre(mesh.mesh, sides[1]) - mesh.mesh.vertices[a];
    const Vec3 n1 = geometry::area_vector(mesh.mesh, sides[1]).normalized();
    if (n0.dot(away) < 0.0 && n0.cross(n1).norm() > round_angle) bulges[a] = bulges[b] = true;
  }
  for (const auto& list : neighbours) {
    result->neighbours.items.insert(result->neighbours.items.end(), list.begin(), list.end());
    result->neighbours.offsets.push_back(
        static_cast<std::uint32_t>(result->neighbours.items.size()));
  }
  for (std::uint32_t v = 0; v < n; ++v) {
    if (bulges[v] && mesh.sharp_at[v].empty())
      result->points.push_back({.at = mesh.mesh.vertices[v], .patch = patch[v], .vertex = v});
  }
  RoundTree tree(result->points);
  result->nodes = std::move(tree.nodes);
  return result;
}

/// Near its surface by the field, which is smooth; farther away, where the middles of balls are, by
/// the patches themselves: a field is blurred where two of its sides are equally far.
class Sampled : public SmoothShape {
 public:
  Sampled(const CreasedMesh& mesh, double fillet, std::shared_ptr<const DistanceField> field)
      : field_(std::move(field)), surface_(mesh, facet_cells * field_->lattice().cell) {
    features_ = Edges(mesh, fillet).features();
    auto points = find_round_points(mesh);
    if (!points->points.empty()) round_points_ = std::move(points);
    const std::vector<Vec3> hull = CurvedSurface::hull_points(mesh);
    geometry::Box box;
    for (const Vec3& p : hull) box.extend(p);
    middle_ = box.center();
    half_ = 0.5 * box.sizes();
    for (const Vec3& p : hull) reach_ = std::max(reach_, (p - middle_).norm());
  }

  double distance(const Vec3& p, Vec3& normal) const override {
    const double about = field_->distance(p, normal);
    if (about <= field_->true_distance()) return about;
    const CurvedSurface::NearestPoint place = surface_.nearest(p, 1.5 * about);
    normal = (p - place.point) / place.distance;
    return place.distance;
  }

  double least_distance(const Vec3& p) const override { return field_->least_distance(p); }
  double about_distance(const Vec3& p) const override {
    Vec3 normal;
    return field_->distance(p, normal);
  }

  void find_distances(const Vec3& p, double within,
                      std::vector<SurfaceDistance>& distances) const override {
    Vec3 normal;
    const double about = field_->distance(p, normal);
    if (about <= field_->true_distance()) {
      if (about <= within) distances.push_back({about, normal, 0});
      return;
    }
    if (field_->least_distance(p) > within) return;
    for (const CurvedSurface::NearestPoint& place : surface_.nearest_of_faces(p, within)) {
      distances.push_back({place.distance, (p - place.point) / place.distance,
                           static_cast<int>(place.face & 0x3fff)});
    }
  }

 private:
  static constexpr double facet_cells = 4.0;

  std::shared_ptr<const DistanceField> field_;
  CurvedSurface surface_;
};

}  // namespace

std::unique_ptr<SmoothShape> make_mesh_shape(const scene::MeshShape& shape,
                                             const util::Store* fields) {
  const geometry::MeshReport report =
      geometry::check_mesh(*shape.mesh, {.self_intersections = false});
  if (geometry::is_open_surface(report, *shape.mesh)) {
    throw std::invalid_argument("its mesh is open, so that it has no inside");
  }
  if (!(geometry::signed_volume(*shape.mesh) > 0.0)) {
    throw std::invalid_argument("its mesh encloses no volume, or its faces point inward");
  }
  const CreasedMesh mesh(*shape.mesh);
  const double wall = wall_thickness(mesh);
  return std::make_unique<Sampled>(mesh, std::min(shape.fillet, 0.3 * wall),
                                   field_of_mesh(mesh, wall, fields));
}

}  // namespace peal::dynamics

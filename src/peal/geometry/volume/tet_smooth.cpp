#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/volume/tet_smooth.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::geometry {

namespace {

constexpr double degree = std::numbers::pi / 180.0;
/// Eight-sided prisms keep their edges, nine-sided ones could be round.
constexpr double crease_angle = 41.0 * degree;
/// From which on a bend that does not go on is a crease as well: as where hexahedra keep the
/// corners of an outline (hex_cuts.h).
constexpr double single_angle = 20.0 * degree;
/// The same between two faces that are flat over more than a triangle: outlines with slopes.
constexpr double slope_angle = 2.0 * degree;
/// A bend goes on in one that turns the same way by so much of its angle [1], beyond a facet that
/// is not so many times larger than the one on the other side.
constexpr double going_on = 0.25, larger = 2.0;
/// Facets that meet at less are one: vertices in single precision turn small ones by a tenth of it.
constexpr double flat_angle = 0.1 * degree;
/// A crease that turns more than this at a vertex has a corner there.
constexpr double corner_angle = 50.0 * degree;
/// What rounding may change a volume by, and so a mass [1]. A prism of 12 sides, the coarsest that
/// collides as a round one (`sharpest_bend`, scene/recognise.cpp), lacks 4.5 % of its cylinder, and
/// what is as coarse in both directions, twice that. A flat octahedron, to which roundness would
/// add a fourth, stands for itself.
constexpr double kept_volume = 0.1;

/// The angle at each edge between two triangles [rad], below zero where the surface is hollow.
std::vector<double> find_bends(const TriMesh& mesh, const MeshTopology& topology) {
  std::vector<double> bends(topology.edges.size(), 0.0);
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    const auto sides = topology.edge_triangles[e];
    if (sides.size() != 2) continue;
    const Vec3 a = area_vector(mesh, sides[0]), b = area_vector(mesh, sides[1]);
    Vec3 beyond = Vec3::Zero();  // from the edge into the second triangle
    for (const std::uint32_t v : mesh.triangles[sides[1]])
      beyond += mesh.vertices[v] - mesh.vertices[topology.edges[e][0]];
    bends[e] = std::copysign(std::atan2(a.cross(b).norm(), a.dot(b)), -a.dot(beyond));
  }
  return bends;
}

/// Triangles that lie in one plane: the number of the facet of each.
std::vector<std::uint32_t> find_facets(const TriMesh& mesh, const MeshTopology& topology,
                                       const std::vector<double>& bends) {
  std::vector<std::uint32_t> facet(mesh.triangles.size(), MeshTopology::none);
  for (std::uint32_t first = 0; first < facet.size(); ++first) {
    if (facet[first] != MeshTopology::none) continue;
    facet[first] = first;
    for (std::vector<std::uint32_t> open = {first}; !open.empty();) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t next = topology.triangle_neighbours[at][k];
        if (next == MeshTopology::none || facet[next] != MeshTopology::none) continue;
        if (std::abs(bends[topology.triangle_edges[at][k]]) > flat_angle) continue;
        facet[next] = first;
        open.push_back(next);
      }
    }
  }
  return facet;
}

/// Where the surface bends, and how the bends go on.
class Bends {
 public:
  Bends(const TriMesh& mesh, const MeshTopology& topology, double angle)
      : topology_(topology),
        bends_(find_bends(mesh, topology)),
        facet_(find_facets(mesh, topology, bends_)),
        area_(facet_.size(), 0.0),
        triangles_(facet_.size(), 0),
        curved_(facet_.size()) {
    for (std::uint32_t t = 0; t < facet_.size(); ++t) {
      area_[facet_[t]] += area_vector(mesh, t).norm();
      ++triangles_[facet_[t]];
    }
    for (std::uint32_t e = 0; e < bends_.size(); ++e) {
      if (std::abs(bends_[e]) < flat_angle || std::abs(bends_[e]) > angle) continue;
      for (const std::uint32_t f : facets_at(e)) curved_[f].push_back(e);
    }
  }

  double angle(std::uint32_t edge) const { return std::abs(bends_[edge]); }

  /// Whether it bends again the same way at another side of one of the two facets.
  bool goes_on(std::uint32_t edge) const {
    return std::ranges::any_of(facets_at(edge), [&](std::uint32_t facet) {
      return next(edge, facet) != MeshTopology::none;
    });
  }

  /// Whether it is one of three bends that follow each other the same way: two make a bevel.
  bool is_in_curve(std::uint32_t edge) const {
    int beside = 0;
    for (const std::uint32_t facet : facets_at(edge)) {
      const std::uint32_t other = next(edge, facet);
      if (other == MeshTopology::none) continue;
      ++beside;
      const auto beyond = facets_at(other);
      if (next(other, beyond[0] == facet ? beyond[1] : beyond[0]) != MeshTopology::none) ++beside;
    }
    return beside >= 2;
  }

  /// Whether both facets are more than a triangle.
  bool is_between_faces(std::uint32_t edge) const {
    return std::ranges::all_of(facets_at(edge), [&](std::uint32_t f) { return triangles_[f] > 1; });
  }

 private:
  /// Another side of a facet of an edge that bends the same way; none if there is none.
  std::uint32_t next(std::uint32_t edge, std::uint32_t facet) const {
    const auto own = facets_at(edge);
    if (area_[facet] > larger * std::min(area_[own[0]], area_[own[1]])) return MeshTopology::none;
    const auto found = std::ranges::find_if(curved_[facet], [&](std::uint32_t other) {
      return !std::ranges::is_permutation(facets_at(other), own) &&
             bends_[other] / bends_[edge] >= going_on;
    });
    return found == curved_[facet].end() ? MeshTopology::none : *found;
  }

  std::array<std::uint32_t, 2> facets_at(std::uint32_t edge) const {
    const auto sides = topology_.edge_triangles[edge];
    return {facet_[sides.front()], facet_[sides.back()]};
  }

  const MeshTopology& topology_;
  std::vector<double> bends_;                       ///< by edge [rad]
  std::vector<std::uint32_t> facet_;                ///< by triangle
  std::vector<double> area_;                        ///< of facets [m^2]
  std::vector<int> triangles_;                      ///< of facets
  std::vector<std::vector<std::uint32_t>> curved_;  ///< of facets, edges that bend by up to `angle`
};

/// Bends of more than `angle`. And single ones: a curve that is drawn with facets bends again at
/// the other side of them, the same way. A slope in the outline of a bar, or a roof, does not, and
/// has an edge there.
std::vector<bool> find_creases(const TriMesh& mesh, const MeshTopology& topology, double angle) {
  const Bends bends(mesh, topology, angle);
  std::vector<bool> crease(topology.edges.size());
  for (std::uint32_t e = 0; e < crease.size(); ++e) {
    const bool is_single = bends.angle(e) > single_angle && !bends.goes_on(e);
    const bool is_slope =
        bends.angle(e) > slope_angle && bends.is_between_faces(e) && !bends.is_in_curve(e);
    crease[e] = bends.angle(e) > angle || is_single || is_slope;
  }
  return crease;
}

}  // namespace

SmoothSurface::SmoothSurface(const TriMesh& surface)
    : query_(surface), topology_(mesh_topology(surface)), size_(bounds(surface).diagonal().norm()) {
  part_sheets(crease_angle);
  const double flat = signed_volume(mesh());
  if (std::abs(volume() - flat) > kept_volume * std::abs(flat)) part_sheets(flat_angle);
}

void SmoothSurface::part_sheets(double angle) {
  crease_ = find_creases(mesh(), topology_, angle);
  creases_.clear();
  crease_edges_.assign(mesh().vertices.size(), {});
  for (std::uint32_t e = 0; e < crease_.size(); ++e) {
    if (!crease_[e]) continue;
    creases_.push_back(e);
    for (const std::uint32_t v : topology_.edges[e]) crease_edges_[v].push_back(e);
  }
  find_corners();
  find_normals();
}

void SmoothSurface::find_corners() {
  const TriMesh& mesh = query_.mesh();
  corner_.assign(mesh.vertices.size(), false);
  tangents_.assign(mesh.vertices.size(), Vec3::Zero());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    if (crease_edges_[v].empty()) continue;
    corner_[v] = true;
    if (crease_edges_[v].size() != 2) continue;
    std::array<Vec3, 2> away;
    for (int k = 0; k < 2; ++k) {
      const auto& [a, b] = topology_.edges[crease_edges_[v][k]];
      away[k] = mesh.vertices[a == v ? b : a] - mesh.vertices[v];
    }
    const double turn = away[0].normalized().dot(-away[1].normalized());
    if (turn < std::cos(corner_angle)) continue;
    corner_[v] = false;
    // The tangent of the circle through the three points.
    const double l0 = away[0].norm(), l1 = away[1].norm();
    tangents_[v] = (away[1] * (l0 / l1) - away[0] * (l1 / l0)).normalized();
  }
}

/// Around each corner, the triangles of its sheet: those reached without crossing a crease.
void SmoothSurface::find_normals() {
  const TriMesh& mesh = query_.mesh();
  corner_normals_.resize(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.triangles[t][k];
      Vec3 sum = area_vector(mesh, t);
      for (const int direction : {0, 1}) {
        std::uint32_t at = t;
        for (std::size_t steps = 0; steps < topology_.vertex_triangles[v].size(); ++steps) {
          const auto& corners = mesh.triangles[at];
          const int i =
              static_cast<int>(std::find(corners.begin(), corners.end(), v) - corners.begin());
          const int side = direction == 0 ? i : (i + 2) % 3;  // both sides touch v
          const std::uint32_t edge = topology_.triangle_edges[at][side];
          const std::uint32_t next = topology_.triangle_neighbours[at][side];
          if (edge == MeshTopology::none || next == MeshTopology::none || crease_[edge]) break;
          if (next == t) break;
          at = next;
          sum += area_vector(mesh, at);
        }
        if (crease_edges_[v].empty()) break;  // one way round sees the whole fan
      }
      corner_normals_[3 * t + k] = sum.normalized();
    }
  }
}

Vec3 SmoothSurface::patch_point(std::uint32_t triangle, const Vec3& barycentrics,
                                const Vec3& flat) const {
  Vec3 point = flat;
  for (int k = 0; k < 3; ++k) {
    const Vec3 n = corner_normal(triangle, k);
    const Vec3& corner = mesh().vertices[mesh().triangles[triangle][k]];
    point += 0.5 * barycentrics[k] * n * n.dot(corner - flat);
  }
  return point;
}

SmoothSurface::PatchPoint SmoothSurface::on_patch(std::uint32_t triangle,
                                                  const Vec3& barycentrics) const {
  Vec3 flat = Vec3::Zero(), normal = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    flat += barycentrics[k] * mesh().vertices[mesh().triangles[triangle][k]];
    normal += barycentrics[k] * corner_normal(triangle, k);
  }
  return {patch_point(triangle, barycentrics, flat), normal.normalized()};
}

/// Toward the tangent line at each end; an end without one follows the other.
Vec3 SmoothSurface::crease_point(std::uint32_t edge, double part) const {
  const auto& ends = topology_.edges[edge];
  const std::array<double, 2> weights{1.0 - part, part};
  const Vec3 at = weights[0] * mesh().vertices[ends[0]] + weights[1] * mesh().vertices[ends[1]];
  std::array<Vec3, 2> pull{Vec3::Zero(), Vec3::Zero()};
  std::array<bool, 2> has{};
  for (int k = 0; k < 2; ++k) {
    const Vec3& tangent = tangents_[ends[k]];
    has[k] = tangent.squaredNorm() > 0.0;
    const Vec3 arm = mesh().vertices[ends[k]] - at;
    if (has[k]) pull[k] = arm - tangent * tangent.dot(arm);
  }
  const double share = has[0] && has[1] ? 0.5 : 1.0;
  return at + share * (weights[0] * pull[0] + weights[1] * pull[1]);
}

double SmoothSurface::volume() const {
  // Triangles cut in four at points of the surface have three fourths of what patches of second
  // order add.
  const double flat = signed_volume(mesh());
  TriMesh cut{mesh().vertices, {}};
  const auto first = static_cast<std::uint32_t>(cut.vertices.size());
  cut.vertices.resize(first + topology_.edges.size());
  for (std::uint32_t t = 0; t < mesh().triangles.size(); ++t) {
    const Triangle& corners = mesh().triangles[t];
    Triangle middle{};
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t edge = topology_.triangle_edges[t][k];
      Vec3 half = Vec3::Constant(0.5);
      half[(k + 2) % 3] = 0.0;
      const Vec3 flat_middle = 0.5 * (mesh().vertices[topology_.edges[edge][0]] +
                                      mesh().vertices[topology_.edges[edge][1]]);
      middle[k] = first + edge;
      cut.vertices[middle[k]] =
          crease_[edge] ? crease_point(edge, 0.5) : patch_point(t, half, flat_middle);
    }
    cut.triangles.push_back(middle);
    for (int k = 0; k < 3; ++k) {
      cut.triangles.push_back({corners[k], middle[k], middle[(k + 2) % 3]});
    }
  }
  return flat + 4.0 / 3.0 * (signed_volume(cut) - flat);
}

std::vector<Vec3> SmoothSurface::normals_at(std::uint32_t vertex) const {
  std::vector<Vec3> normals;
  for (const std::uint32_t t : topology_.vertex_triangles[vertex]) {
    const auto& corners = mesh().triangles[t];
    const int k =
        static_cast<int>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
    const Vec3 normal = corner_normal(t, k);
    const bool known = std::any_of(normals.begin(), normals.end(),
                                   [&](const Vec3& n) { return (n - normal).norm() < 1e-6; });
    if (!known) normals.push_back(normal);
  }
  return normals;
}

std::optional<SmoothSurface::Point> SmoothSurface::on_sheet(const Vec3& p,
                                                            const Vec3& normal) const {
  const SurfacePoint nearest = query_.closest_point(p);
  Point point{patch_point(nearest.triangle, nearest.barycentrics, nearest.point),
              {Vec3::Zero()},
              nearest.point};
  for (int k = 0; k < 3; ++k) {
    point.normals[0] += nearest.barycentrics[k] * corner_normal(nearest.triangle, k);
  }
  point.normals[0].normalize();
  if (point.normals[0].dot(normal) < 0.7) return std::nullopt;
  return point;
}

SmoothSurface::Point SmoothSurface::on_crease(const Vec3& p) const {
  double best = std::numeric_limits<double>::infinity(), best_s = 0.0;
  std::uint32_t nearest = creases_.front();
  for (const std::uint32_t e : creases_) {
    const Vec3 &a = mesh().vertices[topology_.edges[e][0]],
               &b = mesh().vertices[topology_.edges[e][1]];
    const double s = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    const double distance = (a + s * (b - a) - p).squaredNorm();
    if (distance < best) {
      best = distance;
      best_s = s;
      nearest = e;
    }
  }
  const std::array<double, 2> weights{1.0 - best_s, best_s};
  const auto& ends = topology_.edges[nearest];
  const Vec3 at = weights[0] * mesh().vertices[ends[0]] + weights[1] * mesh().vertices[ends[1]];
  Point point{crease_point(nearest, best_s), {}, at};
  for (const std::uint32_t t : topology_.edge_triangles[nearest]) {
    Vec3 normal = Vec3::Zero();
    for (int k = 0; k < 2; ++k) {
      const auto& corners = mesh().triangles[t];
      const int i =
          static_cast<int>(std::find(corners.begin(), corners.end(), ends[k]) - corners.begin());
      normal += weights[k] * corner_normal(t, i);
    }
    point.normals.push_back(normal.normalized());
  }
  return point;
}

double SmoothSurface::thickness(std::uint32_t triangle) const {
  const Vec3 inward = -area_vector(mesh(), triangle).normalized();
  const Vec3 start = triangle_centre(mesh(), triangle);
  const double skip = 1e-7 * size_;
  const auto hit = query_.intersect({start + skip * inward, inward});
  return hit ? hit->t + skip : size_;
}

}  // namespace peal::geometry

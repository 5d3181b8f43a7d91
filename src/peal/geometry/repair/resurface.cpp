#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/orient_soup.h>
#include <peal/geometry/repair/resurface.h>
#include <peal/geometry/repair/solid_lattice.h>
#include <peal/util/parallel.h>
#include <peal/util/sort_unique.h>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peal::geometry {
namespace {

using LatticeFace = std::array<std::uint32_t, 3>;  ///< ascending

LatticeFace face_between(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  LatticeFace face = {a, b, c};
  std::ranges::sort(face);
  return face;
}

template <class T>
std::size_t position_in(const std::vector<T>& sorted, const T& value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, value) - sorted.begin());
}

/// Cuts a lattice at the surface of its solid.
class LatticeCutter {
 public:
  LatticeCutter(const SoupSolid& solid, const SolidLattice& lattice)
      : solid_(solid), lattice_(lattice) {
    for (const Tetrahedron& tet : lattice.lattice().tetrahedra())
      if (lattice.is_mixed(tet)) mixed_.push_back(tet);
  }

  TriMesh run() {
    cut_edges();
    find_creases();
    for (const Tetrahedron& tet : mixed_) add_segment(tet);
    return std::move(mesh_);
  }

  /// For each vertex of the mesh, whether it closes a hole.
  const std::vector<char>& in_hole() const { return in_hole_; }

 private:
  struct Crease {
    bool found = false;
    Vec3 point = Vec3::Zero();
    std::uint32_t vertex = 0;  ///< of the mesh
  };

  void cut_edges();
  void find_creases();
  Crease crease_on(const LatticeFace& face) const;
  std::optional<Vec3> corner_in(const Tetrahedron& tet,
                                const std::vector<std::uint32_t>& cuts) const;
  void add_segment(const Tetrahedron& tet);

  const EdgeCut& cut_between(std::uint32_t a, std::uint32_t b) const {
    return cuts_[position_in(edges_, edge_between(a, b))];
  }
  /// Cuts are the first vertices of the mesh, in the order of their edges.
  std::uint32_t cut_vertex(std::uint32_t a, std::uint32_t b) const {
    return static_cast<std::uint32_t>(position_in(edges_, edge_between(a, b)));
  }
  /// A guess made from normals is good if it is on the surface.
  bool is_on_surface(const Vec3& p, double size) const {
    return solid_.surface().closest_point_within(p, 0.05 * size).has_value();
  }
  std::uint32_t add_vertex(const Vec3& p) {
    mesh_.vertices.push_back(p);
    in_hole_.push_back(0);
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
  }

  const SoupSolid& solid_;
  const SolidLattice& lattice_;
  std::vector<Tetrahedron> mixed_;
  std::vector<LatticeEdge> edges_;  ///< that are cut, ascending
  std::vector<EdgeCut> cuts_;       ///< by edge
  std::vector<LatticeFace> faces_;  ///< with two cut edges, ascending
  std::vector<Crease> creases_;     ///< by face
  TriMesh mesh_;
  std::vector<char> in_hole_;
};

void LatticeCutter::cut_edges() {
  for (const Tetrahedron& tet : mixed_) {
    for (const auto& [i, j] : edges_of_four) {
      const std::uint32_t a = tet.corners[i], b = tet.corners[j];
      if (lattice_.inside(a) != lattice_.inside(b)) edges_.push_back(edge_between(a, b));
    }
  }
  util::sort_unique(edges_);
  cuts_.resize(edges_.size());
  util::parallel_for_small(edges_.size(), [&](std::size_t i) {
    const auto& [a, b] = edges_[i];
    cuts_[i] =
        solid_.cut(lattice_.vertex(a), lattice_.inside(a), lattice_.vertex(b), lattice_.inside(b));
  });
  for (const EdgeCut& cut : cuts_) {
    add_vertex(cut.point);
    in_hole_.back() = cut.triangle == EdgeCut::no_triangle;
  }
}

void LatticeCutter::find_creases() {
  for (const Tetrahedron& tet : mixed_) {
    const auto& [a, b, c, d] = tet.corners;
    for (const LatticeFace& face : {face_between(a, b, c), face_between(a, b, d),
                                    face_between(a, c, d), face_between(b, c, d)}) {
      const int count =
          lattice_.inside(face[0]) + lattice_.inside(face[1]) + lattice_.inside(face[2]);
      if (count == 1 || count == 2) faces_.push_back(face);
    }
  }
  util::sort_unique(faces_);
  creases_.resize(faces_.size());
  util::parallel_for_small(faces_.size(),
                           [&](std::size_t i) { creases_[i] = crease_on(faces_[i]); });
  for (Crease& crease : creases_)
    if (crease.found) crease.vertex = add_vertex(crease.point);
}

/// Normals this far apart (30 degrees) mean an edge of the object and not a curved wall.
constexpr double crease_cosine = 0.866;
/// Points on a face or in a tetrahedron keep this much of barycentric coordinates from its border.
constexpr double crease_margin = 0.02;

LatticeCutter::Crease LatticeCutter::crease_on(const LatticeFace& face) const {
  // The vertex that is alone on its side has both cut edges.
  int alone = 0;
  for (int k = 0; k < 3; ++k) {
    if (lattice_.inside(face[k]) != lattice_.inside(face[(k + 1) % 3]) &&
        lattice_.inside(face[k]) != lattice_.inside(face[(k + 2) % 3]))
      alone = k;
  }
  const EdgeCut& first = cut_between(face[alone], face[(alone + 1) % 3]);
  const EdgeCut& second = cut_between(face[alone], face[(alone + 2) % 3]);
  if (first.triangle == EdgeCut::no_triangle || second.triangle == EdgeCut::no_triangle ||
      first.normal.dot(second.normal) > crease_cosine)
    return {};
  const Vec3& p = lattice_.vertex(face[0]);
  const Vec3 u = lattice_.vertex(face[1]) - p, v = lattice_.vertex(face[2]) - p;
  // In the face, p + s u + t v, the two walls are lines.
  Eigen::Matrix2d lines;
  lines << first.normal.dot(u), first.normal.dot(v), second.normal.dot(u), second.normal.dot(v);
  const double scale = lines.row(0).norm() * lines.row(1).norm();
  if (!(std::abs(lines.determinant()) > 0.1 * scale)) return {};
  const Eigen::Vector2d st = lines.inverse() * Eigen::Vector2d(first.normal.dot(first.point - p),
                                                               second.normal.dot(second.point - p));
  const bool on_face =
      st.x() > crease_margin && st.y() > crease_margin && st.sum() < 1.0 - crease_margin;
  const Vec3 point = p + st.x() * u + st.y() * v;
  if (!on_face || !is_on_surface(point, u.norm())) return {};
  return {.found = true, .point = point};
}

/// Where the planes of all cuts meet, if three different ones do.
std::optional<Vec3> LatticeCutter::corner_in(const Tetrahedron& tet,
                                             const std::vector<std::uint32_t>& cuts) const {
  Eigen::Matrix<double, 4, 3> normals = Eigen::Matrix<double, 4, 3>::Zero();
  Eigen::Vector4d heights = Eigen::Vector4d::Zero();
  Vec3 mean = Vec3::Zero();
  for (const std::uint32_t c : cuts) mean += cuts_[c].point / static_cast<double>(cuts.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const EdgeCut& cut = cuts_[cuts[i]];
    normals.row(static_cast<Eigen::Index>(i)) = cut.normal.transpose();
    heights[static_cast<Eigen::Index>(i)] = cut.normal.dot(cut.point - mean);
  }
  // Normals that differ in all directions: their squares are then safe to invert.
  const Mat3 squares = normals.transpose() * normals;
  const Vec3 spread =
      Eigen::SelfAdjointEigenSolver<Mat3>(squares, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(spread[0] > 0.2 * 0.2 * spread[2])) return std::nullopt;
  const Vec3 corner = mean + squares.inverse() * (normals.transpose() * heights);
  // Inside of the tetrahedron if it is on the inner side of each face.
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) x[k] = lattice_.vertex(tet.corners[k]);
  const double whole = tetrahedron_volume6(x[0], x[1], x[2], x[3]);
  for (int k = 0; k < 4; ++k) {
    std::array<Vec3, 4> y = x;
    y[k] = corner;
    if (tetrahedron_volume6(y[0], y[1], y[2], y[3]) / whole < crease_margin) return std::nullopt;
  }
  if (!is_on_surface(corner, (x[1] - x[0]).norm())) return std::nullopt;
  return corner;
}

void LatticeCutter::add_segment(const Tetrahedron& tet) {
  // Corners in positive orientation, those inside first.
  std::array<std::uint32_t, 4> x = tet.corners;
  std::stable_partition(x.begin(), x.end(), [&](std::uint32_t v) { return lattice_.inside(v); });
  if (tetrahedron_volume6(lattice_.vertex(x[0]), lattice_.vertex(x[1]), lattice_.vertex(x[2]),
                          lattice_.vertex(x[3])) < 0.0) {
    lattice_.inside(x[1]) ? std::swap(x[0], x[1]) : std::swap(x[2], x[3]);
  }
  // The cut edges around the piece, counter-clockwise from outside.
  std::vector<LatticeEdge> cut;
  if (!lattice_.inside(x[1])) {
    cut = {{x[0], x[1]}, {x[0], x[2]}, {x[0], x[3]}};
  } else if (!lattice_.inside(x[2])) {
    cut = {{x[0], x[2]}, {x[0], x[3]}, {x[1], x[3]}, {x[1], x[2]}};
  } else {
    cut = {{x[0], x[3]}, {x[1], x[3]}, {x[2], x[3]}};
  }
  // The loop through them, and through the creases on the faces between them.
  std::vector<std::uint32_t> loop, cuts;
  std::vector<std::size_t> bends;
  Vec3 bend_sum = Vec3::Zero();
  for (std::size_t i = 0; i < cut.size(); ++i) {
    const LatticeEdge &here = cut[i], &next = cut[(i + 1) % cut.size()];
    cuts.push_back(cut_vertex(here[0], here[1]));
    loop.push_back(cuts.back());
    const LatticeFace face = here[0] == next[0] ? face_between(here[0], here[1], next[1])
                                                : face_between(here[0], here[1], next[0]);
    const Crease& crease = creases_[position_in(faces_, face)];
    if (!crease.found) continue;
    bends.push_back(loop.size());
    bend_sum += crease.point;
    loop.push_back(crease.vertex);
  }
  const std::size_t n = loop.size();
  if (bends.size() > 2) {
    const Vec3 middle = bend_sum / static_cast<double>(bends.size());
    const std::uint32_t apex = add_vertex(corner_in(tet, cuts).value_or(middle));
    for (std::size_t i = 0; i < n; ++i)
      mesh_.triangles.push_back({apex, loop[i], loop[(i + 1) % n]});
    return;
  }
  std::size_t apex = bends.empty() ? 0 : bends[0];
  if (n == 4 && bends.empty()) {
    const auto length = [&](std::size_t i, std::size_t j) {
      return (mesh_.vertices[loop[i]] - mesh_.vertices[loop[j]]).squaredNorm();
    };
    if (length(1, 3) < length(0, 2)) apex = 1;
  }
  for (std::size_t i = 1; i + 1 < n; ++i)
    mesh_.triangles.push_back({loop[apex], loop[(apex + i) % n], loop[(apex + i + 1) % n]});
}

/// Area of the given triangles that the new surface does not follow.
double area_away_from(const TriMesh& given, const SurfaceQuery& surface, double distance) {
  std::vector<double> away(given.triangles.size(), 0.0);
  util::parallel_for_small(away.size(), [&](std::size_t t) {
    const auto& [a, b, c] = given.triangles[t];
    const Corners corners = {given.vertices[a], given.vertices[b], given.vertices[c]};
    const double area = area_vector(given, t).norm();
    // The centres of n^2 equal triangles.
    const int n = std::clamp(static_cast<int>(std::sqrt(area) / distance), 1, 16);
    int missed = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n - i; ++j) {
        for (const double third : {1.0 / 3.0, 2.0 / 3.0}) {
          if (third > 0.5 && i + j == n - 1) continue;
          const double u = (i + third) / n, v = (j + third) / n;
          const Vec3 p = interpolate(corners, {1.0 - u - v, u, v});
          if (!surface.closest_point_within(p, distance)) ++missed;
        }
      }
    }
    away[t] = area * missed / (n * n);
  });
  double sum = 0.0;
  for (const double area : away) sum += area;
  return sum;
}

void describe_result(const TriMesh& given, const OrientedSoup& soup, const SoupSolid& solid,
                     const std::vector<char>& in_hole, Resurfaced& result) {
  TriMesh& mesh = result.mesh;
  result.volume = signed_volume(mesh);
  result.turned = soup.turned;
  result.copies = soup.copies;
  result.source.resize(mesh.triangles.size());
  util::parallel_for_small(mesh.triangles.size(), [&](std::size_t t) {
    result.source[t] =
        soup.source[solid.surface().closest_point(triangle_centre(mesh, t)).triangle];
  });
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    if (in_hole[a] + in_hole[b] + in_hole[c] >= 2)
      result.closed_area += area_vector(mesh, t).norm();
  }
  result.left_out_area = area_away_from(given, SurfaceQuery(mesh), 0.5 * result.resolution);
}

}  // namespace

Resurfaced resurfaced(const TriMesh& mesh, const ResurfaceOptions& options) {
  if (!(options.resolution > 0.0)) throw std::invalid_argument("a resolution must be positive");
  const OrientedSoup soup = orient_soup(mesh);
  if (soup.mesh.empty()) throw std::invalid_argument("there are no triangles with an area");
  const SoupSolid solid(soup.mesh);
  const double ratio =
      options.finest > 0.0 ? std::min(1.0, options.finest / options.resolution) : 0.125;
  for (double resolution = options.resolution;; resolution *= 2.0) {
    SolidLattice lattice(solid, resolution, ratio * resolution, options.max_tetrahedra);
    if (!lattice.refine()) continue;
    Resurfaced result{.resolution = resolution, .finest = ratio * resolution};
    const std::vector<LatticeEdge> thin = lattice.thin_edges();
    result.thin_places = thin.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(thin.size(), 5); ++i)
      result.thin_examples.push_back(0.5 *
                                     (lattice.vertex(thin[i][0]) + lattice.vertex(thin[i][1])));
    lattice.keep_clear_of_surface();
    LatticeCutter cutter(solid, lattice);
    result.mesh = cutter.run();
    if (result.mesh.empty()) {
      throw std::invalid_argument("the triangles enclose no volume that is thicker than " +
                                  std::to_string(1e3 * result.finest) + " mm");
    }
    describe_result(mesh, soup, solid, cutter.in_hole(), result);
    return result;
  }
}

std::string describe(const Resurfaced& made, const TriMesh& given) {
  std::string text = fmt::format(
      "it is replaced by a closed surface of {} faces around {:.3g} l, from a lattice of {:.2g} mm "
      "that resolves walls down to {:.2g} mm",
      made.mesh.triangles.size(), 1e3 * made.volume, 1e3 * made.resolution, 1e3 * made.finest);
  const double area = surface_area(given);
  if (made.turned > 0) text += fmt::format("; {} faces were turned", made.turned);
  if (made.closed_area > 1e-3 * area)
    text += fmt::format("; holes of {:.2g} cm2 were closed", 1e4 * made.closed_area);
  if (made.left_out_area > 1e-3 * area) {
    text += fmt::format("; {:.2g} % of its area is inside or bounds nothing and was left out",
                        100.0 * made.left_out_area / area);
  }
  if (made.thin_places > 0) {
    const Vec3& at = made.thin_examples.front();
    text +=
        fmt::format("; some walls or gaps are thinner, near ({:.3g}, {:.3g}, {:.3g}), and are lost",
                    at.x(), at.y(), at.z());
  }
  return text;
}

}  // namespace peal::geometry

#include <peal/geometry/mesh/curvature.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/smooth_surface.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/util/sort_unique.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

namespace peal::geometry {

namespace {

/// A vertex lies on an edge if it is closer to it than this, in lengths of the edge.
constexpr double on_edge = 1e-3;
/// Height of a triangle without area, in its longest sides: coordinates rounded to 32 bits leave
/// 1e-7.
constexpr double flat_height = 1e-6;
/// The least cosine between a face and the mean normal at its corner: less is a fold by 177
/// degrees.
constexpr double least_cosine = 0.025;

std::string place_text(const Vec3& p) {
  return fmt::format("near ({:.4g}, {:.4g}, {:.4g}) m", p.x() + 0.0, p.y() + 0.0, p.z() + 0.0);
}

std::string count_text(std::size_t count, const char* one, const char* many) {
  return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", count, many);
}

bool is_flat(const TriMesh& mesh, const Triangle& t) {
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  const double longest2 =
      std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return !((b - a).cross(c - a).norm() > flat_height * longest2);
}

/// Gathers the triangles of a sheet, mends them, and says what it did.
class SheetMender {
 public:
  SheetMender(const TriMesh& sheet, std::span<const double> thickness)
      : thickness_(thickness.begin(), thickness.end()) {
    mesh_.vertices = sheet.vertices;
    merge_vertices(sheet);
  }

  RepairedShell mend() {
    remove_faults();
    cut_edges_at_vertices();
    if (mesh_.triangles.empty()) throw std::invalid_argument("the surface has no area");
    refuse_branches();
    turn_triangles();
    separate_fans();
    drop_idle_vertices();
    refuse_folds();
    return {{std::move(mesh_), std::move(thickness_)}, std::move(repairs_)};
  }

 private:
  void tell(std::string repair) { repairs_.push_back(std::move(repair)); }

  void merge_vertices(const TriMesh& sheet) {
    const std::vector<std::uint32_t> first = first_coincident_vertex(sheet);
    for (const Triangle& t : sheet.triangles)
      mesh_.triangles.push_back({first[t[0]], first[t[1]], first[t[2]]});
  }

  /// Triangles that repeat a corner are no fault: exporters leave them, and nothing is lost.
  void remove_faults() {
    std::set<Triangle> known;
    std::size_t flat = 0, doubled = 0;
    Vec3 at = Vec3::Zero();
    std::vector<Triangle> kept;
    for (const Triangle& t : mesh_.triangles) {
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
      Triangle corners = t;
      std::ranges::sort(corners);
      if (is_flat(mesh_, t)) {
        if (flat++ == 0) at = mesh_.vertices[t[0]];
      } else if (!known.insert(corners).second) {
        ++doubled;
      } else {
        kept.push_back(t);
      }
    }
    mesh_.triangles = std::move(kept);
    if (flat > 0) {
      tell(fmt::format("{} removed, the first {}",
                       count_text(flat, "triangle without area was", "triangles without area were"),
                       place_text(at)));
    }
    if (doubled > 0)
      tell(count_text(doubled, "doubled triangle was removed", "doubled triangles were removed"));
  }

  /// Free edges that a vertex of another free edge lies on are cut there: T-junctions, which look
  /// closed but are slits.
  void cut_edges_at_vertices() {
    constexpr int most_rounds = 100;
    std::size_t cuts = 0;
    Vec3 first = Vec3::Zero();
    for (int round = 0; round < most_rounds; ++round) {
      const std::size_t before = cuts;
      cut_edges_once(cuts, first);
      if (cuts == before) break;
    }
    if (cuts > 0) {
      tell(fmt::format("edges were cut at {} that lay on them (T-junctions), the first {}",
                       count_text(cuts, "vertex", "vertices"), place_text(first)));
    }
  }

  void cut_edges_once(std::size_t& cuts, Vec3& first) {
    const MeshTopology topology = mesh_topology(mesh_);
    std::vector<std::uint32_t> rim;
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
      if (!topology.is_boundary(e)) continue;
      rim.insert(rim.end(), topology.edges[e].begin(), topology.edges[e].end());
    }
    util::sort_unique(rim);
    if (rim.empty()) return;
    bounds(mesh_).sizes().maxCoeff(&axis_);
    std::ranges::stable_sort(rim, {}, [&](std::uint32_t v) { return mesh_.vertices[v][axis_]; });
    std::vector<Triangle> more;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t e = topology.triangle_edges[t][k];
        if (e == MeshTopology::none || !topology.is_boundary(e)) continue;
        const Triangle corners = mesh_.triangles[t];
        const std::vector<std::uint32_t> between = on_edge_of(corners, k, rim);
        if (between.empty()) continue;
        if (cuts == 0) first = mesh_.vertices[between.front()];
        cuts += between.size();
        fan(t, k, between, more);
        break;  // a second edge of the same triangle is cut in the next round
      }
    }
    mesh_.triangles.insert(mesh_.triangles.end(), more.begin(), more.end());
  }

  /// Vertices of the rim on edge `k` of a triangle, from its first end to its second.
  std::vector<std::uint32_t> on_edge_of(const Triangle& corners, std::size_t k,
                                        const std::vector<std::uint32_t>& rim) const {
    const Vec3 from = mesh_.vertices[corners[k]];
    const Vec3 way = mesh_.vertices[corners[(k + 1) % 3]] - from;
    const double length = way.norm(), near = on_edge * length;
    const double low = std::min(from[axis_], from[axis_] + way[axis_]) - near;
    const double high = std::max(from[axis_], from[axis_] + way[axis_]) + near;
    const auto along_axis = [&](std::uint32_t v) { return mesh_.vertices[v][axis_]; };
    std::vector<std::pair<double, std::uint32_t>> found;
    for (auto v = std::ranges::lower_bound(rim, low, {}, along_axis);
         v != rim.end() && along_axis(*v) <= high; ++v) {
      if (std::ranges::find(corners, *v) != corners.end()) continue;
      const Vec3 to = mesh_.vertices[*v] - from;
      const double along = to.dot(way) / (length * length);
      if (along <= on_edge || along >= 1.0 - on_edge) continue;
      if ((to - along * way).norm() < near) found.emplace_back(along, *v);
    }
    std::ranges::sort(found);
    std::vector<std::uint32_t> between;
    for (const auto& one : found) between.push_back(one.second);
    return between;
  }

  /// Replaces a triangle by a fan around the corner that faces edge `k`.
  void fan(std::size_t triangle, std::size_t k, const std::vector<std::uint32_t>& between,
           std::vector<Triangle>& more) {
    const Triangle t = mesh_.triangles[triangle];
    const std::uint32_t end = t[(k + 1) % 3], apex = t[(k + 2) % 3];
    mesh_.triangles[triangle] = {t[k], between.front(), apex};
    for (std::size_t i = 0; i < between.size(); ++i)
      more.push_back({between[i], i + 1 < between.size() ? between[i + 1] : end, apex});
  }

  void refuse_branches() const {
    const MeshTopology topology = mesh_topology(mesh_);
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
      const std::size_t faces = topology.edge_triangles[e].size();
      if (faces <= 2) continue;
      const auto [a, b] = topology.edges[e];
      throw std::invalid_argument(
          fmt::format("{} faces of the sheet meet at one edge {}", faces,
                      place_text(0.5 * (mesh_.vertices[a] + mesh_.vertices[b]))));
    }
  }

  void turn_triangles() {
    const std::vector<Triangle> before = mesh_.triangles;
    mesh_ = orient_consistently(std::move(mesh_));
    std::size_t turned = 0;
    for (std::size_t t = 0; t < before.size(); ++t) turned += before[t] != mesh_.triangles[t];
    const MeshTopology topology = mesh_topology(mesh_);
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
      if (!topology.is_manifold(e) || consistently_oriented(mesh_, topology, e)) continue;
      throw std::invalid_argument(
          "the sheet has one side only, as a Moebius strip has: its sides change at an edge " +
          place_text(mesh_.vertices[topology.edges[e][0]]));
    }
    // What faces inward as a whole is no fault of a sheet.
    if (turned > 0 && turned < before.size())
      tell(count_text(turned, "triangle that faced the other way was turned",
                      "triangles that faced the other way were turned"));
  }

  /// Fans of triangles that share a vertex but no edge get a vertex each.
  void separate_fans() {
    const MeshTopology topology = mesh_topology(mesh_);
    std::size_t separated = 0;
    const std::size_t count = mesh_.vertices.size();
    for (std::uint32_t v = 0; v < count; ++v) {
      const auto around = topology.vertex_triangles[v];
      std::vector<std::uint32_t> left(around.begin(), around.end());
      for (bool is_first = true; !left.empty(); is_first = false) {
        std::vector<std::uint32_t> fan_triangles = {left.back()};
        left.pop_back();
        for (std::size_t i = 0; i < fan_triangles.size(); ++i) {
          for (const std::uint32_t next : topology.triangle_neighbours[fan_triangles[i]]) {
            const auto found = std::ranges::find(left, next);
            if (found == left.end()) continue;
            fan_triangles.push_back(next);
            left.erase(found);
          }
        }
        if (is_first) continue;
        ++separated;
        const auto copy = static_cast<std::uint32_t>(mesh_.vertices.size());
        mesh_.vertices.push_back(Vec3(mesh_.vertices[v]));
        thickness_.push_back(double{thickness_[v]});
        for (const std::uint32_t t : fan_triangles)
          std::ranges::replace(mesh_.triangles[t], v, copy);
      }
    }
    if (separated > 0)
      tell(fmt::format("parts that touched at {} only were separated",
                       count_text(separated, "vertex", "vertices")));
  }

  void drop_idle_vertices() {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> number(mesh_.vertices.size(), none);
    std::vector<Vec3> vertices;
    std::vector<double> thickness;
    for (const Triangle& t : mesh_.triangles)
      for (const std::uint32_t v : t) number[v] = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
      if (number[v] == none) continue;
      number[v] = static_cast<std::uint32_t>(vertices.size());
      vertices.push_back(mesh_.vertices[v]);
      thickness.push_back(thickness_[v]);
    }
    for (Triangle& t : mesh_.triangles)
      for (std::uint32_t& v : t) v = number[v];
    mesh_.vertices = std::move(vertices);
    thickness_ = std::move(thickness);
  }

  void refuse_folds() const {
    const std::vector<Vec3> normals = vertex_normals(mesh_);
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const Vec3 normal = area_vector(mesh_, t).normalized();
      for (const std::uint32_t v : mesh_.triangles[t]) {
        if (normals[v].allFinite() && normals[v].dot(normal) > least_cosine) continue;
        throw std::invalid_argument("the sheet is folded back on itself " +
                                    place_text(mesh_.vertices[v]));
      }
    }
  }

  TriMesh mesh_;
  std::vector<double> thickness_;
  std::vector<std::string> repairs_;
  Vec3::Index axis_ = 0;  ///< along which the rim is sorted
};

bool is_fold(const TriMesh& mesh, const MeshTopology& topology, std::uint32_t edge) {
  const auto faces = topology.edge_triangles[edge];
  if (faces.size() != 2) return false;
  const Vec3 a = area_vector(mesh, faces[0]), b = area_vector(mesh, faces[1]);
  return a.dot(b) < std::cos(sharpest_bend) * a.norm() * b.norm();
}

}  // namespace

RepairedShell repaired_shell(const TriMesh& sheet, std::span<const double> thickness) {
  if (thickness.size() != sheet.vertices.size())
    throw std::invalid_argument("a sheet needs a thickness at each of its vertices");
  return SheetMender(sheet, thickness).mend();
}

ShellForm shell_form(const ShellMesh& shell) {
  ShellForm form;
  const TriMesh& middle = shell.middle;
  const MeshTopology topology = mesh_topology(middle);
  std::vector<bool> is_at_edge(middle.vertices.size(), false);
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    const auto [a, b] = topology.edges[e];
    const double ratio = (middle.vertices[b] - middle.vertices[a]).norm() /
                         std::max(shell.thickness[a], shell.thickness[b]);
    if (ratio < form.shortest_edge) {
      form.shortest_edge = ratio;
      form.shortest_edge_at = 0.5 * (middle.vertices[a] + middle.vertices[b]);
    }
    if (topology.is_boundary(e) || is_fold(middle, topology, e))
      is_at_edge[a] = is_at_edge[b] = true;
  }
  const Curvature curvature = discrete_curvature(middle);
  std::vector<double> area(middle.vertices.size(), 0.0);
  for (std::size_t t = 0; t < middle.triangles.size(); ++t) {
    for (const std::uint32_t v : middle.triangles[t])
      area[v] += area_vector(middle, t).norm() / 3.0;
  }
  std::vector<std::pair<double, double>> radii;  // over the thickness, and the area with it
  double whole = 0.0;
  for (std::size_t v = 0; v < middle.vertices.size(); ++v) {
    if (is_at_edge[v]) continue;  // it has the curvature of no face
    const double mean = curvature.mean[v], gaussian = curvature.gaussian[v];
    const double largest = std::abs(mean) + std::sqrt(std::max(0.0, mean * mean - gaussian));
    const double ratio = 1.0 / std::max(1e-12, largest * shell.thickness[v]);
    radii.emplace_back(ratio, area[v]);
    whole += area[v];
    if (ratio < form.tightest) {
      form.tightest = ratio;
      form.tightest_at = middle.vertices[v];
    }
  }
  std::ranges::sort(radii);
  double sum = 0.0;
  for (const auto& one : radii) {
    sum += one.second;
    form.typical = one.first;
    if (sum >= 0.1 * whole) break;
  }
  Vec3 sizes = bounds(middle).sizes();
  std::sort(sizes.begin(), sizes.end());
  form.width = sizes[1] / *std::ranges::max_element(shell.thickness);
  return form;
}

ElementChoice choose_elements(const ShellForm& form, bool is_asked_for) {
  constexpr double least_width = 20.0, least_radius = 30.0, least_anywhere = 3.0;
  constexpr double least_edge = 3.0;
  std::string doubts;
  if (form.shortest_edge < least_edge) {
    doubts += fmt::format(
        ", but its shortest edge is only {:.2g} times as long as it is thick {} ({:g} or more): "
        "simplify the mesh there, or make the wall thinner",
        form.shortest_edge, place_text(form.shortest_edge_at), least_edge);
  }
  if (is_asked_for) {
    if (form.tightest < least_anywhere) {
      doubts += fmt::format(
          ", but its radius of curvature is only {:.3g} times its thickness {} ({:g} or more): "
          "make "
          "the wall thinner, or let \"elements\" be \"automatic\"",
          form.tightest, place_text(form.tightest_at), least_anywhere);
    }
    return {true, doubts.empty() ? doubts : "a thin shell, as asked for" + doubts};
  }
  if (form.width < least_width) {
    return {false, fmt::format("a solid, because it is only {:.3g} times as wide as thick "
                               "(shells: {:g} or more)",
                               form.width, least_width)};
  }
  if (form.tightest < least_anywhere) {
    return {false, fmt::format("a solid, because its radius of curvature is only {:.3g} times its "
                               "thickness {} (shells: {:g} or more)",
                               form.tightest, place_text(form.tightest_at), least_anywhere)};
  }
  if (form.typical < least_radius) {
    return {false, fmt::format("a solid, because its radius of curvature is about {:.3g} times its "
                               "thickness (shells: {:g} or more)",
                               form.typical, least_radius)};
  }
  const bool is_flat_sheet = form.typical > 1e6;
  return {true, (is_flat_sheet
                     ? fmt::format("a thin shell: flat, {:.3g} times as wide as thick", form.width)
                     : fmt::format("a thin shell: its radius of curvature is at least "
                                   "{:.3g} times its thickness over most of its area",
                                   form.typical)) +
                    doubts};
}

}  // namespace peal::geometry

#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/self_intersection.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace peal::geometry {
namespace {

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// Works through the kinds of problems in turn; each step only looks at what the earlier ones
/// have found sound.
class MeshChecker {
 public:
  MeshChecker(const TriMesh& mesh, const MeshCheckOptions& options)
      : options_(options), mesh_(mesh) {}

  MeshReport run() {
    drop_unusable();
    check_vertices();
    check_faces();
    topology_ = mesh_topology(mesh_);
    check_edges();
    check_holes();
    check_orientation();
    check_components();
    if (options_.self_intersections) check_self_intersections();
    check_units();
    std::stable_sort(
        report_.problems.begin(), report_.problems.end(),
        [](const MeshProblem& a, const MeshProblem& b) { return a.severity > b.severity; });
    return std::move(report_);
  }

 private:
  /// Counts places and keeps the first few.
  struct Finding {
    std::size_t most;
    std::size_t count = 0;
    std::vector<Vec3> examples;
    void add(const Vec3& place) {
      if (count++ < most) examples.push_back(place);
    }
  };
  Finding finding() const { return {options_.examples, 0, {}}; }

  MeshProblem& report(MeshProblemKind kind, Severity severity, Finding found, std::string sentence,
                      std::string hint) {
    report_.problems.push_back({kind, severity, found.count, true, std::move(found.examples),
                                std::move(sentence), std::move(hint)});
    return report_.problems.back();
  }

  /// Leaves only finite vertices and triangles made of them.
  void drop_unusable() {
    Finding bad_indices = finding(), not_finite = finding();
    const auto finite = [&](std::uint32_t v) { return mesh_.vertices[v].allFinite(); };
    std::vector<Triangle> usable;
    for (const Triangle& t : mesh_.triangles) {
      const auto in_range = [&](std::uint32_t v) { return v < mesh_.vertices.size(); };
      if (!std::all_of(t.begin(), t.end(), in_range)) {
        ++bad_indices.count;
      } else if (std::all_of(t.begin(), t.end(), finite)) {
        usable.push_back(t);
      }
    }
    std::vector<std::uint32_t> number(mesh_.vertices.size());
    std::vector<Vec3> kept;
    for (std::uint32_t v = 0; v < mesh_.vertices.size(); ++v) {
      number[v] = static_cast<std::uint32_t>(kept.size());
      if (finite(v)) kept.push_back(mesh_.vertices[v]);
    }
    not_finite.count = mesh_.vertices.size() - kept.size();
    if (bad_indices.count > 0) {
      report(
          MeshProblemKind::bad_index, Severity::error, bad_indices,
          plural(bad_indices.count, "face names", "faces name") + " a vertex that does not exist",
          "export the mesh again; the file is damaged");
    }
    if (not_finite.count > 0) {
      report(MeshProblemKind::not_finite, Severity::error, not_finite,
             plural(not_finite.count, "vertex is", "vertices are") + " not a finite position",
             "export the mesh again; look for a zero scale or a broken modifier");
    }
    mesh_.vertices = std::move(kept);
    mesh_.triangles = std::move(usable);
    for (Triangle& t : mesh_.triangles)
      for (std::uint32_t& v : t) v = number[v];
  }

  void check_vertices() {
    std::vector<bool> used(mesh_.vertices.size(), false);
    for (const Triangle& t : mesh_.triangles)
      for (const std::uint32_t v : t) used[v] = true;
    const std::vector<std::uint32_t> first = first_coincident_vertex(mesh_);
    Finding idle = finding(), duplicates = finding();
    for (std::uint32_t v = 0; v < mesh_.vertices.size(); ++v) {
      if (!used[v]) idle.add(mesh_.vertices[v]);
      if (used[v] && first[v] != v) duplicates.add(mesh_.vertices[v]);
    }
    if (idle.count > 0) {
      report(MeshProblemKind::unreferenced_vertex, Severity::info, idle,
             plural(idle.count, "vertex belongs", "vertices belong") + " to no face",
             "harmless; delete loose vertices to tidy up");
    }
    if (duplicates.count > 0) {
      report(MeshProblemKind::duplicate_vertex, Severity::warning, duplicates,
             plural(duplicates.count, "vertex repeats", "vertices repeat") +
                 " the position of another, so faces that look joined are not",
             "weld the mesh (merge vertices by distance)");
    }
    // From here on vertices at one position are one vertex.
    for (Triangle& t : mesh_.triangles)
      for (std::uint32_t& v : t) v = first[v];
  }

  bool is_degenerate(std::size_t t) const {
    const auto& [a, b, c] = mesh_.triangles[t];
    if (a == b || b == c || c == a) return true;
    const Vec3 &pa = mesh_.vertices[a], &pb = mesh_.vertices[b], &pc = mesh_.vertices[c];
    const double longest2 =
        std::max({(pb - pa).squaredNorm(), (pc - pb).squaredNorm(), (pa - pc).squaredNorm()});
    return !(2.0 * area_vector(mesh_, t).norm() > options_.degenerate_height * longest2);
  }

  /// Degenerate faces stay in the mesh if they have three corners (they may close a crack);
  /// second copies of a face go.
  void check_faces() {
    Finding degenerate = finding(), duplicates = finding();
    std::vector<std::uint32_t> order(mesh_.triangles.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<Triangle> sorted = mesh_.triangles;
    for (Triangle& t : sorted) std::sort(t.begin(), t.end());
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(sorted[a], a) < std::tie(sorted[b], b);
    });
    std::vector<bool> is_copy(mesh_.triangles.size(), false);
    for (std::size_t i = 1; i < order.size(); ++i)
      is_copy[order[i]] = sorted[order[i]] == sorted[order[i - 1]];
    std::vector<Triangle> kept;
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (is_degenerate(t)) {
        degenerate.add(triangle_centre(mesh_, t));
      } else if (is_copy[t]) {
        duplicates.add(triangle_centre(mesh_, t));
      }
      const Triangle& corners = sorted[t];
      const bool collapsed = corners[0] == corners[1] || corners[1] == corners[2];
      if (!is_copy[t] && !collapsed) kept.push_back(mesh_.triangles[t]);
    }
    mesh_.triangles = std::move(kept);
    if (degenerate.count > 0) {
      report(MeshProblemKind::degenerate_face, Severity::warning, degenerate,
             plural(degenerate.count, "face has", "faces have") + " no area",
             "dissolve degenerate faces, or weld the mesh with a small tolerance");
    }
    if (duplicates.count > 0) {
      report(MeshProblemKind::duplicate_face, Severity::warning, duplicates,
             plural(duplicates.count, "face repeats", "faces repeat") +
                 " another with the same corners",
             "delete the second copies");
    }
  }

  Vec3 middle(std::uint32_t edge) const {
    const auto& [a, b] = topology_.edges[edge];
    return 0.5 * (mesh_.vertices[a] + mesh_.vertices[b]);
  }

  void check_edges() {
    Finding crowded = finding();
    for (std::uint32_t e = 0; e < topology_.edges.size(); ++e)
      if (topology_.edge_triangles[e].size() > 2) crowded.add(middle(e));
    manifold_ = crowded.count == 0;
    if (manifold_) return;
    report(MeshProblemKind::non_manifold_edge, Severity::error, crowded,
           plural(crowded.count, "edge has", "edges have") + " more than two faces",
           "remove inner faces, or separate the parts that share these edges");
  }

  void check_holes() {
    for (const BoundaryLoop& loop : boundary_loops(mesh_, topology_)) {
      MeshHole hole{Vec3::Zero(), 0.0, loop.vertices.size() - (loop.closed ? 0 : 1)};
      for (std::size_t i = 0; i < loop.vertices.size(); ++i) {
        const Vec3& p = mesh_.vertices[loop.vertices[i]];
        hole.centre += p / static_cast<double>(loop.vertices.size());
        if (i < hole.edges)
          hole.length += (mesh_.vertices[loop.vertices[(i + 1) % loop.vertices.size()]] - p).norm();
      }
      report_.holes.push_back(hole);
    }
    std::stable_sort(report_.holes.begin(), report_.holes.end(),
                     [](const MeshHole& a, const MeshHole& b) { return a.length > b.length; });
    if (report_.holes.empty()) return;
    Finding holes = finding();
    for (const MeshHole& hole : report_.holes) {
      holes.add(hole.centre);
      rim_length_ += hole.length;
    }
    report(MeshProblemKind::hole, Severity::error, holes,
           fmt::format("the surface is open: {}, the longest with a rim of {:.4g} m ({})",
                       plural(holes.count, "hole", "holes"), report_.holes[0].length,
                       plural(report_.holes[0].edges, "edge", "edges")),
           "fill the holes, or give the sheet a thickness; mass and inside need a closed surface");
  }

  void check_orientation() {
    Finding flipped = finding();
    for (std::uint32_t e = 0; e < topology_.edges.size(); ++e)
      if (topology_.is_manifold(e) && !consistently_oriented(mesh_, topology_, e))
        flipped.add(middle(e));
    if (flipped.count > 0) {
      report(MeshProblemKind::flipped_face, Severity::error, flipped,
             "neighbouring faces disagree about which side is outside along " +
                 plural(flipped.count, "edge", "edges"),
             "recalculate the normals to the outside");
    }
    report_.watertight = !mesh_.empty() && report_.holes.empty() && manifold_ && flipped.count == 0;
    if (mesh_.empty()) return;
    // Small holes change the volume little; an open sheet has none to speak of.
    const bool nearly_closed = rim_length_ * rim_length_ < 0.1 * surface_area(mesh_);
    const double volume = signed_volume(mesh_);
    if (flipped.count == 0 && nearly_closed && volume < -1e-9 * bounds(mesh_).volume()) {
      Finding whole = finding();
      whole.add(bounds(mesh_).center());
      report(MeshProblemKind::inside_out, Severity::error, whole,
             fmt::format("the mesh is inside out (its volume is {:.4g} m^3)", volume),
             "flip the normals");
    }
  }

  void check_components() {
    const Components parts = connected_components(mesh_, topology_, Connection::shared_edge);
    report_.components = parts.count;
    if (parts.count < 2) return;
    Finding found = finding();
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
      if (parts.of_triangle[t] == found.count) found.add(triangle_centre(mesh_, t));
    report(MeshProblemKind::several_components, Severity::info, found,
           fmt::format("the mesh has {} separate parts", parts.count),
           "fine if they are meant to move as one rigid body; otherwise make them objects");
  }

  void check_self_intersections() {
    const SelfIntersections crossings = self_intersections(mesh_, options_.max_self_intersections);
    if (crossings.pairs.empty() && crossings.complete) return;
    Finding found = finding();
    for (const auto& [s, t] : crossings.pairs)
      found.add(0.5 * (triangle_centre(mesh_, s) + triangle_centre(mesh_, t)));
    std::string sentence =
        crossings.pairs.empty()
            ? "the search for crossing faces was given up: too many faces are on top of each other"
            : fmt::format("{}{} of faces cross each other", crossings.complete ? "" : "at least ",
                          plural(found.count, "pair", "pairs"));
    report(MeshProblemKind::self_intersection, Severity::warning, found, std::move(sentence),
           "unite the parts (boolean union), or move them apart")
        .count_is_complete = crossings.complete;
  }

  void check_units() {
    if (mesh_.empty()) return;
    Box box;
    for (const Triangle& t : mesh_.triangles)
      for (const std::uint32_t v : t) box.extend(mesh_.vertices[v]);
    const double extent = box.sizes().maxCoeff();
    if (extent <= 20.0 && extent >= 1e-3) return;
    Finding whole = finding();
    whole.add(box.center());
    std::string hint;
    if (extent > 20.0) {
      hint = fmt::format(
          "if the file is in millimetres, scale by 0.001 (then {:.4g} m); if in centimetres, by "
          "0.01 ({:.4g} m); if in inches, by 0.0254 ({:.4g} m)",
          extent * 0.001, extent * 0.01, extent * 0.0254);
    } else if (extent > 0.0) {
      hint = fmt::format("if it was scaled from millimetres twice, scale by 1000 (then {:.4g} m)",
                         extent * 1000.0);
    } else {
      hint = "export the mesh again; it has no size";
    }
    report(MeshProblemKind::suspicious_units, Severity::warning, whole,
           fmt::format("the mesh is {:.4g} m large; Peal reads coordinates as metres", extent),
           std::move(hint));
  }

  MeshCheckOptions options_;
  TriMesh mesh_;  ///< the sound part of the mesh, as far as it has been checked
  MeshTopology topology_;
  bool manifold_ = true;
  double rim_length_ = 0.0;
  MeshReport report_;
};

}  // namespace

std::string_view key(MeshProblemKind kind) {
  switch (kind) {
    case MeshProblemKind::bad_index:
      return "bad_indices";
    case MeshProblemKind::not_finite:
      return "vertices_not_finite";
    case MeshProblemKind::hole:
      return "holes";
    case MeshProblemKind::non_manifold_edge:
      return "non_manifold_edges";
    case MeshProblemKind::flipped_face:
      return "flipped_faces";
    case MeshProblemKind::inside_out:
      return "inside_out";
    case MeshProblemKind::degenerate_face:
      return "degenerate_faces";
    case MeshProblemKind::duplicate_face:
      return "duplicate_faces";
    case MeshProblemKind::duplicate_vertex:
      return "duplicate_vertices";
    case MeshProblemKind::unreferenced_vertex:
      return "unreferenced_vertices";
    case MeshProblemKind::self_intersection:
      return "self_intersections";
    case MeshProblemKind::suspicious_units:
      return "suspicious_units";
    case MeshProblemKind::several_components:
      return "several_components";
  }
  return "unknown";
}

const MeshProblem* MeshReport::find(MeshProblemKind kind) const {
  for (const MeshProblem& problem : problems)
    if (problem.kind == kind) return &problem;
  return nullptr;
}

MeshReport check_mesh(const TriMesh& mesh, const MeshCheckOptions& options) {
  return MeshChecker(mesh, options).run();
}

bool is_open_surface(const MeshReport& report, const TriMesh& mesh) {
  if (report.holes.empty()) return false;
  // A round hole of the same rim is the largest there can be.
  const double rim = report.holes.front().length;
  return rim * rim / (4.0 * std::numbers::pi) > 0.01 * surface_area(mesh);
}

}  // namespace peal::geometry

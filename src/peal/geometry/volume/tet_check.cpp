#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/resurface.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peal::geometry {

namespace {

[[noreturn]] void refuse(const std::string& file, const MeshProblem& problem) {
  std::string at;
  if (!problem.examples.empty()) {
    const Vec3& p = problem.examples.front();
    at = fmt::format("near ({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z());
  }
  throw util::InputError({file, at}, problem.sentence, problem.hint);
}

/// Triangles of each connected part.
std::vector<TriMesh> parts_of(const TriMesh& mesh) {
  const auto parts = connected_components(mesh, mesh_topology(mesh), Connection::shared_edge);
  std::vector<TriMesh> all(parts.count);
  for (TriMesh& part : all) part.vertices = mesh.vertices;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    all[parts.of_triangle[t]].triangles.push_back(mesh.triangles[t]);
  return all;
}

/// Without faces that occur twice; two copies that face each other bound nothing and go both.
TriMesh without_doubles(const TriMesh& mesh, std::size_t& removed) {
  std::vector<std::pair<Triangle, std::size_t>> sorted;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle corners = mesh.triangles[t];
    std::sort(corners.begin(), corners.end());
    sorted.push_back({corners, t});
  }
  std::sort(sorted.begin(), sorted.end());
  TriMesh result;
  result.vertices = mesh.vertices;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].first == sorted[i - 1].first) continue;
    result.triangles.push_back(mesh.triangles[sorted[i].second]);
  }
  removed = mesh.triangles.size() - result.triangles.size();
  return result;
}

/// Refuses a vertex that stands farther off the others than these are apart: where a vertex got a
/// wrong position, not a shape that anyone meant.
void refuse_spike(const TriMesh& mesh, const std::string& file) {
  // Among the vertices that reach farthest along an axis; without one, how far it is to the rest.
  std::array<std::vector<double>, 3> sorted;
  for (int k = 0; k < 3; ++k) {
    for (const Vec3& v : mesh.vertices) sorted[k].push_back(v[k]);
    std::sort(sorted[k].begin(), sorted[k].end());
  }
  if (mesh.vertices.size() < 5) return;
  const auto outside = [&](const Vec3& v) {
    Box rest;  // of the others, if only v is beyond them
    for (int k = 0; k < 3; ++k) {
      const std::vector<double>& s = sorted[k];
      rest.min()[k] = v[k] == s[0] ? s[1] : s[0];
      rest.max()[k] = v[k] == s.back() ? s[s.size() - 2] : s.back();
    }
    return rest.exteriorDistance(v) > rest.diagonal().norm();
  };
  const auto spike = std::find_if(mesh.vertices.begin(), mesh.vertices.end(), outside);
  if (spike == mesh.vertices.end()) return;
  throw util::InputError(
      {file, fmt::format("near ({:.4g}, {:.4g}, {:.4g})", spike->x(), spike->y(), spike->z())},
      "a spike: one vertex stands far off all others", "Remove or move that vertex.");
}

/// One body may have cavities: shells inside the outer one. They are turned to face the cavity.
void check_parts(TriMesh& mesh, const std::string& file, std::vector<std::string>& notices) {
  std::vector<TriMesh> parts = parts_of(mesh);
  if (parts.size() < 2) return;
  const auto volume_of = [](const TriMesh& part) { return std::abs(signed_volume(part)); };
  const auto outer = std::max_element(
      parts.begin(), parts.end(),
      [&](const TriMesh& a, const TriMesh& b) { return volume_of(a) < volume_of(b); });
  TriMesh whole = *outer;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == outer) continue;
    const Vec3& inside = part->vertices[part->triangles.front()[0]];
    if (std::abs(winding_number(*outer, inside)) < 0.5) {
      throw util::InputError(
          {file, fmt::format("near ({:.4g}, {:.4g}, {:.4g})", inside.x(), inside.y(), inside.z())},
          fmt::format("the mesh has {} separate bodies, and a solid is one", parts.size()),
          "Unite them (boolean union) if they are one body, or give each its own file.");
    }
    if (signed_volume(*part) > 0.0) {
      for (Triangle& corners : part->triangles) std::swap(corners[0], corners[1]);
    }
    whole.triangles.insert(whole.triangles.end(), part->triangles.begin(), part->triangles.end());
  }
  notices.push_back(fmt::format("{} inside the body {} taken for cavities", parts.size() - 1,
                                parts.size() == 2 ? "is" : "are"));
  mesh = std::move(whole);
}

}  // namespace

TriMesh replaced_surface(const TriMesh& surface, const std::string& fault, const std::string& file,
                         std::vector<std::string>& notices) {
  try {
    const double resolution = bounds(surface).diagonal().norm() / 25.0;
    const Resurfaced made = resurfaced(surface, {.resolution = resolution});
    notices.push_back(
        fmt::format("{}: {}. Frequencies belong to that surface; repair the mesh to "
                    "be sure of them",
                    fault, describe(made, surface)));
    return made.mesh;
  } catch (const std::invalid_argument& error) {
    throw util::InputError({file, ""}, fmt::format("{}, and {}", fault, error.what()),
                           "Repair the mesh; `peal inspect` shows where its problems are.");
  }
}

TriMesh checked_solid(const TriMesh& surface, const std::string& file,
                      std::vector<std::string>& notices) {
  if (surface.triangles.empty()) {
    throw util::InputError({file, ""}, "the mesh has no triangles", "Export a closed surface.");
  }
  for (const Vec3& v : surface.vertices) {
    if (!v.allFinite()) {
      throw util::InputError({file, ""}, "a vertex is not a number", "Export the mesh again.");
    }
  }
  std::size_t doubles = 0;
  TriMesh mesh = without_doubles(weld(surface), doubles);
  if (doubles > 0) {
    notices.push_back(fmt::format("{} doubled face{} left out", doubles, doubles == 1 ? "" : "s"));
  }
  mesh = weld(mesh);
  refuse_spike(mesh, file);
  MeshReport report = check_mesh(mesh);
  const MeshProblem* hole = report.find(MeshProblemKind::hole);
  if (hole && is_open_surface(report, mesh)) refuse(file, *hole);
  if (report.find(MeshProblemKind::flipped_face) || report.find(MeshProblemKind::inside_out)) {
    mesh = orient_consistently(mesh);
    report = check_mesh(mesh);
    notices.push_back("faces that disagreed about which side is outside were turned");
  }
  for (const MeshProblemKind kind :
       {MeshProblemKind::hole, MeshProblemKind::non_manifold_edge, MeshProblemKind::flipped_face,
        MeshProblemKind::self_intersection, MeshProblemKind::degenerate_face}) {
    const MeshProblem* problem = report.find(kind);
    if (!problem) continue;
    mesh = replaced_surface(mesh, problem->sentence, file, notices);
    break;
  }
  check_parts(mesh, file, notices);
  const double volume = signed_volume(mesh), box = bounds(mesh).volume();
  if (!(volume > 1e-9 * box) || !(box > 0.0)) {
    throw util::InputError({file, ""}, "the surface encloses no volume",
                           "Give the sheet a thickness.");
  }
  if (const auto* problem = report.find(MeshProblemKind::suspicious_units)) {
    notices.push_back(problem->sentence + "; " + problem->hint);
  }
  return mesh;
}

}  // namespace peal::geometry

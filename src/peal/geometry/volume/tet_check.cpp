#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/resurface.h>
#include <peal/geometry/repair/self_intersection.h>
#include <peal/geometry/repair/wall_thickness.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

namespace peal::geometry {

namespace {

[[noreturn]] void refuse(const std::string& file, const MeshProblem& problem) {
  std::string at;
  if (!problem.examples.empty()) {
    const Vec3& p = problem.examples.front();
    at = fmt::format("near ({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z());
  }
  std::string hint = problem.hint;
  if (!hint.empty()) hint[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(hint[0])));
  throw util::InputError({file, at}, problem.sentence, hint + '.');
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
      "a spike: one vertex lies far from all others", "Remove or move that vertex.");
}

/// A part is a sheet if its rim could span this fraction of its area: a disc 1, half a sphere 0.5.
/// Parts with smaller holes bound something.
constexpr double sheet_rim = 0.2;

/// Leaves out sheets beside closed parts that are most of the surface: inner walls, labels, leaves.
/// Without a thickness they are no part of a solid. Returns how many.
std::size_t leave_out_sheets(TriMesh& mesh) {
  const MeshTopology topology = mesh_topology(mesh);
  const Components parts = connected_components(mesh, topology, Connection::shared_edge);
  if (parts.count < 2) return 0;
  std::vector<bool> is_sheet(parts.count, false);
  std::vector<double> areas(parts.count, 0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    areas[parts.of_triangle[t]] += area_vector(mesh, t).norm();
  for (const BoundaryLoop& rim : boundary_loops(mesh, topology)) {
    double length = 0.0;
    for (std::size_t i = 0; i < rim.vertices.size(); ++i)
      length += (mesh.vertices[rim.vertices[i]] -
                 mesh.vertices[rim.vertices[(i + 1) % rim.vertices.size()]])
                    .norm();
    // A closed part may touch the rim at a vertex, but not along an edge.
    const auto around = topology.vertex_triangles[rim.vertices[0]];
    const auto at_rim = std::ranges::find_if(around, [&](std::uint32_t t) {
      return std::ranges::count(mesh.triangles[t], rim.vertices[1]) > 0;
    });
    const std::uint32_t part = parts.of_triangle[*at_rim];
    if (length * length > 4.0 * std::numbers::pi * sheet_rim * areas[part]) is_sheet[part] = true;
  }
  double closed_area = 0.0;
  TriMesh closed;
  closed.vertices = mesh.vertices;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (is_sheet[parts.of_triangle[t]]) continue;
    closed.triangles.push_back(mesh.triangles[t]);
    closed_area += area_vector(mesh, t).norm();
  }
  if (closed_area < 0.5 * surface_area(mesh)) return 0;
  const auto sheets = static_cast<std::size_t>(std::ranges::count(is_sheet, true));
  if (sheets > 0) mesh = weld(closed);
  return sheets;
}

/// Separate parts with at most this fraction of the volume are left out: eyes, screws, dirt.
constexpr double small_part = 0.1;

/// One body may have cavities: shells inside the outer one. They are turned to face the cavity.
/// Small parts outside are left out; several bodies of a size are refused.
void check_parts(TriMesh& mesh, const std::string& file, std::vector<std::string>& notices) {
  std::vector<TriMesh> parts = parts_of(mesh);
  if (parts.size() < 2) return;
  const auto volume_of = [](const TriMesh& part) { return std::abs(signed_volume(part)); };
  const auto outer = std::max_element(
      parts.begin(), parts.end(),
      [&](const TriMesh& a, const TriMesh& b) { return volume_of(a) < volume_of(b); });
  TriMesh whole = *outer;
  std::size_t cavities = 0, outside = 0;
  double left_out = 0.0;
  Vec3 example = Vec3::Zero();
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == outer) continue;
    const Vec3& inside = part->vertices[part->triangles.front()[0]];
    if (std::abs(winding_number(*outer, inside)) < 0.5) {
      ++outside;
      left_out += volume_of(*part);
      example = inside;
      continue;
    }
    ++cavities;
    if (signed_volume(*part) > 0.0) {
      for (Triangle& corners : part->triangles) std::swap(corners[0], corners[1]);
    }
    whole.triangles.insert(whole.triangles.end(), part->triangles.begin(), part->triangles.end());
  }
  const double rest = left_out / volume_of(*outer);
  if (rest > small_part) {
    throw util::InputError(
        {file, fmt::format("near ({:.4g}, {:.4g}, {:.4g})", example.x(), example.y(), example.z())},
        fmt::format("the mesh has {} separate bodies, but a solid must be one", outside + 1),
        "Unite them (boolean union) if they are one body, or give each its own file.");
  }
  if (outside > 0) {
    notices.push_back(fmt::format(
        "{} that {} not touch the body {} left out ({:.2g} % of its volume), near ({:.3g}, {:.3g}, "
        "{:.3g})",
        outside == 1 ? "a part" : fmt::format("{} parts", outside), outside == 1 ? "does" : "do",
        outside == 1 ? "is" : "are", 100.0 * rest, example.x(), example.y(), example.z()));
  }
  if (cavities > 0) {
    notices.push_back(
        cavities == 1
            ? "a closed surface inside the body is treated as a cavity"
            : fmt::format("{} closed surfaces inside the body are treated as cavities", cavities));
  }
  mesh = weld(whole);
}

/// Whether only near neighbours on a fine surface cross: scans whose noise is as large as their
/// triangles.
bool crosses_by_noise(const TriMesh& mesh) {
  constexpr std::size_t fine = 5000, most_pairs = 2000;
  constexpr int most_steps = 4;
  if (mesh.triangles.size() < fine) return false;
  const SelfIntersections crossing = self_intersections(mesh, most_pairs);
  if (!crossing.complete || crossing.pairs.size() >= most_pairs) return false;
  const MeshTopology topology = mesh_topology(mesh);
  return std::ranges::all_of(crossing.pairs, [&](const std::array<std::uint32_t, 2>& pair) {
    std::set<std::uint32_t> reached{pair[0]};
    for (int step = 0; step < most_steps && !reached.contains(pair[1]); ++step) {
      for (const std::uint32_t t : std::set(reached))
        for (const std::uint32_t v : mesh.triangles[t])
          reached.insert(topology.vertex_triangles[v].begin(), topology.vertex_triangles[v].end());
    }
    return reached.contains(pair[1]);
  });
}

/// Rims of at most this many edges are closed by a fan.
constexpr std::size_t small_rim = 60;
/// Closes small holes with triangles to the centre of their rims. Returns how many.
std::size_t fill_small_holes(TriMesh& mesh) {
  const MeshTopology topology = mesh_topology(mesh);
  std::size_t filled = 0;
  for (const BoundaryLoop& loop : boundary_loops(mesh, topology)) {
    const std::size_t count = loop.vertices.size();
    if (!loop.closed || count < 3 || count > small_rim) continue;
    ++filled;
    Vec3 centre = Vec3::Zero();
    for (const std::uint32_t v : loop.vertices)
      centre += mesh.vertices[v] / static_cast<double>(count);
    const auto apex = static_cast<std::uint32_t>(mesh.vertices.size());
    if (count > 3) mesh.vertices.push_back(centre);
    for (std::size_t i = 0; i < (count > 3 ? count : 1); ++i) {
      const std::uint32_t a = loop.vertices[i], b = loop.vertices[(i + 1) % count];
      mesh.triangles.push_back({b, a, count > 3 ? apex : loop.vertices[2]});
    }
  }
  mesh.groups.clear();
  mesh.triangle_group.clear();
  return filled;
}

/// Longest sides of the lattice that replaces a surface [m].
double lattice_sides(const TriMesh& surface, const Replacement& replacement) {
  const double coarse = bounds(surface).diagonal().norm() / 25.0;
  if (replacement.sides_per_wall <= 0.0) return coarse;
  const double wall = thin_wall(orient_consistently(weld(surface)), 0.05);
  constexpr double finest = 1.0 / 400.0;  // of the coarse one
  return wall > 0.0 ? std::clamp(replacement.sides_per_wall * wall, finest * coarse, coarse)
                    : coarse;
}

}  // namespace

TriMesh replaced_surface(const TriMesh& surface, const std::string& fault,
                         const Replacement& replacement, const std::string& file,
                         std::vector<std::string>& notices) {
  try {
    constexpr std::size_t largest_lattice = 1'500'000;
    const Resurfaced made = resurfaced(surface, {.resolution = lattice_sides(surface, replacement),
                                                 .max_tetrahedra = largest_lattice});
    notices.push_back(fmt::format(
        "{}: {}. Frequencies are those of the new surface; repair the mesh for exact ones", fault,
        describe(made, surface)));
    return made.mesh;
  } catch (const std::invalid_argument& error) {
    throw util::InputError({file, ""}, fmt::format("{}, and {}", fault, error.what()),
                           "Repair the mesh; `peal inspect` shows where its problems are.");
  }
}

namespace {

/// What can be said without work: it is certainly not the surface of a solid.
void check_input(const TriMesh& surface, const std::string& file) {
  if (surface.triangles.empty()) {
    throw util::InputError({file, ""}, "the mesh has no triangles", "Export a closed surface.");
  }
  for (const Vec3& v : surface.vertices) {
    if (!v.allFinite()) {
      throw util::InputError({file, ""}, "a vertex is not a number", "Export the mesh again.");
    }
  }
}

void refuse_open(const MeshReport& report, const TriMesh& mesh, const std::string& file) {
  const MeshProblem* hole = report.find(MeshProblemKind::hole);
  if (hole && is_open_surface(report, mesh)) refuse(file, *hole);
}

}  // namespace

void refuse_hopeless(const TriMesh& surface, const std::string& file) {
  check_input(surface, file);
  TriMesh mesh = weld(surface);
  refuse_spike(mesh, file);
  leave_out_sheets(mesh);
  refuse_open(check_mesh(mesh, {.self_intersections = false}), mesh, file);
}

CheckedSolid replaced_solid(TriMesh broken, const std::string& fault,
                            const Replacement& replacement, const std::string& file,
                            std::vector<std::string>& notices) {
  CheckedSolid solid;
  solid.mesh = replaced_surface(broken, fault, replacement, file, notices);
  solid.broken = std::move(broken);
  check_parts(solid.mesh, file, notices);
  return solid;
}

CheckedSolid checked_solid(const TriMesh& surface, const Replacement& replacement,
                           const std::string& file, std::vector<std::string>& notices) {
  check_input(surface, file);
  TriMesh mesh = weld(surface);
  if (const std::size_t doubles = drop_doubled_faces(mesh); doubles > 0) {
    notices.push_back(fmt::format("{} doubled face{} left out", doubles, doubles == 1 ? "" : "s"));
    mesh = weld(mesh);
  }
  refuse_spike(mesh, file);
  if (const std::size_t sheets = leave_out_sheets(mesh); sheets > 0) {
    notices.push_back(sheets == 1 ? "an open surface beside the closed ones is left out"
                                  : fmt::format("{} open surfaces beside the closed ones are left "
                                                "out",
                                                sheets));
  }
  MeshReport report = check_mesh(mesh);
  refuse_open(report, mesh, file);
  if (report.find(MeshProblemKind::flipped_face) || report.find(MeshProblemKind::inside_out)) {
    mesh = orient_consistently(mesh);
    report = check_mesh(mesh);
    notices.push_back("inconsistently oriented faces were flipped");
  }
  if (report.find(MeshProblemKind::hole) && !report.find(MeshProblemKind::non_manifold_edge)) {
    if (const std::size_t filled = fill_small_holes(mesh); filled > 0) {
      notices.push_back(fmt::format("{} small hole{} closed", filled, filled == 1 ? "" : "s"));
      report = check_mesh(mesh);
    }
  }
  CheckedSolid solid{.mesh = std::move(mesh)};
  for (const MeshProblemKind kind :
       {MeshProblemKind::hole, MeshProblemKind::non_manifold_edge, MeshProblemKind::flipped_face,
        MeshProblemKind::self_intersection, MeshProblemKind::degenerate_face}) {
    const MeshProblem* problem = report.find(kind);
    if (!problem) continue;
    if (kind == MeshProblemKind::self_intersection && crosses_by_noise(solid.mesh)) {
      solid.crosses_by_noise = true;
      continue;
    }
    solid = replaced_solid(std::move(solid.mesh), problem->sentence, replacement, file, notices);
    break;
  }
  if (!solid.is_replaced()) check_parts(solid.mesh, file, notices);
  const double volume = signed_volume(solid.mesh), box = bounds(solid.mesh).volume();
  if (!(volume > 1e-9 * box) || !(box > 0.0)) {
    throw util::InputError({file, ""}, "the surface encloses no volume",
                           "Give the sheet a thickness.");
  }
  if (const auto* problem = report.find(MeshProblemKind::suspicious_units)) {
    notices.push_back(problem->sentence + "; " + problem->hint);
  }
  return solid;
}

}  // namespace peal::geometry

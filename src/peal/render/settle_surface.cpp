#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/resurface.h>
#include <peal/render/settle_surface.h>
#include <peal/util/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace peal::render {

namespace {

using geometry::MeshProblemKind;
using geometry::MeshReport;

/// More holes than this are not a few faces that got lost.
constexpr std::size_t few_holes = 10;

/// Why a surface cannot be taken as that of a solid as it is.
std::vector<std::string> faults(const MeshReport& report) {
  std::vector<std::string> found;
  for (const MeshProblemKind kind :
       {MeshProblemKind::self_intersection, MeshProblemKind::non_manifold_edge,
        MeshProblemKind::duplicate_face}) {
    if (const auto* problem = report.find(kind)) found.push_back(problem->sentence);
  }
  if (report.holes.size() > few_holes)
    found.push_back(fmt::format("it has {} holes", report.holes.size()));
  return found;
}

/// Whether faces that hang together nowhere still close a solid between them: the cracks are too
/// small to be what the rims around them make them look.
bool is_loose_solid(const MeshReport& report, const geometry::TriMesh& mesh) {
  if (report.components <= few_holes) return false;
  const geometry::Resurfaced coarse =
      geometry::resurfaced(mesh, {.resolution = geometry::bounds(mesh).sizes().norm() / 15.0});
  return coarse.closed_area < 0.05 * geometry::surface_area(coarse.mesh) &&
         coarse.left_out_area < 0.05 * geometry::surface_area(mesh);
}

bool is_sheet(const MeshReport& report, const geometry::TriMesh& mesh) try {
  return geometry::is_open_surface(report, mesh) && !is_loose_solid(report, mesh);
} catch (const std::invalid_argument&) {
  return true;  // encloses nothing
}

SettledSurface resurface(const GivenSurface& given, const std::vector<std::string>& wrong,
                         double wavelength, std::vector<std::string>& notices) try {
  // Details far below the wavelength are not heard, and the object should keep its shape.
  const double size = geometry::bounds(given.mesh).sizes().norm();
  const double resolution = std::clamp(wavelength / 8.0, size / 40.0, size / 15.0);
  geometry::Resurfaced made = geometry::resurfaced(given.mesh, {.resolution = resolution});
  notices.push_back(fmt::format("\"{}\": its mesh is not the surface of a solid ({}); {}",
                                given.name, fmt::join(wrong, "; "), describe(made, given.mesh)));
  return {.mesh = std::move(made.mesh), .is_sheet = false, .source = std::move(made.source)};
} catch (const std::invalid_argument& error) {
  throw util::InputError(
      {"", given.name},
      fmt::format("its mesh is not the surface of a solid ({}), and none was found: {}",
                  fmt::join(wrong, "; "), error.what()),
      "Repair the mesh; peal inspect says where its problems are.");
}

}  // namespace

SettledSurface settle_surface(GivenSurface given, double wavelength,
                              std::vector<std::string>& notices) {
  const auto notice = [&](std::string_view text) {
    notices.push_back(fmt::format("\"{}\"{}", given.name, text));
  };
  const MeshReport report =
      geometry::check_mesh(given.mesh, {.self_intersections = !given.is_sheet});
  const bool sheet = given.is_sheet || is_sheet(report, given.mesh);
  const std::vector<std::string> wrong = sheet ? std::vector<std::string>{} : faults(report);
  if (!wrong.empty() && !given.deforms) return resurface(given, wrong, wavelength, notices);
  if (!wrong.empty()) {
    notice(
        fmt::format(": its mesh is not the surface of a solid ({}). It deforms, so it is taken as "
                    "it is, and where faces cross or repeat, waves may not find its inside. "
                    "Repair the mesh",
                    fmt::join(wrong, "; ")));
  }
  if (report.find(MeshProblemKind::flipped_face)) {
    given.mesh = geometry::orient_consistently(std::move(given.mesh));
    notice(": flipped faces were corrected");
  } else if (report.find(MeshProblemKind::inside_out)) {
    for (geometry::Triangle& t : given.mesh.triangles) std::swap(t[1], t[2]);
    notice(": its surface was inside out and was flipped");
  }
  if (!given.is_sheet && !report.holes.empty()) {
    notice(sheet ? " is an open surface and counts as a thin sheet"
                 : " has holes, which count as closed");
  }
  return {.mesh = std::move(given.mesh), .is_sheet = sheet, .source = {}};
}

}  // namespace peal::render

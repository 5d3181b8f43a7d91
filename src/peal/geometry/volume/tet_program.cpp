#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/volume/tet_program.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/program.h>
#include <peal/util/scratch_folder.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

namespace peal::geometry {

namespace {

namespace fs = std::filesystem;

/// Tetgen takes well under a second for what Peal gives it; some broken surfaces make it run for
/// ever.
constexpr std::chrono::seconds time_limit{60};

/// A point in each cavity: half way from a face of a shell that faces inward to what is opposite.
std::vector<Vec3> cavity_points(const TriMesh& surface) {
  const auto parts = connected_components(surface, mesh_topology(surface), Connection::shared_edge);
  if (parts.count < 2) return {};
  std::vector<Vec3> points;
  const SurfaceQuery query(surface);
  for (std::uint32_t part = 0; part < parts.count; ++part) {
    TriMesh shell;
    shell.vertices = surface.vertices;
    std::size_t largest = surface.triangles.size();
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      if (parts.of_triangle[t] != part) continue;
      shell.triangles.push_back(surface.triangles[t]);
      if (largest == surface.triangles.size() ||
          area_vector(surface, t).norm() > area_vector(surface, largest).norm())
        largest = t;
    }
    if (signed_volume(shell) >= 0.0) continue;
    const Vec3 start = triangle_centre(surface, largest);
    const Vec3 normal = area_vector(surface, largest).normalized();
    const double skip = 1e-9 * bounds(surface).diagonal().norm();
    const auto hit = query.intersect({start + skip * normal, normal});
    if (hit) points.push_back(start + (skip + 0.5 * hit->t) * normal);
  }
  return points;
}

/// Tetgen's .smesh: vertices, triangles, cavities.
std::string smesh(const TriMesh& surface) {
  std::string text = fmt::format("{} 3 0 0\n", surface.vertices.size());
  auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    const Vec3& v = surface.vertices[i];
    fmt::format_to(out, "{} {:.17g} {:.17g} {:.17g}\n", i, v.x(), v.y(), v.z());
  }
  fmt::format_to(out, "{} 0\n", surface.triangles.size());
  for (const auto& [a, b, c] : surface.triangles) fmt::format_to(out, "3 {} {} {}\n", a, b, c);
  const std::vector<Vec3> cavities = cavity_points(surface);
  fmt::format_to(out, "{}\n", cavities.size());
  for (std::size_t i = 0; i < cavities.size(); ++i) {
    const Vec3& p = cavities[i];
    fmt::format_to(out, "{} {:.17g} {:.17g} {:.17g}\n", i, p.x(), p.y(), p.z());
  }
  return text + "0\n";
}

/// Numbers of a text, one after another; `#` starts a comment.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : rest_(text) {}

  /// Empty at the end, or where there is no number.
  std::optional<double> next() {
    while (!rest_.empty() && (rest_.front() == '#' || std::isspace(rest_.front()))) {
      rest_.remove_prefix(rest_.front() == '#' ? std::min(rest_.find('\n'), rest_.size()) : 1);
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  /// Rows of a table "count columns ...": those after the row's own number.
  bool read_table(std::size_t columns, std::size_t header, std::vector<double>& values) {
    const auto count = next();
    if (!count || *count < 0.0) return false;
    for (std::size_t k = 1; k < header; ++k)
      if (!next()) return false;
    for (double row = 0.0; row < *count; ++row) {
      if (!next()) return false;
      for (std::size_t k = 0; k < columns; ++k) {
        const auto value = next();
        if (!value) return false;
        values.push_back(*value);
      }
    }
    return true;
  }

 private:
  std::string_view rest_;
};

/// The mesh that tetgen wrote, or why there is none.
TetAttempt read_answer(const fs::path& folder, const TriMesh& surface) {
  const fs::path nodes = folder / "surface.1.node", elements = folder / "surface.1.ele";
  if (fs::exists(nodes) && fs::exists(elements))
    return parse_tetgen(util::read_file(nodes), util::read_file(elements), surface);
  TetAttempt attempt;
  attempt.problem = "TetGen produced no tetrahedra";
  return attempt;
}

}  // namespace

TetAttempt parse_tetgen(std::string_view nodes, std::string_view elements, const TriMesh& surface) {
  TetAttempt attempt;
  std::vector<double> positions, corners;
  if (!Numbers(nodes).read_table(3, 4, positions) || !Numbers(elements).read_table(4, 3, corners)) {
    attempt.problem = "the output of TetGen cannot be read";
    return attempt;
  }
  for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
    attempt.mesh.vertices.emplace_back(positions[i], positions[i + 1], positions[i + 2]);
  }
  if (attempt.mesh.vertices.size() < surface.vertices.size()) {
    attempt.problem = "TetGen lost vertices of the surface";
    return attempt;
  }
  std::copy(surface.vertices.begin(), surface.vertices.end(), attempt.mesh.vertices.begin());
  for (std::size_t i = 0; i + 3 < corners.size(); i += 4) {
    Tet tet;
    for (int k = 0; k < 4; ++k) {
      // A number that is none is not in the range either.
      if (!(corners[i + k] >= 0.0 && corners[i + k] < double(attempt.mesh.vertices.size()))) {
        attempt.problem = "the output of TetGen refers to vertices that do not exist";
        return attempt;
      }
      tet[k] = static_cast<std::uint32_t>(corners[i + k]);
    }
    attempt.mesh.tets.push_back(tet);
  }
  const double wanted = signed_volume(surface), got = volume(attempt.mesh);
  if (attempt.mesh.tets.empty()) {
    attempt.problem = "TetGen produced no tetrahedra";
  } else if (!(std::abs(got - wanted) <= 1e-6 * std::abs(wanted))) {
    attempt.problem =
        fmt::format("TetGen filled {:.6g} m^3 where the surface encloses {:.6g} m^3", got, wanted);
  }
  return attempt;
}

TetAttempt tetrahedralise(const TriMesh& surface, double max_volume) {
  const auto program = util::find_program("tetgen");
  if (!program) {
    throw util::InputError({}, "TetGen, which meshes solids, is not installed",
                           "Install the program tetgen (Debian: apt-get install tetgen).");
  }
  const util::ScratchFolder folder;
  const fs::path input = folder.path() / "surface.smesh";
  util::write_file(input, smesh(surface));
  // p: a surface; Y: kept as it is; q: shape of tetrahedra; o: the widest angle between faces that
  // is left alone, in degrees; z: count from 0; F: no face file; Q: quiet; a: size. Tetgen reads no
  // exponents.
  std::string flags = "-pYq1.4o/135zFQ";
  if (max_volume > 0.0) flags += fmt::format("a{:.18f}", max_volume);
  const auto end = util::run_program(*program, {flags, input.string()}, time_limit);
  TetAttempt attempt;
  if (end.timed_out) {
    attempt.timed_out = true;
    attempt.problem = fmt::format("TetGen timed out after {} s", time_limit.count());
  } else if (end.signal != 0 || !end.fine) {
    attempt.problem = "TetGen failed on the surface";
  } else {
    return read_answer(folder.path(), surface);
  }
  return attempt;
}

}  // namespace peal::geometry

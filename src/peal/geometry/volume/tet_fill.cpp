#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/self_intersection.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/geometry/volume/tet_program.h>
#include <peal/geometry/volume/tet_relax.h>
#include <peal/util/error.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace peal::geometry {

namespace {

/// Rounds of remeshing until no facets cross; rounds of filling.
constexpr int refit_rounds = 5, filling_rounds = 4;
constexpr std::size_t most_crossing_facets = 1000;
constexpr double shorter_at_crossings = 0.7, shorter_everywhere = 0.7;

/// Shortens the wanted lengths at facets that cross; false if there are none.
bool shorten_at_crossings(const SmoothSurface& smooth, const FittedSurface& fitted,
                          std::vector<double>& factor) {
  const SelfIntersections crossing = self_intersections(fitted.mesh, most_crossing_facets);
  std::set<std::uint32_t> facets;
  for (const auto& pair : crossing.pairs) facets.insert(pair.begin(), pair.end());
  std::vector<Box> boxes;
  std::vector<bool> shorter(factor.size(), false);
  for (const std::uint32_t t : facets) {
    Box box;
    for (const std::uint32_t v : fitted.mesh.triangles[t]) {
      box.extend(fitted.mesh.vertices[v]);
      // At least those of the given triangle that is there.
      const auto near = smooth.query().closest_point(fitted.mesh.vertices[v]).triangle;
      for (const std::uint32_t w : smooth.mesh().triangles[near]) shorter[w] = true;
    }
    boxes.push_back(box);
  }
  for (std::size_t v = 0; v < factor.size(); ++v) {
    const Vec3& p = smooth.mesh().vertices[v];
    shorter[v] =
        shorter[v] || std::ranges::any_of(boxes, [&](const Box& box) { return box.contains(p); });
    if (shorter[v]) factor[v] *= shorter_at_crossings;
  }
  return !facets.empty();
}

}  // namespace

std::optional<TetFilling> filled(
    SmoothSurface& smooth,
    const std::function<std::vector<double>(const SmoothSurface&)>& edge_lengths,
    const FillLimits& limits, const std::string& file, std::vector<std::string>& notices) {
  std::string problem;
  for (int round = 0; round < filling_rounds; ++round) {
    std::vector<double> lengths = edge_lengths(smooth);
    std::vector<double> factor(lengths.size(), round % 2 == 0 ? 1.0 : shorter_everywhere);
    std::optional<FittedSurface> fitted;
    for (int again = 0; again < refit_rounds; ++again) {
      std::vector<double> wanted = lengths;
      for (std::size_t v = 0; v < wanted.size(); ++v) wanted[v] *= factor[v];
      FittedSurface next = fitted_surface(smooth, wanted);
      const bool is_large = next.mesh.triangles.size() > limits.most_triangles;
      if (is_large && !fitted) return std::nullopt;
      if (is_large) break;  // shorter lengths at crossings do not pay
      fitted = std::move(next);
      if (!shorten_at_crossings(smooth, *fitted, factor)) break;
    }
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    TetAttempt attempt = tetrahedralise(fitted->mesh, 0.2 * longest * longest * longest);
    if (attempt.fine()) {
      relax(attempt.mesh, fitted->mesh.vertices.size());
      return TetFilling{std::move(attempt.mesh), *std::move(fitted)};
    }
    problem = attempt.problem;
    if (attempt.timed_out) break;  // smaller facets take longer
    if (round == 1) {
      if (!limits.may_replace) return TetFilling{.problem = problem};
      smooth = SmoothSurface(replaced_surface(smooth.mesh(),
                                              "the surface cannot be filled (" + problem + ")",
                                              limits.replacement, file, notices));
    }
  }
  throw util::InputError({file, ""}, "the solid cannot be meshed: " + problem,
                         "`peal inspect` shows what is wrong with the surface; unite parts that "
                         "cross, and remove spikes and doubled faces.");
}

namespace {

/// How far the middle of each edge of the surface is from the round surface, in the mean over the
/// edges at each vertex [m]: those of its crease if it is on one, nothing at corners.
std::vector<Vec3> mean_sags(const SmoothSurface& smooth, const FittedSurface& surface) {
  struct Sum {
    Vec3 sag = Vec3::Zero();
    int edges = 0;
  };
  std::vector<Sum> around(surface.mesh.vertices.size()), along(around);
  const MeshTopology topology = mesh_topology(surface.mesh);
  for (const auto& edge : topology.edges) {
    const Vec3 straight = 0.5 * (surface.mesh.vertices[edge[0]] + surface.mesh.vertices[edge[1]]);
    const Vec3 sag = middle_of_edge(smooth, surface, edge[0], edge[1]) - straight;
    for (const std::uint32_t v : edge) {
      Sum& sum = surface.creases.contains(edge) ? along[v] : around[v];
      sum.sag += sag;
      ++sum.edges;
    }
  }
  std::vector<Vec3> means(around.size(), Vec3::Zero());
  for (std::size_t v = 0; v < means.size(); ++v) {
    const Sum& sum = along[v].edges > 0 ? along[v] : around[v];
    const bool is_corner = along[v].edges > 0 && along[v].edges != 2;
    if (sum.edges > 0 && !is_corner) means[v] = sum.sag / sum.edges;
  }
  return means;
}

/// Moves the vertices of the surface so that flat facets lie on the round surface in the mean, not
/// within it: then the body has its volume, and bars the stiffness of their sections. Less where a
/// tetrahedron would lose half of itself.
void meet_in_the_mean(const SmoothSurface& smooth, TetFilling& filling) {
  std::vector<Vec3> moves = mean_sags(smooth, filling.surface);
  const TetMesh& old = filling.mesh;
  TetMesh moved = old;
  constexpr int most_rounds = 20;
  bool is_fine = false;
  for (int round = 0; round < most_rounds && !is_fine; ++round) {
    is_fine = true;
    for (std::size_t v = 0; v < moves.size(); ++v) moved.vertices[v] = old.vertices[v] + moves[v];
    for (const Tet& tet : old.tets) {
      if (signed_volume(moved, tet) / signed_volume(old, tet) > 0.5) continue;
      for (const std::uint32_t v : tet) {
        if (v < moves.size()) moves[v] *= 0.5;
      }
      is_fine = false;
    }
  }
  if (is_fine) filling.mesh = std::move(moved);
}

}  // namespace

SolidTets tets_of(const TriMesh& surface, double edge_length, const std::string& file,
                  std::vector<std::string>& notices) {
  SmoothSurface smooth(checked_solid(surface, {}, file, notices).mesh);
  const auto equal = [edge_length](const SmoothSurface& s) {
    return std::vector<double>(s.mesh().vertices.size(), edge_length);
  };
  auto filling = filled(smooth, equal, {}, file, notices);
  if (!filling) {
    throw util::InputError({file, ""}, "the surface takes more than two million triangles",
                           "Give a larger edge length.");
  }
  meet_in_the_mean(smooth, *filling);
  return {std::move(filling->mesh), signed_volume(smooth.mesh()), smooth.volume()};
}

}  // namespace peal::geometry

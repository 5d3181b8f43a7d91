#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/orient_soup.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// Triangles that hang together across edges of exactly two.
struct SoupPatch {
  std::vector<std::uint32_t> triangles;
  std::vector<double> area_up_to;  ///< running sum [m^2]
  bool closed = true;
};

/// Coinciding vertices become one, collapsed triangles and copies go.
void take_distinct_triangles(const TriMesh& mesh, OrientedSoup& soup) {
  const std::vector<std::uint32_t> first = first_coincident_vertex(mesh);
  std::vector<std::pair<Triangle, std::uint32_t>> sorted;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle corners = mesh.triangles[t];
    for (std::uint32_t& v : corners) v = first[v];
    std::ranges::sort(corners);
    if (corners[0] == corners[1] || corners[1] == corners[2]) continue;
    sorted.emplace_back(corners, t);
  }
  std::ranges::sort(sorted);
  const std::size_t all = sorted.size();
  const auto same_corners = [](const auto& a, const auto& b) { return a.first == b.first; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same_corners), sorted.end());
  soup.copies = all - sorted.size();
  for (const auto& entry : sorted) soup.source.push_back(entry.second);
  std::ranges::sort(soup.source);
  std::vector<std::uint32_t> number(mesh.vertices.size(), MeshTopology::none);
  for (const std::uint32_t t : soup.source) {
    Triangle triangle = mesh.triangles[t];
    for (std::uint32_t& v : triangle) {
      v = first[v];
      if (number[v] == MeshTopology::none) {
        number[v] = static_cast<std::uint32_t>(soup.mesh.vertices.size());
        soup.mesh.vertices.push_back(mesh.vertices[v]);
      }
      v = number[v];
    }
    soup.mesh.triangles.push_back(triangle);
  }
}

std::vector<SoupPatch> find_patches(const TriMesh& mesh) {
  const MeshTopology topology = mesh_topology(mesh);
  std::vector<bool> reached(mesh.triangles.size(), false);
  std::vector<SoupPatch> patches;
  for (std::uint32_t seed = 0; seed < mesh.triangles.size(); ++seed) {
    if (reached[seed]) continue;
    SoupPatch patch{.triangles = {seed}};
    reached[seed] = true;
    for (std::size_t i = 0; i < patch.triangles.size(); ++i) {
      for (const std::uint32_t n : topology.triangle_neighbours[patch.triangles[i]]) {
        if (n == MeshTopology::none) patch.closed = false;
        if (n == MeshTopology::none || reached[n]) continue;
        reached[n] = true;
        patch.triangles.push_back(n);
      }
    }
    double area = 0.0;
    for (const std::uint32_t t : patch.triangles)
      patch.area_up_to.push_back(area += area_vector(mesh, t).norm());
    patches.push_back(std::move(patch));
  }
  return patches;
}

/// Fractions of the sequence of Kronecker with the n-th of the plastic constants: points that fill
/// the unit cube evenly, always the same.
double spread_fraction(std::size_t i, int n) {
  constexpr std::array<double, 5> steps = {0.8812714616335696, 0.7766393890897682,
                                           0.6844301295853426, 0.6031687406857282,
                                           0.5315553977157429};
  const double x = 0.5 + static_cast<double>(i) * steps[static_cast<std::size_t>(n)];
  return x - std::floor(x);
}

/// A place on a patch and a direction out of its front, distributed as light leaves a wall.
struct PatchSample {
  Vec3 point, normal, direction;
};

PatchSample sample_patch(const TriMesh& mesh, const SoupPatch& patch, std::size_t i) {
  const double at = spread_fraction(i, 0) * patch.area_up_to.back();
  const auto found = std::ranges::upper_bound(patch.area_up_to, at);
  const std::size_t n = std::min<std::size_t>(
      static_cast<std::size_t>(found - patch.area_up_to.begin()), patch.triangles.size() - 1);
  const std::uint32_t t = patch.triangles[n];
  const auto& [a, b, c] = mesh.triangles[t];
  const double root = std::sqrt(spread_fraction(i, 1)), v = spread_fraction(i, 2);
  PatchSample sample;
  sample.point = interpolate({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]},
                             {1.0 - root, root * (1.0 - v), root * v});
  sample.normal = area_vector(mesh, t).normalized();
  const Vec3 across = sample.normal.unitOrthogonal(), along = sample.normal.cross(across);
  const double angle = 2.0 * std::numbers::pi * spread_fraction(i, 3);
  const double height2 = spread_fraction(i, 4), radius = std::sqrt(1.0 - height2);
  sample.direction = std::sqrt(height2) * sample.normal +
                     radius * (std::cos(angle) * across + std::sin(angle) * along);
  return sample;
}

/// Fewer where there are very many patches, so that the time does not grow with their number.
std::size_t sample_count(const SoupPatch& patch, std::size_t patches) {
  const std::size_t least = std::clamp<std::size_t>(200'000 / patches, 4, 16);
  return std::min<std::size_t>(least + 2 * (patch.triangles.size() - 1), 400);
}

/// Whether a patch faces the wrong way.
bool faces_inward(const SurfaceQuery& surface, const SoupPatch& patch, std::size_t count,
                  double offset) {
  if (!(patch.area_up_to.back() > 0.0)) return false;
  double seen_front = 0, seen_back = 0, parity = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const PatchSample sample = sample_patch(surface.mesh(), patch, i);
    for (const double side : {1.0, -1.0}) {
      const std::size_t hits =
          surface
              .all_hits({.origin = sample.point + side * offset * sample.normal,
                         .direction = side * sample.direction})
              .size();
      if (hits == 0) (side > 0 ? seen_front : seen_back) += 1;
      parity += hits % 2 == 0 ? side : -side;
    }
  }
  const double rays = static_cast<double>(count);
  const double seen = seen_front + seen_back;
  if (seen > 0.05 * rays && std::abs(seen_front - seen_back) > 0.3 * seen)
    return seen_back > seen_front;
  return !patch.closed && parity < -0.3 * rays;
}

void turn_patch(TriMesh& mesh, const SoupPatch& patch) {
  for (const std::uint32_t t : patch.triangles)
    std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
}

void turn_patches(OrientedSoup& soup, const std::vector<SoupPatch>& patches, double offset) {
  const SurfaceQuery surface(soup.mesh);
  std::vector<char> inward(patches.size(), 0);
  util::parallel_for(static_cast<std::int64_t>(patches.size()), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    inward[p] = faces_inward(surface, patches[p], sample_count(patches[p], patches.size()), offset);
  });
  for (std::size_t p = 0; p < patches.size(); ++p) {
    if (inward[p]) turn_patch(soup.mesh, patches[p]);
  }
}

/// Makes neighbours agree, each patch with what most of its area said before.
void agree_within_patches(OrientedSoup& soup, const std::vector<SoupPatch>& patches) {
  const std::vector<Triangle> before = soup.mesh.triangles;
  soup.mesh = orient_consistently(std::move(soup.mesh));
  for (const SoupPatch& patch : patches) {
    double kept = 0.0;
    for (const std::uint32_t t : patch.triangles) {
      const double area = area_vector(soup.mesh, t).norm();
      kept += soup.mesh.triangles[t] == before[t] ? area : -area;
    }
    if (kept < 0.0) turn_patch(soup.mesh, patch);
  }
}

/// How much higher the winding number of all other patches is behind a small patch than in front of
/// it: about 1/4 if it faces as they do, the opposite if it does not.
double agreement(const InsideTest& solid, const TriMesh& mesh, const SoupPatch& patch) {
  constexpr int samples = 4;
  const double step = 0.2 * std::sqrt(patch.area_up_to.back());
  const auto others = [&](const Vec3& p) {
    double own = 0.0;
    for (const std::uint32_t t : patch.triangles) {
      const auto& [a, b, c] = mesh.triangles[t];
      own += solid_angle({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, p);
    }
    return solid.winding_number(p) - own / (4.0 * std::numbers::pi);
  };
  double sum = 0.0;
  for (std::size_t i = 0; i < samples; ++i) {
    const PatchSample sample = sample_patch(mesh, patch, i);
    sum +=
        others(sample.point - step * sample.normal) - others(sample.point + step * sample.normal);
  }
  return sum / samples;
}

/// Rays from a single face see little: small patches that disagree with all that is around them are
/// turned, until none does.
void turn_small_patches(OrientedSoup& soup, const std::vector<SoupPatch>& patches) {
  constexpr std::size_t small = 8;
  constexpr int most_rounds = 5;
  for (int round = 0; round < most_rounds; ++round) {
    const InsideTest solid(soup.mesh);
    std::vector<char> turn(patches.size(), 0);
    util::parallel_for(static_cast<std::int64_t>(patches.size()), [&](std::int64_t i) {
      const SoupPatch& patch = patches[static_cast<std::size_t>(i)];
      if (patch.closed || patch.triangles.size() > small || !(patch.area_up_to.back() > 0.0))
        return;
      turn[static_cast<std::size_t>(i)] = agreement(solid, soup.mesh, patch) < -0.1;
    });
    if (std::ranges::find(turn, 1) == turn.end()) return;
    for (std::size_t p = 0; p < patches.size(); ++p)
      if (turn[p]) turn_patch(soup.mesh, patches[p]);
  }
}

/// On a wall of the solid the winding number is one half (the mean of its two sides), inside of it
/// one or more. An inner wall would lower it to one half on its front, which is no side at all.
bool is_inner(const InsideTest& solid, const TriMesh& mesh, const SoupPatch& patch,
              std::size_t count, double offset) {
  if (patch.closed || !(patch.area_up_to.back() > 0.0)) return false;
  std::size_t deep = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const PatchSample sample = sample_patch(mesh, patch, i);
    const double mean = 0.5 * (solid.winding_number(sample.point + offset * sample.normal) +
                               solid.winding_number(sample.point - offset * sample.normal));
    if (mean > 0.85) ++deep;
  }
  return static_cast<double>(deep) > 0.8 * static_cast<double>(count);
}

void drop_inner_patches(OrientedSoup& soup, const std::vector<SoupPatch>& patches, double offset) {
  const InsideTest solid(soup.mesh);
  std::vector<char> inner(patches.size(), 0);
  util::parallel_for(static_cast<std::int64_t>(patches.size()), [&](std::int64_t i) {
    const auto p = static_cast<std::size_t>(i);
    inner[p] =
        is_inner(solid, soup.mesh, patches[p], sample_count(patches[p], patches.size()), offset);
  });
  std::vector<bool> drop(soup.mesh.triangles.size(), false);
  for (std::size_t p = 0; p < patches.size(); ++p)
    for (const std::uint32_t t : patches[p].triangles) drop[t] = inner[p];
  std::size_t kept = 0;
  for (std::size_t t = 0; t < drop.size(); ++t) {
    if (drop[t]) continue;
    soup.mesh.triangles[kept] = soup.mesh.triangles[t];
    soup.source[kept++] = soup.source[t];
  }
  soup.inner = drop.size() - kept;
  soup.mesh.triangles.resize(kept);
  soup.source.resize(kept);
}

/// A heap without sense would take for ever: by Cauchy's formula a line through the box of the
/// mesh meets 2 A / S faces on average, with A the area of the faces and S that of the box.
void check_depth(const TriMesh& mesh) {
  constexpr double most_faces = 200.0;
  const Vec3 size = bounds(mesh).sizes();
  const double box = 2.0 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x());
  if (2.0 * surface_area(mesh) <= most_faces * box) return;
  throw std::invalid_argument("a line through the mesh meets hundreds of faces");
}

}  // namespace

OrientedSoup orient_soup(const TriMesh& mesh) {
  OrientedSoup soup;
  take_distinct_triangles(mesh, soup);
  if (soup.mesh.empty()) return soup;
  check_depth(soup.mesh);
  const double offset = 1e-6 * bounds(soup.mesh).sizes().norm();
  const std::vector<Triangle> given = soup.mesh.triangles;
  const std::vector<SoupPatch> patches = find_patches(soup.mesh);
  agree_within_patches(soup, patches);
  turn_patches(soup, patches, offset);
  turn_small_patches(soup, patches);
  for (std::size_t t = 0; t < given.size(); ++t) soup.turned += soup.mesh.triangles[t] != given[t];
  drop_inner_patches(soup, patches, offset);
  return soup;
}

}  // namespace peal::geometry

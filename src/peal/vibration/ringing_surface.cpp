#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/denoise.h>
#include <peal/geometry/repair/simplify.h>
#include <peal/geometry/volume/patch_fit.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/ringing_surface.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace peal::vibration {

namespace {

using geometry::SurfaceQuery;
using geometry::TriMesh;
using geometry::Vec3;

/// Remeshing by joining edges takes long for more triangles.
constexpr std::size_t many_triangles = 50000;
/// Below this number noise costs little.
constexpr std::size_t some_triangles = 5000;
/// Noise of vertices over the length of edges from which facets say little about the surface: their
/// normals deviate by about 3 degrees.
constexpr double noisy_slope = 0.03;
/// Noise over the length of edges above which neighbouring facets fold over each other, so that
/// edges cannot collapse before the noise is reduced.
constexpr double folding_noise = 0.25;
constexpr int denoising_rounds = 10;
/// Tolerance in multiples of the noise: below about six, noise keeps facets apart.
constexpr double noise_tolerance = 6.0;
/// But not above this part of a wall, however noisy it is.
constexpr double noisy_wall = 0.15;
/// Tolerance over wavelength at an accuracy of 1 %.
constexpr double wave_tolerance = 0.02;
/// A tolerance below this part of the wanted edges does not count: the tips of wedges.
constexpr double least_tolerance = 0.002;

/// What is added to the stated error of frequencies: measured on a noisy ball, and on a chair of
/// boxes with a lattice of one side a wall, after the corrections to first order.
constexpr double simplified_error = 5e-4, lattice_error = 5e-3;

double median_edge(const TriMesh& mesh) {
  std::vector<double> lengths;
  for (const auto& t : mesh.triangles)
    lengths.push_back((mesh.vertices[t[0]] - mesh.vertices[t[1]]).norm());
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

/// Tolerance over thickness: 0.02 for an accuracy of 0.5 %, 0.04 for 1 %
/// (docs/theory/vibration-modes.md).
double wall_tolerance(double accuracy) {
  return std::clamp(4.0 * accuracy, 0.008, 0.1);
}

/// The tolerance at each vertex [m].
std::vector<double> tolerances(const TriMesh& mesh, const std::vector<double>& thickness,
                               double noise, const base::Material& material,
                               const SurfaceNeeds& needs) {
  const double per_wave = 3.0;
  const std::vector<double> lengths =
      edge_lengths(mesh, thickness, material, needs.frequency, per_wave);
  const double part = wave_tolerance * std::min(1.0, needs.accuracy / 0.01);
  std::vector<double> tolerance(mesh.vertices.size(), bounds(mesh).diagonal().norm());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double wave = shortest_wave(material, thickness[t], needs.frequency);
    const double here =
        std::max(std::min(wall_tolerance(needs.accuracy) * thickness[t], part * wave),
                 std::min(noise, noisy_wall * thickness[t]));
    for (const std::uint32_t v : mesh.triangles[t]) tolerance[v] = std::min(tolerance[v], here);
  }
  for (std::size_t v = 0; v < tolerance.size(); ++v)
    tolerance[v] = std::max(tolerance[v], least_tolerance * lengths[v]);
  return tolerance;
}

}  // namespace

double sides_per_wall(double accuracy) {
  return std::clamp(100.0 * accuracy, 0.25, 2.0);
}

bool should_simplify(const geometry::CheckedSolid& solid) {
  const std::size_t count = solid.mesh.triangles.size();
  if (solid.is_replaced() || solid.crosses_by_noise || count > many_triangles) return true;
  return count > some_triangles &&
         geometry::surface_noise(solid.mesh) > noisy_slope * median_edge(solid.mesh);
}

RingingSurface simplified_surface(const geometry::CheckedSolid& solid,
                                  const base::Material& material, const SurfaceNeeds& needs) {
  const bool folds = !solid.is_replaced() &&
                     geometry::surface_noise(solid.mesh) > folding_noise * median_edge(solid.mesh);
  const TriMesh given = folds ? geometry::denoised(solid.mesh, denoising_rounds) : solid.mesh;
  const auto target = std::make_shared<const SurfaceQuery>(given);
  // Vertices of a lattice's surface lie on the given one.
  const double noise = solid.is_replaced() ? 0.0 : noise_tolerance * geometry::surface_noise(given);
  std::vector<double> tolerance = tolerances(given, thicknesses(*target), noise, material, needs);
  for (double& value : tolerance) value *= needs.tolerance;
  TriMesh simple = geometry::simplified(*target, tolerance);
  std::vector<double> limits;
  for (const Vec3& v : simple.vertices) {
    const auto& near = given.triangles[target->closest_point(v).triangle];
    limits.push_back(std::min({tolerance[near[0]], tolerance[near[1]], tolerance[near[2]]}));
  }
  TriMesh fitted = geometry::patch_fitted(std::move(simple), *target, limits);
  if (!solid.is_replaced()) return {std::move(fitted), target, simplified_error};
  // A lattice cuts edges off; the given triangles know where they were.
  return {std::move(fitted), std::make_shared<const SurfaceQuery>(solid.broken),
          simplified_error + lattice_error * sides_per_wall(needs.accuracy)};
}

}  // namespace peal::vibration

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/simulate/rayleigh_damping.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace peal::simulate {

namespace {

constexpr int fitted_frequencies = 40, most_turns = 60;
/// Holds a parameter that means nothing to the fit.
constexpr double least_curvature = 1e-9;

/// Length of the free edges [m].
double edge_length(const geometry::TriMesh& mesh) {
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  double sum = 0.0;
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    if (!topology.is_boundary(e)) continue;
    sum += (mesh.vertices[topology.edges[e][0]] - mesh.vertices[topology.edges[e][1]]).norm();
  }
  return sum;
}

/// Of the modes of a plate whose edges are free to move, in the mean: `a` is the root of the
/// frequency over that of coincidence, `edges` the perimeter times the wavelength at coincidence
/// over the area.
double plate_efficiency(double a, double edges, double most) {
  if (a >= 1.0) return most;
  const double b = 1.0 - a * a;
  const double bracket = (b * std::log((1.0 + a) / (1.0 - a)) + 2.0 * a) / (b * std::sqrt(b));
  return std::min(most, edges / (4.0 * std::numbers::pi * std::numbers::pi) * bracket);
}

}  // namespace

double RayleighDamping::rate(double frequency) const {
  const double w = 2.0 * std::numbers::pi * frequency;
  return 0.5 * (mass + stiffness * w * w);
}

RayleighDamping fitted_damping(const std::function<double(double)>& rate, double lowest,
                               double highest) {
  struct Wanted {
    double mass, stiffness;  ///< terms of the rate over the wanted one
  };
  std::vector<Wanted> all;
  for (int k = 0; k < fitted_frequencies; ++k) {
    const double f = lowest * std::pow(highest / lowest, k / (fitted_frequencies - 1.0));
    const double wanted = rate(f), w = 2.0 * std::numbers::pi * f;
    if (wanted > 0.0) all.push_back({0.5 / wanted, 0.5 * w * w / wanted});
  }
  if (all.empty()) return {};
  // Each alone is right in the middle; Gauss and Newton do the rest, over their logarithms.
  const Wanted& middle = all[all.size() / 2];
  double p = std::log(0.5 / middle.mass), q = std::log(0.5 / middle.stiffness);
  for (int turn = 0; turn < most_turns; ++turn) {
    double pp = least_curvature, pq = 0.0, qq = least_curvature, p1 = 0.0, q1 = 0.0;
    for (const Wanted& one : all) {
      const double mass = one.mass * std::exp(p), stiffness = one.stiffness * std::exp(q);
      const double sum = mass + stiffness, error = std::log(sum);
      pp += mass * mass / (sum * sum);
      pq += mass * stiffness / (sum * sum);
      qq += stiffness * stiffness / (sum * sum);
      p1 += mass / sum * error;
      q1 += stiffness / sum * error;
    }
    const double determinant = pp * qq - pq * pq;
    p -= std::clamp((p1 * qq - q1 * pq) / determinant, -1.0, 1.0);
    q -= std::clamp((q1 * pp - p1 * pq) / determinant, -1.0, 1.0);
  }
  return {.mass = std::exp(p), .stiffness = std::exp(q)};
}

double air_decay_rate(const geometry::ShellMesh& shell, const base::Material& material,
                      const base::Medium& medium, double frequency) {
  const double area = geometry::surface_area(shell.middle);
  const double thickness = geometry::volume(shell) / area;
  const double nu = material.poisson_ratio;
  const double bending = material.young_modulus * std::pow(thickness, 3) / (12.0 * (1.0 - nu * nu));
  const double c = medium.speed_of_sound;
  const double coincidence =
      c * c / (2.0 * std::numbers::pi) * std::sqrt(material.density * thickness / bending);
  const double free_edges = edge_length(shell.middle);
  const double edges = (free_edges > 0.0 ? free_edges : 2.0 * std::sqrt(std::numbers::pi * area)) *
                       c / coincidence / area;
  const double k = 2.0 * std::numbers::pi * frequency / c;
  const double size = k * k * area / std::numbers::pi;  // the square of k times the radius
  const double efficiency =
      plate_efficiency(std::sqrt(frequency / coincidence), edges, 1.0) * size / (1.0 + size);
  const double sides = free_edges > 0.0 ? 1.0 : 0.5;
  return sides * medium.density * c * efficiency / (material.density * thickness);
}

}  // namespace peal::simulate

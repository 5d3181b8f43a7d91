#include <peal/geometry/mesh/curvature.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::validation {

namespace {

using geometry::MassProperties;
using geometry::Vec3;

Outcome run_effective_mass() {
  // An ideal rod and sphere from their formulas, a cube from its mesh.
  MassProperties rod{.mass = 1.0};
  rod.inertia = Vec3(0.0, 1.0 / 12.0, 1.0 / 12.0).asDiagonal();
  MassProperties sphere{.mass = 1.0};
  sphere.inertia = 0.4 * geometry::Mat3::Identity();
  const MassProperties cube = geometry::mass_properties(geometry::box_mesh({1, 1, 1}, 1.0), 1.0);

  const auto claim = [](const std::string& name, double published, const MassProperties& body,
                        const Vec3& point, const Vec3& direction) {
    return Claim{name, "kg", published, geometry::effective_mass(body, point, direction), 1e-12};
  };
  Outcome outcome;
  outcome.claims = {
      claim("rod hit at its end", 0.25, rod, {0.5, 0, 0}, {0, 1, 0}),
      claim("rod hit at a quarter", 0.571428571428571, rod, {0.25, 0, 0}, {0, 1, 0}),
      claim("sphere hit through its centre", 1.0, sphere, {1, 0, 0}, {-1, 0, 0}),
      claim("sphere hit along its surface", 0.285714285714286, sphere, {1, 0, 0}, {0, 1, 0}),
      claim("cube hit at the middle of a face", 1.0, cube, {0, 0.5, 0}, {0, -1, 0}),
      claim("cube hit at the middle of an edge, along a face normal", 0.4, cube, {0.5, 0.5, 0},
            {0, -1, 0}),
      claim("cube hit at a corner, along a face normal", 0.25, cube, {0.5, 0.5, 0.5}, {0, -1, 0}),
      claim("cube hit at a corner, along the diagonal", 1.0, cube, {0.5, 0.5, 0.5}, {-1, -1, -1}),
  };
  return outcome;
}

/// Largest relative error of the mean curvature of a sphere of radius 1.
double curvature_error(double edge_length) {
  const auto curvature = geometry::discrete_curvature(geometry::sphere_mesh(1.0, edge_length));
  double error = 0.0;
  for (const double mean : curvature.mean) error = std::max(error, std::abs(mean - 1.0));
  return error;
}

Outcome run_mean_curvature() {
  Outcome outcome;
  plot::Series ours{.name = "Peal", .look = plot::Look::line_and_points};
  for (const double edge : {0.2, 0.1, 0.05, 0.025}) {
    const double error = curvature_error(edge);
    ours.x.push_back(edge);
    ours.y.push_back(error);
    outcome.claims.push_back({fmt::format("largest error at an edge length of {:g} radii", edge),
                              "", 0.0, error, edge * edge});
  }
  outcome.remarks = "Curvatures fitted over two rings of triangles are exact but for rounding.";
  plot::Series second{.name = "second order", .look = plot::Look::dashed};
  for (const double edge : ours.x) {
    second.x.push_back(edge);
    second.y.push_back(edge * edge);
  }
  outcome.charts = {
      {.title = "Discrete mean curvature of a sphere",
       .x = {.label = "edge length / radius", .scale = plot::Scale::log, .min = 0, .max = 0},
       .y = {.label = "largest relative error", .scale = plot::Scale::log, .min = 0, .max = 0},
       .series = {second, ours}}};
  return outcome;
}

}  // namespace

Entry effective_mass() {
  return {.key = "effective-mass",
          .title = "Effective mass of a body that is hit",
          .source =
              "Chadwick, Zheng & James 2012, equation 9, with the inverse on the inertia tensor "
              "(references C07, P-C03)",
          .method =
              "1/m_eff = 1/M + (r x n)^T I^-1 (r x n) for bodies of 1 kg and size 1 m; the cube's "
              "inertia comes from its triangles.",
          .run = run_effective_mass};
}

Entry mean_curvature() {
  return {.key = "mean-curvature",
          .title = "Mean curvature of a sphere",
          .source =
              "A sphere of radius 1 has curvature 1; formulas for the triangles around a vertex "
              "(Meyer, Desbrun, Schroeder & Barr 2003, equation 8) are of second order",
          .method = "Discrete mean curvature at every vertex of spheres of radius 1, against 1.",
          .run = run_mean_curvature};
}

}  // namespace peal::validation

#pragma once

#include <peal/elastic/scaled_stiffness.h>
#include <peal/elastic/shell_solid.h>
#include <peal/elastic/solid.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/util/random.h>

#include <elastic/trial_shells.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace peal::elastic {

inline base::Material trial_steel() {
  return {.name = "steel", .density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
}

/// A random number between -1 and 1.
inline double trial_random(std::uint64_t stream, std::uint64_t index) {
  return 2.0 * util::random_uniform(11, stream, index) - 1.0;
}

/// Small solids of every element, some with distorted cells.
struct TrialSolid {
  std::string name;
  std::function<Solid()> make;
};

inline geometry::HexMesh distorted(geometry::HexMesh mesh, double amount) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (int i = 0; i < 3; ++i) mesh.vertices[v][i] += amount * trial_random(3 + i, v);
  }
  return mesh;
}

inline std::vector<TrialSolid> trial_solids() {
  const auto hexes = [](double amount, HexElement element, int layers = 2) {
    return make_hexahedral_solid(
        distorted(geometry::box_hexes({0.3, 0.2, 0.1}, {3, 3, layers}, 2), amount), trial_steel(),
        element, "hexes");
  };
  return {{"boxes, incompatible", [=] { return hexes(0.0, HexElement::incompatible); }},
          {"boxes, shell", [=] { return hexes(0.0, HexElement::solid_shell); }},
          {"any, incompatible", [=] { return hexes(0.01, HexElement::incompatible); }},
          {"any, shell", [=] { return hexes(0.01, HexElement::solid_shell); }},
          {"a layer, incompatible", [=] { return hexes(0.0, HexElement::incompatible, 1); }},
          {"any layer, shell", [=] { return hexes(0.01, HexElement::solid_shell, 1); }},
          {"linear tetrahedra",
           [] {
             return make_tetrahedral_solid(geometry::box_tets({0.3, 0.2, 0.1}, {3, 2, 1}),
                                           trial_steel(), 1, "tets");
           }},
          {"quadratic tetrahedra",
           [] {
             return make_tetrahedral_solid(geometry::box_tets({0.3, 0.2, 0.1}, {2, 2, 1}),
                                           trial_steel(), 2, "tets");
           }},
          {"shell", [] {
             geometry::ShellMesh bowl = uniform_shell(
                 bowl_sheet(flat_sheet(0.3, 0.2, 5, 4, Triangulation::random), 1.0), 0.03);
             for (std::size_t v = 0; v < bowl.thickness.size(); ++v)
               bowl.thickness[v] += 0.005 * (2.0 * util::random_uniform(12, 63, v) - 1.0);
             return make_shell_solid(bowl, trial_steel(), "shell");
           }}};
}

/// Nodes moved at random by up to `amount` [m].
inline Nodes shaken(const Nodes& rest, double amount, std::uint64_t stream = 20) {
  Nodes nodes = rest;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    nodes.add(n,
              amount * geometry::Vec3(trial_random(stream, 3 * n), trial_random(stream, 3 * n + 1),
                                      trial_random(stream, 3 * n + 2)));
  }
  return nodes;
}

inline Nodes mapped(const Nodes& rest, const geometry::Affine& map) {
  Nodes nodes = rest;
  for (std::size_t n = 0; n < rest.size(); ++n) nodes.set(n, map * rest.at(n));
  return nodes;
}

inline Nodes forces_at(Solid& solid, const Nodes& positions) {
  Nodes forces(positions.size());
  solid.forces->add(positions, forces);
  return forces;
}

inline double largest_of(const Nodes& nodes) {
  double largest = 0.0;
  for (std::size_t n = 0; n < nodes.size(); ++n) largest = std::max(largest, nodes.at(n).norm());
  return largest;
}

/// M^-1/2 K M^-1/2 of a solid at rest, free along these axes: its eigenvalues are squares of
/// angular frequencies.
inline Eigen::MatrixXd scaled_matrix(const Solid& solid, const FreeAxes& free) {
  const std::size_t n = solid.rest.size();
  ScaledStiffness stiffness(solid, free, solid.rest);
  Eigen::MatrixXd A(3 * n, 3 * n);
  std::vector<double> unit(3 * n, 0.0), column(3 * n);
  for (std::size_t i = 0; i < 3 * n; ++i) {
    unit[i] = 1.0;
    stiffness.apply(unit, column);
    A.col(static_cast<Eigen::Index>(i)) = Eigen::Map<Eigen::VectorXd>(column.data(), 3 * n);
    unit[i] = 0.0;
  }
  return 0.5 * (A + A.transpose());
}

inline Eigen::MatrixXd scaled_matrix(const Solid& solid) {
  FreeAxes free;
  for (auto& axis : free) axis.assign(solid.rest.size(), 1.0);
  return scaled_matrix(solid, free);
}

}  // namespace peal::elastic

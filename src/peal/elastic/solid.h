#pragma once

#include <peal/base/material.h>
#include <peal/elastic/internal_forces.h>
#include <peal/geometry/volume/hex_mesh.h>
#include <peal/geometry/volume/solid_surface.h>
#include <peal/geometry/volume/tet_mesh.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::elastic {

/// Two nodes that face each other across one layer of cells. `apart` is their inertia against
/// relative motion over that of two lumped masses [1], chosen so that bending modes have the right
/// pitch (hex_mass.cpp).
struct FacingNodes {
  std::array<std::uint32_t, 2> nodes;
  double apart = 1.0;
};

/// Nodes that depend on others (tet_mass.h): the velocity of dependent node k is w + sum_j t_j v_j
/// over its carriers j, from begin[k] to begin[k + 1], and its kinetic energy is that of w alone.
/// Its mass against w is m / (1 - sum t)^2, where m is its mass: then it has the kinetic energy of
/// m where all nodes move alike.
struct DependentNodes {
  std::vector<std::uint32_t> dependents;
  std::vector<std::uint32_t> begin;     ///< one entry more than `dependents`
  std::vector<std::uint32_t> carriers;  ///< never dependent nodes
  std::vector<double> parts;            ///< t [1]
};

/// A deformable body, divided into finite elements. Forces act at its nodes, which carry its mass.
struct Solid {
  std::string name;  ///< for messages
  base::Material material;
  Nodes rest;                ///< positions without any force [m]
  std::vector<double> mass;  ///< of each node [kg]
  std::unique_ptr<InternalForces> forces;
  std::vector<FacingNodes> across;  ///< across one layer of cells; empty for other bodies
  /// Two pairs of facing nodes (one pair, then the other) at both sides of a rod of one cell, whose
  /// rotational inertia is that of a uniform rod: 1/3 of that of four lumped masses. Empty for
  /// other bodies.
  std::vector<std::array<std::uint32_t, 4>> rods;
  DependentNodes riding;  ///< corners of quadratic tetrahedra; empty for other bodies

  geometry::TriMesh surface;                ///< at rest
  std::vector<std::uint32_t> surface_node;  ///< the node of each vertex of the surface: ascending
  /// The middle of a shell, at rest: vertex v lies half way between nodes v and n + v, where it has
  /// n vertices. Empty for other bodies.
  geometry::TriMesh middle;

  /// What is recorded: the middle of a shell, otherwise the surface.
  const geometry::TriMesh& recorded() const { return middle.empty() ? surface : middle; }

  /// Rayleigh damping: a mode of angular frequency w decays at a rate of (alpha + beta w^2) / 2.
  double mass_damping = 0.0;       ///< alpha [1/s]
  double stiffness_damping = 0.0;  ///< beta [s]
};

/// A solid of nodes without elements, mass or surface. Damping is that of the material.
Solid bare_solid(std::span<const geometry::Vec3> nodes, const base::Material& material,
                 const std::string& name);
void set_surface(Solid& solid, geometry::SolidSurface surface);

// Damping is taken from `mass` and `stiffness` of the material. All functions throw
// util::InputError if Poisson's ratio is not between -0.95 and 0.49 or an element is flat or inside
// out; `name` is the location of the error.

/// Kind of hexahedral elements, which decides how they bend (docs/theory/elastic.md).
enum class HexElement {
  solid_shell,   ///< one layer, thin along the third direction of its cells (QSN)
  incompatible,  ///< chunky cells, or several layers (QM6)
  by_shape,      ///< solid shells where cells of one layer are thin, otherwise incompatible
};

Solid make_hexahedral_solid(const geometry::HexMesh& mesh, const base::Material& material,
                            HexElement element, const std::string& name = {});

/// Makes a solid of tetrahedra of order 1 (four nodes: O'Brien, Cook & Essl 2001; far too stiff in
/// bending) or 2 (ten nodes, with straight edges).
Solid make_tetrahedral_solid(const geometry::TetMesh& mesh, const base::Material& material,
                             int order, const std::string& name = {});

}  // namespace peal::elastic

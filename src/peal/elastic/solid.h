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

/// Nodes that face each other across one layer of cells. Their mass against moving apart, over that
/// of two lumps [1], is chosen so that bodies bend at their pitch (hex_mass.cpp).
struct FacingNodes {
  std::array<std::uint32_t, 2> nodes;
  double apart = 1.0;
};

/// Nodes that depend on others (tet_mass.h): the velocity of dependent node k is w + sum_j t_j v_j
/// over its carriers j, from begin[k] to begin[k + 1], and its kinetic energy that of w alone. Its
/// mass against w is m / (1 - sum t)^2, with m its mass: where all move alike, that is what it has.
struct DependentNodes {
  std::vector<std::uint32_t> dependents;
  std::vector<std::uint32_t> begin;     ///< one more than dependent nodes
  std::vector<std::uint32_t> carriers;  ///< none of them a dependent node
  std::vector<double> parts;            ///< t [1]
};

/// A body that deforms, cut into elements. Forces act at its nodes, where its mass is.
struct Solid {
  std::string name;  ///< for messages
  base::Material material;
  Nodes rest;                ///< positions without any force [m]
  std::vector<double> mass;  ///< of each node [kg]
  std::unique_ptr<InternalForces> forces;
  std::vector<FacingNodes> across;  ///< of one layer of cells; none in other bodies
  /// Pairs of such nodes (one pair, then the other) at both sides of a rod of one cell, which has
  /// the inertia of an even rod: 1/3 of that of four lumps. None in other bodies.
  std::vector<std::array<std::uint32_t, 4>> rods;
  DependentNodes riding;  ///< corners of quadratic tetrahedra; none in other bodies

  geometry::TriMesh surface;                ///< at rest
  std::vector<std::uint32_t> surface_node;  ///< the node of each vertex of the surface: ascending

  /// Rayleigh's damping: a mode of angular frequency w decays at (alpha + beta w^2) / 2.
  double mass_damping = 0.0;       ///< alpha [1/s]
  double stiffness_damping = 0.0;  ///< beta [s]
};

/// Nodes without elements, mass or surface; damping is the material's.
Solid bare_solid(std::span<const geometry::Vec3> nodes, const base::Material& material,
                 const std::string& name);
void set_surface(Solid& solid, geometry::SolidSurface surface);

// Damping is taken from the material's `mass` and `stiffness`. All throw util::InputError if
// Poisson's ratio is not within -0.95 and 0.49 or an element is flat or inside out; `name` is the
// place of the error.

/// How hexahedra bend (docs/theory/elastic.md).
enum class HexElement {
  solid_shell,   ///< one layer, thin along the third direction of its cells (QSN)
  incompatible,  ///< chunky cells, or several layers (QM6)
  by_shape,      ///< solid shells where cells of one layer are thin, otherwise incompatible
};

Solid make_hexahedral_solid(const geometry::HexMesh& mesh, const base::Material& material,
                            HexElement element, const std::string& name = {});

/// Of order 1 (four nodes: O'Brien, Cook & Essl 2001; far too stiff in bending) or 2 (ten nodes,
/// with straight edges).
Solid make_tetrahedral_solid(const geometry::TetMesh& mesh, const base::Material& material,
                             int order, const std::string& name = {});

}  // namespace peal::elastic

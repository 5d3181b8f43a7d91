#pragma once

#include <peal/base/material.h>
#include <peal/fem/matrices.h>
#include <peal/geometry/mesh/shell_mesh.h>

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace peal::fem {

/// One triangle of a shell: constants of its energy (docs/theory/shells.md).
///
/// Vertices have a position x and a director d, a unit normal at rest. With F = [x1 - x0, x2 - x0]
/// B and G = [d1 - d0, d2 - d0] B, the strain is (F^T F - 1) / 2, the curvature sym(F^T G) - K, and
/// the shear of edge ij (xj - xi) . (di + dj) / 2 - g.
struct ShellTriangle {
  std::array<double, 3> gradient;  ///< 11, 12, 22 of B; 21 is zero [1/m]
  double membrane;                 ///< A t E / (1 - nu^2) [J]
  double bending;                  ///< A t^3 / 12 E / (1 - nu^2) [J m^2]
  std::array<double, 3> bend;      ///< curvatures K at rest: 11, 22, 2 times 12 [1/m]
  std::array<double, 3> slant;     ///< shears g of the edges 01, 02, 12 at rest [m]
  std::array<double, 6> shear;     ///< 00, 11, 22, 01, 02, 12 of S in g S g / 2 [J/m^2]
};

/// Shell elements of a thin wall, with their masses.
struct ShellElements {
  std::vector<geometry::Vec3> directors;  ///< at rest, of unit length
  std::vector<ShellTriangle> triangles;   ///< those of the mesh
  double poisson_ratio = 0.0;
  std::vector<double> mass;  ///< of each vertex [kg]
  /// Inertia of each director over the mass of its vertex: t^2/12, and a part of the square of the
  /// element size [m^2].
  std::vector<double> turning;
  std::vector<double> stretch;  ///< stiffness of each director against stretch [J]
};

/// Throws util::InputError at `name` if the material or a triangle is unsuitable.
ShellElements shell_elements(const geometry::ShellMesh& shell, const base::Material& material,
                             const std::string& name);

/// Stiffness and lumped mass of a shell at rest. With n vertices, node v is the displacement of
/// vertex v, and node n + v that of its director times the root of `turning` [m].
Matrices shell_matrices(const geometry::ShellMesh& shell, const ShellElements& elements);

/// The motions without deformation that the fixed displacements allow, in the nodes of
/// shell_matrices(): M-orthonormal.
Eigen::MatrixXd shell_rigid_motions(const Matrices& matrices, const geometry::ShellMesh& shell,
                                    const ShellElements& elements);

}  // namespace peal::fem

#pragma once

#include <peal/elastic/notch.h>
#include <peal/elastic/solid.h>
#include <peal/fem/lame.h>

#include <Eigen/Core>
#include <array>

namespace peal::elastic {

using HexCorners = std::array<geometry::Vec3, 8>;  ///< in the order of geometry::Hex [m]

HexCorners corners_of(const geometry::HexMesh& mesh, const geometry::Hex& hex);

/// Static condensation of a symmetric matrix to its first `kept` unknowns, without force on the
/// others, by Gaussian elimination from the last one. The block of the other unknowns must be
/// positive definite.
Eigen::MatrixXd condensed(Eigen::MatrixXd K, Eigen::Index kept);

/// Factors on the stiffness of a cell [1].
struct CachedStiffness {
  /// Torsion about r and s: the shear of r and s that has opposite signs on both sides along t
  /// (torsion.h).
  double twist = 1.0;
  /// Mean shear of r and s, s and t, t and r (bending.h).
  std::array<double, 3> shear = {1.0, 1.0, 1.0};
  NotchParts notch;  ///< strains along r, s and t
};

/// The small-strain stiffness of a hexahedron [N/m], three displacements a corner, with inner
/// unknowns condensed (docs/theory/elastic.md).
///
/// `incompatible`: Taylor, Beresford & Wilson 1976 (QM6): nine quadratic displacements that
/// elements do not share let it bend, with their gradients taken at the centre so that any constant
/// strain is exact. `solid_shell`: transverse shear sampled in the middles of the edges across
/// (Dvorkin & Bathe 1984), thickness strain at the corners of the middle surface (Betsch & Stein
/// 1995), and seven enhanced strains (after Klinkel, Gruttmann & Wagner 2006).
///
/// `kept` holds the factors on parts of the stiffness.
Eigen::MatrixXd hex_stiffness(const HexCorners& corners, const fem::Lame& lame, HexElement element,
                              const CachedStiffness& kept = {});

/// Integrals of the eight trilinear functions [m^3]; not above zero where a corner is folded.
std::array<double, 8> hex_corner_volumes(const HexCorners& corners);

/// The least Jacobian determinant at corners and centre over that at the centre [1]; not above zero
/// if the hexahedron is flat or inside out.
double least_jacobian(const HexCorners& corners);

}  // namespace peal::elastic

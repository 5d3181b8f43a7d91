#pragma once

#include <peal/base/material.h>
#include <peal/geometry/volume/tet_smooth.h>

#include <vector>

namespace peal::vibration {

/// Largest number of unknowns: memory grows to about 2 GB.
inline constexpr double most_unknowns = 250000.0;
/// Unknowns of elements of third order for each tetrahedron: 16 in bulky bodies to 19 in walls.
inline constexpr double unknowns_per_tet = 18.0;
/// Tetrahedra for each triangle of a wall without vertices inside.
inline constexpr double tets_per_triangle = 1.6;

/// The shortest wavelength in a wall [m]: bending of a thin plate (Kirchhoff), (E t^2 / (12 rho (1
/// - nu^2)))^(1/4) sqrt(2 pi / f), but not shorter than surface waves (0.9 of the shear
/// wavelength).
double shortest_wave(const base::Material& material, double thickness, double frequency);

/// How thick a body is behind each triangle of its surface [m].
std::vector<double> thicknesses(const geometry::SurfaceQuery& surface);

/// The wanted edge length at each vertex [m] for `per_wave` elements to the shortest wave. Walls
/// are resolved by the waves in them; bars and stems by 1.5 times their thickness, but no shorter
/// than in a mesh of 150 triangles. A spot that is shorter than its elements does not count:
/// lengths grow at least as fast as the distance from it, so that slivers and wedges do not refine
/// the body.
std::vector<double> edge_lengths(const geometry::TriMesh& mesh,
                                 const std::vector<double>& thickness,
                                 const base::Material& material, double frequency, double per_wave);

/// The expected number of unknowns of elements with these edge lengths, from areas and thicknesses:
/// walls have one layer of tetrahedra, V / (0.1 L^3) fill what is thicker.
double expected_unknowns(const geometry::TriMesh& mesh, const std::vector<double>& thickness,
                         const std::vector<double>& lengths);

}  // namespace peal::vibration

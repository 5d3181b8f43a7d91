#pragma once

#include <peal/base/material.h>
#include <peal/geometry/mesh/shell_mesh.h>

#include <functional>

namespace peal::validation {

using geometry::Vec3;

enum class Triangulation { right, alternating, random };

/// A sheet over (a, b) from 0 to 1 of n x m cells of two triangles each, by a map to space. The
/// vertices inside a random sheet are moved by up to a quarter of a cell.
geometry::TriMesh mapped_sheet(int n, int m, Triangulation kind,
                               const std::function<Vec3(double a, double b)>& map);

/// A sheet y(r) around the y axis: a middle vertex and rings of 6, 12, ... vertices.
geometry::TriMesh round_sheet(int rings, double radius,
                              const std::function<double(double r)>& height);

geometry::ShellMesh uniform_wall(geometry::TriMesh middle, double thickness);

/// A cymbal of bronze, 40 cm wide and 1 mm thick, with a bell and a bow.
geometry::ShellMesh trial_cymbal(int rings);
base::Material trial_bronze();
double cymbal_height(double r);  ///< of its middle [m]

}  // namespace peal::validation

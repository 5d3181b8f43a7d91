#pragma once

#include <peal/geometry/mesh/polygon.h>

#include <numbers>
#include <vector>

// The division of lines into the sides of hexahedra.
namespace peal::geometry {

/// Least turn of a line that counts as a corner and is kept: 20 degrees [rad].
inline constexpr double corner_turn = std::numbers::pi / 9.0;

/// Throws std::invalid_argument if there are more than two million cells, for which one step takes
/// a second.
void require_hex_budget(double count);

/// The number of layers of cells across a body. A thickness of up to six cell lengths gives one
/// layer, which bends and twists correctly (docs/theory/elastic.md); a few layers twist up to 3 %
/// too fast.
int layers_across(double thickness, double edge_length);

double length_of(const std::vector<Vec2>& line);  ///< [m]

/// Positions along a line that divide it between corners into equal segments of about `piece`,
/// corners included [m].
std::vector<double> cut_places(const std::vector<double>& corners, double piece);

}  // namespace peal::geometry

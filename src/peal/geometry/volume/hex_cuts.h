#pragma once

#include <peal/geometry/mesh/polygon.h>

#include <numbers>
#include <vector>

// How lines are cut into the sides of hexahedra.
namespace peal::geometry {

/// A line that bends by more than 20 degrees has a corner, which stays [rad].
inline constexpr double corner_turn = std::numbers::pi / 9.0;

/// Throws std::invalid_argument if there are more than two million, of which a step takes a second.
void require_hex_budget(double count);

/// Layers of cells across a body. Up to six lengths of a cell make one, which bends and twists as
/// it should (docs/theory/elastic.md); a few layers twist up to 3 % too fast.
int layers_across(double thickness, double edge_length);

double length_of(const std::vector<Vec2>& line);  ///< [m]

/// Cuts between corners into equal pieces of about `piece`, corners included; all along one line
/// [m].
std::vector<double> cut_places(const std::vector<double>& corners, double piece);

}  // namespace peal::geometry

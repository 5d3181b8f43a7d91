#pragma once

#include <peal/geometry/polygon.h>

#include <vector>

// How lines are cut into the sides of hexahedra.
namespace peal::geometry {

/// Cosine of 20 degrees: a line that bends more has a corner, which stays.
inline constexpr double corner_cosine = 0.93969262;

/// Throws std::invalid_argument if there are more than two million, of which a step takes a second.
void require_hex_budget(double count);

double length_of(const std::vector<Vec2>& line);  ///< [m]

/// Cuts between corners into equal pieces of about `piece`, corners included; all along one line
/// [m].
std::vector<double> cut_places(const std::vector<double>& corners, double piece);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace peal::geometry {

using Vec2 = Eigen::Vector2d;
/// Corners in order, the last joined to the first.
using Polygon = std::vector<Vec2>;

/// Sign of twice the area of a triangle: +1 if a, b, c turn counter-clockwise, 0 if in line.
/// Evaluated with more digits where double precision cannot tell.
int orientation(const Vec2& a, const Vec2& b, const Vec2& c);

/// From one direction to another, counter-clockwise [rad].
double turn_between(const Vec2& before, const Vec2& after);

double signed_area(const Polygon& polygon);  ///< positive if counter-clockwise [m^2]

/// A point on the outline may be reported either way.
bool contains(const Polygon& polygon, const Vec2& p);

/// A place where two sides (of one polygon or of two) cross or touch, other than the corner that
/// neighbouring sides share.
std::optional<Vec2> first_crossing(const std::vector<Polygon>& polygons);

/// Triangles over the corners of a counter-clockwise outline with clockwise holes in it, counted
/// through: outline first, then the holes. Ear clipping after each hole has been joined to the
/// outline by a bridge. Outline and holes must neither cross nor touch.
/// Throws std::invalid_argument if the polygons are not of that kind.
std::vector<std::array<std::uint32_t, 3>> ear_clipping(const Polygon& outline,
                                                       const std::vector<Polygon>& holes);

}  // namespace peal::geometry

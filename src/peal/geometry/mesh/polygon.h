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

/// Sign of twice the area of a triangle: +1 if a, b, c turn counter-clockwise, 0 if they are
/// collinear. It is evaluated with more digits where double precision is insufficient.
int orientation(const Vec2& a, const Vec2& b, const Vec2& c);

/// The angle from one direction to another, counter-clockwise [rad].
double turn_between(const Vec2& before, const Vec2& after);

double signed_area(const Polygon& polygon);  ///< positive if counter-clockwise [m^2]

/// Whether a point lies in a polygon; either result is possible on the outline.
bool contains(const Polygon& polygon, const Vec2& p);

/// A point where two sides (of one polygon or of two) cross or touch, other than the corner that
/// neighbouring sides share.
std::optional<Vec2> first_crossing(const std::vector<Polygon>& polygons);

/// Triangulates a counter-clockwise outline with clockwise holes. Corners are numbered
/// consecutively: outline first, then the holes. Each hole is joined to the outline by a bridge
/// before ear clipping. Outline and holes must neither cross nor touch. Throws
/// std::invalid_argument for other polygons.
std::vector<std::array<std::uint32_t, 3>> ear_clipping(const Polygon& outline,
                                                       const std::vector<Polygon>& holes);

}  // namespace peal::geometry

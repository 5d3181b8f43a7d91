#pragma once

#include <string>

namespace peal::geometry {

/// Throws std::invalid_argument unless the value is finite and positive.
/// `what` begins the sentence: "the radius of a sphere".
void require_positive(double value, const std::string& what);

/// Throws std::invalid_argument if a shape would have more than 20 million triangles, and suggests
/// a suitable edge length.
void require_triangle_budget(double triangles, double edge_length);

/// The number of equal segments no longer than `edge_length`, at least one.
int pieces(double length, double edge_length);

/// The length as text: "0.25 m".
std::string in_metres(double length);

}  // namespace peal::geometry

#pragma once

#include <string>

namespace peal::geometry {

/// Throws std::invalid_argument unless the value is finite and positive.
/// `what` begins the sentence: "the radius of a sphere".
void require_positive(double value, const std::string& what);

/// Throws std::invalid_argument if a shape would have more than 20 million triangles, and names
/// an edge length that would do.
void require_triangle_budget(double triangles, double edge_length);

/// Number of equal pieces no longer than `edge_length`, at least one.
int pieces(double length, double edge_length);

/// "0.25 m"
std::string in_metres(double length);

}  // namespace peal::geometry

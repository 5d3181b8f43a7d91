#pragma once

#include <peal/geometry/volume/tet_check.h>
#include <peal/geometry/volume/tet_surface.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace peal::geometry {

/// A solid divided into tetrahedra, and the surface that was remeshed for them.
struct TetFilling {
  TetMesh mesh;
  FittedSurface surface;
  std::string problem;  ///< why it cannot be filled; empty if it is
};

/// What filled() may do.
struct FillLimits {
  std::size_t most_triangles = 2'000'000;  ///< of the remeshed surface; more are not filled
  Replacement replacement;                 ///< of a surface that cannot be filled
  bool may_replace = true;                 ///< if not, the result says why it cannot be filled
};

/// Remeshes the surface and fills it with tetrahedra; `edge_lengths` returns the wanted edge
/// lengths at the vertices of a surface [m]. Where coarse facets cross each other, as in thin
/// walls, finer ones are tried there, then everywhere, and then a replacement of the given surface,
/// which a notice reports. Returns nullopt if there would be too many triangles. Throws
/// util::InputError if all of this fails, or takes too long.
std::optional<TetFilling> filled(
    SmoothSurface& smooth,
    const std::function<std::vector<double>(const SmoothSurface&)>& edge_lengths,
    const FillLimits& limits, const std::string& file, std::vector<std::string>& notices);

struct SolidTets {
  TetMesh mesh;
  double bounded = 0.0;  ///< volume within the repaired surface: closed, facing outward [m^3]
  double round = 0.0;    ///< volume of the smooth surface that it represents (SmoothSurface) [m^3]
};

/// Divides the solid that a surface bounds into tetrahedra with edges of about `edge_length` [m].
/// On average, their flat facets lie on the smooth surface. Throws util::InputError with the reason
/// if it does not bound a solid.
SolidTets tets_of(const TriMesh& surface, double edge_length, const std::string& file,
                  std::vector<std::string>& notices);

}  // namespace peal::geometry

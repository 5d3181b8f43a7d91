#pragma once

#include <peal/geometry/volume/tet_surface.h>

#include <functional>
#include <string>
#include <vector>

namespace peal::geometry {

/// A solid divided into tetrahedra, and the surface that was remeshed for them.
struct TetFilling {
  TetMesh mesh;
  FittedSurface surface;
};

/// Remeshes the surface and fills it with tetrahedra; `edge_lengths` returns the wanted edge
/// lengths at the vertices of a surface [m]. Where thin walls make coarse facets cross, finer
/// facets are tried, and then a replacement of the given surface, which a notice reports. Throws
/// util::InputError if all of this fails.
TetFilling filled(SmoothSurface& smooth,
                  const std::function<std::vector<double>(const SmoothSurface&)>& edge_lengths,
                  const std::string& file, std::vector<std::string>& notices);

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

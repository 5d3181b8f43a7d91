#pragma once

#include <peal/geometry/volume/tet_surface.h>

#include <functional>
#include <string>
#include <vector>

namespace peal::geometry {

/// A solid cut into tetrahedra, and the surface that was refitted for them.
struct TetFilling {
  TetMesh mesh;
  FittedSurface surface;
};

/// Tetrahedra in the refitted surface; `edge_lengths` says how long edges should be at the vertices
/// of a surface [m]. Where thin walls make coarse facets cross, finer ones are tried; then another
/// surface in place of the given one, which a notice tells. Throws util::InputError if nothing
/// helps.
TetFilling filled(SmoothSurface& smooth,
                  const std::function<std::vector<double>(const SmoothSurface&)>& edge_lengths,
                  const std::string& file, std::vector<std::string>& notices);

struct SolidTets {
  TetMesh mesh;
  double bounded = 0.0;  ///< volume within the surface as mended: closed, facing outward [m^3]
  double round = 0.0;    ///< volume of what that surface stands for (SmoothSurface) [m^3]
};

/// The solid that a surface bounds, with edges of about `edge_length` [m]. Its flat facets lie on
/// the round surface in the mean. Throws util::InputError
/// that says what is wrong if it bounds none.
SolidTets tets_of(const TriMesh& surface, double edge_length, const std::string& file,
                  std::vector<std::string>& notices);

}  // namespace peal::geometry

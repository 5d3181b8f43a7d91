#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::geometry {

/// A surface as the boundary of one solid.
struct CheckedSolid {
  TriMesh mesh;  ///< welded, closed, facing outward, cavities facing inward
  /// The broken surface in whose place `mesh` was made, facing outward; else empty.
  TriMesh broken;

  /// Whether neighbouring triangles cross, as in noisy scans: simplifying removes that.
  bool crosses_by_noise = false;

  bool is_replaced() const { return !broken.empty(); }
};

/// Resolution of a surface that replaces a broken one.
struct Replacement {
  /// Longest sides of the lattice, in walls (thin_wall() of 5 % of the area); 0: a 25th of the
  /// size of the body.
  double sides_per_wall = 0.0;
};

/// Returns the surface as the boundary of one solid. Repairs are reported in `notices`: small holes
/// are closed; a surface with crossing or branching faces or large holes is replaced by a closed
/// one; small parts that do not touch the largest one are left out. Throws util::InputError with
/// the reason if it does not bound a solid: an open sheet, several bodies, no volume.
CheckedSolid checked_solid(const TriMesh& surface, const Replacement& replacement,
                           const std::string& file, std::vector<std::string>& notices);

/// The solid with a new surface in place of one with the defect `fault`; parts are treated as by
/// checked_solid(). Throws util::InputError if there is none.
CheckedSolid replaced_solid(TriMesh broken, const std::string& fault,
                            const Replacement& replacement, const std::string& file,
                            std::vector<std::string>& notices);

/// Throws the util::InputError of checked_solid() if a surface is certainly not that of a solid,
/// without the work of repairing it.
void refuse_hopeless(const TriMesh& surface, const std::string& file);

/// Returns a closed surface that replaces one with the defect `fault`
/// (geometry/repair/resurface.h); a notice says what was assumed. Throws util::InputError if that
/// is impossible.
TriMesh replaced_surface(const TriMesh& surface, const std::string& fault,
                         const Replacement& replacement, const std::string& file,
                         std::vector<std::string>& notices);

}  // namespace peal::geometry

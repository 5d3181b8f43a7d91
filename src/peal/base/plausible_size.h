#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <vector>

namespace peal::base {

/// Whether a body that someone picks up, strikes or walks around would have this size. Files
/// without units are often in millimetres, centimetres or inches.
struct SizeCheck {
  double extent = 0.0;          ///< longest side of the bounding box [m]
  double mass = 0.0;            ///< [kg]; 0 if it is unknown
  std::vector<double> factors;  ///< scales that would make the size plausible; empty if it is
  bool is_plausible = true;
  bool is_extreme = false;  ///< over 20 m or 20 t, or below 1 mm or 1 mg
  /// Whether the size is certainly wrong: extreme, while another scale would make it plausible.
  bool is_wrong = false;

  /// "1,353,000 kg and 92 m long", with the mass if it is known.
  std::string describe() const;
  /// "is the mesh in millimetres?"
  std::string question() const;
};

/// Checks a surface as the boundary of a solid of `density` [kg/m^3]; 0: the density is unknown.
/// A size is plausible if the longest side is 5 mm to 3 m and the mass 1 g to 300 kg.
SizeCheck check_size(const geometry::TriMesh& surface, double density);

}  // namespace peal::base

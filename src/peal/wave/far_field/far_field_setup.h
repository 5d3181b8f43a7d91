#pragma once

#include <peal/base/medium.h>
#include <peal/base/time.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/grid/grid.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace peal::wave {

/// An infinite rigid plane, such as a floor.
struct Plane {
  Vec3 point = Vec3::Zero();    ///< any point of the plane [m]
  Vec3 normal = Vec3::UnitY();  ///< unit vector

  double height(const Vec3& x) const { return normal.dot(x - point); }  ///< in front [m]
  Vec3 mirrored(const Vec3& x) const { return x - 2.0 * height(x) * normal; }
};

/// Where a wave field is recorded, and how it is propagated to receivers outside of the grid.
struct FarFieldSetup {
  Grid grid;
  /// The cells low <= c < high inside the Kirchhoff surface. The surface encloses all bodies with 2
  /// or 3 cells of air around them; each further cell adds numerical dispersion. Two cells beyond
  /// it are still outside of the PML.
  Cell low = {0, 0, 0}, high = {0, 0, 0};
  base::Medium medium;
  base::Rate rate;              ///< of the solver
  std::int64_t first_step = 0;  ///< time index, at `rate`, of the first field; silence before it

  /// Mutually perpendicular planes that the Kirchhoff surface stands on. Receivers also get the
  /// sound of its mirror images in them. Behind a plane there is silence.
  std::vector<Plane> mirrors;
  double last_time = 0.0;  ///< end of the interval in which receivers may be behind a plane [s]
  /// The open fraction, 0 to 1, of a face of the Kirchhoff surface, by the inner cell and the face
  /// (low x, high x, low y, ...). If empty, all faces are fully open.
  std::function<double(const Cell& inside, int face)> open_area;
  /// Whether a cell contains air at present; called at every step. If empty, all cells do.
  std::function<bool(const Cell&)> is_air;

  base::WaveSettings::FarField far_field = base::WaveSettings::FarField::kirchhoff;
  int expansion_terms = 2;  ///< K of Wang et al. 2018, equation (18)
  /// The radial expansion is fitted on the ray between this distance from the centre of the
  /// Kirchhoff surface and the surface [m]. 0 means halfway.
  double expansion_from = 0.0;

  double samples_per_metre() const { return static_cast<double>(rate.hz) / medium.speed_of_sound; }
  bool has_air(const Cell& c) const { return grid.contains(c) && (!is_air || is_air(c)); }
};

}  // namespace peal::wave

#pragma once

#include <peal/base/medium.h>
#include <peal/base/time.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/grid/grid.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace peal::wave {

/// A rigid plane without end, such as a floor.
struct Plane {
  Vec3 point = Vec3::Zero();    ///< any point of it [m]
  Vec3 normal = Vec3::UnitY();  ///< unit vector

  double height(const Vec3& x) const { return normal.dot(x - point); }  ///< in front of it [m]
  Vec3 mirrored(const Vec3& x) const { return x - 2.0 * height(x) * normal; }
};

/// Where a wave field is listened to, and how it is carried on to receivers outside of the grid.
struct FarFieldSetup {
  Grid grid;
  /// Cells low <= c < high fill the Kirchhoff surface. It encloses all bodies with 2 or 3 cells of
  /// air around them: each cell further out adds dispersion of the grid. Two cells beyond it are
  /// still outside of the absorbing layer.
  Cell low = {0, 0, 0}, high = {0, 0, 0};
  base::Medium medium;
  base::Rate rate;              ///< of the solver
  std::int64_t first_step = 0;  ///< time index, at `rate`, of the first field; silence before it

  /// Planes that the box stands on, each at a right angle to the others: receivers also hear the
  /// box by way of their mirror images. Behind a plane there is silence.
  std::vector<Plane> mirrors;
  double last_time = 0.0;  ///< of interest [s]: until then receivers are looked for behind mirrors
  /// Part, 0 to 1, of a face of the box that lies in the air, for the inner cell and the face (low
  /// x, high x, low y, ...). Empty: all of every face.
  std::function<double(const Cell& inside, int face)> open_area;
  /// Whether a cell holds air now; asked at every step. Empty: all do.
  std::function<bool(const Cell&)> is_air;

  base::WaveSettings::FarField far_field = base::WaveSettings::FarField::kirchhoff;
  int expansion_terms = 2;  ///< K of Wang et al. 2018, equation (18)
  /// The expansion fits what it finds on the ray between this distance from the box' centre and the
  /// box' surface [m]. 0: half way.
  double expansion_from = 0.0;

  double samples_per_metre() const { return static_cast<double>(rate.hz) / medium.speed_of_sound; }
  bool has_air(const Cell& c) const { return grid.contains(c) && (!is_air || is_air(c)); }
};

}  // namespace peal::wave

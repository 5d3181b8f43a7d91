#pragma once

#include <peal/base/modes.h>
#include <peal/geometry/mesh/vector.h>

#include <Eigen/Core>
#include <vector>

namespace peal::base {

/// The compliance of a body at a contact, beyond its rigid motion and Hertz's local indentation
/// (docs/theory/contact.md): by its modes, by those that are not known because they lie above the
/// highest computed frequency, and, if it is held as a plate, by the waves that leave through it.
class ContactCompliance {
 public:
  virtual ~ContactCompliance() = default;

  /// The known modes, ascending in frequency; the same for all points.
  virtual const std::vector<Mode>& modes() const = 0;

  /// Cut-off frequency w_c of the modes [rad/s]; 0 if none are left out.
  virtual double cut() const = 0;

  /// The compliance of the body at one point, in its frame.
  struct Point {
    /// Shapes of the modes: x, y, z, a column a mode [kg^-1/2].
    Eigen::Matrix3Xf gains;
    /// Density of the squared shapes over the angular frequency at the cut: a force along n meets
    /// G = n . unknown n of the modes above it [s/kg].
    geometry::Mat3 unknown = geometry::Mat3::Zero();
    /// Velocity for a force, of waves that leave and do not return [m/(N s)].
    geometry::Mat3 mobility = geometry::Mat3::Zero();
  };
  /// `point`: body's frame [m].
  virtual Point at(const geometry::Vec3& point) const = 0;
};

/// G at a point: the sum of shape shape^T over the modes above half of the cut, over that half.
/// Bending modes of plates have a constant density, which therefore continues above the cut
/// (Skudrzyk 1980's mean value).
geometry::Mat3 unknown_modes(const std::vector<Mode>& modes, const Eigen::Matrix3Xf& gains,
                             double cut);

/// Point mobility of an endless plate across its `normal`, 1 / (8 sqrt(D m'')) with D = E h^3 /
/// (12 (1 - nu^2)) and m'' = density h (Cremer, Heckl & Petersson 2005) [m/(N s)].
geometry::Mat3 plate_mobility(const geometry::Vec3& normal, double thickness, double young_modulus,
                              double poisson_ratio, double density);

}  // namespace peal::base

#pragma once

#include <peal/base/medium.h>
#include <peal/base/spherical_waves.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/util/archive.h>

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace peal::base {

/// Precomputed radiation of a body (docs/theory/precomputed.md): outgoing waves about a point,
///
///   p(x, w) = sum over l, m of g_lm(w) Y_lm(direction) h_l(kr) / h_l(kR),
///
/// with the coefficients g_lm of the pressure on the ball of radius R around the body, real
/// spherical harmonics (spherical_waves.h) and time factor e^(+iwt). Exact outside of the ball.
using RadiationCoefficient = std::complex<float>;

/// The radiation of a rigid body: coefficients [Pa s^2/m, Pa s^2] for unit linear acceleration
/// along x, y, z and unit angular acceleration about them, with axes through `centre`.
struct RigidRadiation {
  static constexpr int motions = 6;

  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< body frame [m]
  double radius = 0.0;                             ///< R [m]
  Medium medium;
  double spacing = 0.0;        ///< of frequencies; frequency b is b times it [Hz]
  double max_frequency = 0.0;  ///< the coefficients above are for interpolation only [Hz]
  /// Amplitude on the ball when the runs were faded out, relative to the largest one: what rings
  /// longer is lost.
  double rest = 0.0;
  std::vector<std::int32_t> orders;  ///< L of each frequency
  /// Frequency by frequency, in each motion by motion, in each the harmonics up to its order.
  std::vector<RadiationCoefficient> values;

  std::size_t frequencies() const { return orders.size(); }
  int max_order() const;
  /// The coefficients are samples of the spectra of signals of this length [s], of which `lead`
  /// lies before 0: a response begins at 0, but rings before that because its band ends.
  double duration() const { return 1.0 / spacing; }
  static constexpr double lead = 0.2;
  /// Index of the first coefficient of a frequency.
  std::vector<std::size_t> offsets() const;
  std::span<const RadiationCoefficient> at(std::size_t offset, std::size_t frequency,
                                           int motion) const;

  /// The radiation of a body of the same shape with another ball, in another medium: fields of
  /// bodies of one shape are alike at equal kR.
  RigidRadiation scaled_to(const geometry::Vec3& new_centre, double new_radius,
                           const Medium& new_medium) const;

  /// The radiation of the body in a frame in which its present x, y and z axes are the columns of
  /// `axes`, a rotation about the centre.
  RigidRadiation turned(const geometry::Mat3& axes) const;

  /// Rounds coefficients to a thousandth of the largest of their frequency at 1.2 R, so that a
  /// table is the same before and after it was stored.
  void compact();
};

/// The radiation of one mode of vibration [Pa s^2/(m kg^1/2)], for unit q'' at its frequency.
struct ModeRadiation {
  double frequency = 0.0;  ///< [Hz]
  std::int32_t order = 0;
  std::vector<RadiationCoefficient> values;  ///< the harmonics up to `order`
};

/// The radiation of all modes of a body.
struct ModalRadiation {
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< body frame [m]
  double radius = 0.0;                             ///< R [m]
  Medium medium;
  std::vector<ModeRadiation> modes;

  void compact();  ///< as that of RigidRadiation
};

/// The power that a mode radiates when q'' has an amplitude of 1 [W / (m kg^1/2 / s^2)^2].
double radiated_power(const ModeRadiation& mode, double radius, const Medium& medium);

/// Writes or reads tables; compact ones without loss.
void serialize(util::Archive& archive, RigidRadiation& table);
void serialize(util::Archive& archive, ModalRadiation& table);

/// Bytes of a table in a file.
std::size_t stored_bytes(const RigidRadiation& table);
std::size_t stored_bytes(const ModalRadiation& table);

/// The lowest order of expansion that is used, and the order that waves of wavenumber k need.
inline constexpr int least_order = 6;
int radiation_order(double k, double radius);

}  // namespace peal::base

#pragma once

#include <peal/radiation/multipole_fields.h>

#include <Eigen/Core>
#include <vector>

namespace peal::validation {

/// Precomputed acceleration noise as Chadwick et al. 2012 represent it, as a reference.

/// The cubic filter of Mitchell & Netravali 1988, equation 17: 1 / 18 of polynomials of y = 1 - |t|
/// / h on two intervals; its copies at multiples of h add up to 1.
double mitchell_netravali(double time, double h);

struct PaperSettings {
  int polar = 5, around = 10;  ///< directions: 5 x 10 or 40 x 80
  double h = 0.0;              ///< time scale of pulses [s]
  double length = 0.0;         ///< T of a response [s]
  double rate = 0.0;           ///< of the signals q_k [Hz]
};

/// Two terms of a radial series (equation 20) for each of a lattice of directions, fitted to the
/// pressure of a pulse at five radii from 2 R to 4 R by truncated singular values (equations 20 to
/// 25). Angles are linear in between; the first and last polar angle are the poles.
class PaperTable {
 public:
  static constexpr int terms = 2, radii = 5;

  /// From the field of a rigid body at radius R of its ball in one motion. `field` must have blocks
  /// of one sample rate, `settings.rate`, longer than the response.
  PaperTable(const radiation::RigidField& field, double radius, double speed_of_sound, int motion,
             const PaperSettings& settings);

  /// The pressure of one pulse at a distance r in a direction, at a time after the first that sound
  /// from the centre may arrive at [s].
  double pulse(const radiation::Vec3& direction, double r, double time) const;

  /// Bytes of the tables of all six motions, in single precision.
  static double bytes(const PaperSettings& settings);

 private:
  PaperSettings settings_;
  double radius_;
  int samples_ = 0;
  Eigen::MatrixXd values_;  ///< q of all terms, scaled by R^k; a column a direction
};

}  // namespace peal::validation

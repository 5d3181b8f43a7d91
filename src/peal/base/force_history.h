#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/util/fingerprint.h>

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <vector>

namespace peal::base {

/// Forces of impacts are kept as means over at least this time, a quarter of a sample at 48 kHz
/// [s].
inline constexpr double shortest_force_step = 1.0 / 192000.0;

/// A contact force in the course of one impact: constant over each of equal steps, zero before the
/// first and after the last. Its three directions are those of the frame that its owner names.
struct ForceHistory {
  double start = 0.0;                    ///< [s]
  double step = 0.0;                     ///< [s], above zero
  std::vector<Eigen::Vector3f> samples;  ///< [N]

  bool empty() const { return samples.empty(); }
  double end() const { return start + step * static_cast<double>(samples.size()); }  ///< [s]
  double duration() const { return step * static_cast<double>(samples.size()); }     ///< [s]
  geometry::Vec3 impulse() const;  ///< the integral over time [N s]
  double peak() const;             ///< the largest magnitude [N]
  unsigned hits() const;           ///< how often it begins to act
  /// The mean from `t0` to `t1` [s] by the exact integral: means over steps of any length add up to
  /// the same impulse [N].
  geometry::Vec3 mean(double t0, double t1) const;

  /// The same force in a frame in which a vector v of this one is `rotation` v, times `scale`.
  ForceHistory rotated(const geometry::Quat& rotation, double scale = 1.0) const;
  /// The same force as means over steps of at least `longest` [s], whole multiples of its own.
  ForceHistory coarser(double longest) const;
  /// Without the zeros before the first and after the last force.
  void trim();

  void hash(util::Fingerprint& fingerprint) const;
};

/// The exact solution of z' = s z + f with a constant f: after a time z is hold z + gain f.
struct ConstantDrive {
  std::complex<double> hold, gain;

  ConstantDrive(std::complex<double> s, double time);
};

}  // namespace peal::base

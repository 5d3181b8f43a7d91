#pragma once

#include <peal/base/time.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/util/fingerprint.h>

#include <complex>
#include <cstdint>
#include <vector>

namespace peal::base {

/// A force on a body while another slides or rolls on it: straight lines between samples, nothing
/// before the first and after the last. Where it acts moves over the body.
struct SustainedForce {
  struct Point {
    geometry::Vec3 at = geometry::Vec3::Zero();          ///< body's frame [m]
    geometry::Vec3 direction = geometry::Vec3::UnitY();  ///< body's frame, unit length
  };
  /// Samples from one point of application to the next; in between the point moves along a straight
  /// line.
  static constexpr std::int64_t point_samples = 48;

  Rate rate;
  std::int64_t begin = 0;      ///< index of samples[0]
  std::vector<float> samples;  ///< [N]
  std::vector<Point> points;   ///< one for every `point_samples`, the last one at or after the end

  std::int64_t end() const { return begin + static_cast<std::int64_t>(samples.size()); }
  double start_time() const { return rate.seconds(begin); }  ///< [s]
  double end_time() const { return rate.seconds(end()); }    ///< [s]

  double at(std::int64_t index) const {  ///< [N]
    return index >= begin && index < end()
               ? static_cast<double>(samples[static_cast<std::size_t>(index - begin)])
               : 0.0;
  }
  /// Mean from `t0` to `t1` [s] by the exact integral: means over steps of any length add up to the
  /// same impulse [N].
  double mean(double t0, double t1) const;
  /// The point of application of a sample, by the number of the one before and the fraction of the
  /// distance to the next.
  struct Between {
    std::size_t point;
    double part;
  };
  Between between(std::int64_t index) const;
  /// The point of application of a sample; `direction` is interpolated and not normalised.
  Point point(std::int64_t index) const;

  /// Adds the samples before `end` [s].
  void hash(double end, util::Fingerprint& fingerprint) const;
};

/// The exact solution of z' = s z + f(t) while f changes linearly from f0 to f1 over `length` [s]:
/// after `time` [s] z is hold z + first f0 + second f1.
struct LinearRampResponse {
  std::complex<double> hold, first, second;

  LinearRampResponse() = default;
  LinearRampResponse(std::complex<double> s, double length, double time);
};

}  // namespace peal::base

#pragma once

#include <peal/base/time.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/util/fingerprint.h>

#include <complex>
#include <cstdint>
#include <vector>

namespace peal::base {

/// A force on a body while another slides or rolls on it. It is linear between samples, and zero
/// before the first and after the last. Its point of application moves over the body.
struct SustainedForce {
  struct Point {
    geometry::Vec3 at = geometry::Vec3::Zero();          ///< body's frame [m]
    geometry::Vec3 direction = geometry::Vec3::UnitY();  ///< body's frame, unit length
  };
  /// Samples from one contact point to the next; points between them are interpolated linearly.
  static constexpr std::int64_t point_samples = 48;

  Rate rate;
  std::int64_t begin = 0;      ///< index of samples[0]
  std::vector<float> samples;  ///< [N]
  std::vector<Point> points;   ///< one per `point_samples`, the last one at or after the end

  std::int64_t end() const { return begin + static_cast<std::int64_t>(samples.size()); }
  double start_time() const { return rate.seconds(begin); }  ///< [s]
  double end_time() const { return rate.seconds(end()); }    ///< [s]

  double at(std::int64_t index) const {  ///< [N]
    return index >= begin && index < end()
               ? static_cast<double>(samples[static_cast<std::size_t>(index - begin)])
               : 0.0;
  }
  /// Mean force from `t0` to `t1` [s] [N] by the exact integral, so that means over steps of any
  /// length add up to the same impulse.
  double mean(double t0, double t1) const;
  /// Position between two contact points: the index of the first, and the fraction of the interval
  /// to the next.
  struct Between {
    std::size_t point;
    double part;
  };
  Between between(std::int64_t index) const;
  /// The contact point at a sample. Linear interpolation does not keep the length of `direction` at
  /// 1.
  Point point(std::int64_t index) const;

  /// Adds the samples before `end` [s] and their contact points.
  void hash(double end, util::Fingerprint& fingerprint) const;
};

/// The exact response of z' = s z + f(t) to f that changes linearly from f0 to f1 over `length`
/// [s]: after `time` [s], z becomes hold z + first f0 + second f1.
struct LinearRampResponse {
  std::complex<double> hold, first, second;

  LinearRampResponse() = default;
  LinearRampResponse(std::complex<double> s, double length, double time);
};

}  // namespace peal::base

#pragma once

#include <peal/base/signal.h>
#include <peal/geometry/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace peal::base {

using geometry::Vec3;

/// A place on a body's surface where the air asks how it accelerates.
struct SurfacePoint {
  std::uint32_t triangle = 0;
  Vec3 barycentric = Vec3::Constant(1.0 / 3.0);
  Vec3 position = Vec3::Zero();  ///< body frame [m]
  Vec3 normal = Vec3::UnitY();   ///< body frame, unit length, out of the solid
};

/// What a surface shader does at a few places, from instant to instant.
class BoundShader {
 public:
  virtual ~BoundShader() = default;

  /// Adds a_n [m/s^2], outward positive, at each place. Cheapest if instants come in order.
  virtual void add_acceleration(SampleTime time, std::span<float> acceleration) = 0;
};

/// What all vertices of a body's mesh do, for shaders whose a_n is the triangle's normal times the
/// acceleration that lies straight between its vertices: a radiator may then work with vertices,
/// which are fewer than the places between them.
class VertexAccelerations {
 public:
  virtual ~VertexAccelerations() = default;

  /// The one at which it is read. What is lower than `least_band` of it is told rightly, or more if
  /// more is to be heard; beyond that it may hold anything.
  virtual Rate rate() const = 0;
  static constexpr double least_band = 0.25;
  /// `count` instants from `first` on, in the body's frame [m/s^2]: coordinate k of vertex v at
  /// out[(3 v + k) stride], one instant after the other.
  virtual void read(std::int64_t first, std::size_t count, float* out,
                    std::size_t stride) const = 0;
};

/// Sound made by a surface: its normal acceleration a_n, which drives the air by
/// dp/dn = -rho a_n (Wang et al. 2018, equation 2). Several shaders on one body add (equation 14).
class SurfaceShader {
 public:
  virtual ~SurfaceShader() = default;

  /// Adds a_n [m/s^2], outward positive, at each point at one instant.
  virtual void add_acceleration(SampleTime time, std::span<const SurfacePoint> points,
                                std::span<float> acceleration) const = 0;

  /// The shader at these places, which must outlive it: for solvers that ask again and again at the
  /// same ones, so that what depends on the place alone is worked out once.
  virtual std::unique_ptr<BoundShader> bound_to(std::span<const SurfacePoint> points) const;

  /// The same by vertices; null if it is not made that way.
  virtual const VertexAccelerations* vertices() const { return nullptr; }

  /// Stretches of `range`, ascending and apart, outside of which the acceleration is zero
  /// everywhere: so that silent times can be skipped.
  virtual std::vector<SampleRange> sounding(Rate, SampleRange range) const { return {range}; }
};

/// Sound made by a point: a small pulsating body of mass flux rate q'(t) [kg/s^2].
/// Its strength is s(t) = q'(t) / (4 pi): the pressure [Pa] it makes at rest at a distance of 1 m.
class PointShader {
 public:
  virtual ~PointShader() = default;

  /// Strength [Pa m] over `range`; the signal may be shorter where the source is silent.
  virtual Signal strength(Rate rate, SampleRange range) const = 0;
};

}  // namespace peal::base

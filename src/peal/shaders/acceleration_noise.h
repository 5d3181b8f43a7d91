#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/base/contact.h>
#include <peal/base/medium.h>
#include <peal/geometry/mass_properties.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace peal::shaders {

/// What contact forces do to a rigid body: Chadwick et al. 2012, equations 11 and 12, in its frame.
class RigidAcceleration {
 public:
  RigidAcceleration(const geometry::MassProperties& mass, std::vector<base::ContactForce> forces,
                    base::PulseProfile profile, std::vector<base::LastingForce> lasting = {});

  /// Mean over the time of one sample.
  struct Value {
    base::Vec3 linear = base::Vec3::Zero();   ///< of the centre of mass [m/s^2]
    base::Vec3 angular = base::Vec3::Zero();  ///< [rad/s^2]
  };
  Value at(base::SampleTime time) const;

  /// Stretches of `range` in which some force acts, ascending and apart, each from `before` it to
  /// `after` it [s].
  std::vector<base::SampleRange> acting(base::Rate rate, base::SampleRange range,
                                        double before = 0.0, double after = 0.0) const;

  /// What is heard of it along one axis: A = linear . a + angular . alpha [m/s^2].
  struct Share {
    base::Vec3 linear;   ///< the axis
    base::Vec3 angular;  ///< [m]
    double of(const Value& value) const {
      return linear.dot(value.linear) + angular.dot(value.angular);
    }
  };

  /// What blows have left of A at time t [s]: the integral of response(t - u) A(u) for a response
  /// that is over after `length` [s].
  double filtered(double t, const Share& share, const std::function<double(double)>& response,
                  double length) const;

  /// Forces that last, which `filtered` leaves out: A by them at the sample of their rate [m/s^2].
  bool has_lasting() const { return !lasting_.empty(); }
  base::Rate lasting_rate() const { return lasting_.front().rate; }
  double lasting_acceleration(std::int64_t index, const Share& share) const;

  const base::Vec3& centre() const { return centre_; }  ///< of mass [m]

 private:
  struct Part {
    base::ForcePulse pulse;
    Value per_force;  ///< acceleration for 1 N
  };

  Value per_force(const base::Vec3& at, const base::Vec3& direction) const;

  base::Vec3 centre_;
  double mass_;                     ///< [kg]
  geometry::Mat3 inverse_inertia_;  ///< [1 / (kg m^2)]
  base::PulseProfile profile_;
  std::vector<Part> parts_;                  ///< by start
  double longest_ = 0.0;                     ///< contact time [s]
  std::vector<base::LastingForce> lasting_;  ///< of one rate
};

/// The click of a body that is struck and gives way as a whole (equation 13):
/// a_n(x) = n . (a + alpha x (x - centre)).
class AccelerationNoise : public base::SurfaceShader {
 public:
  explicit AccelerationNoise(std::shared_ptr<const RigidAcceleration> motion)
      : motion_(std::move(motion)) {}

  void add_acceleration(base::SampleTime time, std::span<const base::SurfacePoint> points,
                        std::span<float> acceleration) const override;
  std::vector<base::SampleRange> sounding(base::Rate rate, base::SampleRange range) const override;

 private:
  std::shared_ptr<const RigidAcceleration> motion_;
};

/// The same heard without waves: along each principal axis of the dipole that the body is
/// (docs/theory/contact.md) it sounds as the rigid sphere that is as strong a one, of radius a with
/// 1.5 times its volume that of the body and the air it carries, and that accelerates by A (Koss &
/// Alfredson 1973), of moment G:
///
///   G'' + 2 (c/a) G' + 2 (c/a)^2 G = rho c^2 a A,
///   p = cos(theta) [G'(s) / (c r) + G(s) / r^2],   s = t - (r - a) / c
///
/// Exact for spheres alone in the air, and for any body where waves are long against it. One of two
/// opposite points on each axis makes it:
class DipoleEnd : public base::PointShader {
 public:
  /// Along share.linear at `offset` [m] from the centre of mass, of either sign; the other end is
  /// at -offset. `volume` is that of the body and the air it carries [m^3].
  DipoleEnd(std::shared_ptr<const RigidAcceleration> motion, const RigidAcceleration::Share& share,
            double offset, double volume, const base::Medium& medium);

  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  void add_lasting(base::SampleRange stretch, base::Signal& signal) const;

  std::shared_ptr<const RigidAcceleration> motion_;
  RigidAcceleration::Share share_;
  double offset_;  ///< [m]
  double radius_;  ///< a [m]
  base::Medium medium_;
};

}  // namespace peal::shaders

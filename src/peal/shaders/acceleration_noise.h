#pragma once

#include <peal/base/contact.h>
#include <peal/base/medium.h>
#include <peal/base/radiation_drives.h>
#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace peal::shaders {

/// Acceleration of a rigid body by contact forces, in its frame (Chadwick et al. 2012, equations 11
/// and 12).
class RigidAcceleration {
 public:
  RigidAcceleration(const geometry::MassProperties& mass, std::vector<base::ContactForce> forces,
                    base::PulseProfile profile, std::vector<base::SustainedForce> sustained = {});

  /// Mean acceleration over one sample.
  struct Value {
    base::Vec3 linear = base::Vec3::Zero();   ///< acceleration of the centre of mass [m/s^2]
    base::Vec3 angular = base::Vec3::Zero();  ///< [rad/s^2]
  };
  Value at(base::SampleTime time) const;

  /// Intervals of `range` in which a force acts, in ascending order and disjoint, extended by
  /// `before` and `after` [s].
  std::vector<base::SampleRange> acting(base::Rate rate, base::SampleRange range,
                                        double before = 0.0, double after = 0.0) const;

  /// Audible component of the acceleration along one axis: A = linear . a + angular . alpha
  /// [m/s^2].
  struct Share {
    base::Vec3 linear;   ///< the axis
    base::Vec3 angular;  ///< [m]
    double of(const Value& value) const {
      return linear.dot(value.linear) + angular.dot(value.angular);
    }
  };

  /// What pulses have left of A at time t [s]: the integral of response(t - u) A(u) for a response
  /// that is over after `length` [s]. Impacts that are known in their course are left out: they are
  /// for add_histories().
  double filtered(double t, const Share& share, const std::function<double(double)>& response,
                  double length) const;

  /// Adds what z' = s z + A makes of z by impacts that are known in their course, in closed form:
  /// `values`[i] is z at `times`[i] [s], ascending. z is over `length` [s] after an impact.
  void add_histories(std::complex<double> s, const Share& share, std::span<const double> times,
                     double length, std::span<std::complex<double>> values) const;

  /// Forces that last, which `filtered` leaves out: A by them at the sample of their rate [m/s^2].
  bool has_sustained() const { return !sustained_.empty(); }
  base::Rate sustained_rate() const { return sustained_.front().rate; }
  double sustained_acceleration(std::int64_t index, const Share& share) const;

  /// Adds the forces that act within `range`.
  void hash(base::Rate rate, base::SampleRange range, util::Fingerprint& fingerprint) const;

  const base::Vec3& centre() const { return centre_; }  ///< centre of mass [m]

  /// The impacts, and forces that last as overlapping blocks of them (base::RigidDrive).
  std::vector<base::RigidDrive::Event> events() const;
  void spectra(std::size_t event, double spacing, base::RigidDrive::Spectra& out) const;

 private:
  struct Part {
    base::ForcePulse pulse;
    Value per_force;  ///< acceleration for 1 N
    std::shared_ptr<const base::ForceHistory> history = nullptr;
    base::Vec3 arm = base::Vec3::Zero();  ///< from the centre of mass, for `history` [m]
  };

  Value per_force(const base::Vec3& at, const base::Vec3& direction) const;
  Value of_force(const base::Vec3& arm, const base::Vec3& force) const;
  void impact_spectra(const Part& part, double spacing, base::RigidDrive::Spectra& out) const;
  void block_spectra(const base::SustainedForce& force, std::int64_t first, double spacing,
                     base::RigidDrive::Spectra& out) const;

  base::Vec3 centre_;
  double mass_;                     ///< [kg]
  geometry::Mat3 inverse_inertia_;  ///< [1 / (kg m^2)]
  base::PulseProfile profile_;
  std::vector<Part> parts_;                      ///< in the order of start times
  double longest_ = 0.0;                         ///< longest contact time [s]
  std::vector<base::SustainedForce> sustained_;  ///< all of one rate
};

/// Acceleration noise: the click of a body that an impact accelerates as a whole (equation 13):
/// a_n(x) = n . (a + alpha x (x - centre)).
/// Columns: the linear acceleration [m/s^2] and the angular one [rad/s^2], x, y, z each.
class AccelerationNoise : public base::SurfaceSource, public base::RigidDrive {
 public:
  /// `mesh` is the shape that radiators without surfaces reduce to a dipole.
  explicit AccelerationNoise(std::shared_ptr<const RigidAcceleration> motion,
                             std::shared_ptr<const geometry::TriMesh> mesh = nullptr)
      : motion_(std::move(motion)), mesh_(std::move(mesh)) {}

  Eigen::Index columns() const override { return 6; }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;
  /// Six dipole ends, two on each principal axis.
  std::vector<base::Multipole> multipoles(const base::Medium& medium) const override;

  std::vector<Event> events() const override { return motion_->events(); }
  void spectra(std::size_t index, double spacing, Spectra& out) const override {
    motion_->spectra(index, spacing, out);
  }
  base::Vec3 pivot() const override { return motion_->centre(); }

 private:
  std::shared_ptr<const RigidAcceleration> motion_;
  std::shared_ptr<const geometry::TriMesh> mesh_;
};

/// Acceleration noise for radiators without waves: along each principal axis of its dipole
/// (docs/theory/contact.md) the body sounds like the rigid sphere with a dipole of the same
/// strength, of a radius a such that 1.5 times its volume is that of the body and the air it
/// carries, which accelerates by A (Koss & Alfredson 1973), with moment G:
///
///   G'' + 2 (c/a) G' + 2 (c/a)^2 G = rho c^2 a A,
///   p = cos(theta) [G'(s) / (c r) + G(s) / r^2],   s = t - (r - a) / c
///
/// This is exact for single spheres, and for any body if wavelengths are long compared to it. The
/// dipole is made by two opposite points on each axis, of which this is one.
class DipoleEnd : public base::PointShader {
 public:
  /// Places the end along share.linear at `offset` [m] of either sign from the centre of mass; the
  /// other end is at -offset. `volume` is that of the body and the air it carries [m^3].
  DipoleEnd(std::shared_ptr<const RigidAcceleration> motion, const RigidAcceleration::Share& share,
            double offset, double volume, const base::Medium& medium);

  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  void add_histories(base::SampleRange stretch, double tail, base::Signal& signal) const;
  void add_sustained(base::SampleRange stretch, base::Signal& signal) const;

  std::shared_ptr<const RigidAcceleration> motion_;
  RigidAcceleration::Share share_;
  double offset_;  ///< [m]
  double radius_;  ///< a [m]
  base::Medium medium_;
};

}  // namespace peal::shaders

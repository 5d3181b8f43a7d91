#pragma once

#include <peal/base/force_pulse.h>
#include <peal/base/modes.h>
#include <peal/base/surface_source.h>

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace peal::base {

/// What precomputed radiation asks of a surface source that is rigid motion: the spectra of its
/// accelerations, one event at a time.
class RigidDrive {
 public:
  virtual ~RigidDrive() = default;

  /// An interval in which forces accelerate the body: an impact, or a part of a force that lasts.
  struct Event {
    double begin = 0.0, end = 0.0;  ///< [s]
  };
  virtual std::vector<Event> events() const = 0;

  /// Accelerations: rows are the linear acceleration of `pivot` along x, y, z and the angular
  /// acceleration about them, in the body's frame; a column for each frequency.
  using Spectra = Eigen::Matrix<std::complex<double>, 6, Eigen::Dynamic>;

  /// The spectra of event `index`: integral of a(t) e^(-iw (t - begin)) dt [m/s, rad/s], at whole
  /// multiples of `spacing` [Hz], from 0 on.
  virtual void spectra(std::size_t index, double spacing, Spectra& out) const = 0;

  virtual Vec3 pivot() const = 0;  ///< body frame [m]
};

/// What precomputed radiation asks of a surface source that is modes of vibration.
class ModalDrive {
 public:
  virtual ~ModalDrive() = default;

  virtual const ModalModel& model() const = 0;
  /// q'' of each mode (a row) at the samples of a range, and w q', which is the same a quarter of a
  /// period later while a mode rings [m kg^1/2 / s^2].
  virtual void accelerations(Rate rate, SampleRange range, Coefficients& now,
                             Coefficients& quarter_later) const = 0;
};

/// The drive of a source, which may exist for a time only (base/existence.h); null if it has none.
std::shared_ptr<const RigidDrive> rigid_drive(const std::shared_ptr<const SurfaceSource>& source);
std::shared_ptr<const ModalDrive> modal_drive(const std::shared_ptr<const SurfaceSource>& source);

/// The spectrum of a force pulse of unit impulse and unit duration that begins at 0, at x = f T.
std::complex<double> pulse_spectrum(PulseProfile profile, double x);

}  // namespace peal::base

#pragma once

#include <peal/wave/far_field/kirchhoff_surface.h>
#include <peal/wave/grid/field.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace peal::wave {

/// The spectra of pressure and slope on the faces of a Kirchhoff surface at chosen frequencies,
/// summed while a field is computed: no time series is kept.
class FaceSpectra {
 public:
  /// `frequencies` [Hz]. The surface must outlive this.
  FaceSpectra(const KirchhoffSurface& box, std::vector<double> frequencies);

  /// Adds the field at time t [s], times `weight` (the time from one record to the next).
  void record(const Field<float>& field, double t, double weight);

  /// Fourier integrals, integral of x(t) e^(-iwt) dt, of the slots of the surface at frequency f.
  /// Of what was recorded before the last flush().
  Eigen::VectorXcd pressures(std::size_t f) const;
  Eigen::VectorXcd slopes(std::size_t f) const;
  /// Adds records that are not in the sums yet.
  void flush();
  /// Memory of the sums of a run [bytes].
  static double bytes(const KirchhoffSurface& box, std::size_t frequencies) {
    return 4.0 * static_cast<double>(box.slots()) * static_cast<double>(frequencies) *
           sizeof(float);
  }

 private:
  static constexpr int block = 64;  ///< records that are summed at once

  Eigen::VectorXcd spectrum(std::size_t f, bool slope) const;

  const KirchhoffSurface& box_;
  std::vector<double> frequencies_;
  Eigen::MatrixXf records_;  ///< values of a step, a column a step
  Eigen::MatrixXf phases_;   ///< a row a step: cosines and then sines of all frequencies
  Eigen::MatrixXf sums_;     ///< values x cosines and sines
  int filled_ = 0;
};

}  // namespace peal::wave

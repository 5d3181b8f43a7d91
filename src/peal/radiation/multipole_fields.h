#pragma once

#include <peal/base/radiation_tables.h>
#include <peal/base/time.h>

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace peal::radiation {

using geometry::Vec3;

/// h_l(kr) / h_l(kR) e^(ik(r - R)) at one wavenumber for any r, with everything at R prepared.
class RadialFactors {
 public:
  RadialFactors(int order, double k, double radius);

  int order() const { return static_cast<int>(inverse_.size()) - 1; }
  /// Factors at r [m] for l = 0 .. order().
  void at(double r, std::span<std::complex<double>> out) const;

 private:
  double k_, radius_;
  std::vector<std::complex<double>> inverse_;  ///< e^(-ikR) / h_l(kR)
};

/// The sound of a rigid body at any point, at the frequencies of blocks of some samples.
class RigidField {
 public:
  /// `block` samples at `rate`, an even number; must be longer than the table's response.
  RigidField(const base::RigidRadiation& table, base::Rate rate, std::size_t block);

  std::size_t block() const { return block_; }
  double spacing() const { return spacing_; }  ///< of frequencies [Hz]
  std::size_t bins() const { return factors_.size(); }

  /// Pressure for unit acceleration in each of the six motions, a column a frequency, at a distance
  /// r >= R from the centre in a direction of the body's frame, later by (r - R) / c. Tapered off
  /// below the highest frequency.
  using Response = Eigen::Matrix<std::complex<float>, 6, Eigen::Dynamic>;
  void response(const Vec3& direction, double r, Response& out) const;

 private:
  std::size_t block_;
  double spacing_;
  std::vector<RadialFactors> factors_;  ///< by frequency
  std::vector<float> taper_;            ///< by frequency
  std::vector<Eigen::Index> starts_;    ///< first column of each frequency
  /// Real and then imaginary parts of the coefficients of the six motions, a column a harmonic.
  Eigen::Matrix<float, 12, Eigen::Dynamic> values_;
  int max_order_ = 0;
};

/// The sound of the modes of a body at any point.
class ModalField {
 public:
  explicit ModalField(const base::ModalRadiation& table);

  std::size_t modes() const { return factors_.size(); }
  double highest_wavenumber() const { return highest_; }
  /// The gain of each mode at a distance r >= R in a direction of the body's frame: for q'' = Re Z
  /// the pressure is Re(gain Z) later by r / c.
  void gains(const Vec3& direction, double r, std::span<std::complex<float>> out) const;

 private:
  const base::ModalRadiation& table_;
  std::vector<RadialFactors> factors_;
  std::vector<std::complex<double>> turns_;  ///< e^(ikR)
  double highest_ = 0.0;
  int max_order_ = 0;
};

}  // namespace peal::radiation

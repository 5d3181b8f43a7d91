#pragma once

namespace peal::bubbles {

/// How many bubbles of each radius there are below a jet or a breaking wave (Deane & Stokes 2002):
/// a^(-3/2) up to the Hinze scale of 1 mm, a^(-10/3) above it, from 0.1 mm to 5 mm.
class BubbleSpectrum {
 public:
  BubbleSpectrum();

  static constexpr double smallest = 1e-4, hinze = 1e-3, largest = 5e-3;  ///< [m]

  /// The radius [m] below which a part from 0 to 1 of all bubbles lies.
  double radius(double part) const;
  double mean_volume() const { return mean_volume_; }  ///< [m^3]

 private:
  double small_part_;  ///< part of all bubbles that are below the Hinze scale
  double mean_volume_;
};

}  // namespace peal::bubbles

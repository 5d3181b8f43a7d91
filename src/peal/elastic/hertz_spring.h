#pragma once

namespace peal::elastic {

/// Hertz's force between a ball and the surface of a solid whose elements give way too.
///
/// Under a force F a ball of radius R sinks by (F/k)^(2/3), k = 4/3 E* sqrt(R) (Johnson 1985, eq.
/// 4.23), of which the elements show C F themselves. What is left, d = (F/k)^(2/3) - C F, is the
/// depth of the ball in the surface of the mesh, and both together give way as Hertz says. Where
/// less would be left than the least compliance that steps are made for, because the contact has
/// become as wide as a face, the force grows in a straight line.
class HertzSpring {
 public:
  /// k [N/m^1.5], C and the least compliance [m/N].
  HertzSpring(double k, double mesh_compliance, double least_compliance);

  double force(double depth) const;   ///< [N]
  double energy(double depth) const;  ///< its integral over the depth [J]

 private:
  double depth_at(double force) const;

  double ease_;  ///< k^(-2/3)
  double mesh_, least_;
  double knee_force_, knee_depth_;  ///< from which on it is straight
};

}  // namespace peal::elastic

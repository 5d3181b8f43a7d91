#pragma once

namespace peal::elastic {

/// Hertz's force between a ball and the surface of a solid whose elements are compliant, too.
///
/// Under a force F a ball of radius R sinks in by (F/k)^(2/3), k = 4/3 E* sqrt(R) (Johnson 1985,
/// eq. 4.23). The elements themselves yield by C F of that. The rest, d = (F/k)^(2/3) - C F, is the
/// depth of the ball in the surface of the mesh, so that both together follow Hertz's law. Where
/// the contact becomes as wide as a face, the compliance of this spring would fall below the least
/// one that time steps allow for; from there on the force grows linearly.
class HertzSpring {
 public:
  /// Takes k [N/m^1.5], C and the least compliance [m/N].
  HertzSpring(double k, double mesh_compliance, double least_compliance);

  double force(double depth) const;   ///< [N]
  double energy(double depth) const;  ///< integral of the force over the depth [J]

 private:
  double depth_at(double force) const;

  double ease_;  ///< k^(-2/3)
  double mesh_, least_;
  double knee_force_, knee_depth_;  ///< where the linear part begins
};

}  // namespace peal::elastic

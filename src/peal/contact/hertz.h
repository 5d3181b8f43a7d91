#pragma once

#include <limits>

/// Contact forces of Hertz's theory (Chadwick, Zheng & James 2012, section 3).
namespace peal::contact {

/// One of two bodies at the point where they meet.
struct ContactSide {
  double inverse_mass = 0.0;  ///< 1 / m_i of equation 9 [1/kg]; 0: it does not give way
  double radius = std::numeric_limits<double>::infinity();  ///< r_i [m]; infinite: flat
  double compliance = 0.0;  ///< (1 - nu_i^2) / E_i [1/Pa], fem::contact_compliance(); 0: rigid
};

/// Two elastic bodies that meet: the quantities of equations 7 and 8.
struct HertzContact {
  double radius = 0.0;   ///< r [m]
  double mass = 0.0;     ///< m [kg]
  double modulus = 0.0;  ///< E* [Pa]
  double speed = 0.0;    ///< V, of the approach along the normal [m/s]

  /// Deepest approach (15 m V^2 / (16 sqrt(r) E*))^(2/5) [m].
  double depth() const;
  /// Largest force, 5/4 m V^2 / depth [N].
  double peak_force() const;
  /// Radius of the area that touches at the deepest approach, sqrt(r depth) [m].
  double contact_radius() const;
  /// tau = 2.868 (m^2 / (r E*^2 V))^(1/5) [s]: equation 7, whose 2.87 is rounded.
  double contact_time() const;
};

/// Equation 8. `patch` [m] is the radius of the area in which the two could touch at most: flat
/// faces would be infinitely stiff, so that r is at most that whose contact radius is `patch`. The
/// contact time is then within a third of that of a rigid flat punch, pi sqrt(m / (2 E* patch)).
/// At least one side must have an inverse mass, and the speed must be above zero.
HertzContact hertz_contact(const ContactSide& a, const ContactSide& b, double speed, double patch);

/// r_i of a surface with these principal curvatures [1/m], positive where the solid is convex: the
/// geometric mean of the principal radii, which is the paper's 1 / H on spheres but stays that of
/// the bodies on rims and edges, where a mean of curvatures sees the sharper one only. No real edge
/// is sharper than its `fillet` [m], which keeps r_i from depending on the mesh. Infinite if the
/// surface is flat or hollow in some direction.
double side_radius(double curvature_1, double curvature_2, double fillet);

}  // namespace peal::contact

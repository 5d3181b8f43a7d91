#pragma once

#include <peal/base/contact.h>
#include <peal/base/time.h>
#include <peal/contact/contact_forces.h>
#include <peal/contact/events.h>

#include <cstdint>
#include <span>
#include <vector>

/// Sliding and rolling: the forces of rough surfaces that pass over each other.
namespace peal::contact {

/// Two rough elastic bodies pressed together, one moving over the other.
struct RoughContact {
  double load = 0.0;     ///< N, mean normal force [N]
  double radius = 0.0;   ///< r of equation 8 [m]
  double mass = 0.0;     ///< m of equation 8 [kg]
  double modulus = 0.0;  ///< E* [Pa]

  /// Radius of the area that touches, (3 N r / (4 E*))^(1/3) [m].
  double contact_radius() const;
  /// dN / d(depth) of Hertz's law, 2 a E* [N/m].
  double stiffness() const;
  /// Force that an unevenness of 1 m makes at a frequency f [Hz] where waves on the surface have
  /// the length `wave` [m]: the bodies are masses on the spring of the contact, which swings above
  /// (Thompson & Jones 2000, on wheel and rail), and the area that touches evens out
  /// waves that are shorter, by 1 / (1 + pi/4 (2 pi a / wave)^3) in power [N/m].
  double force_per_height(double f, double wave) const;
};

/// Mean square height of a surface in the third of an octave around a wavelength [m^2].
double third_octave_power(const base::Roughness& roughness, double wave);

/// The forces of all intervals on each body. bodies[i] is body i of the intervals. `rate` is that
/// of audio; the same seed gives the same forces. Modes of `law`, which is that of `bodies`, get at
/// most the power that friction and rolling resistance take; without it nothing is limited.
std::vector<std::vector<base::SustainedForce>> sliding_forces(
    std::span<const ContactInterval> intervals, std::span<const ContactBody> bodies,
    base::Rate rate, std::uint64_t seed, const CompliantImpactLaw* law = nullptr);

}  // namespace peal::contact

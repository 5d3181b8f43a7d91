#pragma once

#include <peal/base/bubble.h>
#include <peal/base/liquid.h>
#include <peal/bubbles/drops.h>
#include <peal/bubbles/read_tracks.h>

#include <span>
#include <vector>

namespace peal::bubbles {

/// A jet of liquid that falls into a pool of the same liquid.
struct Jet {
  Vec3 at = Vec3::Zero();         ///< where it meets the surface [m]
  double flow = 7.5e-5;           ///< of the liquid [m^3/s]
  double diameter = 0.01;         ///< where it leaves [m]
  double height = 0.2;            ///< of the fall [m]
  double start = 0.0, end = 0.0;  ///< [s]
  double air = 1.0;  ///< over the flow of air of the formula; a smooth jet takes a tenth
};

/// How a jet meets the surface and takes air along (Bin 1993):
/// Qa / Qw = 0.04 Fr^0.28 (L / d)^0.4, Fr = v^2 / (g d); depth 2.1 v^0.775 d^0.67 [SI].
struct JetImpact {
  double speed = 0.0;     ///< v [m/s]
  double diameter = 0.0;  ///< d at the surface [m]
  double air_flow = 0.0;  ///< Qa [m^3/s]; 0 below the speed of inception of 1 m/s
  double depth = 0.0;     ///< that bubbles reach [m]
};

JetImpact impact_of(const Jet& jet, const base::Liquid& liquid);

/// Air that is entrained in an area and breaks up into bubbles: below a jet, or where waves break.
struct Plume {
  Vec3 at = Vec3::Zero();  ///< centre of the disc on the surface [m]
  double inner = 0.0;      ///< radii of the ring where bubbles are born [m]
  double outer = 0.0;
  double depth = 0.0;             ///< that bubbles reach [m]
  double speed = 0.0;             ///< at which they are carried down at the surface [m/s]
  double air_flow = 0.0;          ///< [m^3/s]
  double start = 0.0, end = 0.0;  ///< [s]
};

Plume plume_of(const Jet& jet, const base::Liquid& liquid);

/// The births of a plume are a Poisson process, with the radii of BubbleSpectrum. Bubbles are born
/// in the ring, in the upper third of the depth, are carried down more and more slowly, and rise at
/// 0.25 m/s. They are followed for as long as they sound.
base::BubblePopulation make_plume(const Plume& plume, RandomKey key);

/// Bubbles of trapped air, with radii from BubbleSpectrum, where and when they appear.
base::BubblePopulation make_particle_bubbles(std::span<const AirParticle> particles, RandomKey key);

/// Bubbles of an event list, all at one place. The frequency rises as van den Doel 2005 has it,
/// f(t) = f (1 + rise_factor beta t).
base::BubblePopulation make_event_bubbles(std::span<const BubbleEvent> events, const Vec3& at,
                                          const base::Liquid& liquid);

}  // namespace peal::bubbles

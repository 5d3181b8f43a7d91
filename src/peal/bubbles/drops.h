#pragma once

#include <peal/base/bubble.h>
#include <peal/base/liquid.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace peal::bubbles {

using base::Vec3;

/// The bubble that a drop entrains.
struct EntrainedBubble {
  double radius = 0.0;  ///< [m]
  double delay = 0.0;   ///< from the touch of drop and pool to the pinch-off [s]
  double depth = 0.0;   ///< of its centre below the level of the pool [m]
  double gap = 0.0;     ///< from its centre to the floor of the crater above it [m]
};

/// A drop of a diameter [m] that falls on deep liquid at a speed [m/s].
///
/// Drops entrain one bubble each, always the same, if
///
///   41.3 Fr^0.179 < We < 48.3 Fr^0.247,   Fr = v^2 / (g d),   We = rho v^2 d / sigma
///
/// (Pumphrey & Elmore 1990). Within, the bubble is interpolated over log Fr between stored results
/// in units of the drop's diameter and of the time (d Fr^(1/4) / g)^(1/2) of its crater: two
/// axisymmetric two-phase simulations, 3.8 mm at 1.55 m/s and 4.6 mm at 1.25 m/s, and the bubble of
/// small raindrops, 0.22 mm (Pumphrey, Crum & Bjorno 1989). Other drops entrain none.
std::optional<EntrainedBubble> bubble_of_drop(double diameter, double speed,
                                              const base::Liquid& liquid);

/// Terminal speed of a raindrop (Atlas, Srivastava & Sekhon 1973), and its speed after a fall
/// [m/s].
double terminal_speed(double diameter);
double falling_speed(double diameter, double height, double gravity);

/// Drops that fall from a tap, one after another.
struct Drops {
  Vec3 at = Vec3::Zero();         ///< where they meet the surface [m]
  double spread = 0.0;            ///< radius of the disc around it [m]
  std::vector<double> times;      ///< at which they meet it [s]; empty: one each period
  double start = 0.0, end = 0.0;  ///< [s]
  double period = 0.7;            ///< [s]
  double diameter = 4.6e-3;       ///< [m]
  double height = 0.085;          ///< of the fall [m]
  double jitter = 0.05;           ///< largest relative change of period, diameter and height
};

/// Rain on an area: sizes of Marshall & Palmer 1948, N(D) = 8000 exp(-4.1 I^-0.21 D) per cubic
/// metre and millimetre, at their terminal speed.
struct Rain {
  Vec3 at = Vec3::Zero();         ///< centre of the disc on the surface [m]
  double spread = 1.0;            ///< its radius [m]
  double start = 0.0, end = 0.0;  ///< [s]
  double intensity = 10.0;        ///< I [mm/h]
};

/// Bubbles of drops, and how many drops were silent.
struct DropBubbles {
  base::BubblePopulation population;
  std::size_t drops = 0, silent = 0;
};

struct RandomKey {
  std::uint64_t seed = 0, stream = 0;
};

DropBubbles make_drop_bubbles(const Drops& drops, const base::Liquid& liquid, RandomKey key);
DropBubbles make_rain_bubbles(const Rain& rain, const base::Liquid& liquid, RandomKey key);

}  // namespace peal::bubbles

#pragma once

#include <peal/base/radiator.h>

namespace peal::radiation {

/// Renders sound that travels straight from each point source to each receiver, with spherical
/// spreading, travel time and Doppler shift. Bodies neither block nor reflect it.
///
/// The field of a moving monopole with mass flux q (wave equation with source d/dt[q delta]) is
///   p = q'(te) / (4 pi R D^2) + q(te) c (Mr - M^2) / (4 pi R^2 D^3),     D = 1 - Mr,
/// te    emission time: te + R(te) / c = t                                 [s]
/// R     distance from the source at te to the receiver at t               [m]
/// M, Mr source velocity at te over c, and its component towards the receiver
/// (Morse & Ingard 1968, section 11.2). The term with the source's acceleration,
/// q a_r / (4 pi c R D^3), is omitted: a keyframed path has infinite acceleration at its keys,
/// and a kink in an animation curve is not meant as a click. At 100 m/s^2 and 100 Hz this term is
/// 5e-4 of the first one.
///
/// A source nearer than `smallest_distance` is as loud as at that distance.
class DirectRadiator : public base::Radiator {
 public:
  base::RadiationPlan plan(const base::World& world,
                           std::span<const base::Receiver> receivers) const override;
  std::vector<base::Signal> radiate(const base::World& world,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range,
                                    util::Progress& progress) const override;
  /// Times a short interval in the middle of the scene and extrapolates to the whole scene.
  double expected_seconds(const base::World& world,
                          std::span<const base::Receiver> receivers) const override;

  static constexpr double smallest_distance = 0.02;  ///< [m]
};

/// Replaces the surface sources of all bodies that have multipoles by these multipoles, as point
/// sources that move with the body. This is how `direct` renders surfaces.
void reduce_to_multipoles(base::World& world);
/// The same for flux sources only, for radiators that do not sample whole surfaces.
void reduce_flux_sources(base::World& world);

}  // namespace peal::radiation

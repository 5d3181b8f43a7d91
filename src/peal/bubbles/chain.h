#pragma once

#include <peal/base/bubble.h>
#include <peal/base/liquid.h>
#include <peal/bubbles/forcing.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace peal::bubbles {

/// What oscillates at one time.
struct OscillatorKey {
  double time = 0.0;                         ///< [s]
  double omega = 0.0;                        ///< natural angular frequency [rad/s]
  double beta = 0.0;                         ///< decay e^{-beta t} [1/s]
  double radius = 0.0;                       ///< [m]
  double capacitance = 0.0;                  ///< C in its surroundings [m]
  double depth = 0.0;                        ///< below the free surface [m]
  base::Vec3 position = base::Vec3::Zero();  ///< [m]
};

/// One oscillator: a bubble, and those that continue it when it merges with smaller ones or splits.
/// Between keys frequency and damping are straight lines; before the first and after the last they
/// are constant.
struct Chain {
  std::int64_t bubble = 0;  ///< id of its first bubble
  std::vector<OscillatorKey> keys;
  std::vector<Forcing> forcings;
  std::optional<double> fade_begin;  ///< [s]; absent: it rings until it is no longer heard
  double fade_duration = 0.0;        ///< [s]

  OscillatorKey at(double t) const;
  double begin_time() const { return keys.front().time; }  ///< [s]
};

struct ChainSettings {
  base::Liquid liquid;
  std::uint64_t seed = 0, stream = 0;  ///< of the steepness of necks
  double highest_frequency = 18000.0;  ///< bubbles above it are left out [Hz]
  double fewest_periods = 3.0;         ///< that a bubble must live to be heard
  bool quick = false;                  ///< Devin's damping and first images
};

struct Chains {
  std::vector<Chain> chains;  ///< in the order of their starts
  // Bubbles that are left out.
  std::size_t above_band = 0, too_short = 0, outside = 0;
};

/// Joins the bubbles of a population to oscillators:
/// - one that merges or splits is continued by what it becomes, if it is the largest of those that
///   merge, or the child the largest of those that come of it;
/// - each start is a forcing: entrained and split ones by their necks, with a steepness that is
///   uniform between 0.4 and 1.5 if not given, merged ones by the widening neck;
/// - a bubble that collapses while its frequency rises and its radius does not change is extended
///   by an exponential rise for 30 ms (Langlois, Zheng & James 2016);
/// - others that end fade within three periods; where only the data end, they ring on.
Chains make_chains(const base::BubblePopulation& population,
                   const base::BubbleSurroundings& surroundings, const ChainSettings& settings);

/// The key of a bubble; its depth may be negative.
OscillatorKey oscillator_key(const base::Bubble& bubble,
                             const base::BubbleSurroundings& surroundings,
                             const ChainSettings& settings);

}  // namespace peal::bubbles

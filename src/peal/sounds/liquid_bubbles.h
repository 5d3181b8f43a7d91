#pragma once

#include <peal/base/bubble.h>
#include <peal/base/liquid.h>
#include <peal/scene/liquid.h>

#include <cstddef>
#include <cstdint>

namespace peal::sounds {

/// The bubbles that the drops and the jet of a liquid take under its surface.
struct LiquidBubbles {
  base::BubblePopulation population;
  std::size_t silent_drops = 0;  ///< drops that entrain no bubble
  bool jet_has_air = false;      ///< whether a jet is fast enough to take air along
};

/// `duration` is that of the scene [s]; `air` scales the flow of air that a jet takes along.
LiquidBubbles bubbles_of(const scene::LiquidBody& body, const base::Liquid& liquid, double duration,
                         double air, std::uint64_t seed, std::uint64_t stream);

}  // namespace peal::sounds

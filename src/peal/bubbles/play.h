#pragma once

#include <peal/base/bubble.h>
#include <peal/bubbles/chain.h>
#include <peal/bubbles/oscillator.h>

#include <cstddef>

namespace peal::bubbles {

struct PlaySettings {
  ChainSettings chains;
  OscillatorSettings oscillators;
  bool coupled = true;
};

struct PlayedBubbles {
  base::BubbleSounds sounds;
  // Bubbles that are left out.
  std::size_t above_band = 0, too_short = 0, outside = 0;
};

/// What the bubbles of a population play, each by itself or all together; the same for any number
/// of threads.
PlayedBubbles play(const base::BubblePopulation& population,
                   const base::BubbleSurroundings& surroundings, const PlaySettings& settings);

}  // namespace peal::bubbles

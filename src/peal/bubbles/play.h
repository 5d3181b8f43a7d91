#pragma once

#include <peal/base/bubble.h>
#include <peal/bubbles/chain.h>
#include <peal/bubbles/oscillator.h>

#include <cstddef>
#include <optional>

namespace peal::bubbles {

struct PlaySettings {
  ChainSettings chains;
  OscillatorSettings oscillators;
  /// Whether bubbles feel each other; absent: if at most `most_coupled` ring at a time.
  std::optional<bool> coupled;

  static constexpr std::size_t most_coupled = 500;
};

struct PlayedBubbles {
  base::BubbleSounds sounds;
  // Bubbles that are left out.
  std::size_t above_band = 0, too_short = 0, outside = 0;
  std::size_t at_once = 0;  ///< largest number that ring at a time
  bool coupled = false;
};

/// What the bubbles of a population play, each by itself or all together; the same for any number
/// of threads.
PlayedBubbles play(const base::BubblePopulation& population,
                   const base::BubbleSurroundings& surroundings, const PlaySettings& settings);

}  // namespace peal::bubbles

#include <peal/bubbles/coupled.h>
#include <peal/bubbles/play.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace peal::bubbles {

namespace {

std::vector<PlayedChain> play_alone(std::span<const Chain> chains,
                                    const OscillatorSettings& settings) {
  const StepResidual residual;
  std::vector<PlayedChain> played(chains.size());
  constexpr std::size_t at_a_time = 32;
  const std::size_t blocks = (chains.size() + at_a_time - 1) / at_a_time;
  util::parallel_for(static_cast<std::int64_t>(blocks), [&](std::int64_t block) {
    const std::size_t first = static_cast<std::size_t>(block) * at_a_time;
    for (std::size_t i = first; i < std::min(first + at_a_time, chains.size()); ++i)
      played[i] = play_chain(chains[i], residual, settings);
  });
  return played;
}

/// The largest number of chains that ring at a time, down to -60 dB.
std::size_t most_at_once(std::span<const Chain> chains) {
  std::vector<std::pair<double, int>> changes;
  for (const Chain& chain : chains) {
    for (const Forcing& forcing : chain.forcings) {
      const double ringing = 3.0 * std::numbers::ln10 / chain.at(forcing.begin).beta;
      changes.emplace_back(forcing.begin, 1);
      changes.emplace_back(forcing.begin + ringing, -1);
    }
  }
  std::ranges::sort(changes);
  std::int64_t now = 0, most = 0;
  for (const auto& change : changes) {
    now += change.second;
    most = std::max(most, now);
  }
  return static_cast<std::size_t>(most);
}

}  // namespace

PlayedBubbles play(const base::BubblePopulation& population,
                   const base::BubbleSurroundings& surroundings, const PlaySettings& settings) {
  const Chains made = make_chains(population, surroundings, settings.chains);
  PlayedBubbles result{.above_band = made.above_band,
                       .too_short = made.too_short,
                       .outside = made.outside,
                       .at_once = most_at_once(made.chains)};
  result.coupled = settings.coupled.value_or(result.at_once <= PlaySettings::most_coupled);
  std::vector<PlayedChain> played = result.coupled ? play_coupled(made.chains, settings.oscillators)
                                                   : play_alone(made.chains, settings.oscillators);
  result.sounds.rate = settings.oscillators.rate;
  for (PlayedChain& one : played) {
    result.sounds.energy += one.energy;
    if (one.sound.end() > one.sound.start) result.sounds.sounds.push_back(std::move(one.sound));
  }
  return result;
}

}  // namespace peal::bubbles

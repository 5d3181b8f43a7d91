#pragma once

#include <peal/base/bubble.h>
#include <peal/base/liquid.h>
#include <peal/base/medium.h>
#include <peal/base/time.h>
#include <peal/bubbles/chain.h>
#include <peal/bubbles/step_residual.h>

namespace peal::bubbles {

struct OscillatorSettings {
  base::Rate rate;
  base::SampleRange range;  ///< samples that are wanted
  base::Liquid liquid;
  base::Medium air;  ///< above the surface
};

/// What a chain plays, and its energy.
struct PlayedChain {
  base::BubbleSound sound;
  base::BubbleEnergy energy;
};

/// Plays a chain by itself: V'' + 2 beta V' + omega^2 V = F / m.
///
/// Free motion goes from sample to sample by its exact solution. Where frequency and damping are
/// constant, that is a rotating phasor, many samples at a time; where they change, the coefficients
/// of a step are exact every 16 samples and straight lines between. A forcing is solved in closed
/// form from rest, with the frequency in its middle, and added. Its end is a step that is
/// band-limited by StepResidual.
PlayedChain play_chain(const Chain& chain, const StepResidual& residual,
                       const OscillatorSettings& settings);

/// Amplitude below which a bubble is no longer heard, over its largest: -100 dB.
inline constexpr double silence = 1e-5;

/// Multiplies the sound by a fade from 1 to 0 that keeps v'' the derivative of v'.
void fade_out(base::BubbleSound& sound, base::Rate rate, double begin, double duration);

/// Cuts off what is outside the range.
void trim(base::BubbleSound& sound, base::SampleRange range);

/// The path of a chain's bubbles.
std::vector<base::Bubble> path_of(const Chain& chain);

/// What damping took, and what went into the air, over all samples.
base::BubbleEnergy lost_energy(const Chain& chain, const base::BubbleSound& sound,
                               const OscillatorSettings& settings);

/// rho / (4 pi C) [kg/m^4].
double effective_mass(const OscillatorKey& key, const base::Liquid& liquid);

}  // namespace peal::bubbles

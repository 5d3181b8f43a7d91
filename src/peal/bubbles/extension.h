#pragma once

#include <peal/bubbles/chain.h>

#include <vector>

namespace peal::bubbles {

/// Extends a bubble that reached the surface before it fell silent: with the slope mu of its last
/// two angular frequencies,
///
///   omega(t) = omega_2 exp(mu (t - t_2) / omega_2)   for 30 ms
///
/// (Langlois, Zheng & James 2016; the film above it thins). Only if the last bubble has at least
/// three keys, a radius that does not change and a frequency that rises by less than 1e6 rad/s^2.
/// The rise ends at the angular frequency `highest`. `count` is the number of keys of that bubble.
/// Returns whether keys were added.
bool extend(std::vector<OscillatorKey>& keys, std::size_t count, double highest);

}  // namespace peal::bubbles

#pragma once

#include <peal/base/listener.h>
#include <peal/base/medium.h>
#include <peal/scene/scene.h>

#include <memory>

namespace peal::listener {

/// Where a listener is heard from.
struct Surroundings {
  base::Rate rate;
  base::Medium medium;
  /// Whether the radiator knows where sound comes from (base::Receiver::response). Otherwise heads
  /// and ambisonic microphones are arrays of pressures.
  bool has_directions = true;
};

/// The listener that a scene asks for; `motion` is its head's.
std::unique_ptr<base::Listener> make_listener(const scene::Listener& settings,
                                              std::shared_ptr<const base::Motion> motion,
                                              const Surroundings& surroundings = {});

}  // namespace peal::listener

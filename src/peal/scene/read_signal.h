#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Reads what a source plays: one of the keys `wav`, `tone`, `click`, `noise`.
SignalSound read_signal(util::JsonObject& object, const ReadContext& context);

/// Time for which a source plays: the keys `start` and `duration`.
struct PlayingTime {
  double start = 0.0;              ///< [s]
  std::optional<double> duration;  ///< [s]
};
PlayingTime read_playing_time(util::JsonObject& object, const ReadContext& context);

}  // namespace peal::scene

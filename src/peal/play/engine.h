#pragma once

#include <peal/play/limiter.h>
#include <peal/play/played_body.h>
#include <peal/play/room_reverb.h>

#include <memory>
#include <vector>

namespace peal::play {

/// Several bodies for two ears, in real time: the sound engine of the explorer.
class Engine {
 public:
  explicit Engine(base::Rate rate);

  /// Adds a body, of whose modes the first `ringing` ring, and returns its number.
  std::size_t add_body(std::span<const base::Mode> modes, std::size_t ringing);
  /// A body that is removed leaves its number empty.
  void remove_body(std::size_t body);
  std::size_t bodies() const { return bodies_.size(); }
  PlayedBody* body(std::size_t number);  ///< null if there is none

  /// Full scale over pressure [1/Pa], over `ramp` samples.
  void set_volume(double volume, std::int64_t ramp);

  std::int64_t now() const { return now_; }  ///< index of the next sample
  /// Overwrites the channels with the next samples; at most block_size.
  void process(std::int64_t count, std::span<float* const, ears> out);
  Limiter& limiter() { return limiter_; }
  RoomReverb& room() { return room_; }

 private:
  base::Rate rate_;
  std::vector<std::unique_ptr<PlayedBody>> bodies_;
  RoomReverb room_;
  std::vector<float> strength_;
  Limiter limiter_;
  double volume_ = 1.0, volume_step_ = 0.0, volume_target_ = 1.0;
  std::int64_t volume_left_ = 0, now_ = 0;
};

}  // namespace peal::play

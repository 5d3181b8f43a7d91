#pragma once

#include <peal/play/pressure_bank.h>

#include <array>
#include <vector>

namespace peal::play {

/// The late reverberation of a room: eight delay lines around the time between two reflections,
/// fed back by an orthogonal matrix, with losses for a reverberation time at low and at high
/// frequencies (Jot & Chaigne 1991). Its level is that of the diffuse field of a source in the
/// room: p^2 = 16 pi s^2 / A with the absorption A = 0.161 V / T60 (Sabine) and the source's
/// strength s [Pa m].
class RoomReverb {
 public:
  static constexpr double largest_volume = 20000.0;  ///< [m^3]

  explicit RoomReverb(base::Rate rate);

  /// A room of this volume [m^3], 0 for none, with reverberation times [s] at low frequencies and
  /// at half the sample rate.
  void set(double volume, double low_time, double high_time);
  bool is_on() const { return level_ > 0.0f; }

  /// Adds the sound of a source with this strength [Pa m] to both ears [Pa].
  void process(std::span<const float> strength, std::span<float* const, ears> out);

 private:
  static constexpr std::size_t lines = 8;
  struct Line {
    std::vector<float> past;
    std::size_t length = 1, at = 0;
    float gain = 0.0f, pole = 0.0f, last = 0.0f;
  };

  base::Rate rate_;
  std::array<Line, lines> lines_;
  float level_ = 0.0f;
};

}  // namespace peal::play

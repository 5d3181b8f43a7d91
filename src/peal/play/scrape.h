#pragma once

#include <peal/base/time.h>

#include <cstdint>
#include <span>

namespace peal::play {

/// The rough part of the force between two surfaces that slide: noise that is flat up to the
/// frequency at which the longest wavelengths of the roughness pass, and falls by 20 dB per decade
/// above it, and by 40 dB above the frequency of wavelengths as long as the contact. The steady
/// part of the force is left out: it makes no sound.
class Scrape {
 public:
  /// The noise is a function of seed, stream and sample index (util/random.h).
  Scrape(base::Rate rate, std::uint64_t seed, std::uint64_t stream);

  /// Changes the root mean square of the force [N] and both frequencies [Hz] over `ramp` samples.
  void aim(double force, double roughness_frequency, double contact_frequency, std::int64_t ramp);

  bool is_silent() const { return force_.now == 0.0 && force_.target == 0.0; }
  /// The force of the next samples, of which the first has this index [N].
  void process(std::int64_t index, std::span<float> force);

 private:
  struct Value {
    double now = 0.0, step = 0.0, target = 0.0;
    void aim(double to, std::int64_t ramp);
  };

  base::Rate rate_;
  std::uint64_t seed_, stream_;
  Value force_, rough_, contact_;  ///< poles of both filters [1]
  std::int64_t left_ = 0;          ///< samples until the targets
  double first_ = 0.0, second_ = 0.0;
};

}  // namespace peal::play

#pragma once

#include <peal/base/time.h>

#include <cstdint>
#include <optional>
#include <span>

namespace peal::shaders {

/// A sound as its source makes it, on its own clock: sample 0 is when it starts.
class Waveform {
 public:
  virtual ~Waveform() = default;

  /// Computes samples first, first + 1, ... (first >= 0), dimensionless.
  virtual void fill(base::Rate rate, std::int64_t first, std::span<float> out) const = 0;

  /// Number of samples; none if the waveform is infinite.
  virtual std::optional<std::int64_t> length(base::Rate) const { return std::nullopt; }
};

}  // namespace peal::shaders

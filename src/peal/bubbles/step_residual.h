#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace peal::bubbles {

/// What makes a sampled step band-limited: the integral of a sinc under a Kaiser window, less the
/// step. The end of a forcing is a step of the volume acceleration, which would otherwise alias.
class StepResidual {
 public:
  StepResidual();

  /// Samples on each side of the step that change.
  static constexpr std::int64_t half = 12;

  /// Adds the residual of a step of `height` at the fractional index `at`; samples[0] has the index
  /// `begin`.
  void add(double at, double height, std::int64_t begin, std::span<float> samples) const;
  /// Adds the integral of that residual over the index.
  void add_integral(double at, double height, std::int64_t begin, std::span<float> samples) const;

 private:
  /// The values at the phases of a sample from -half to half.
  using Table = std::vector<double>;
  static void add(const Table& table, double at, double height, std::int64_t begin,
                  std::span<float> samples);

  Table before_, after_;  ///< the residual of a step that is to come, and of one that has been
  Table integral_;
};

}  // namespace peal::bubbles

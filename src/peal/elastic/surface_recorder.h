#pragma once

#include <peal/base/motion.h>
#include <peal/elastic/nodes.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/surface_record.h>
#include <peal/util/decimator.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::elastic {

/// Writes down what the surface of a solid does while it is simulated.
///
/// Accelerations are second differences of positions that lie some steps apart, which is their mean
/// over these steps, weighted by a triangle, and costs nothing in between: what trembles at 8 times
/// the audio rate or more, less 20 kHz, folds onto what is heard by -50 dB at 20 kHz, less below,
/// and 20 kHz lose 0.1 dB. From there on a chain of low-pass filters goes down to the audio rate.
class SurfaceRecorder {
 public:
  /// `frame` is that of the solid at rest in the world; the record is told in it. `position` and
  /// `velocity` are those of the start.
  SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                  const Nodes& velocity, base::Rate audio, int steps_per_sample);

  /// The positions after each step.
  void take(const Nodes& position) {
    if (++steps_ % stride_ == 0) take_accelerations(position);
    if (steps_ % steps_per_sample_ == 0) take_displacement(position);
  }

  /// Samples of audio that must be simulated beyond the end of a record.
  static constexpr std::int64_t run_out = SurfaceRecord::shape_samples + 1;

  /// The first `instants` of what was recorded.
  SurfaceRecord finish(std::int64_t instants);

 private:
  void take_accelerations(const Nodes& position);
  void take_displacement(const Nodes& position);
  template <class Change>
  void append(std::span<const float> planes, const Change& change, std::vector<float>& list) const;

  base::Pose frame_;
  std::vector<std::uint32_t> nodes_;
  SurfaceRecord record_;
  int steps_per_sample_;
  int stride_;   ///< steps between positions
  double rate_;  ///< of positions [1/s]
  std::int64_t steps_ = 0;
  Nodes start_;                ///< positions of all nodes [m]
  Nodes last_, last_way_;      ///< of surface nodes: position, and way to it [m]
  std::vector<float> sample_;  ///< in the world: all x, all y, all z
  util::DecimatorChain accelerations_;
  util::Decimator displacements_;
};

}  // namespace peal::elastic

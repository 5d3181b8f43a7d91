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
class SurfaceRecorder {
 public:
  /// `frame` is that of the solid at rest in the world; the record is told in it. `position` and
  /// `velocity` are those of the start.
  SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                  const Nodes& velocity, base::Rate audio, int steps_per_sample);

  /// After each step: positions after it, velocities in its middle.
  void take(const Nodes& position, const Nodes& velocity);

  /// Samples of audio that must be simulated beyond the end of a record.
  static constexpr std::int64_t run_out = SurfaceRecord::shape_samples + 1;

  /// The first `instants` of what was recorded.
  SurfaceRecord finish(std::int64_t instants);

 private:
  void take_displacement(const Nodes& position);
  template <class Change>
  void append(std::span<const float> planes, const Change& change, std::vector<float>& list) const;

  base::Pose frame_;
  std::vector<std::uint32_t> nodes_;
  SurfaceRecord record_;
  int steps_per_sample_;
  double step_rate_;  ///< [1/s]
  std::int64_t steps_ = 0;
  Nodes start_;                ///< positions of all nodes [m]
  Nodes last_velocity_;        ///< of surface nodes [m/s]
  std::vector<float> sample_;  ///< in the world: all x, all y, all z
  util::DecimatorChain accelerations_;
  util::Decimator displacements_;
};

}  // namespace peal::elastic

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

/// Recorded nodes whose numbers follow each other: the i-th recorded one is node i + shift.
struct NodeRun {
  std::size_t begin = 0, end = 0;  ///< among recorded nodes
  std::size_t shift = 0;
};

/// Writes down what the surface of a solid does while it is simulated.
///
/// Accelerations are second differences of eight positions a sample of audio, which is their mean
/// over the steps between, weighted by a triangle, and costs nothing in between: what trembles at 8
/// times the audio rate or more, less 20 kHz, folds onto what is heard by -50 dB at 20 kHz, less
/// below, and 20 kHz lose 0.1 dB. Positions half way between two steps lie on a straight line,
/// which folds as much of what trembles at 4 times the rate. From there on a chain of low-pass
/// filters goes down to the audio rate.
class SurfaceRecorder {
 public:
  /// `frame` is that of the solid at rest in the world; the record is told in it. `position` and
  /// `velocity` are those of the start.
  SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                  const Nodes& velocity, base::Rate audio, int steps_per_sample);

  /// Positions after each step, and the velocities that led there.
  void take(const Nodes& position, const Nodes& velocity) {
    passed_ += positions_per_sample_;
    if (passed_ >= steps_per_sample_) {
      passed_ -= steps_per_sample_;
      take_accelerations(position, velocity);
    }
    if (++steps_ % steps_per_sample_ == 0) take_displacement(position);
  }

  /// Samples of audio that must be simulated beyond the end of a record.
  static constexpr std::int64_t run_out = SurfaceRecord::shape_samples + 1;

  /// The first `instants` of what was recorded.
  SurfaceRecord finish(std::int64_t instants);

 private:
  void take_accelerations(const Nodes& position, const Nodes& velocity);
  void take_displacement(const Nodes& position);
  std::span<float> append(std::span<const float> planes, std::vector<float>& list) const;

  base::Pose frame_;
  std::vector<std::uint32_t> nodes_;  ///< of the surface, in the order of their numbers
  std::vector<NodeRun> runs_;
  std::vector<std::uint32_t> place_;  ///< of each vertex of the surface among these nodes
  SurfaceRecord record_;
  int steps_per_sample_;
  int positions_per_sample_;
  int passed_ = 0;  ///< time since the last position, in steps times positions a sample
  double rate_;     ///< of positions [1/s]
  std::int64_t steps_ = 0;
  Nodes start_;                ///< positions [m]
  std::vector<float> moved_;   ///< of each vertex from rest to the start, in the frame [m]
  Nodes last_, last_way_;      ///< position, and way to it [m]
  std::vector<float> sample_;  ///< in the world: all x, all y, all z
  util::DecimatorChain accelerations_;
  util::Decimator displacements_;
};

}  // namespace peal::elastic

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
/// Accelerations are second differences, four a sample of audio, of eight positions a sample with
/// weights 1, 2, 1: the mean over the steps between, which so cost nothing. What trembles at 8
/// times the audio rate or more, less 20 kHz, folds onto what is heard by -50 dB at 20 kHz, less
/// below; what trembles at 4 times that rate by -60 dB. Positions half way between two steps lie on
/// a straight line. Where there are only four steps a sample, second differences of positions are
/// differences of velocities, one a step. From there on a chain of low-pass filters goes down to
/// the audio rate, and makes up for what is lost by then (0.3 dB at 16 kHz): flat to 0.05 dB up to
/// 17 kHz and 0.15 dB up to 20 kHz.
class SurfaceRecorder {
 public:
  /// `frame` is that of the solid at rest in the world; the record is told in it. `position` and
  /// `velocity` are those of the start.
  SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                  const Nodes& velocity, base::Rate audio, int steps_per_sample);

  /// Makes place for so many instants.
  void expect(std::int64_t instants);

  /// Positions after each step, and the velocities that led there.
  void take(const Nodes& position, const Nodes& velocity) {
    passed_ += positions_per_sample_;
    if (passed_ >= steps_per_sample_) {
      passed_ -= steps_per_sample_;
      take_position(position, velocity);
    }
    if (++steps_ % (looks_apart * steps_per_sample_) == 0) take_displacement(position);
  }

  /// Samples of audio that must be simulated beyond the end of a record.
  static constexpr std::int64_t run_out = SurfaceRecord::shape_samples + 1;

  /// The first `instants` of what was recorded.
  SurfaceRecord finish(std::int64_t instants);

  void keep(util::Archive& archive);

 private:
  /// Samples of audio from one look at displacements to the next.
  static constexpr std::int64_t looks_apart = 8;
  static std::vector<double> shape_window();

  void take_position(const Nodes& position, const Nodes& velocity);
  void take_velocity(const Nodes& velocity);
  void take_displacement(const Nodes& position);
  void push_accelerations();
  std::span<float> append(std::span<const float> planes, std::vector<float>& list);

  base::Pose frame_;
  bool is_turned_;                    ///< whether the frame is
  std::vector<std::uint32_t> nodes_;  ///< of the surface, in the order of their numbers
  std::vector<NodeRun> runs_;
  std::vector<std::uint32_t> place_;  ///< of each vertex of the surface among these nodes
  SurfaceRecord record_;
  int steps_per_sample_;
  int positions_per_sample_;
  int passed_ = 0;              ///< time since the last position, in steps times positions a sample
  std::int64_t positions_ = 0;  ///< taken
  std::int64_t steps_ = 0;
  Nodes start_;                ///< positions [m]
  std::vector<float> moved_;   ///< of each vertex from rest to the start, in the frame [m]
  Nodes part_;                 ///< of the next sum of positions with weights 1, 2, 1 [m]
  Nodes last_, last_way_;      ///< such a sum, and way to it [m]; or a velocity [m/s]
  std::vector<float> turned_;  ///< vectors in the frame, of nodes: all x, all y, all z
  std::vector<float> local_;   ///< the same of vertices: x, y, z of each
  util::DecimatorChain accelerations_;
  util::Decimator displacements_;
};

}  // namespace peal::elastic

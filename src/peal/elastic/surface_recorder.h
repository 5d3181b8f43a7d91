#pragma once

#include <peal/base/motion.h>
#include <peal/elastic/nodes.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/surface_record.h>
#include <peal/util/decimator.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace peal::elastic {

/// Rate of the record of a surface.
struct RecordRate {
  base::Rate rate;
  double band = util::DecimatorChain::pass_band;  ///< fraction of the rate, 0.42 or less
};

/// Records the motion of the surface of a solid while it is simulated.
///
/// Accelerations are second differences of positions, two or four per sample of the record; a chain
/// of low-pass filters decimates them to its rate. The band that is resolved goes up to 0.42 of
/// that rate (20 kHz at 48 kHz); a narrower band takes shorter filters. With k differences a
/// sample, frequencies of k times the rate, less the band, or more would alias into the band. So
/// positions are used directly only if the solid cannot vibrate that fast (the response to loads
/// beyond its own frequencies falls by 12 dB an octave, which is enough). Otherwise there are four
/// differences a sample of eight positions with weights 1, 2, 1: aliases of 4 times the rate, less
/// the band, are at -60 dB, and of 8 times at -50 dB, lower towards low frequencies. Positions half
/// way between two steps are interpolated linearly. If there are fewer than eight steps a sample
/// for that, differences of velocities are taken, one a step. Aliases in the band are attenuated by
/// 80 dB, or so that they are 80 dB weaker than at the highest frequency of the solid if that is
/// low. The filters compensate the loss of the differences (1.3 dB at 0.42 of the rate, with two a
/// sample): the response is flat to 0.05 dB up to 0.84 of the band (17 kHz at 48 kHz) and to 0.15
/// dB up to its end. Aliases remain beyond the band; readers of the record must filter them off.
///
/// Nodes are processed in blocks of 16 whose data lies together in memory: a few numbers per block
/// that every look reads, and the state of its filters.
class SurfaceRecorder {
 public:
  /// `frame` is that of the solid at rest in the world; the record is in that frame. `position` and
  /// `velocity` are those of the start. `steps_per_sample` counts steps per sample of the record.
  /// `highest_frequency` [Hz] is that of the solid.
  SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                  const Nodes& velocity, const RecordRate& record, int steps_per_sample,
                  double highest_frequency);

  /// Reserves memory for `instants` samples.
  void expect(std::int64_t instants);

  /// Takes positions after each step, and the velocities that led there.
  void take(const Nodes& position, const Nodes& velocity) {
    passed_ += looks_.looks;
    if (passed_ >= steps_per_sample_) {
      passed_ -= steps_per_sample_;
      look(position, velocity);
    }
    if (++steps_ < samples_per_shape() * steps_per_sample_) return;
    steps_ = 0;
    sample_shape(position);
  }

  /// Samples that must be simulated beyond the end of a record, until its last shape, a windowed
  /// mean, is complete, and its last accelerations have passed the filters.
  std::int64_t run_out() const {
    const auto at_once = static_cast<std::int64_t>(accelerations_.at_once());
    return std::max(shape_samples_ - samples_per_shape() + 1, accelerations_.late() + at_once);
  }

  /// Returns the first `instants` samples of the record.
  SurfaceRecord finish(std::int64_t instants);

  /// Serializes the state between two steps.
  void serialize(util::Archive& archive);

 private:
  using Lanes = util::Widest<double>;
  using Results = util::DecimatorChain::Results;
  /// Quantity that is sampled and differenced.
  enum class Kind : std::uint8_t { positions, sums, velocities };
  struct Looks {
    Kind kind;
    int looks, differences;  ///< per sample of the record
    double attenuation;      ///< of frequencies too high for the record [dB]
  };
  /// One number for each node of a block.
  using Values = std::array<Lanes, util::Decimator::lanes / util::widest_lanes<double>>;
  /// One coordinate of the nodes of a block at the last two looks, in turn: position, or a sum of
  /// positions with weights 1/2, 1, 1/2 [m]. For velocities, the first entry is the velocity at the
  /// last look [m/s].
  using Coordinate = std::array<Values, 2>;
  /// One coordinate of the two shapes that looks contribute to: sum so far of displacements from
  /// the start [m].
  struct alignas(64) Shapes {
    std::array<float, util::Decimator::lanes> now, next;
  };
  struct Source;
  static constexpr std::size_t shape_samples = 4;  ///< from one shape to the next
  static Looks looks_for(const RecordRate& record, int steps_per_sample, double highest_frequency);
  static std::vector<util::DecimatorChain::Loss> losses(const Looks& looks, double band);
  static float shape_weight(std::size_t looks);

  void start_straight();
  void look(const Nodes& position, const Nodes& velocity);
  void sample_shape(const Nodes& position);
  template <class Use>
  void read(const Source& from, const Use& use) const;
  template <class Use>
  void read_side(const Source& from, const Use& use) const;
  void add_middles(const Source& from);
  void second_differences(const Source& from, float* out);
  void differences_of_sums(const Source& from, float* out);
  void velocity_differences(const Source& from, float* out);
  void filter(std::size_t count);
  void turn_results(std::size_t count);
  void write(std::size_t block, std::size_t count);
  void append(std::int64_t first, std::size_t count, std::vector<float>& list) const;
  std::int64_t samples_per_shape() const {
    return shape_samples_ / static_cast<std::int64_t>(shape_samples);
  }

  base::Pose frame_;
  bool is_turned_;      ///< whether the frame is rotated
  std::size_t across_;  ///< of a shell: from a node to that on the other side; otherwise 0
  std::vector<std::uint32_t> nodes_;  ///< node of each vertex of the surface, 16 a block
  std::vector<char> is_in_row_;       ///< whether the nodes of each block are consecutive
  std::size_t blocks_;                ///< number of blocks of nodes
  SurfaceRecord record_;
  std::int64_t shape_samples_;  ///< from one shape to the next
  int steps_per_sample_;
  Looks looks_;
  int passed_ = 0;                ///< time since the last look, in steps times looks a sample
  std::size_t looked_ = 0;        ///< looks in this sample
  std::int64_t steps_ = 0;        ///< since the last sample of a shape
  std::int64_t instant_;          ///< index of the next acceleration
  std::int64_t shape_ = -1;       ///< index of the next shape
  std::size_t shape_sample_ = 0;  ///< next sample of that shape
  std::vector<float> moved_;      ///< by vertex: displacement from rest to start, in the frame [m]
  std::vector<Values> start_;     ///< positions [m]: x, y, z of each block
  std::vector<Coordinate> coordinates_;  ///< x, y, z of each block
  std::size_t newer_ = 0;                ///< newer entry of each coordinate
  std::vector<Values> parts_;            ///< x, y, z of each block: next sums of positions [m]
  std::vector<Shapes> shapes_;           ///< x, y, z of each block
  mutable std::vector<Values> sides_;    ///< of a shell: one side while the other is read
  util::DecimatorChain accelerations_;
  std::array<Results, 3> results_;  ///< x, y, z of the nodes of a block
  /// Samples of the record, x, y, z of each vertex, padded to whole blocks. All blocks are
  /// collected here, because distant memory is best written from front to back.
  std::vector<float> rows_;
};

}  // namespace peal::elastic

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

/// How often a surface is written down.
struct RecordRate {
  base::Rate rate;
  double band = util::DecimatorChain::pass_band;  ///< of the rate, 0.42 or less
};

/// Writes down what the surface of a solid does while it is simulated.
///
/// Accelerations are second differences of positions, two or four a sample of the record, from
/// where a chain of low-pass filters goes down to its rate. What is resolved is its band, up to
/// 0.42 of that rate (20 kHz at 48 kHz); a narrower one takes shorter filters. At k differences a
/// sample, what trembles at k times the rate, less the band, or more would fold onto what is heard.
/// So positions are taken as they are only if the solid cannot tremble that fast (what loads do to
/// it beyond its own frequencies falls by 12 dB an octave, which is enough). Otherwise there are
/// four differences a sample of eight positions with weights 1, 2, 1: what trembles at 4 times the
/// rate, less the band, folds by -60 dB, and at 8 times by -50 dB, less onto what is lower.
/// Positions half way between two steps lie on a straight line. Where there are fewer than eight
/// steps a sample for that, there are differences of velocities, one a step. What would fold onto
/// the band is weakened by 80 dB, or so that it is 80 dB weaker than at the highest frequency of
/// the solid if that is low. The filters make up for what differences lose (1.3 dB at 0.42 of the
/// rate, of two a sample): flat to 0.05 dB up to 0.84 of the band (17 kHz at 48 kHz) and 0.15 dB up
/// to its end. Beyond the band lies what is left of all that is higher, folded: to be filtered off
/// by those who read the record.
///
/// Nodes go in blocks of 16, so that what belongs to them lies together: of every block a few
/// numbers that are touched at every look, and the memory of its filters.
class SurfaceRecorder {
 public:
  /// `frame` is that of the solid at rest in the world; the record is reported in it. `position`
  /// and `velocity` are those of the start. A sample is one of the record. The solid trembles with
  /// `highest_frequency` [Hz] at most.
  SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                  const Nodes& velocity, const RecordRate& record, int steps_per_sample,
                  double highest_frequency);

  /// Makes place for so many instants.
  void expect(std::int64_t instants);

  /// Positions after each step, and the velocities that led there.
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

  /// Samples that must be simulated beyond the end of a record: until its last shape, seen through
  /// a window, is complete, and its last accelerations have come through the filters.
  std::int64_t run_out() const {
    const auto at_once = static_cast<std::int64_t>(accelerations_.at_once());
    return std::max(shape_samples_ - samples_per_shape() + 1, accelerations_.late() + at_once);
  }

  /// The first `instants` of what was recorded.
  SurfaceRecord finish(std::int64_t instants);

  /// Between two steps.
  void serialize(util::Archive& archive);

 private:
  using Lanes = util::Widest<double>;
  using Results = util::DecimatorChain::Results;
  /// What is looked at, and taken differences of.
  enum class Kind : std::uint8_t { positions, sums, velocities };
  struct Looks {
    Kind kind;
    int looks, differences;  ///< a sample
    double attenuation;      ///< of what is too high for the record [dB]
  };
  /// One number a node of a block.
  using Values = std::array<Lanes, util::Decimator::lanes / util::widest_lanes<double>>;
  /// One coordinate of the nodes of a block at the last two looks, in turn: position, or a sum of
  /// positions with weights 1/2, 1, 1/2 [m]. Or velocity at the last one [m/s], the first of both.
  using Coordinate = std::array<Values, 2>;
  /// The same of two shapes that looks have a part in: way from the start so far [m].
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
  bool is_turned_;                    ///< whether the frame is
  std::vector<std::uint32_t> nodes_;  ///< of the surface, by its vertices, 16 a block
  std::vector<char> is_in_row_;       ///< whether the nodes of each block follow each other
  std::size_t blocks_;                ///< of nodes
  SurfaceRecord record_;
  std::int64_t shape_samples_;  ///< from one shape to the next
  int steps_per_sample_;
  Looks looks_;
  int passed_ = 0;                ///< time since the last look, in steps times looks a sample
  std::size_t looked_ = 0;        ///< in this sample
  std::int64_t steps_ = 0;        ///< since the last look at a shape
  std::int64_t instant_;          ///< of the next acceleration
  std::int64_t shape_ = -1;       ///< the next one
  std::size_t shape_sample_ = 0;  ///< the next one of it
  std::vector<float> moved_;      ///< of each vertex from rest to the start, in the frame [m]
  std::vector<Values> start_;     ///< positions [m]: x, y, z of each block
  std::vector<Coordinate> coordinates_;  ///< the same
  std::size_t newer_ = 0;                ///< of these two
  std::vector<Values> parts_;            ///< the same of the next sums of positions [m]
  std::vector<Shapes> shapes_;           ///< the same
  util::DecimatorChain accelerations_;
  std::array<Results, 3> results_;  ///< x, y, z of the nodes of a block
  /// Instants of the record, x, y, z of each vertex, to whole blocks: those of all blocks come
  /// together here, as memory that is far away is best written from front to back.
  std::vector<float> rows_;
};

}  // namespace peal::elastic

#pragma once

#include <peal/util/archive.h>
#include <peal/util/lanes.h>
#include <peal/util/low_pass.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::util {

/// Decimates many signals at once by an integer factor as their samples arrive; signals are zero
/// before their start. It is for signals that are too large to be stored at the rate at which they
/// are computed.
///
/// Signals are grouped in blocks of 16, each with a memory of its own that stays in the nearest
/// cache while its results are computed. Several results are computed together, so that their input
/// is read once rather than once for each.
class Decimator {
 public:
  static constexpr std::size_t lanes = 16;  ///< signals per block
  static constexpr std::size_t parts_of_block = lanes / widest_lanes<float>;
  /// Results that are best computed together: eight vectors, which fit into the registers and hide
  /// the latency of additions.
  static constexpr std::size_t group = 8 / parts_of_block;

  /// `taps` are those of a symmetric low-pass filter, from the middle outwards. Results are
  /// computed `at_once` at a time, a multiple of the group, with a delay that is a multiple of
  /// `late_by`.
  Decimator(std::size_t blocks, std::int64_t factor, std::span<const double> taps,
            std::size_t at_once, std::int64_t late_by = 1);

  std::size_t at_once() const { return at_once_; }
  std::size_t memory() const { return memory_.size() * sizeof(Sample); }  ///< [bytes]

  /// Offset from samples(block) at which the next sample of a block's signals is to be written, or
  /// the sample `ahead` after it.
  std::size_t slot(std::size_t ahead = 0) const {
    const std::size_t row = next_ + ahead;
    return lanes * (row < needed_ ? row : row - needed_);
  }
  float* samples(std::size_t block) { return memory_.front().signals.data() + block * stride(); }
  std::size_t stride() const { return lanes * apart_; }  ///< floats from one block to the next
  /// Accepts the next sample of all blocks. Returns true if it completes the next `at_once`
  /// results.
  bool push();
  /// Prefetches the samples of a block that will soon be needed, if the block exists.
  void fetch(std::size_t block) const {
    if (block >= blocks_) return;
    for (std::size_t i = 0; i < needed_; ++i) __builtin_prefetch(&memory_[block * apart_ + i]);
  }
  /// Prefetches only the `slots` from samples(block) on that will soon be written.
  void fetch(std::size_t block, std::span<const std::size_t> slots) const {
    if (block >= blocks_) return;
    for (const std::size_t slot : slots)
      __builtin_prefetch(&memory_[block * apart_ + slot / lanes], 1);
  }
  /// Computes the results of a block, before the next sample is written: the k-th one to out +
  /// slots[k].
  void make(std::size_t block, float* out, std::span<const std::size_t> slots);
  /// Index of the result that belongs to the first sample: result `late` + k belongs to sample k *
  /// factor.
  std::int64_t late() const { return late_; }

  /// Writes or reads the state between two samples, after due results have been computed.
  void serialize(Archive& archive);

 private:
  using Lanes = Widest<float>;
  struct alignas(64) Sample {
    std::array<float, lanes> signals{};
  };
  /// Contribution of an input sample to each result of a group.
  struct Part {
    std::size_t offset;  ///< offset from the first sample of the group
    std::array<float, group> taps;
  };
  /// A tap of every result whose input sample neighbouring results do not use: the middle of
  /// halving filters.
  struct Own {
    std::size_t offset;
    float tap;
  };

  std::size_t blocks_;
  std::size_t factor_;
  std::size_t at_once_;
  std::size_t period_;  ///< input samples from one set of results to the next
  std::int64_t late_;
  std::size_t needed_;  ///< input samples needed for all results
  /// Distance of blocks in memory [samples]. It is odd, because samples of the same time, which are
  /// written together, would otherwise compete for few sets of the nearest cache.
  std::size_t apart_;
  std::vector<Part> parts_;
  std::vector<Own> own_;
  /// Next sample of the memory; samples since the last results.
  std::size_t next_ = 0, filled_ = 0;
  std::vector<Sample> memory_;       ///< last samples of each block, as a ring buffer
  std::vector<std::size_t> places_;  ///< indices into `memory_` in order of time
};

/// A decimator in several stages, which is much less work for large factors. The pass band is flat
/// to 1e-4, and aliases in it are below -80 dB. Above the pass band nothing is guaranteed.
class DecimatorChain {
 public:
  static constexpr double pass_band = 0.42;  ///< widest pass band, in units of the low rate

  /// Gain of the input at one frequency, which the filter compensates.
  struct Loss {
    double frequency;  ///< frequency in units of the low rate, below 0.5
    double gain;
  };
  /// `factor` is high over low rate; up to two stages that halve the rate come last where it is
  /// even. Halving compensates `losses`: exactly at their frequencies, at most two, and nearly
  /// between them. `attenuation` [dB], 50 or more, may be lower than the default if the input is
  /// weak above the pass band. `band` is the pass band in units of the low rate.
  DecimatorChain(std::size_t blocks, std::int64_t factor, std::span<const Loss> losses = {},
                 double attenuation = LowPass::full_attenuation, double band = pass_band);

  static constexpr std::size_t most_at_once = 16;
  /// Results that are computed together: a few if the memory of all blocks then stays in a near
  /// cache, otherwise enough to access distant memory less often.
  std::size_t at_once() const { return stages_.back().at_once(); }
  /// Results of a block: all signals of the first result, of the second and so on.
  struct alignas(64) Results : std::array<float, most_at_once * Decimator::lanes> {};

  /// Offset at which the next sample of a block is to be written, as in Decimator.
  std::size_t slot(std::size_t ahead = 0) const { return stages_.front().slot(ahead); }
  float* samples(std::size_t block) { return stages_.front().samples(block); }
  std::size_t stride() const { return stages_.front().stride(); }
  /// Announces `count` samples, at most `most_at_once`. Returns true if they complete the next
  /// results.
  bool push(std::size_t count);
  /// Whether filter() must be called for each block with these samples.
  bool is_due() const { return handed_on_.front().is_due; }
  /// Filters a block once its samples are written.
  void filter(std::size_t block);
  /// Computes the results of a block.
  void make(std::size_t block, Results& results);
  /// Index of the result that belongs to the first sample, as in Decimator.
  std::int64_t late() const { return late_; }
  void serialize(Archive& archive) {
    for (Decimator& stage : stages_) stage.serialize(archive);
  }

 private:
  void make_stages(std::size_t blocks, std::span<const std::vector<double>> taps,
                   std::span<const std::int64_t> factors, std::size_t at_once);

  /// The output of one stage that the next one reads.
  struct HandedOn {
    bool is_due = false;
    std::vector<std::size_t> slots;
  };

  std::vector<Decimator> stages_;
  /// Outputs of all stages; that of the last stage is the result.
  std::vector<HandedOn> handed_on_;
  std::int64_t late_ = 0;
};

}  // namespace peal::util

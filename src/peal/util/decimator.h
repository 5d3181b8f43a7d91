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

/// Lowers the rate of many signals at once by a whole factor while they come in, which count as
/// silent before their start. For what is too much to be kept at the rate at which it is made.
///
/// Signals go in blocks of 16, each with a memory of its own that stays in the nearest cache while
/// its results are made. Those come a few at a time, which reads what they are made of once instead
/// of once each.
class Decimator {
 public:
  static constexpr std::size_t lanes = 16;  ///< signals of a block
  static constexpr std::size_t parts_of_block = lanes / widest_lanes<float>;
  /// Results that are best made together: eight vectors, which fit the registers and hide how long
  /// an addition takes.
  static constexpr std::size_t group = 8 / parts_of_block;

  /// `taps` of a symmetric low-pass filter, from the middle outwards; so many results are made
  /// `at_once`, a multiple of the group, late by a multiple of `late_by`.
  Decimator(std::size_t blocks, std::int64_t factor, std::span<const double> taps,
            std::size_t at_once, std::int64_t late_by = 1);

  std::size_t at_once() const { return at_once_; }
  std::size_t memory() const { return memory_.size() * sizeof(Sample); }  ///< [bytes]

  /// Where the next sample of the signals of a block is to be written, from samples(block) on; or
  /// one so many after it.
  std::size_t slot(std::size_t ahead = 0) const {
    const std::size_t row = next_ + ahead;
    return lanes * (row < needed_ ? row : row - needed_);
  }
  float* samples(std::size_t block) { return memory_.front().signals.data() + block * stride(); }
  std::size_t stride() const { return lanes * apart_; }  ///< floats from a block to the next
  /// Takes the next sample of all blocks. True if it completes the next `at_once` results.
  bool push();
  /// Brings the samples of a block near that will soon be needed, if there is such a block.
  void fetch(std::size_t block) const {
    if (block >= blocks_) return;
    for (std::size_t i = 0; i < needed_; ++i) __builtin_prefetch(&memory_[block * apart_ + i]);
  }
  /// Only what will soon be written there, `places` from samples(block) on.
  void fetch(std::size_t block, std::span<const std::size_t> slots) const {
    if (block >= blocks_) return;
    for (const std::size_t slot : slots)
      __builtin_prefetch(&memory_[block * apart_ + slot / lanes], 1);
  }
  /// These results of a block, until the next sample is written: the k-th one to out + places[k].
  void make(std::size_t block, float* out, std::span<const std::size_t> slots);
  /// Of the results that come, the one that belongs to the first sample: result `late` + k belongs
  /// to sample k * factor.
  std::int64_t late() const { return late_; }

  /// Between two samples; results are to be made before.
  void serialize(Archive& archive);

 private:
  using Lanes = Widest<float>;
  struct alignas(64) Sample {
    std::array<float, lanes> signals{};
  };
  /// What a sample of the input adds to each result of a group.
  struct Part {
    std::size_t offset;  ///< from the first sample that the group needs
    std::array<float, group> taps;
  };
  /// A tap of every result, where neighbours have no use for its sample: middles of filters that
  /// halve.
  struct Own {
    std::size_t offset;
    float tap;
  };

  std::size_t blocks_;
  std::size_t factor_;
  std::size_t at_once_;
  std::size_t period_;  ///< samples of the input from one set of results to the next
  std::int64_t late_;
  std::size_t needed_;  ///< samples of the input for all results
  /// From a block to the next in memory [samples]: odd, as samples of the same time, which are
  /// written together, would share few places of the nearest cache otherwise.
  std::size_t apart_;
  std::vector<Part> parts_;
  std::vector<Own> own_;
  std::size_t next_ = 0, filled_ = 0;  ///< sample of the memory, and since the last results
  std::vector<Sample> memory_;         ///< of each block the last samples, in turn
  std::vector<std::size_t> places_;    ///< of these in the order of time
};

/// The same in several stages, which is much less work for large factors: what is in the pass band
/// stays flat to 1e-4, and nothing folds onto it from above by more than -80 dB. Beyond it anything
/// may be left.
class DecimatorChain {
 public:
  static constexpr double pass_band = 0.42;  ///< of the low rate, the widest one

  /// What is left of a tone before it comes in.
  struct Loss {
    double frequency;  ///< in low rates, below a half
    double gain;
  };
  /// `factor` is high over low rate: halved twice where it can be, which is done last. Halving
  /// makes up for what was lost: exactly at these frequencies, at most two, and nearly between
  /// them. `attenuation` [dB], 50 or more, is for what there is little of above the pass band.
  /// `band` is that, in low rates.
  DecimatorChain(std::size_t blocks, std::int64_t factor, std::span<const Loss> losses = {},
                 double attenuation = LowPass::full_attenuation, double band = pass_band);

  static constexpr std::size_t most_at_once = 16;
  /// Results that are made together: a few if the memory of all blocks then stays in a near cache,
  /// otherwise as many as it takes to read what is far away less often.
  std::size_t at_once() const { return stages_.back().at_once(); }
  /// Of a block: all signals of the first result, of the second and so on.
  struct alignas(64) Results : std::array<float, most_at_once * Decimator::lanes> {};

  /// Where the next sample of a block is to be written, as Decimator's.
  std::size_t slot(std::size_t ahead = 0) const { return stages_.front().slot(ahead); }
  float* samples(std::size_t block) { return stages_.front().samples(block); }
  std::size_t stride() const { return stages_.front().stride(); }
  /// So many samples are coming, `most_at_once` at most. True if they complete the next
  /// results.
  bool push(std::size_t count);
  /// Whether blocks are to be filtered with them.
  bool is_due() const { return handed_on_.front().is_due; }
  /// They have come for a block.
  void filter(std::size_t block);
  /// The results of a block.
  void make(std::size_t block, Results& results);
  /// As Decimator's.
  std::int64_t late() const { return late_; }
  void serialize(Archive& archive) {
    for (Decimator& stage : stages_) stage.serialize(archive);
  }

 private:
  void make_stages(std::size_t blocks, std::span<const std::vector<double>> taps,
                   std::span<const std::int64_t> factors, std::size_t at_once);

  /// What a stage hands on to the next one.
  struct HandedOn {
    bool is_due = false;
    std::vector<std::size_t> slots;
  };

  std::vector<Decimator> stages_;
  std::vector<HandedOn> handed_on_;  ///< by all stages; the last one's are the results
  std::int64_t late_ = 0;
};

}  // namespace peal::util

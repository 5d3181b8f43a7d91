#pragma once

#include <peal/util/archive.h>
#include <peal/util/lanes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::util {

/// Lowers the rate of many signals at once by a whole factor while they come in, without delay:
/// sample k of the result belongs to sample k * factor of the input, which counts as silent before
/// its start. For what is too much to be kept at the rate at which it is made.
///
/// Results are made a few at a time, which reads what they are made of once instead of once each.
class Decimator {
 public:
  /// `taps` of a symmetric low-pass filter, from the middle outwards; so many results are made
  /// `at_once`.
  Decimator(std::size_t channels, std::int64_t factor, std::span<const double> taps,
            std::size_t at_once);

  /// Where the next sample of every channel is to be written.
  std::span<float> next();
  /// Takes that sample. True if it completes the next `at_once` samples of the result.
  bool push();
  /// One of these, until the next call of push.
  std::span<const float> result(std::size_t number) const;

  /// Samples of the input after which a sample of the result could be complete.
  std::int64_t reach() const { return reach_; }

  /// Between two samples; results are to be fetched before.
  void keep(Archive& archive);

 private:
  using Lanes = Widest<float>;
  static constexpr std::size_t group = 8;  ///< results that are kept in registers
  /// What a sample of the input adds to one of a group of results: middles of filters that halve.
  struct Single {
    std::size_t offset;  ///< of the sample from the first one that the group needs
    float tap;
    std::size_t result;
  };
  /// What one adds to several of them.
  struct Part {
    std::size_t offset;
    std::array<float, group> taps;
  };

  void make_results(std::int64_t first);

  std::size_t channels_;
  std::size_t width_;  ///< of a sample in whole lanes
  std::int64_t factor_;
  std::size_t at_once_;
  std::int64_t reach_;
  std::int64_t needed_;  ///< samples of the input for all results
  std::vector<Single> singles_;
  std::vector<Part> parts_;
  std::int64_t next_ = 0;       ///< sample of the input
  std::vector<Lanes> samples_;  ///< the last ones of the input, in turn
  std::vector<const Lanes*> in_order_;
  std::vector<Lanes> results_;
};

/// The same in several stages, which is much less work for large factors: what is at most 0.42 of
/// the low rate passes flat to 1e-4, and nothing folds onto it from above by more than -80 dB.
class DecimatorChain {
 public:
  /// `factor` is high over low rate: halved twice where it can be, which is done last. `gain` is
  /// what the input has lost already at a third of the low rate; most of that is made up for.
  DecimatorChain(std::size_t channels, std::int64_t factor, double gain = 1.0);

  static constexpr std::size_t at_once = 16;  ///< results

  /// As Decimator's.
  std::span<float> next() { return stages_.front().next(); }
  bool push() { return push(0); }
  std::span<const float> result(std::size_t number) const { return stages_.back().result(number); }

  /// Samples of the input after which the first results are there.
  std::int64_t reach() const { return reach_; }

  void keep(Archive& archive) {
    for (Decimator& stage : stages_) stage.keep(archive);
  }

 private:
  bool push(std::size_t stage);

  std::vector<Decimator> stages_;
  std::int64_t reach_ = 0;
};

}  // namespace peal::util

#pragma once

#include <peal/util/fingerprint.h>

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace peal::vibration {

/// What is added to the decay rates of modes for a while: by what a body lies on, for example. It
/// comes in pieces of time with constant rates, and is their mean over `window`: a rate that jumped
/// would be heard as a click.
class AddedDecay {
 public:
  static constexpr double window = 0.002;  ///< [s]

  explicit AddedDecay(Eigen::Index modes) : modes_(modes) {}

  /// Adds a piece of time [s] with these rates, one a mode [1/s]. Pieces come in order and do not
  /// overlap; between them nothing is added.
  void add(double begin, double end, const Eigen::ArrayXd& rates);

  bool empty() const { return times_.empty(); }
  /// The integral of the rates up to `time` [s], for each mode [1].
  Eigen::ArrayXd integral(double time) const;
  /// Whether anything is added between two times [s].
  bool acts(double begin, double end) const {
    return !empty() && begin < times_.back() + 0.5 * window && end > times_.front() - 0.5 * window;
  }
  /// The factors by which amplitudes fall between two times [s] beside their own decay.
  Eigen::ArrayXd fall(double begin, double end) const {
    return (integral(begin) - integral(end)).exp();
  }

  /// Adds what acts before `end` [s].
  void hash(double end, util::Fingerprint& fingerprint) const;

 private:
  /// The integral of the integral of the pieces up to `time`, for each mode [s].
  Eigen::ArrayXd area(double time) const;

  Eigen::Index modes_;
  std::vector<double> times_;              ///< ascending [s]
  std::vector<Eigen::ArrayXd> integrals_;  ///< at these times; linear between them
  std::vector<Eigen::ArrayXd> areas_;      ///< the integrals of these [s]
  Eigen::ArrayXd last_;                    ///< rates of the last piece [1/s]
};

}  // namespace peal::vibration

#include <peal/vibration/modal_response.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::vibration {

namespace {

/// The speeds of modes in the steps of a coarse rate in which impacts press them.
class ImpactLosses {
 public:
  /// Steps that end at samples of `coarse` up to `end` [s].
  ImpactLosses(const ModalResponse& response, base::Rate coarse, double end)
      : response_(response), fine_{fine_per_step * coarse.hz} {
    const auto last = static_cast<std::int64_t>(std::ceil(coarse.samples(end)));
    is_pressed_.resize(static_cast<std::size_t>(std::max<std::int64_t>(last, 0) + 1), false);
    for (const ModalForce& force : response.forces()) {
      const auto from =
          static_cast<std::int64_t>(std::floor(coarse.samples(force.pulse.start))) + 1;
      const auto to = static_cast<std::int64_t>(std::ceil(coarse.samples(force.pulse.end())));
      for (auto step = std::max<std::int64_t>(from, 0); step <= std::min(to, last); ++step)
        is_pressed_[static_cast<std::size_t>(step)] = true;
    }
  }

  bool in_step(std::int64_t step) const { return is_pressed_[static_cast<std::size_t>(step)]; }

  /// The mean of q'^2 over a step [J].
  Eigen::ArrayXd squared_speed(std::int64_t step) {
    if (step < begin_ || step >= end_) {
      constexpr std::int64_t most = 64;  // steps at once
      begin_ = step;
      for (end_ = step; end_ < step + most && static_cast<std::size_t>(end_) < is_pressed_.size() &&
                        in_step(end_);)
        ++end_;
      speeds_ =
          response_.evaluate(fine_, {fine_per_step * (begin_ - 1), fine_per_step * (end_ - 1) + 1},
                             ModalResponse::Quantity::velocity);
    }
    const auto squares = speeds_.middleCols(fine_per_step * (step - begin_), fine_per_step + 1)
                             .cast<double>()
                             .array()
                             .square();
    return (squares.rowwise().sum() - 0.5 * (squares.col(0) + squares.col(fine_per_step))) /
           static_cast<double>(fine_per_step);
  }

 private:
  static constexpr int fine_per_step = 48;

  const ModalResponse& response_;
  base::Rate fine_;
  std::vector<bool> is_pressed_;
  std::int64_t begin_ = 0, end_ = 0;  ///< steps whose speeds are known
  Eigen::MatrixXf speeds_;
};

}  // namespace

ModalResponse::Energy ModalResponse::energy(double end) const {
  constexpr base::Rate coarse{4000};
  constexpr std::int64_t stride = 64 * block;
  const auto modes = static_cast<Eigen::Index>(modes_.size());
  Energy energy{Eigen::ArrayXd::Zero(modes), Eigen::ArrayXd::Zero(modes),
                Eigen::ArrayXd::Zero(modes)};
  Eigen::ArrayXd squares(modes), own(modes), now = Eigen::ArrayXd::Zero(modes);
  for (Eigen::Index k = 0; k < modes; ++k) {
    const base::Mode& mode = modes_[static_cast<std::size_t>(k)];
    squares[k] = std::pow(2.0 * std::numbers::pi * mode.frequency, 2);
    own[k] = mode.decay_rate * coarse.step();
  }
  ImpactLosses impacts(*this, coarse, end);
  Eigen::ArrayXd added = Eigen::ArrayXd::Zero(modes);
  const auto last = static_cast<std::int64_t>(std::ceil(coarse.samples(end)));
  auto first = static_cast<std::int64_t>(std::floor(coarse.samples(first_contact())));
  for (first = std::max<std::int64_t>(first, 0); first < last; first += stride) {
    const base::SampleRange range{first, std::min(first + stride, last)};
    const Eigen::MatrixXf q = evaluate(coarse, range, Quantity::displacement);
    const Eigen::MatrixXf v = evaluate(coarse, range, Quantity::velocity);
    for (Eigen::Index n = 0; n < q.cols(); ++n) {
      const Eigen::ArrayXd next = 0.5 * (v.col(n).cast<double>().array().square() +
                                         squares * q.col(n).cast<double>().array().square());
      const double t = coarse.seconds(first + n);
      const bool is_added = added_ && added_->acts(t - coarse.step(), t);
      if (is_added)
        added = added_->integral(t) - added_->integral(t - coarse.step());
      else
        added.setZero();
      Eigen::ArrayXd lost;
      if (impacts.in_step(first + n)) {
        lost = impacts.squared_speed(first + n) * 2.0 * (own + added);
      } else if (driven_.first_contact() < t && t - coarse.step() < driven_.last_contact()) {
        const Eigen::ArrayXd half = (-(own + added)).exp();
        lost = now + (next - half.square() * now) / half - next;
      } else {
        lost = now - next;
      }
      energy.given += next - now + lost;
      energy.lost += lost;
      // Rates of zero lose nothing to either.
      if (is_added) energy.to_contacts += lost * added / (added + own).max(1e-300);
      now = next;
    }
  }
  return energy;
}

}  // namespace peal::vibration

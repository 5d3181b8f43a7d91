#include <peal/vibration/added_decay.h>

#include <algorithm>
#include <cassert>
#include <span>

namespace peal::vibration {

namespace {

/// Pieces whose rates differ by less, relatively, become one: 0.3 dB in a fall of 30 dB.
constexpr double same_rate = 0.01;

}  // namespace

void AddedDecay::add(double begin, double end, const Eigen::ArrayXd& rates) {
  assert(rates.size() == modes_ && "one rate a mode");
  if (!(end > begin)) return;
  const bool continues = !empty() && times_.back() == begin;
  if (!continues) {
    times_.push_back(begin);
    integrals_.push_back(integrals_.empty() ? Eigen::ArrayXd(Eigen::ArrayXd::Zero(modes_))
                                            : integrals_.back());
  }
  const Eigen::ArrayXd next = integrals_.back() + (end - begin) * rates;
  if (continues && ((rates - last_).abs() <= same_rate * last_.abs()).all()) {
    times_.back() = end;
    integrals_.back() = next;
    return;
  }
  times_.push_back(end);
  integrals_.push_back(next);
  last_ = rates;
}

Eigen::ArrayXd AddedDecay::integral(double time) const {
  const auto after = std::ranges::upper_bound(times_, time);
  if (after == times_.begin()) return Eigen::ArrayXd::Zero(modes_);
  const auto k = static_cast<std::size_t>(after - times_.begin());
  if (after == times_.end()) return integrals_.back();
  const double part = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
  return integrals_[k - 1] + part * (integrals_[k] - integrals_[k - 1]);
}

void AddedDecay::hash(double end, util::Fingerprint& fingerprint) const {
  for (std::size_t k = 0; k < times_.size() && times_[k] < end; ++k) {
    fingerprint.add(times_[k]);
    fingerprint.add(std::span<const double>(integrals_[k].data(),
                                            static_cast<std::size_t>(integrals_[k].size())));
  }
  if (acts(-1e300, end)) {
    const Eigen::ArrayXd last = integral(end);
    fingerprint.add(std::span<const double>(last.data(), static_cast<std::size_t>(last.size())));
  }
}

}  // namespace peal::vibration

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
    const Eigen::ArrayXd none = Eigen::ArrayXd::Zero(modes_);
    areas_.push_back(empty() ? none : area(begin));
    integrals_.push_back(empty() ? none : integrals_.back());
    times_.push_back(begin);
  }
  const Eigen::ArrayXd next = integrals_.back() + (end - begin) * rates;
  const Eigen::ArrayXd next_area = areas_.back() + 0.5 * (end - begin) * (integrals_.back() + next);
  if (continues && ((rates - last_).abs() <= same_rate * last_.abs()).all()) {
    const std::size_t k = times_.size() - 2;
    times_.back() = end;
    integrals_.back() = next;
    areas_.back() = areas_[k] + 0.5 * (end - times_[k]) * (integrals_[k] + next);
    return;
  }
  times_.push_back(end);
  integrals_.push_back(next);
  areas_.push_back(next_area);
  last_ = rates;
}

Eigen::ArrayXd AddedDecay::area(double time) const {
  const auto after = std::ranges::upper_bound(times_, time);
  if (after == times_.begin()) return Eigen::ArrayXd::Zero(modes_);
  const auto k = static_cast<std::size_t>(after - times_.begin());
  const double since = time - times_[k - 1];
  if (after == times_.end()) return areas_.back() + since * integrals_.back();
  const double half_part = 0.5 * since / (times_[k] - times_[k - 1]);
  return areas_[k - 1] +
         since * (integrals_[k - 1] + half_part * (integrals_[k] - integrals_[k - 1]));
}

Eigen::ArrayXd AddedDecay::integral(double time) const {
  return (area(time + 0.5 * window) - area(time - 0.5 * window)) / window;
}

void AddedDecay::hash(double end, util::Fingerprint& fingerprint) const {
  for (std::size_t k = 0; k < times_.size() && times_[k] < end + 0.5 * window; ++k) {
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

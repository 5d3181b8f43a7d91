#include <peal/vibration/high_pass.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace peal::vibration {

HighPass::HighPass(const base::RadiationFilter& filter, const base::Mode& mode, base::Rate rate)
    : order_(filter.order) {
  if (order_ == 0) return;
  const double half = 0.5 * filter.corner * rate.step();
  pole_ = (1.0 - half) / (1.0 + half);
  // The sample before one of the ringing mode, exp(s t), over it.
  const double angle = 2.0 * std::numbers::pi * std::min(mode.frequency * rate.step(), 0.49);
  const std::complex<double> before = std::polar(std::exp(mode.decay_rate * rate.step()), -angle);
  gain_ = std::abs((1.0 - pole_ * before) / (1.0 - before));
  constexpr double forgotten = 16.0;  // as a natural logarithm
  memory_ = static_cast<std::int64_t>(
      std::ceil((forgotten + static_cast<double>(order_)) / -std::log(std::abs(pole_) + 1e-12)));
}

void HighPass::apply(Eigen::Ref<Eigen::VectorXd> samples) const {
  for (std::int64_t section = 0; section < order_; ++section) {
    double input = 0.0, output = 0.0;
    for (double& x : samples) {
      output = gain_ * (x - input) + pole_ * output;
      input = x;
      x = output;
    }
  }
}

}  // namespace peal::vibration

#include <peal/play/scrape.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::play {

namespace {

/// The pole of y[n] = a y[n-1] + (1 - a) x[n] that halves the power at a frequency far below the
/// sample rate.
double pole_of(double frequency, base::Rate rate) {
  const double highest = 0.45 * static_cast<double>(rate.hz);
  return std::exp(-2.0 * std::numbers::pi * std::clamp(frequency, 1.0, highest) * rate.step());
}

/// Root mean square of white noise of RMS 1 after both filters.
double filtered_noise(double a, double b) {
  const double gain = (1.0 - a) * (1.0 - b);
  return gain * std::sqrt((1.0 + a * b) / ((1.0 - a * a) * (1.0 - b * b) * (1.0 - a * b)));
}

}  // namespace

Scrape::Scrape(base::Rate rate, std::uint64_t seed, std::uint64_t stream)
    : rate_(rate), seed_(seed), stream_(stream) {}

void Scrape::Value::aim(double to, std::int64_t ramp) {
  target = to;
  step = (target - now) / static_cast<double>(ramp);
}

void Scrape::aim(double force, double roughness_frequency, double contact_frequency,
                 std::int64_t ramp) {
  const double rough = pole_of(roughness_frequency, rate_);
  const double contact = pole_of(contact_frequency, rate_);
  left_ = std::max<std::int64_t>(ramp, 1);
  if (is_silent()) {
    rough_.now = rough;
    contact_.now = contact;
    first_ = second_ = 0.0;
  }
  rough_.aim(rough, left_);
  contact_.aim(contact, left_);
  force_.aim(force, left_);
}

void Scrape::process(std::int64_t index, std::span<float> force) {
  for (std::size_t n = 0; n < force.size(); ++n) {
    if (left_ > 0) {
      --left_;
      for (Value* value : {&force_, &rough_, &contact_})
        value->now = left_ == 0 ? value->target : value->now + value->step;
    }
    const double uniform =
        util::random_uniform(seed_, stream_, static_cast<std::uint64_t>(index) + n);
    const double white = std::sqrt(3.0) * (2.0 * uniform - 1.0);
    first_ = rough_.now * first_ + (1.0 - rough_.now) * white;
    second_ = contact_.now * second_ + (1.0 - contact_.now) * first_;
    force[n] = static_cast<float>(force_.now / filtered_noise(rough_.now, contact_.now) * second_);
  }
}

}  // namespace peal::play

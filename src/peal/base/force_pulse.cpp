#include <peal/base/force_pulse.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using std::numbers::pi;

/// The collision of two elastic spheres, parametrised by an angle theta: energy is conserved with
/// depth = sin(theta)^(4/5) of the maximum and speed = cos(theta) of the initial speed; force =
/// sin(theta)^(6/5) of the maximum, and (1 - cos(theta)) / 2 of the impulse has passed. Time
/// follows d theta / dt = (5/4) sin(theta)^(1/5), in units of depth / speed. This is steep at the
/// ends, whereas p = theta^(4/5) is not: dp / dt = (sin(theta) / theta)^(1/5).
class Encounter {
 public:
  Encounter() {
    const double step = half_time / intervals;
    for (int i = 0; i < intervals; ++i) {
      // Classical fourth-order Runge-Kutta method.
      const double p = p_[i], k1 = slope(p), k2 = slope(p + 0.5 * step * k1);
      const double k3 = slope(p + 0.5 * step * k2), k4 = slope(p + step * k3);
      p_[i + 1] = p + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
  }

  /// theta at the fraction x of the contact time, 0 to 1.
  double angle(double x) const {
    if (x > 0.5) return pi - angle(1.0 - x);
    const double at = std::clamp(2.0 * x, 0.0, 1.0) * intervals;
    const int i = std::min(static_cast<int>(at), intervals - 1);
    // Cubic Hermite interpolation between values with known slopes.
    const double u = at - i, step = half_time / intervals;
    const double a = p_[i], b = p_[i + 1], da = step * slope(a), db = step * slope(b);
    const double p =
        a + u * (da + u * (3.0 * (b - a) - 2.0 * da - db + u * (2.0 * (a - b) + da + db)));
    return std::pow(p, 1.25);
  }

  static constexpr double half_time = 0.5 * 2.9432751843247047;

 private:
  static double slope(double p) {
    const double theta = std::pow(p, 1.25);
    return theta > 0.0 ? std::pow(std::sin(theta) / theta, 0.2) : 1.0;
  }

  static constexpr int intervals = 512;
  std::array<double, intervals + 1> p_{};
};

const Encounter& encounter_of_spheres() {
  static const Encounter table;
  return table;
}

}  // namespace

double pulse_force(PulseProfile profile, double x) {
  if (!(x > 0.0 && x < 1.0)) return 0.0;
  if (profile == PulseProfile::half_sine) return 0.5 * pi * std::sin(pi * x);
  // The peak force 5/4 m V^2 / depth over the mean force 2 m V / tau.
  const double peak = 1.25 * Encounter::half_time;
  return peak * std::pow(std::sin(encounter_of_spheres().angle(x)), 1.2);
}

double pulse_passed(PulseProfile profile, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  const double angle =
      profile == PulseProfile::half_sine ? pi * x : encounter_of_spheres().angle(x);
  return 0.5 * (1.0 - std::cos(angle));
}

void add_pulse(const ForcePulse& pulse, PulseProfile profile, double scale, Rate rate,
               SampleRange range, std::span<double> samples) {
  const double force = scale * pulse.impulse * static_cast<double>(rate.hz);
  const auto first = static_cast<std::int64_t>(std::floor(rate.samples(pulse.start) + 0.5));
  const auto last = static_cast<std::int64_t>(std::floor(rate.samples(pulse.end()) + 0.5));
  const auto passed_before = [&](std::int64_t n) {
    const double t = rate.samples_to_seconds(static_cast<double>(n) - 0.5);
    return pulse_passed(profile, (t - pulse.start) / pulse.contact_time);
  };
  const std::int64_t begin = std::max(first, range.begin), end = std::min(last + 1, range.end);
  if (begin >= end) return;
  double before = begin == first ? 0.0 : passed_before(begin);
  for (std::int64_t n = begin; n < end; ++n) {
    const double after = n == last ? 1.0 : passed_before(n + 1);
    samples[static_cast<std::size_t>(n - range.begin)] += force * (after - before);
    before = after;
  }
}

}  // namespace peal::base

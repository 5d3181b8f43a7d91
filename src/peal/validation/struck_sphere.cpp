#include <peal/validation/struck_sphere.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::validation {

using std::numbers::pi;

double HalfSine::operator()(double t) const {
  return t > 0.0 && t < length ? height * std::sin(pi * t / length) : 0.0;
}

OscillatingAnswer::OscillatingAnswer(const HalfSine& drive, double a)
    : w_(pi / drive.length), b_(speed_of_sound / a), length_(drive.length), a_(a) {
  // Steady part Im[F e^(iwt)], then the transient that makes F = F' = 0 at the start.
  const Complex steady = -air_density * speed_of_sound * speed_of_sound * a * drive.height /
                         Complex(2.0 * b_ * b_ - w_ * w_, 2.0 * b_ * w_);
  steady_ = steady;
  start_ = free_part(-steady.imag(), -w_ * steady.real());
  const auto [f, slope] = during(length_);
  after_ = free_part(f, slope);
}

double OscillatingAnswer::pressure(double t, double r, double cosine) const {
  const auto [f, slope] = at(t - (r - a_) / speed_of_sound);
  return -cosine * (slope / (speed_of_sound * r) + f / (r * r));
}

OscillatingAnswer::State OscillatingAnswer::free_at(const State& s, double t) const {
  const double fall = std::exp(-b_ * t), cs = std::cos(b_ * t), sn = std::sin(b_ * t);
  return {fall * (s.f * cs + s.slope * sn),
          b_ * fall * ((s.slope - s.f) * cs - (s.f + s.slope) * sn)};
}

OscillatingAnswer::State OscillatingAnswer::during(double t) const {
  const Complex turn = std::polar(1.0, w_ * t);
  const State free = free_at(start_, t);
  return {(steady_ * turn).imag() + free.f,
          (Complex(0.0, w_) * steady_ * turn).imag() + free.slope};
}

OscillatingAnswer::State OscillatingAnswer::at(double t) const {
  if (t <= 0.0) return {0.0, 0.0};
  return t <= length_ ? during(t) : free_at(after_, t - length_);
}

double waveform_error(const Received& received, const std::function<double(double t)>& exact) {
  double worst = 0.0, most = 0.0;
  for (std::size_t i = 0; i < received.pressure.size(); ++i) {
    const double p = exact(received.time(i));
    worst = std::max(worst, std::abs(received.pressure[i] - p));
    most = std::max(most, std::abs(p));
  }
  return worst / most;
}

plot::LineChart waveform_chart(const std::string& title, const Received& received, double until,
                               const std::function<double(double t)>& exact) {
  plot::Series theory{.name = "exact"}, ours{.name = "Peal", .look = plot::Look::points};
  for (std::size_t i = 0; i < received.pressure.size() && received.time(i) < until; ++i) {
    theory.x.push_back(1e3 * received.time(i));
    theory.y.push_back(exact(received.time(i)));
    ours.x.push_back(1e3 * received.time(i));
    ours.y.push_back(received.pressure[i]);
  }
  return {.title = title,
          .x = {.label = "time (ms)", .min = 0, .max = 0},
          .y = {.label = "pressure (Pa)", .min = 0, .max = 0},
          .series = {theory, ours},
          .residual = plot::Residual::difference};
}

}  // namespace peal::validation

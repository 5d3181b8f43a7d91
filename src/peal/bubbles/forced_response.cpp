#include <peal/bubbles/forced_response.h>

#include <cmath>

namespace peal::bubbles {

FreeMotion::FreeMotion(double natural, double decay, double time) : omega(natural), beta(decay) {
  const double ringing = std::sqrt(natural * natural - decay * decay);
  const double size = std::exp(-decay * time);
  const double cosine = size * std::cos(ringing * time);
  const double sine = size * std::sin(ringing * time) / ringing;
  vv = cosine + decay * sine;
  vw = sine;
  wv = -natural * natural * sine;
  ww = cosine - decay * sine;
}

VolumeState FreeMotion::operator()(const VolumeState& from) const {
  VolumeState to{vv * from.volume + vw * from.velocity, wv * from.volume + ww * from.velocity};
  to.acceleration = -2.0 * beta * to.velocity - omega * omega * to.volume;
  return to;
}

ForcedResponse::ForcedResponse(const Forcing& forcing, double omega, double beta)
    : forcing_(forcing), omega_(omega), beta_(beta) {
  const double w2 = omega * omega, k = forcing.curvature;
  square_ = k / w2;
  line_ = -4.0 * beta * k / (w2 * w2);
  constant_ = k * (8.0 * beta * beta / w2 - 2.0) / (w2 * w2);
}

VolumeState ForcedResponse::at(double t) const {
  const FreeMotion motion(omega_, beta_, t);
  const VolumeState free = motion({-constant_, -line_});
  return {square_ * t * t + line_ * t + constant_ + free.volume,
          2.0 * square_ * t + line_ + free.velocity, 2.0 * square_ + free.acceleration};
}

/// Simpson's rule; the forcing lasts a few periods at most.
template <class Function>
double ForcedResponse::integral(double t, const Function& function) const {
  constexpr int parts = 64;
  double sum = 0.0;
  for (int i = 0; i <= parts; ++i) {
    const double weight = i == 0 || i == parts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    const double at_time = t * i / parts;
    sum += weight * function(at_time, at(at_time));
  }
  return sum * t / (3.0 * parts);
}

double ForcedResponse::work(double t) const {
  return integral(
      t, [&](double s, const VolumeState& v) { return forcing_.curvature * s * s * v.velocity; });
}

double ForcedResponse::squared_velocity(double t) const {
  return integral(t, [](double, const VolumeState& v) { return v.velocity * v.velocity; });
}

double ForcedResponse::squared_acceleration(double t) const {
  return integral(t, [](double, const VolumeState& v) { return v.acceleration * v.acceleration; });
}

}  // namespace peal::bubbles

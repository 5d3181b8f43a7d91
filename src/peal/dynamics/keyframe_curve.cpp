#include <peal/dynamics/keyframe_curve.h>
#include <peal/scene/motion_scale.h>

#include <algorithm>
#include <cmath>

namespace peal::dynamics {

using geometry::Quat;
using geometry::Vec3;
using scene::Interpolation;

namespace {

/// Reduces keys that are all equal to one key.
template <class T>
scene::Track<T> simplified(const scene::Track<T>& track, const T& otherwise) {
  if (!track.empty() && !scene::never_changes(track)) return track;
  scene::Track<T> one;
  one.interpolation = Interpolation::step;
  one.times = {0.0};
  one.values = {track.empty() ? otherwise : track.values.front()};
  return one;
}

/// Cubic Hermite spline with tangents scaled by the interval (glTF 2.0, appendix C.4).
template <class T>
T hermite(const KeyInterval& at, const std::vector<T>& values, const std::vector<T>& in_tangents,
          const std::vector<T>& out_tangents) {
  const double f = at.fraction, f2 = f * f, f3 = f2 * f;
  return (2.0 * f3 - 3.0 * f2 + 1.0) * values[at.key] +
         at.duration * (f3 - 2.0 * f2 + f) * out_tangents[at.key] +
         (3.0 * f2 - 2.0 * f3) * values[at.key + 1] +
         at.duration * (f3 - f2) * in_tangents[at.key + 1];
}

}  // namespace

KeyTimes::KeyTimes(std::vector<double> times) : times_(std::move(times)) {
  const double length = times_.back() - times_.front();
  if (length > 0.0) keys_per_second_ = static_cast<double>(times_.size() - 1) / length;
}

std::size_t KeyTimes::bisect(double t) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

template <class T>
KeyframeCurve<T>::KeyframeCurve(const scene::Track<T>& track, const T& otherwise) : keys_({0.0}) {
  scene::Track<T> kept = simplified(track, otherwise);
  interpolation_ = kept.interpolation;
  keys_ = KeyTimes(std::move(kept.times));
  values_ = std::move(kept.values);
  in_tangents_ = std::move(kept.in_tangents);
  out_tangents_ = std::move(kept.out_tangents);
}

template <class T>
T KeyframeCurve<T>::at(double t) const {
  if (is_constant()) return values_.front();
  const KeyInterval at = keys_.interval(t);
  if (interpolation_ == Interpolation::step || at.fraction == 0.0) return values_[at.key];
  if (interpolation_ == Interpolation::linear) {
    return (1.0 - at.fraction) * values_[at.key] + at.fraction * values_[at.key + 1];
  }
  return hermite(at, values_, in_tangents_, out_tangents_);
}

template class KeyframeCurve<Vec3>;
template class KeyframeCurve<Eigen::VectorXd>;

RotationCurve::RotationCurve(const scene::Track<Eigen::Vector4d>& track) : keys_({0.0}) {
  scene::Track<Eigen::Vector4d> kept = simplified<Eigen::Vector4d>(track, Eigen::Vector4d::UnitW());
  interpolation_ = kept.interpolation;
  keys_ = KeyTimes(std::move(kept.times));
  values_ = std::move(kept.values);
  in_tangents_ = std::move(kept.in_tangents);
  out_tangents_ = std::move(kept.out_tangents);
  for (Eigen::Vector4d& value : values_) value.normalize();
  if (interpolation_ != Interpolation::linear) return;
  for (std::size_t i = 1; i < values_.size(); ++i) {
    // q and -q are one rotation: of the two ways the shorter is taken.
    if (values_[i].dot(values_[i - 1]) < 0.0) values_[i] = -values_[i];
    const double angle = 2.0 * std::atan2((values_[i] - values_[i - 1]).norm(),
                                          (values_[i] + values_[i - 1]).norm());
    arcs_.push_back({angle, 1.0 / std::sin(angle)});
  }
}

Quat RotationCurve::at(double t) const {
  if (is_constant()) return Quat(values_.front());
  const KeyInterval at = keys_.interval(t);
  if (interpolation_ == Interpolation::step || at.fraction == 0.0) return Quat(values_[at.key]);
  const Eigen::Vector4d& from = values_[at.key];
  const Eigen::Vector4d& to = values_[at.key + 1];
  if (interpolation_ == Interpolation::linear) {
    const auto& [angle, inverse_sine] = arcs_[at.key];
    if (angle < 1e-100) return Quat(from);
    return Quat((std::sin((1.0 - at.fraction) * angle) * inverse_sine) * from +
                (std::sin(at.fraction * angle) * inverse_sine) * to);
  }
  const Eigen::Vector4d blend = hermite(at, values_, in_tangents_, out_tangents_);
  const double length = blend.norm();
  // A spline through zero has no direction there.
  return length > 1e-9 ? Quat(blend / length) : Quat(from);
}

}  // namespace peal::dynamics

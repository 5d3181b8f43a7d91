#pragma once

#include <peal/scene/animation.h>

#include <cstddef>
#include <vector>

namespace peal::dynamics {

/// Position of a time between keys.
struct KeyInterval {
  std::size_t key;  ///< the key at or before the time
  double fraction;  ///< of the time to the next key, 0 to 1
  double duration;  ///< from this key to the next [s]
};

/// Key times with a fast look-up that needs no memory of earlier calls, so that it can be shared
/// by threads: keys at equal distances are guessed at once, others are found by bisection.
class KeyTimes {
 public:
  explicit KeyTimes(std::vector<double> times);

  std::size_t size() const { return times_.size(); }
  const std::vector<double>& times() const { return times_; }

  /// The interval of time `t`, clamped: the first key before it, the last key from there on.
  KeyInterval interval(double t) const {
    if (!(t > times_.front())) return {0, 0.0, 0.0};
    if (t >= times_.back()) return {times_.size() - 1, 0.0, 0.0};
    auto key = static_cast<std::size_t>((t - times_.front()) * keys_per_second_);
    if (key + 1 >= times_.size()) key = times_.size() - 2;
    // Times are stored as 32-bit floats in glTF: the guess is often one off at a key.
    if (t < times_[key] && key > 0) --key;
    if (t >= times_[key + 1] && key + 2 < times_.size()) ++key;
    if (t < times_[key] || t >= times_[key + 1]) key = bisect(t);
    const double duration = times_[key + 1] - times_[key];
    return {key, (t - times_[key]) / duration, duration};
  }

 private:
  std::size_t bisect(double t) const;

  std::vector<double> times_;
  double keys_per_second_ = 0.0;
};

/// A vector of numbers over time, interpolated component by component (glTF 2.0, appendix C).
/// Without keys its value is `otherwise`.
template <class T>
class KeyframeCurve {
 public:
  KeyframeCurve(const scene::Track<T>& track, const T& otherwise);

  bool is_constant() const { return values_.size() == 1; }
  scene::Interpolation interpolation() const { return interpolation_; }
  const std::vector<double>& times() const { return keys_.times(); }
  T at(double t) const;

 private:
  scene::Interpolation interpolation_;
  KeyTimes keys_;
  std::vector<T> values_, in_tangents_, out_tangents_;
};

using VectorCurve = KeyframeCurve<geometry::Vec3>;   ///< a translation or scale
using WeightCurve = KeyframeCurve<Eigen::VectorXd>;  ///< weights of morph targets

extern template class KeyframeCurve<geometry::Vec3>;
extern template class KeyframeCurve<Eigen::VectorXd>;

/// A rotation over time (glTF 2.0, appendix C). LINEAR takes the shorter way round.
class RotationCurve {
 public:
  explicit RotationCurve(const scene::Track<Eigen::Vector4d>& track);

  bool is_constant() const { return values_.size() == 1; }
  scene::Interpolation interpolation() const { return interpolation_; }
  const std::vector<double>& times() const { return keys_.times(); }
  geometry::Quat at(double t) const;

 private:
  /// The angle between a key and the next, as four-dimensional vectors, and its sine.
  struct Arc {
    double angle;  ///< [rad], 0 to pi/2
    double inverse_sine;
  };

  scene::Interpolation interpolation_;
  KeyTimes keys_;
  std::vector<Eigen::Vector4d> values_, in_tangents_, out_tangents_;
  std::vector<Arc> arcs_;  ///< LINEAR only
};

}  // namespace peal::dynamics

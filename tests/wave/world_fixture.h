#pragma once

#include <peal/base/listener.h>
#include <peal/base/prescribed_source.h>
#include <peal/base/world.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace peal::wave {

/// A frame on a straight line.
class Gliding : public base::Motion {
 public:
  explicit Gliding(base::Vec3 start, base::Vec3 velocity = base::Vec3::Zero())
      : start_(std::move(start)), velocity_(std::move(velocity)) {}
  base::Pose pose(double t) const override { return {.position = start_ + t * velocity_}; }
  bool is_still() const override { return velocity_.isZero(); }

 private:
  base::Vec3 start_, velocity_;
};

/// A surface whose vertices move by any law of their place at rest and time.
class Deforming : public base::Deformation {
 public:
  using Law = std::function<base::Vec3(const base::Vec3& rest, double t)>;
  Deforming(std::vector<base::Vec3> rest, Law law) : rest_(std::move(rest)), law_(std::move(law)) {}
  void vertices(double t, std::span<base::Vec3> out) const override {
    for (std::size_t i = 0; i < rest_.size(); ++i) out[i] = law_(rest_[i], t);
  }

 private:
  std::vector<base::Vec3> rest_;
  Law law_;
};

inline std::shared_ptr<const base::Motion> resting_at(double x = 0, double y = 0, double z = 0) {
  return std::make_shared<Gliding>(base::Vec3(x, y, z));
}

/// A surface that accelerates everywhere alike along its normal.
using Pulsating = base::PrescribedSource;

/// A point of any strength.
class Emitting : public base::PointShader {
 public:
  explicit Emitting(std::function<double(double)> strength) : strength_(std::move(strength)) {}
  base::Signal strength(base::Rate rate, base::SampleRange range) const override {
    base::Signal signal{.rate = rate, .start = range.begin};
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      signal.samples.push_back(static_cast<float>(strength_(rate.seconds(n))));
    }
    return signal;
  }

 private:
  std::function<double(double)> strength_;
};

/// A smooth pulse of unit height around `middle` [s], zero beyond 5 widths.
inline double pulse(double t, double middle, double width) {
  const double x = (t - middle) / width;
  return std::abs(x) > 5.0 ? 0.0 : std::exp(-0.5 * x * x);
}

/// A tone that is switched on within 2 ms.
inline double tone(double t, double frequency) {
  const double x = std::clamp(t / 2e-3, 0.0, 1.0);
  return x * x * x * (10 - x * (15 - 6 * x)) * std::sin(2 * std::numbers::pi * frequency * t);
}

inline base::World world_of(double seconds, std::int64_t hz = 48000) {
  base::World world;
  world.rate.hz = hz;
  world.samples = static_cast<std::int64_t>(seconds * static_cast<double>(hz));
  return world;
}

inline base::Body body_of(std::string name, geometry::TriMesh mesh,
                          std::shared_ptr<const base::Motion> motion = resting_at()) {
  base::Body body;
  body.name = std::move(name);
  body.mesh = std::move(mesh);
  body.motion = std::move(motion);
  return body;
}

}  // namespace peal::wave

#pragma once

#include <peal/base/prescribed_source.h>
#include <peal/base/world.h>
#include <peal/radiation/rays.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "radiation/sound_fixture.h"

// Worlds of one body whose surface moves by a formula, and what `rays` makes of them.
namespace peal::radiation {

constexpr double ball_radius = 0.05;  ///< [m]

/// How a surface accelerates: everywhere alike, or by a shape.
struct Law {
  template <class F>
  Law(F of_time) : law(std::move(of_time)) {}
  Law(base::PrescribedSource::Shape of_place, base::PrescribedSource::Law of_time)
      : shape(std::move(of_place)), law(std::move(of_time)) {}
  base::PrescribedSource::Shape shape = [](const base::SurfacePoint&) { return 1.0; };
  base::PrescribedSource::Law law;
};

inline base::World world_with(
    geometry::TriMesh mesh, Law law, double seconds,
    std::shared_ptr<const base::Motion> motion = still(base::Vec3::Zero())) {
  base::World world;
  world.samples = static_cast<std::int64_t>(seconds * static_cast<double>(world.rate.hz));
  base::Body body{.name = "body", .mesh = std::move(mesh), .motion = std::move(motion)};
  body.sources.push_back(
      std::make_shared<base::PrescribedSource>(std::move(law.shape), std::move(law.law)));
  world.bodies.push_back(std::move(body));
  return world;
}

inline std::vector<float> heard_at(
    const base::World& world, std::shared_ptr<const base::Motion> receiver_point,
    base::RaysSettings::Form form = base::RaysSettings::Form::kirchhoff,
    double max_frequency = 16000.0) {
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = std::move(receiver_point)}};
  util::Silent silent;
  return RaysRadiator({.form = form, .max_frequency = max_frequency})
      .radiate(world, ears, {0, world.samples}, silent)[0]
      .samples;
}

/// Level of a tone in the last part of a signal.
inline double amplitude_of(const std::vector<float>& samples, double frequency) {
  const std::vector<double> all = util::as_double(samples);
  return util::tone_at(std::span(all).last(all.size() / 2), 48000.0, frequency).amplitude;
}

inline double decibel(double ratio) {
  return 20.0 * std::log10(ratio);
}

/// A shape that turns about y, 3 times a second, in a frame that rests.
class Turning : public base::Deformation {
 public:
  explicit Turning(std::vector<base::Vec3> rest) : rest_(std::move(rest)) {}
  void vertices(double t, std::span<base::Vec3> out) const override {
    const Eigen::AngleAxisd turn(6 * std::numbers::pi * t, base::Vec3::UnitY());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = turn * rest_[i];
  }

 private:
  std::vector<base::Vec3> rest_;
};

}  // namespace peal::radiation

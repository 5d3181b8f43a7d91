#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/wave_trial.h>
#include <peal/wave/driver/wave_radiator.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::validation {

namespace {

using std::numbers::pi;

class Gliding : public base::Motion {
 public:
  Gliding(Vec3 start, Vec3 velocity) : start_(std::move(start)), velocity_(std::move(velocity)) {}
  base::Pose pose(double t) const override { return {.position = start_ + t * velocity_}; }
  bool is_still() const override { return velocity_.isZero(); }

 private:
  Vec3 start_, velocity_;
};

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

}  // namespace

double Pulse::operator()(double t) const {
  const double x = (t - middle()) / width;
  return std::abs(x) > 6.0 ? 0.0 : std::exp(-0.5 * x * x);
}

double Pulse::slope(double t) const {
  return -(t - middle()) / (width * width) * (*this)(t);
}

Complex Pulse::spectrum(double frequency) const {
  const double w = 2.0 * pi * frequency, x = w * width;
  return std::polar(width * std::sqrt(2.0 * pi) * std::exp(-0.5 * x * x), -w * middle());
}

std::shared_ptr<const base::Motion> gliding(const Vec3& start, const Vec3& velocity) {
  return std::make_shared<Gliding>(start, velocity);
}

std::shared_ptr<const base::Motion> resting(const Vec3& place) {
  return gliding(place, Vec3::Zero());
}

std::shared_ptr<const base::PointShader> emitting(std::function<double(double t)> strength) {
  return std::make_shared<Emitting>(std::move(strength));
}

geometry::TriMesh round_sphere(double radius, double edge_length) {
  geometry::TriMesh mesh = geometry::sphere_mesh(radius, edge_length);
  const double exact = 4.0 / 3.0 * pi * std::pow(radius, 3);
  const double scale = std::cbrt(exact / geometry::signed_volume(mesh));
  for (Vec3& v : mesh.vertices) v *= scale;
  return mesh;
}

geometry::TriMesh hollow_box(const Vec3& inside, double wall) {
  geometry::TriMesh outer = geometry::box_mesh(inside + Vec3::Constant(2.0 * wall), 1.0);
  geometry::TriMesh inner = geometry::box_mesh(inside, 1.0);
  for (geometry::Triangle& t : inner.triangles) std::swap(t[0], t[1]);
  geometry::TriMesh both = geometry::joined(outer, inner);
  for (Vec3& v : both.vertices) v += 0.5 * inside;
  return both;
}

Complex Received::transfer(double frequency, const Pulse& pulse) const {
  Complex sum = 0.0;
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    sum += std::polar(pressure[i], -2.0 * pi * frequency * time(i));
  }
  return sum * rate.step() / pulse.spectrum(frequency);
}

std::vector<double> Received::between(double from, double to) const {
  std::vector<double> part;
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    if (time(i) >= from && time(i) < to) part.push_back(pressure[i]);
  }
  return part;
}

WaveTrial::WaveTrial(double cell_size, double seconds) {
  const double limit = std::sqrt(3.0) * speed_of_sound / cell_size;  // steps a second
  world.rate.hz = static_cast<std::int64_t>(std::ceil(limit / 0.999));
  world.samples = static_cast<std::int64_t>(std::ceil(world.rate.samples(seconds)));
  settings.cell_size = cell_size;
  settings.max_frequency = 0.45 * static_cast<double>(world.rate.hz);
}

base::Body& WaveTrial::add_body(std::string name, geometry::TriMesh mesh,
                                std::shared_ptr<const base::Motion> motion) {
  base::Body body;
  body.name = std::move(name);
  body.mesh = std::move(mesh);
  body.motion = std::move(motion);
  return world.bodies.emplace_back(std::move(body));
}

void WaveTrial::add_point(const Vec3& place, std::function<double(double t)> strength) {
  world.sources.push_back(
      {.name = "point", .motion = resting(place), .shader = emitting(std::move(strength))});
}

void WaveTrial::listen_at(const Vec3& place, const Vec3& velocity) {
  receivers.push_back({.name = "receiver", .motion = gliding(place, velocity)});
}

std::vector<Received> WaveTrial::run() const {
  const wave::WaveRadiator radiator(settings);
  util::Silent silent;
  std::vector<Received> all;
  for (const base::Signal& signal :
       radiator.radiate(world, receivers, {0, world.samples}, silent)) {
    all.push_back({signal.rate, signal.start, {signal.samples.begin(), signal.samples.end()}});
  }
  return all;
}

double relative_error(Complex ours, Complex exact) {
  return std::abs(ours - exact) / std::abs(exact);
}

}  // namespace peal::validation

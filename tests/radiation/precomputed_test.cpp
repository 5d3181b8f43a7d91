#include <peal/base/existence.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/flat_mirrors.h>
#include <peal/radiation/precomputed.h>
#include <peal/shaders/acceleration_noise.h>
#include <peal/util/fft.h>
#include <peal/util/parallel.h>
#include <peal/validation/struck_sphere.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace peal::radiation {
namespace {

using base::Vec3;
using Complex = std::complex<double>;
using std::numbers::pi;
using testing::HasSubstr;

constexpr double tabled_radius = 0.0075, ball_mass = 0.005;
constexpr double ball_note = 3000.0;

/// The exact table of a shaking sphere.
base::RigidRadiation sphere_table() {
  base::RigidRadiation table{.radius = tabled_radius, .spacing = 1500.0, .max_frequency = 20000.0};
  const double speed = table.medium.speed_of_sound;
  for (int b = 0; b < 18; ++b) {
    const double k = std::max(2.0 * pi * table.spacing * b / speed, 1e-3);
    std::vector<Complex> h(2);
    base::spherical_hankel_up_to(1, k * tabled_radius, h);
    const Complex dipole = -table.medium.density * h[1] /
                           (k * (h[0] - 2.0 * h[1] / (k * tabled_radius))) /
                           std::sqrt(3.0 / (4.0 * pi));
    table.orders.push_back(6);
    const std::size_t first = table.values.size();
    table.values.resize(first + 6 * 49);
    const std::size_t harmonic_of_axis[3] = {3, 1, 2};
    for (std::size_t m = 0; m < 3; ++m)
      table.values[first + 49 * m + harmonic_of_axis[m]] =
          std::complex<float>(b == 0 ? Complex(dipole.real()) : dipole);
  }
  return table;
}

/// The exact table of a sphere that breathes at one frequency.
base::ModalRadiation breathing_table() {
  base::ModalRadiation table{.radius = tabled_radius};
  const double k = 2.0 * pi * ball_note / table.medium.speed_of_sound;
  const Complex p =
      table.medium.density * tabled_radius / Complex(1.0, k * tabled_radius) * std::sqrt(4.0 * pi);
  table.modes.push_back({.frequency = ball_note, .order = 0, .values = {}});
  table.modes[0].values.emplace_back(p);
  return table;
}

/// Tables that are known, for any body.
class KnownTables : public base::TableMaker {
 public:
  Outlook rigid_outlook(const base::Body& body, const base::Medium&, double) const override {
    if (body.name == "block") return {.is_possible = false, .problem = "it is a block"};
    return {.is_stored = true, .max_frequency = 20000.0};
  }
  Outlook modal_outlook(const base::Body&, const base::ModalModel&, const base::Medium&,
                        double) const override {
    return {.is_stored = true};
  }
  std::shared_ptr<const base::RigidRadiation> rigid(const base::Body&, const base::Medium&, double,
                                                    const Advance&) const override {
    return std::make_shared<base::RigidRadiation>(sphere_table());
  }
  std::shared_ptr<const base::ModalRadiation> modal(const base::Body&, const base::ModalModel&,
                                                    const base::Medium&, double,
                                                    const Advance&) const override {
    return std::make_shared<base::ModalRadiation>(breathing_table());
  }
  std::vector<std::string> notices() const override { return {}; }
};

/// A mode that rings for ever: q'' = cos(wt).
class RingingMode : public base::SurfaceSource, public base::ModalDrive {
 public:
  RingingMode() { model_.modes.push_back({.frequency = ball_note}); }
  Eigen::Index columns() const override { return 1; }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint>) const override { return {}; }
  void coefficients(base::Rate, base::SampleRange, base::Coefficients&) const override {}
  void hash(base::Rate, base::SampleRange, util::Fingerprint&) const override {}
  const base::ModalModel& model() const override { return model_; }
  void accelerations(base::Rate rate, base::SampleRange range, base::Coefficients& now,
                     base::Coefficients& later) const override {
    now.resize(1, range.size());
    later.resize(1, range.size());
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      const double phase = 2.0 * pi * ball_note * rate.seconds(n);
      now(0, n - range.begin) = static_cast<float>(std::cos(phase));
      later(0, n - range.begin) = static_cast<float>(std::sin(phase));
    }
  }

 private:
  base::ModalModel model_;
};

/// A frame on a straight line that turns about y.
class Travelling : public base::Motion {
 public:
  Travelling(Vec3 start, Vec3 velocity, double turning = 0.0)
      : start_(std::move(start)), velocity_(std::move(velocity)), turning_(turning) {}
  base::Pose pose(double t) const override {
    return {.position = start_ + t * velocity_,
            .orientation = geometry::Quat(Eigen::AngleAxisd(turning_ * t, Vec3::UnitY()))};
  }
  bool is_still() const override { return velocity_.isZero() && turning_ == 0.0; }

 private:
  Vec3 start_, velocity_;
  double turning_;
};

std::shared_ptr<const base::SurfaceSource> struck_ball(const Vec3& direction, double start,
                                                       double contact_time, double impulse) {
  geometry::MassProperties ball{.mass = ball_mass, .inertia = geometry::Mat3::Identity() * 1e-7};
  std::vector<base::ContactForce> forces{
      {.pulse = {.start = start, .contact_time = contact_time, .impulse = impulse},
       .at = -tabled_radius * direction,
       .direction = direction}};
  return std::make_shared<shaders::AccelerationNoise>(
      std::make_shared<shaders::RigidAcceleration>(ball, forces, base::PulseProfile::half_sine));
}

base::World ball_world(std::shared_ptr<const base::SurfaceSource> source,
                       const Vec3& velocity = Vec3::Zero(), double turning = 0.0) {
  base::World world;
  world.samples = 4800;
  world.bodies.push_back({.name = "ball",
                          .mesh = geometry::sphere_mesh(tabled_radius, 0.3 * tabled_radius),
                          .motion = std::make_shared<Travelling>(Vec3::Zero(), velocity, turning),
                          .sources = {std::move(source)}});
  return world;
}

base::Receiver receiver_at(const Vec3& x, const Vec3& velocity = Vec3::Zero()) {
  return {.name = "ear", .motion = std::make_shared<Travelling>(x, velocity)};
}

PrecomputedRadiator tabled_radiator() {
  return {20000.0, std::make_shared<KnownTables>(), [](const std::string&) {}};
}

std::vector<float> heard_by_tables(const base::World& world, const base::Receiver& ear,
                                   std::optional<base::SampleRange> range = {}) {
  util::Silent silent;
  return tabled_radiator()
      .radiate(world, {&ear, 1}, range.value_or(base::SampleRange{0, world.samples}), silent)
      .front()
      .samples;
}

double relative_rms(const std::vector<float>& found, const std::function<double(double)>& exact,
                    double from = 0.0) {
  double error = 0.0, size = 0.0;
  for (std::size_t n = 0; n < found.size(); ++n) {
    const double t = static_cast<double>(n) / 48000.0;
    if (t < from) continue;
    error += std::pow(static_cast<double>(found[n]) - exact(t), 2);
    size += std::pow(exact(t), 2);
  }
  return std::sqrt(error / size);
}

/// The same for the spectra up to 16 kHz; the exact sound is sampled finely first.
double relative_rms_in_band(const std::vector<float>& found,
                            const std::function<double(double)>& exact) {
  constexpr std::size_t finer = 16;
  util::RealFft coarse(found.size()), fine(finer * found.size());
  std::vector<double> ours(found.begin(), found.end()), theirs(fine.size());
  for (std::size_t n = 0; n < theirs.size(); ++n)
    theirs[n] = exact(static_cast<double>(n) / (48000.0 * finer)) / finer;
  std::vector<Complex> x(coarse.bins()), y(fine.bins());
  coarse.forward(ours, x);
  fine.forward(theirs, y);
  double error = 0.0, size = 0.0;
  for (std::size_t k = 0; static_cast<double>(k) * 48000.0 / double(found.size()) < 16000.0; ++k) {
    error += std::norm(x[k] - y[k]);
    size += std::norm(y[k]);
  }
  return std::sqrt(error / size);
}

TEST(PrecomputedAnalytic, a_struck_sphere_sounds_as_theory_says_near_and_far) {
  // Koss & Alfredson 1973.
  const double start = 0.01, contact = 160e-6, impulse = 1e-3;
  const base::World world = ball_world(struck_ball(Vec3::UnitY(), start, contact, impulse));
  const validation::OscillatingAnswer exact(
      {.height = 0.5 * pi * impulse / (contact * ball_mass), .length = contact}, tabled_radius);
  for (const double r : {1.5 * tabled_radius, 8.0 * tabled_radius, 100.0 * tabled_radius}) {
    const Vec3 direction = Vec3(0.3, 0.8, -0.4).normalized();
    const std::vector<float> p = heard_by_tables(world, receiver_at(r * direction));
    EXPECT_LT(relative_rms_in_band(
                  p, [&](double t) { return exact.pressure(t - start, r, direction.y()); }),
              0.012)
        << r / tabled_radius;
  }
}

TEST(Precomputed, a_hertz_pulse_and_a_force_in_its_course_sound_alike) {
  const double contact = 160e-6, impulse = 1e-3;
  geometry::MassProperties ball{.mass = ball_mass, .inertia = geometry::Mat3::Identity() * 1e-7};
  base::ContactForce force{.pulse = {.start = 0.01, .contact_time = contact, .impulse = impulse},
                           .at = Vec3(tabled_radius, 0, 0.001),
                           .direction = -Vec3::UnitX()};
  const auto sound = [&](const base::ContactForce& one) {
    return heard_by_tables(ball_world(std::make_shared<shaders::AccelerationNoise>(
                               std::make_shared<shaders::RigidAcceleration>(
                                   ball, std::vector{one}, base::PulseProfile::hertz))),
                           receiver_at({0.5, 0.1, 0.0}));
  };
  const std::vector<float> closed = sound(force);
  auto history = std::make_shared<base::ForceHistory>();
  history->start = 0.01;
  history->step = contact / 200;
  for (int i = 0; i < 200; ++i) {
    const double mean = impulse *
                        (base::pulse_passed(base::PulseProfile::hertz, (i + 1) / 200.0) -
                         base::pulse_passed(base::PulseProfile::hertz, i / 200.0)) /
                        history->step;
    history->samples.emplace_back(static_cast<float>(-mean), 0.0f, 0.0f);
  }
  force.history = history;
  const std::vector<float> sampled = sound(force);
  EXPECT_LT(relative_rms(
                sampled,
                [&](double t) { return static_cast<double>(closed[std::llround(t * 48000.0)]); }),
            2e-3);
}

TEST(Precomputed, a_force_that_lasts_is_the_sum_of_its_blocks) {
  // A force that rises and falls within 40 ms: below 200 Hz the sphere is a dipole of its
  // acceleration's derivative, heard_by_tables at once and everywhere alike.
  base::SustainedForce force{.rate = {96000}, .begin = 1500};
  const double frequency = 150.0;
  for (int i = 0; i < 3840; ++i) {
    const double x = i / 3840.0;
    force.samples.push_back(static_cast<float>(std::pow(std::sin(pi * x), 2) *
                                               std::sin(2 * pi * frequency * i / 96000.0)));
  }
  for (int i = 0; i <= 3840 / 48 + 1; ++i)
    force.points.push_back({.at = Vec3::Zero(), .direction = Vec3::UnitY()});
  geometry::MassProperties ball{.mass = ball_mass, .inertia = geometry::Mat3::Identity() * 1e-7};
  const base::World world = ball_world(
      std::make_shared<shaders::AccelerationNoise>(std::make_shared<shaders::RigidAcceleration>(
          ball, std::vector<base::ContactForce>{}, base::PulseProfile::half_sine,
          std::vector{force})));
  const double r = 0.05, speed = world.medium.speed_of_sound, rho = world.medium.density;
  const std::vector<float> p = heard_by_tables(world, receiver_at({0.0, r, 0.0}));
  // p = rho a^3 / 2 [A / r^2 + A' / (c r)] for waves that are long against the sphere.
  const auto acceleration = [&](double t) {
    const double index = (t - r / speed) * 96000.0 - 1500.0;
    if (index < 1.0 || index > 3838.0) return 0.0;
    const double x = index / 3840.0;
    return std::pow(std::sin(pi * x), 2) * std::sin(2 * pi * frequency * index / 96000.0) /
           ball_mass;
  };
  const double error = relative_rms(p, [&](double t) {
    const double h = 1e-6, slope = (acceleration(t + h) - acceleration(t - h)) / (2 * h);
    return 0.5 * rho * std::pow(tabled_radius, 3) *
           (acceleration(t) / (r * r) + slope / (speed * r));
  });
  EXPECT_LT(error, 0.03);
}

TEST(Precomputed, the_result_depends_neither_on_threads_nor_on_the_range) {
  base::World world =
      ball_world(struck_ball(Vec3::UnitY(), 0.02, 1e-4, 1e-3), {3.0, 0.0, 1.0}, 20.0);
  world.bodies[0].sources.push_back(std::make_shared<RingingMode>());
  const base::Receiver ear = receiver_at({0.3, 0.2, 0.1}, {0.0, -2.0, 0.0});
  std::vector<float> one_thread;
  {
    const util::ThreadLimit limit(1);
    one_thread = heard_by_tables(world, ear);
  }
  const util::ThreadLimit limit(3);
  EXPECT_EQ(heard_by_tables(world, ear), one_thread);
  const std::vector<float> part = heard_by_tables(world, ear, base::SampleRange{900, 2000});
  for (std::size_t n = 0; n < part.size(); ++n)
    EXPECT_NEAR(part[n], one_thread[n + 900], 1e-6f + 1e-4f * std::abs(part[n])) << n;
}

TEST(Precomputed, a_mode_has_the_level_and_phase_of_theory_and_its_doppler_shift) {
  const double k = 2.0 * pi * ball_note / 343.2, rho = 1.2041;
  const auto exact = [&](double r, double t) {
    const Complex p = rho * tabled_radius * tabled_radius / (r * Complex(1.0, k * tabled_radius)) *
                      std::polar(1.0, -k * (r - tabled_radius) + 2.0 * pi * ball_note * t);
    return p.real();
  };
  const base::World world = ball_world(std::make_shared<RingingMode>());
  EXPECT_LT(relative_rms(
                heard_by_tables(world, receiver_at({0.0, 0.2, 0.0})),
                [&](double t) { return exact(0.2, t); }, 0.005),
            2e-3);
  // The receiver moves through the field of a body at rest: p(r(t), t).
  EXPECT_LT(relative_rms(
                heard_by_tables(world, receiver_at({0.0, 0.2, 0.0}, {0.0, 10.0, 0.0})),
                [&](double t) { return exact(0.2 + 10.0 * t, t); }, 0.005),
            3e-3);
}

TEST(Precomputed, a_floor_at_rest_mirrors_the_body) {
  base::World world = ball_world(struck_ball(Vec3::UnitY(), 0.01, 1e-4, 1e-3));
  const Vec3 ear(0.2, 0.1, 0.0);
  const std::vector<float> free = heard_by_tables(world, receiver_at(ear));
  const double height = 0.05;
  world.bodies.push_back(
      {.name = "floor",
       .mesh = geometry::box_mesh({2.0, 0.1, 2.0}, 2.0),
       .motion = std::make_shared<Travelling>(Vec3(0, -height - 0.05, 0), Vec3::Zero())});
  const std::vector<float> both = heard_by_tables(world, receiver_at(ear));
  base::World alone = world;
  alone.bodies.pop_back();
  const std::vector<float> image =
      heard_by_tables(alone, receiver_at(Vec3(ear.x(), -2.0 * height - ear.y(), ear.z())));
  for (std::size_t n = 0; n < free.size(); ++n)
    EXPECT_NEAR(both[n], free[n] + image[n], 1e-6f) << n;
  // Beside the floor there is no image.
  const auto mirrors = flat_mirrors(world, 1.0);
  ASSERT_EQ(mirrors.size(), 2u);
  const FlatMirror& top = mirrors[0].normal.y() > 0.5 ? mirrors[0] : mirrors[1];
  EXPECT_TRUE(top.reflects(Vec3::Zero(), ear));
  EXPECT_FALSE(top.reflects(Vec3(1.2, 0, 0), Vec3(1.5, 0, 0)));
  EXPECT_FALSE(top.reflects(Vec3::Zero(), Vec3(0, -0.2, 0)));
}

TEST(Precomputed, inside_the_ball_the_level_is_that_on_it) {
  const base::World world = ball_world(struck_ball(Vec3::UnitY(), 0.01, 1e-4, 1e-3));
  const auto peak = [&](double r) {
    float most = 0.0f;
    for (const float p : heard_by_tables(world, receiver_at({0.0, r, 0.0})))
      most = std::max(most, std::abs(p));
    return most;
  };
  EXPECT_NEAR(peak(0.3 * tabled_radius) / peak(1.0001 * tabled_radius), 1.0, 0.1);
  EXPECT_GT(peak(0.3 * tabled_radius), 1.5 * peak(2.0 * tabled_radius));
  const base::Receiver ear = receiver_at({0.0, 0.3 * tabled_radius, 0.0});
  const base::RadiationPlan plan = tabled_radiator().plan(world, {&ear, 1});
  EXPECT_THAT(plan.notices, testing::Contains(HasSubstr("enters the sphere around \"ball\"")));
}

TEST(Precomputed, a_body_that_cannot_have_a_table_is_heard_as_by_direct) {
  base::World world = ball_world(nullptr);
  geometry::MassProperties properties = geometry::mass_properties(world.bodies[0].mesh, 1000.0);
  const auto mesh = std::make_shared<geometry::TriMesh>(world.bodies[0].mesh);
  world.bodies[0].sources = {std::make_shared<shaders::AccelerationNoise>(
      std::make_shared<shaders::RigidAcceleration>(
          properties,
          std::vector<base::ContactForce>{{.pulse = {0.01, 1e-4, 1e-3},
                                           .at = Vec3(0, -tabled_radius, 0),
                                           .direction = Vec3::UnitY()}},
          base::PulseProfile::half_sine),
      mesh)};
  world.bodies[0].name = "block";
  const base::Receiver ear = receiver_at({0.0, 0.2, 0.0});
  const std::vector<float> p = heard_by_tables(world, ear);
  EXPECT_GT(*std::ranges::max_element(p), 1e-3f);
  const base::RadiationPlan plan = tabled_radiator().plan(world, {&ear, 1});
  EXPECT_THAT(plan.notices,
              testing::Contains("\"block\" is rendered as by \"direct\": it is a block"));
}

TEST(Precomputed, bodies_that_come_close_to_each_other_are_named) {
  base::World world = ball_world(struck_ball(Vec3::UnitY(), 0.02, 1e-4, 1e-3));
  world.bodies.push_back(world.bodies[0]);
  world.bodies[1].name = "marble";
  // It comes from 1 m away and is at the ball after 0.1 s.
  world.bodies[1].motion = std::make_shared<Travelling>(Vec3(1, 0, 0), Vec3(-10.1, 0, 0));
  const base::Receiver ear = receiver_at({0.0, 0.2, 0.0});
  const auto is_named = testing::Contains(HasSubstr("\"ball\", \"marble\" come close"));
  EXPECT_THAT(tabled_radiator().plan(world, {&ear, 1}).notices, is_named);
  world.samples = 2400;
  EXPECT_THAT(tabled_radiator().plan(world, {&ear, 1}).notices, testing::Not(is_named));
}

TEST(Precomputed, what_no_longer_exists_is_silent) {
  base::World world = ball_world(base::windowed(struck_ball(Vec3::UnitY(), 0.02, 1e-4, 1e-3),
                                                base::window_of({.begin = 0.0, .end = 0.015})));
  for (const float p : heard_by_tables(world, receiver_at({0.0, 0.2, 0.0}))) EXPECT_EQ(p, 0.0f);
}

}  // namespace
}  // namespace peal::radiation

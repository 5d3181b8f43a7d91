#include <peal/scene/read_scene.h>
#include <peal/shaders/acceleration_noise.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/struck_sphere.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace peal::validation {

namespace {

constexpr double ball_radius = 0.015, ball_distance = 0.3;  ///< [m]

/// Sound [Pa] of the two balls together at 0.3 m and 0, 45 and 90 degrees from the line of their
/// centres, every 10 us from 0.78 ms after the first touch on: multiple scattering, converged to
/// 0.5 % (validation/colliding-balls/two_spheres.py).
constexpr double first_row_time = 7.8e-4, row_step = 1e-5;  ///< [s]
constexpr std::array<std::array<double, 51>, 3> both_balls = {{
    {{-0.0057, 0.0799,  0.8899,  2.2590,  3.6415,  4.6598,  5.0263,  4.6202,  3.4349,
      1.6189,  -0.5938, -2.3957, -4.1430, -6.2182, -7.8429, -8.5581, -8.1958, -6.7902,
      -4.5055, -1.6355, 1.4563,  3.7721,  4.5888,  4.4521,  3.9024,  3.1772,  2.4255,
      1.7252,  1.1232,  0.6346,  0.2606,  -0.0093, -0.1913, -0.3031, -0.3644, -0.3939,
      -0.4015, -0.3875, -0.3511, -0.2937, -0.2184, -0.1310, -0.0405, 0.0414,  0.1014,
      0.1325,  0.1386,  0.1269,  0.1042,  0.0769,  0.0503}},
    {{-0.0030, 0.0039,  0.0004,  0.3501,  1.1910,  2.1407,  2.9360,  3.3345,  3.2522,
      2.3796,  0.4512,  -2.1704, -4.4937, -5.7228, -5.8811, -5.0973, -3.6273, -1.7356,
      0.1307,  1.3400,  1.8134,  1.8927,  1.8183,  1.6825,  1.5249,  1.3421,  1.1040,
      0.8139,  0.5231,  0.2679,  0.0590,  -0.1035, -0.2194, -0.2889, -0.3151, -0.3039,
      -0.2635, -0.2032, -0.1329, -0.0643, -0.0085, 0.0305,  0.0548,  0.0672,  0.0705,
      0.0670,  0.0589,  0.0485,  0.0376,  0.0270,  0.0171}},
    {{0.0003,  0.0005,  0.0003,  0.0005,  0.0003,  0.0006,  -0.0353, -0.1515, -0.2776,
      -0.5327, -1.1682, -1.6725, -1.7215, -1.3226, -0.5481, 0.4227,  1.3725,  2.1742,
      2.6490,  2.3679,  1.6589,  0.9603,  0.3408,  -0.1569, -0.5502, -0.8293, -0.9811,
      -1.0040, -0.9128, -0.7346, -0.5028, -0.2557, -0.0344, 0.1192,  0.1935,  0.2113,
      0.1975,  0.1696,  0.1390,  0.1111,  0.0880,  0.0688,  0.0519,  0.0353,  0.0185,
      0.0024,  -0.0117, -0.0222, -0.0284, -0.0304, -0.0288}},
}};

/// Two steel balls of 15 mm radius meet at 1 m/s in the middle, bounce without loss, far from
/// everything; moved and struck as in any scene.
struct Collision {
  base::MotionResult moved;
  geometry::MassProperties mass = {};
  double time = 0.0;  ///< of the first touch [s]
  HalfSine drive{};   ///< of each
};

Collision collide() {
  const auto scene = scene::parse_scene(
      R"({"peal": 1, "duration": 0.003, "dynamics": {"gravity": [0, 0, 0]}, "objects": [
          {"name": "left", "shape": {"sphere": 0.015}, "material": "steel",
           "contact": {"restitution": 1, "friction": 0}, "sound": ["acceleration_noise"],
           "motion": {"rigid": {"position": [-0.01505, 0, 0], "velocity": [0.5, 0, 0]}}},
          {"name": "right", "shape": {"sphere": 0.015}, "material": "steel",
           "contact": {"restitution": 1, "friction": 0}, "sound": ["acceleration_noise"],
           "motion": {"rigid": {"position": [0.01505, 0, 0], "velocity": [-0.5, 0, 0]}}}],
          "listeners": [{"mono": {}}]})",
      "colliding-balls", ".");
  util::Silent silent;
  std::vector<std::string> notices;
  Collision result{.moved = simulate::move_scene(scene, silent, notices)};
  // The mesh of the scene is a polyhedron; this is the ball.
  result.mass.mass = 7850.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(ball_radius, 3);
  result.mass.inertia =
      0.4 * result.mass.mass * ball_radius * ball_radius * geometry::Mat3::Identity();
  const base::ForcePulse& pulse = result.moved.objects.at(0).forces.impacts.at(0).pulse;
  result.time = pulse.start;
  result.drive = {std::numbers::pi / 2.0 * pulse.impulse / (pulse.contact_time * result.mass.mass),
                  pulse.contact_time};
  return result;
}

/// What the listeners hear of some of the two balls.
std::vector<Received> audible_samples(const Collision& collision,
                                      std::initializer_list<std::size_t> balls,
                                      const std::vector<Vec3>& places) {
  WaveTrial trial(ball_radius / 10.0, 4.6e-3);
  for (const std::size_t i : balls) {
    const auto rigid = std::make_shared<shaders::RigidAcceleration>(
        collision.mass, collision.moved.objects[i].forces.impacts, base::PulseProfile::half_sine);
    trial
        .add_body(i == 0 ? "left" : "right", round_sphere(ball_radius, 0.0012),
                  collision.moved.objects[i].motion)
        .sources.push_back(std::make_shared<shaders::AccelerationNoise>(rigid));
  }
  for (const Vec3& place : places) trial.listen_at(place);
  return trial.run();
}

double at_time(const Received& received, double t) {
  const double index = received.rate.samples(t) - static_cast<double>(received.start);
  const auto i = static_cast<std::size_t>(std::max(index, 0.0));
  if (i + 1 >= received.pressure.size()) return 0.0;
  const double part = index - static_cast<double>(i);
  return (1.0 - part) * received.pressure[i] + part * received.pressure[i + 1];
}

/// The exact sum of two spheres, each alone in the air.
double superposed(const OscillatingAnswer& answer, const Vec3& place, double since) {
  double sum = 0.0;
  for (const double side : {-1.0, 1.0}) {
    const Vec3 way = place - Vec3(side * ball_radius, 0, 0);
    sum += answer.pressure(since, way.norm(), side * way.x() / way.norm());
  }
  return sum;
}

/// Two waveforms at an angle: the largest difference over the peak of the first.
struct Compared {
  double peak = 0.0, off = 0.0;

  void add(double exact, double ours) {
    peak = std::max(peak, std::abs(exact));
    off = std::max(off, std::abs(exact - ours));
  }
  double error() const { return off / peak; }
};

Outcome run_colliding_balls() {
  const Collision collision = collide();
  const OscillatingAnswer answer(collision.drive, ball_radius);
  const std::array angles{0, 45, 90};
  std::vector<Vec3> places;
  for (const int degrees : angles) {
    const double angle = degrees * std::numbers::pi / 180.0;
    places.emplace_back(ball_distance * std::cos(angle), 0.6 * ball_distance * std::sin(angle),
                        0.8 * ball_distance * std::sin(angle));
  }
  for (const double far : {2.0, 4.0}) places.push_back(far * places[1]);
  const auto left = audible_samples(collision, {0}, places),
             right = audible_samples(collision, {1}, places);
  const auto both = audible_samples(collision, {0, 1}, places);

  Outcome outcome;
  outcome.claims.push_back(
      {"contact time (Hertz)", "us", 92.0247, 1e6 * collision.drive.length, 0.2});
  for (std::size_t k = 0; k < angles.size(); ++k) {
    Received sum = left[k];
    for (std::size_t i = 0; i < sum.pressure.size(); ++i) sum.pressure[i] += right[k].pressure[i];
    const auto exact = [&](double t) { return superposed(answer, places[k], t - collision.time); };
    Compared alone, together, apart;
    for (std::size_t i = 0; i < sum.pressure.size(); ++i) {
      alone.add(exact(sum.time(i)), sum.pressure[i]);
    }
    for (std::size_t i = 0; i < both_balls[k].size(); ++i) {
      const double t = collision.time + first_row_time + row_step * static_cast<double>(i);
      together.add(both_balls[k][i], at_time(both[k], t));
      apart.add(both_balls[k][i], exact(t));
    }
    outcome.claims.push_back(
        {fmt::format("each ball alone, added: worst error at {} degrees over the peak there",
                     angles[k]),
         "", 0.0, alone.error(), 0.05});
    outcome.claims.push_back(
        {fmt::format("both at once, each in the way of the other: worst error at {} degrees over "
                     "the peak there",
                     angles[k]),
         "", 0.0, together.error(), 0.05});
    outcome.remarks +=
        fmt::format("At {} degrees the sum of the balls alone is off by {:.0f} % of the peak. ",
                    angles[k], 100.0 * apart.error());
    if (k == 0) {
      outcome.charts.push_back(waveform_chart("Two steel balls, each alone, on the line of centres",
                                              sum, 1.6e-3, exact));
    }
  }
  const auto peak_at = [&](std::size_t place) { return util::peak(both[place].pressure); };
  for (const std::size_t far : {std::size_t{3}, std::size_t{4}}) {
    const double ratio = far == 3 ? 2.0 : 4.0;
    outcome.claims.push_back(
        {fmt::format("peak at {:g} m times the distance over that at 0.3 m, 45 degrees",
                     ratio * ball_distance),
         "", 1.0, ratio * peak_at(far) / peak_at(1), 0.05});
  }
  const double arrival = collision.time + (ball_distance - 2.0 * ball_radius) / speed_of_sound;
  double early = 0.0;
  for (std::size_t i = 0; i < both[0].pressure.size(); ++i) {
    if (both[0].time(i) < arrival - 1e-5) early = std::max(early, std::abs(both[0].pressure[i]));
  }
  outcome.claims.push_back(
      {"loudest before sound can have arrived, over the peak", "", 0.0, early / peak_at(0), 0.002});
  outcome.remarks +=
      "The paper of 1973 adds the sound of two spheres that are each alone. Through waves, one "
      "ball "
      "after the other, that sum comes out; with both in the air each shadows and reflects the "
      "other, and the sound is that of multiple scattering.";
  return outcome;
}

}  // namespace

Entry colliding_balls() {
  return {.key = "colliding-balls",
          .title = "Two steel balls collide",
          .source = "Koss & Alfredson 1973 (reference A03); multiple scattering of two spheres",
          .method =
              "Balls of 15 mm radius meet at 1 m/s; the pulse of the contact shakes them; 10 cells "
              "in the radius; pressure at 0.3 m and three angles, each sample against the exact "
              "one.",
          .run = run_colliding_balls};
}

}  // namespace peal::validation

#include <peal/base/prescribed_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/entries.h>
#include <peal/validation/spherical_waves.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace peal::validation {

namespace {

using std::numbers::pi;

/// Reference A08: total pressure on the surface and at twice the radius, in front (180 degrees) and
/// behind.
struct PlaneWave {
  double ka;
  std::array<Complex, 5> surface, twice;
};

constexpr std::array angles{0.0, 45.0, 90.0, 135.0, 180.0};

const std::array<PlaneWave, 3>& references() {
  static const std::array<PlaneWave, 3> all{{
      {1.0,
       {{{0.0337487522, -1.0675870994},
         {0.4502849410, -0.8099899745},
         {0.9620811715, 0.1473521736},
         {0.6532127861, 1.1143908711},
         {0.3206172707, 1.3816840271}}},
       {{{-0.5885334395, -0.8852419801},
         {0.0606026826, -0.9498408162},
         {1.0450897019, 0.0977128151},
         {0.2740956713, 1.1642385293},
         {-0.2870521011, 1.1186077684}}}},
      {2.0,
       {{{-1.1274360756, 0.0327695701},
         {-0.2528100503, -0.6435479224},
         {1.1767228279, 0.2001943194},
         {-0.1779463147, 1.4885769909},
         {-1.0889213027, 1.2542124973}}},
       {{{-0.3508813307, 1.0783806642},
         {-0.7652057324, -0.2307584598},
         {1.1715462903, -0.1163159433},
         {-0.7292925430, 0.3684991462},
         {-0.4424916701, -0.5833546900}}}},
      {5.0,
       {{{-0.2702308422, -1.1128600841},
         {-0.2177879665, 0.6871470041},
         {1.2386963601, 0.1520933408},
         {-1.4680161107, -0.9731134177},
         {0.8214920609, -1.6844327298}}},
       {{{0.2435026821, 1.2200786058},
         {0.7035806860, -0.6801245291},
         {0.8036446289, 0.0049382779},
         {0.9341717738, 0.5349149493},
         {-0.5418928213, -0.4669181083}}}},
  }};
  return all;
}

/// rms over the angles, over that of the exact field.
double rms_error(const std::array<Complex, 5>& ours, const std::array<Complex, 5>& exact) {
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    error += std::norm(ours[i] - exact[i]);
    size += std::norm(exact[i]);
  }
  return std::sqrt(error / size);
}

Outcome run_scattering() {
  constexpr double distance = 0.3;  // of the point from the sphere's middle [m]
  const Pulse pulse{5e-5};
  const std::array radii{sphere_radius, 2.0 * sphere_radius};
  // At the five angles for each radius, and at the middle without the sphere. Silent points keep
  // the domain the same.
  const auto heard_with = [&](double h) {
    WaveTrial trial(h, 4e-3);
    const Vec3 centre = h * Vec3(0.31, -0.17, 0.23);
    const Vec3 along(0.6, 0.0, 0.8), across(0.8, 0.0, -0.6), corner = Vec3::Constant(sphere_radius);
    trial.add_point(centre - distance * along, pulse);
    trial.add_point(centre - corner, [](double) { return 0.0; });
    trial.add_point(centre + corner, [](double) { return 0.0; });
    WaveTrial empty = trial;
    empty.listen_at(centre);
    trial.add_body("sphere", round_sphere(sphere_radius, 0.003), resting(centre));
    for (const double r : radii) {
      for (const double degrees : angles) {
        const double theta = degrees * pi / 180.0;
        trial.listen_at(centre + r * (std::cos(theta) * along + std::sin(theta) * across));
      }
    }
    std::vector<Received> received = trial.run();
    received.push_back(empty.run()[0]);
    return received;
  };
  const std::vector<Received> received = heard_with(sphere_radius / 20.0),
                              coarse = heard_with(sphere_radius / 12.0);

  Outcome outcome;
  for (const PlaneWave& plane : references()) {
    const double k = plane.ka / sphere_radius, f = k * speed_of_sound / (2.0 * pi);
    const Complex free = std::polar(1.0 / distance, -k * distance);
    outcome.remarks += fmt::format(
        "{:.2e} and {:.2e} at ka = {:g}; ", relative_error(coarse.back().transfer(f, pulse), free),
        relative_error(received.back().transfer(f, pulse), free), plane.ka);
    for (std::size_t j = 0; j < radii.size(); ++j) {
      std::array<Complex, 5> ours, rough, exact, far;
      for (std::size_t i = 0; i < angles.size(); ++i) {
        const double cosine = std::cos(angles[i] * pi / 180.0);
        ours[i] = received[5 * j + i].transfer(f, pulse) / received.back().transfer(f, pulse);
        rough[i] = coarse[5 * j + i].transfer(f, pulse) / coarse.back().transfer(f, pulse);
        exact[i] = scattered_point_wave(k, sphere_radius, distance, radii[j], cosine);
        far[i] = scattered_point_wave(k, sphere_radius, 1e6 * sphere_radius, radii[j], cosine);
      }
      const std::string where = j == 0 ? "on the surface" : "at twice the radius";
      outcome.claims.push_back(
          {fmt::format("ka = {:g}, error {}, 12 cells in the radius", plane.ka, where), "", 0.0,
           rms_error(rough, exact), 0.03});
      outcome.claims.push_back(
          {fmt::format("ka = {:g}, error {}, 20 cells in the radius", plane.ka, where), "", 0.0,
           rms_error(ours, exact), 0.03});
      outcome.claims.push_back(
          {fmt::format("ka = {:g}, the exact series for a far point against A08 {}", plane.ka,
                       where),
           "", 0.0, rms_error(far, j == 0 ? plane.surface : plane.twice), 1e-4});
    }
  }
  outcome.remarks =
      "Pressures are over that at the middle without the sphere, as the grid carries it: the way "
      "of "
      "0.3 m alone errs, with 12 and 20 cells in the radius, by " +
      outcome.remarks + "6 radii of way are not part of the reference.";
  // |p| around the sphere at twice the radius, ka = 5.
  const double k = 5.0 / sphere_radius, f = k * speed_of_sound / (2.0 * pi);
  plot::Series theory{.name = "exact"}, ours{.name = "Peal", .look = plot::Look::points};
  for (double degrees = 0.0; degrees <= 180.0; degrees += 2.0) {
    theory.x.push_back(degrees);
    theory.y.push_back(std::abs(scattered_point_wave(
        k, sphere_radius, distance, 2.0 * sphere_radius, std::cos(degrees * pi / 180.0))));
  }
  for (std::size_t i = 0; i < angles.size(); ++i) {
    ours.x.push_back(angles[i]);
    ours.y.push_back(
        std::abs(received[5 + i].transfer(f, pulse) / received.back().transfer(f, pulse)));
  }
  outcome.charts = {{.title = "Point behind a rigid sphere, ka = 5, at twice the radius",
                     .x = {.label = "angle from straight behind (degrees)", .min = 0, .max = 0},
                     .y = {.label = "pressure over that without sphere", .min = 0, .max = 0},
                     .series = {theory, ours}}};
  return outcome;
}

/// A pulsating sphere above a floor that lies between the grid's planes; places are seen from the
/// point of the floor below the sphere.
std::vector<Received> above_floor(double h, double height, const Pulse& pulse,
                                  std::span<const Vec3> places) {
  WaveTrial trial(h, 6e-3);
  const double floor = 0.37 * h;
  const Vec3 foot = h * Vec3(0.31, 0.0, 0.23) + Vec3(0, floor, 0);
  trial.add_body("floor", geometry::box_mesh({3, 0.4, 3}, 1.0), resting({0, floor - 0.2, 0}));
  trial.add_body("sphere", round_sphere(sphere_radius, 0.003), resting(foot + Vec3(0, height, 0)))
      .sources.push_back(std::make_shared<base::PrescribedSource>(pulse, pulse.end()));
  for (const Vec3& place : places) trial.listen_at(foot + place);
  return trial.run();
}

Outcome run_sphere_above_floor() {
  constexpr double f = 1000.0, height = 0.08;
  const std::array places{Vec3(0.18, 0.2, 0.24), Vec3(0, 0.5, 0), Vec3(0.36, 0.02, 0.48)};
  const std::array<Complex, 3> exact{{{0.00895251476461808, -0.00149692063619335},
                                      {-0.000262037006076052, -0.00081979592746108},
                                      {-0.000741862653971805, 0.00789703318279048}}};
  const std::array names{"0.3 m aside, 0.2 m up", "0.5 m above", "0.6 m aside, 0.02 m up"};
  const Pulse pulse{1e-4};
  // Above the sphere the direct and the mirrored wave nearly cancel: errors there count against the
  // direct wave.
  const double direct = std::abs(pulsating_sphere(wave_number(f), sphere_radius, 0.42));
  Outcome outcome;
  for (const double h : {5e-3, 2.5e-3}) {
    const std::vector<Received> received = above_floor(h, height, pulse, places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double size = i == 1 ? direct : std::abs(exact[i]);
      outcome.claims.push_back({fmt::format("error {}, cells of {:g} mm", names[i], 1e3 * h), "",
                                0.0, std::abs(received[i].transfer(f, pulse) - exact[i]) / size,
                                0.02});
    }
  }
  // So high above the floor the image is nearly all there is: the sphere scatters 0.6 % of it.
  constexpr double low = 500.0, high = 0.3, k = wave_number(low);
  const std::array aside{Vec3(0.3, 0.3, 0.4)};
  const Complex image = pulsating_sphere(k, sphere_radius, 0.5) +
                        pulsating_sphere(k, sphere_radius, std::hypot(0.5, 0.3 + high));
  const Received received = above_floor(5e-3, high, pulse, aside)[0];
  outcome.claims.push_back(
      {"sphere 0.3 m above the floor, 500 Hz, 0.5 m aside: error against "
       "direct wave and image",
       "", 0.0, relative_error(received.transfer(low, pulse), image), 0.02});
  outcome.remarks =
      "The errors above the sphere are over the direct wave, with which the image nearly cancels. "
      "A simple image without the scattering between sphere and floor would be off by 6, 9 and 8 "
      "% at the three places.";
  return outcome;
}

}  // namespace

Entry sphere_scattering() {
  return {.key = "sphere-scattering",
          .title = "Sound of a point scattered by a rigid sphere, ka = 1, 2, 5",
          .source =
              "Legendre series for a point at six radii; for a far point it tends to a plane "
              "wave's (reference A08)",
          .method =
              "Total pressure at five angles, on the surface and at twice the radius, oblique to "
              "the grid.",
          .run = run_scattering,
          .cost = Cost::slow};
}

Entry sphere_above_floor() {
  return {.key = "sphere-above-floor",
          .title = "Pulsating sphere above a floor",
          .source = "Multiple scattering of two spheres, converged (reference A12)",
          .method =
              "A sphere of 50 mm, its middle 80 mm above a floor that reaches through the domain, "
              "1 kHz; "
              "and one 0.3 m above it.",
          .run = run_sphere_above_floor,
          .cost = Cost::slow};
}

}  // namespace peal::validation

#include <peal/base/prescribed_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/entries.h>
#include <peal/validation/spherical_waves.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;

/// A regular polygon with the area of a circle.
geometry::Polygon round_polygon(double radius, int corners) {
  const double step = 2.0 * pi / corners;
  const double reach = radius * std::sqrt(step / std::sin(step));
  geometry::Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    polygon.emplace_back(reach * std::cos(i * step), reach * std::sin(i * step));
  }
  return polygon;
}

/// On the axis of a piston of unit acceleration in a rigid plane:
/// p = rho c U (e^(-ikz) - e^(-ik sqrt(z^2 + a^2))), U = 1 / (i w) (reference A06).
Complex piston_on_axis(double frequency, double a, double z) {
  const double k = wave_number(frequency);
  const Complex u = 1.0 / Complex(0.0, 2.0 * pi * frequency);
  return air_density * speed_of_sound * u *
         (std::polar(1.0, -k * z) - std::polar(1.0, -k * std::sqrt(z * z + a * a)));
}

Outcome run_baffled_piston() {
  constexpr double a = 0.05, h = 1.5e-3, f = 10e3, thickness = 0.2;
  const std::array heights{0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0};
  const std::array published{0.0130335346295509, 0.000563769817052965, 0.0124653626707559,
                             0.0116041956454412, 0.00702559501729719,  0.00297675060295458,
                             0.00150090943208804};
  const Pulse pulse{2e-5};
  // The floor has a hole that the piston fills: one plane at y = 0, a cut through cells.
  const double top = 0.37 * h;
  WaveTrial trial(h, 4.5e-3);
  const geometry::Polygon rim = round_polygon(a, 96);
  const geometry::Polygon square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  trial.add_body("floor", geometry::extruded_mesh(square, {rim}, thickness, 0.5),
                 resting({0, top - 0.5 * thickness, 0}));
  constexpr double depth = 0.006;
  trial
      .add_body("piston", geometry::extruded_mesh(rim, {}, depth, 0.01),
                resting({0, top - 0.5 * depth, 0}))
      .sources.push_back(std::make_shared<base::PrescribedSource>(
          [](const base::SurfacePoint& point) { return point.normal.y() > 0.5 ? 1.0 : 0.0; }, pulse,
          pulse.end()));
  for (const double z : heights) trial.listen_at({0, top + z, 0});
  const std::vector<Received> received = trial.run();

  // In the near field two waves of this size add up or cancel.
  const double edge_wave = air_density * speed_of_sound / (2.0 * pi * f);
  Outcome outcome;
  plot::Series theory{.name = "exact, 10 kHz"}, ours{.name = "Peal", .look = plot::Look::points};
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const Complex p = received[i].transfer(f, pulse);
    const double allowed = 0.02 * (heights[i] <= 0.1 ? 2.0 * edge_wave : published[i]);
    outcome.claims.push_back({fmt::format("|p| on the axis at {:g} m, 10 kHz", heights[i]), "Pa",
                              published[i], std::abs(p), allowed});
    ours.x.push_back(heights[i]);
    ours.y.push_back(std::abs(p));
    outcome.remarks += fmt::format("{:g} m: {:.1e}. ", heights[i],
                                   std::abs(p - piston_on_axis(f, a, heights[i])) / edge_wave);
  }
  for (const double f2 : {1000.0, 4000.0}) {
    const Complex exact = piston_on_axis(f2, a, 0.2);
    outcome.claims.push_back({fmt::format("error of the phasor at 0.2 m, {:g} Hz", f2), "", 0.0,
                              relative_error(received[4].transfer(f2, pulse), exact), 0.02});
  }
  for (double z = 0.0; z <= 1.0; z += 0.002) {
    theory.x.push_back(z);
    theory.y.push_back(std::abs(piston_on_axis(f, a, z)));
  }
  outcome.remarks =
      "Errors of the phasor at 10 kHz over the pressure rho c U of either wave: " + outcome.remarks;
  outcome.charts = {{.title = "Piston of 50 mm radius in a floor, on its axis",
                     .x = {.label = "height (m)", .min = 0, .max = 0},
                     .y = {.label = "pressure (Pa)", .min = 0, .max = 0},
                     .series = {theory, ours}}};
  return outcome;
}

/// A sphere turned about Y with corners on circles of latitude, one of them at `half_angle` from
/// the top. The half section has the volume of the exact sphere to 1e-4.
geometry::TriMesh sphere_with_cap(double a, double edge_length) {
  geometry::Polygon section;
  for (int degrees = 0; degrees <= 180; ++degrees) {
    const double theta = degrees * pi / 180.0;
    section.emplace_back(degrees % 180 == 0 ? 0.0 : a * std::sin(theta), a * std::cos(theta));
  }
  return geometry::lathe_mesh(section, edge_length);
}

Outcome run_cap_piston() {
  constexpr double a = 0.1, r = 0.3, f = 2000.0, half_angle = pi / 6.0;
  struct Place {
    double degrees;
    Complex published;
  };
  const std::array places{Place{0, {0.00233204562876149, -0.00619324781052537}},
                          Place{45, {-0.00250046596841713, -0.00269925987599809}},
                          Place{90, {0.000402470051865265, 0.00140992596575356}},
                          Place{180, {-0.000132282917731297, 0.00108558150554338}}};
  const Pulse pulse{6e-5};
  const auto heard_with = [&](double h) {
    WaveTrial trial(h, 5e-3);
    const Vec3 centre = h * Vec3(0.31, -0.17, 0.23);
    base::Body& body = trial.add_body("ball", sphere_with_cap(a, 0.004), resting(centre));
    for (std::size_t i = 0; i < body.mesh.triangles.size(); ++i) {
      const bool cap =
          geometry::triangle_centre(body.mesh, i).normalized().y() > std::cos(half_angle);
      body.triangle_part.push_back(cap ? 1 : 0);
    }
    const std::vector<std::uint32_t> part = body.triangle_part;
    body.sources.push_back(std::make_shared<base::PrescribedSource>(
        [part](const base::SurfacePoint& point) { return part[point.triangle] == 1 ? 1.0 : 0.0; },
        pulse, pulse.end()));
    for (const Place& place : places) {
      const double theta = place.degrees * pi / 180.0;
      trial.listen_at(centre +
                      r * Vec3(0.6 * std::sin(theta), std::cos(theta), 0.8 * std::sin(theta)));
    }
    return trial.run();
  };
  const std::vector<Received> received = heard_with(0.0025), coarse = heard_with(0.005);
  Outcome outcome;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Complex p = received[i].transfer(f, pulse);
    outcome.claims.push_back({fmt::format("|p| at {:g} degrees", places[i].degrees), "Pa",
                              std::abs(places[i].published), std::abs(p),
                              0.02 * std::abs(places[i].published)});
    outcome.claims.push_back({fmt::format("error of the phasor at {:g} degrees", places[i].degrees),
                              "", 0.0, relative_error(p, places[i].published), 0.02});
    outcome.remarks +=
        fmt::format("{:g} degrees: {:.2e}. ", places[i].degrees,
                    relative_error(coarse[i].transfer(f, pulse), places[i].published));
  }
  outcome.remarks = "Errors with cells of 5 mm: " + outcome.remarks;
  const Complex series = cap_on_sphere(wave_number(f), a, half_angle, r, 1.0);
  outcome.claims.push_back({"our own series against the reference at 0 degrees", "", 0.0,
                            relative_error(series, places[0].published), 1e-6});
  return outcome;
}

}  // namespace

Entry baffled_piston() {
  return {.key = "baffled-piston",
          .title = "Circular piston in a floor, on its axis",
          .source = "p = rho c U (e^(-ikz) - e^(-ik sqrt(z^2 + a^2))) (reference A06)",
          .method =
              "A piston of 50 mm radius fills a hole in a floor that reaches through the "
              "domain, between the grid's planes; cells of 1.5 mm. "
              "Listeners up to 1 m hear by way of the floor's mirror.",
          .run = run_baffled_piston,
          .cost = Cost::slow};
}

Entry cap_piston() {
  return {.key = "cap-piston",
          .title = "Piston cap on a rigid sphere",
          .source =
              "Legendre series of a cap of 30 degrees on a sphere of 0.1 m, 2 kHz at 0.3 m "
              "(reference A07)",
          .method =
              "The cap is a part of the sphere's surface, as a speaker's patch is; cells of "
              "2.5 mm.",
          .run = run_cap_piston,
          .cost = Cost::slow};
}

}  // namespace peal::validation

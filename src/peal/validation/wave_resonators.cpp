#include <peal/geometry/shapes/shapes.h>
#include <peal/util/measure.h>
#include <peal/util/parallel.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;

/// A bottle: a cylinder of a given volume, as high as wide, whose thick lid has a round neck.
struct Bottle {
  double volume;        ///< [m^3]
  double neck, length;  ///< radius and length of the neck [m]
  double wall;          ///< [m]
  double cell_size;     ///< [m]
  double published;     ///< [Hz], both ends flanged

  double cavity() const { return std::cbrt(volume / (2.0 * pi)); }  ///< radius
};

geometry::TriMesh bottle_mesh(const Bottle& b) {
  const double r = b.cavity(), height = 2.0 * r;
  return geometry::lathe_mesh(geometry::Polygon{{0.0, -b.wall},
                                                {r + b.wall, -b.wall},
                                                {r + b.wall, height + b.length},
                                                {b.neck, height + b.length},
                                                {b.neck, height},
                                                {r, height},
                                                {r, 0.0},
                                                {0.0, 0.0}},
                              2.0 * b.cell_size);
}

/// Frequency of the lowest mode, from how the air inside rings after a puff.
double bottle_frequency(const Bottle& b) {
  const double puff = 0.1 / b.published, time = 16.0 / b.published;
  WaveTrial trial(b.cell_size, time);
  trial.add_body("bottle", bottle_mesh(b), resting(b.cell_size * Vec3(0.31, -0.17, 0.23)));
  const Pulse pulse{puff};
  trial.add_point({0.2 * b.cavity(), b.cavity(), 0}, pulse);
  trial.listen_at({-0.3 * b.cavity(), 0.7 * b.cavity(), 0.1 * b.cavity()});
  const Received received = trial.run()[0];
  const std::vector<double> ringing = received.between(pulse.end(), time);
  return util::find_mode(ringing, static_cast<double>(received.rate.hz), b.published,
                         0.3 * b.published)
      .frequency;
}

Outcome run_helmholtz() {
  const std::array bottles{
      Bottle{1e-3, 0.010, 0.030, 0.012, 4e-3, 142.077170238034},
      Bottle{1e-3, 0.010, 0.030, 0.012, 2.5e-3, 142.077170238034},
      Bottle{0.25e-3, 0.006, 0.012, 0.008, 1.5e-3, 248.4817752},
  };
  std::array<double, bottles.size()> found{};
  util::parallel_for(bottles.size(), [&](std::int64_t i) {
    found[static_cast<std::size_t>(i)] = bottle_frequency(bottles[static_cast<std::size_t>(i)]);
  });
  Outcome outcome;
  for (std::size_t i = 0; i < bottles.size(); ++i) {
    const Bottle& b = bottles[i];
    outcome.claims.push_back(
        {fmt::format("{:g} l, neck {:g} x {:g} mm, {:.2g} cells in its radius", 1e3 * b.volume,
                     1e3 * b.neck, 1e3 * b.length, b.neck / b.cell_size),
         "Hz", b.published, found[i], 0.03 * b.published});
    // Ingard 1953: the inner end's correction shrinks by 1 - 1.25 (neck / cavity).
    const double ends = 0.8217 * (2.0 - 1.25 * b.neck / b.cavity()) * b.neck;
    const double better =
        speed_of_sound / (2.0 * pi) * b.neck * std::sqrt(pi / (b.volume * (b.length + ends)));
    outcome.remarks += fmt::format("{:g} l: {:.2f} Hz, ours {:+.2f} %. ", 1e3 * b.volume, better,
                                   100.0 * (found[i] / better - 1.0));
  }
  outcome.remarks =
      "With Ingard's smaller correction for an inner end in a narrow cavity: " + outcome.remarks;
  return outcome;
}

constexpr double tube_length = 0.5, tube_radius = 0.02, tube_wall = 0.006;  ///< [m]

enum class Ends { open_open, closed_open, closed_closed };

geometry::TriMesh tube_mesh(Ends ends, double edge_length) {
  const double a = tube_radius, b = tube_radius + tube_wall, l = tube_length, w = tube_wall;
  geometry::Polygon section;
  if (ends == Ends::open_open) section = {{a, 0}, {b, 0}, {b, l}, {a, l}};
  if (ends == Ends::closed_open) {
    section = {{0, -w}, {b, -w}, {b, l}, {a, l}, {a, 0}, {0, 0}};
  }
  if (ends != Ends::closed_closed) return geometry::lathe_mesh(section, edge_length);
  // A hollow solid: the outer surface, and the inner one turned inside out.
  geometry::TriMesh outer = geometry::lathe_mesh(
      geometry::Polygon{{0, -w}, {b, -w}, {b, l + w}, {0, l + w}}, edge_length);
  geometry::TriMesh inner =
      geometry::lathe_mesh(geometry::Polygon{{0, 0}, {a, 0}, {a, l}, {0, l}}, edge_length);
  for (geometry::Triangle& t : inner.triangles) std::swap(t[0], t[1]);
  return geometry::joined(outer, inner);
}

/// What is heard inside after a puff.
Received tube_answer(Ends ends, const Pulse& pulse, double seconds) {
  constexpr double h = 4e-3;
  WaveTrial trial(h, seconds);
  trial.add_body("tube", tube_mesh(ends, 0.006), resting(h * Vec3(0.31, -0.17, 0.23)));
  trial.add_point({0.002, 0.11 * tube_length, 0.001}, pulse);
  trial.listen_at({-0.003, 0.17 * tube_length, 0.002});
  return trial.run()[0];
}

Outcome run_tubes() {
  struct Case {
    Ends ends;
    std::string name;
    std::array<double, 3> published;
    double tolerance;
  };
  const std::array cases{Case{Ends::open_open,
                              "open at both ends",
                              {327.148772620164, 654.297545240329, 981.446317860493},
                              0.01},
                         Case{Ends::closed_open,
                              "open at one end",
                              {167.491108135227, 502.47332440568, 837.455540676133},
                              0.01},
                         Case{Ends::closed_closed, "closed", {343.2, 686.4, 1029.6}, 0.01}};
  const Pulse pulse{1.2e-4};
  constexpr double seconds = 0.1;
  std::array<Received, 3> received;
  util::parallel_for(3, [&](std::int64_t i) {
    const auto n = static_cast<std::size_t>(i);
    received[n] = tube_answer(cases[n].ends, pulse, seconds);
  });
  Outcome outcome;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::vector<double> ringing = received[i].between(3e-3, seconds);
    for (std::size_t mode = 0; mode < 3; ++mode) {
      const double published = cases[i].published[mode];
      const double ours =
          util::find_mode(ringing, static_cast<double>(received[i].rate.hz), published, 60.0)
              .frequency;
      outcome.claims.push_back({fmt::format("tube {}, mode {}", cases[i].name, mode + 1), "Hz",
                                published, ours, cases[i].tolerance * published});
    }
  }
  outcome.remarks =
      "The published end correction 0.6133 a is for a wall without thickness. For this wall, 0.3 "
      "a, "
      "it is 0.69 a (Dalmont, Nederveen & Joly 2001), which lowers the open tubes by 0.6 and 0.3 "
      "%.";
  return outcome;
}

}  // namespace

Entry helmholtz_resonators() {
  return {.key = "helmholtz-resonators",
          .title = "Helmholtz resonators",
          .source =
              "f = c / (2 pi) sqrt(S / (V L')), both ends of the neck flanged (references "
              "A09, P-A09)",
          .method =
              "A puff inside a cylindrical cavity with a neck through its thick lid; the "
              "frequency at which it rings.",
          .run = run_helmholtz,
          .cost = Cost::slow};
}

Entry tube_modes() {
  return {.key = "tube-modes",
          .title = "Tubes open and closed",
          .source = "c / (2 (L + 2 x 0.6133 a)) and so on, Levine & Schwinger 1948 (reference A10)",
          .method =
              "A tube of 0.5 m, 20 mm radius and a wall of 6 mm rings after a puff inside; "
              "cells of 4 mm.",
          .run = run_tubes,
          .cost = Cost::slow};
}

}  // namespace peal::validation

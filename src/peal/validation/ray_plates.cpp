#include <peal/base/prescribed_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/rays.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <span>
#include <utility>

/// Free plates heard along rays and through the wave equation: one motion, two radiators.
namespace peal::validation {

namespace {

using std::numbers::pi;

constexpr double plate_side = 0.2;    ///< L [m]
constexpr double plate_cell = 0.008;  ///< of the wave solver [m]
constexpr double plate_seconds = 0.012;
constexpr double plate_ear = 1.0;  ///< distance of the ears [m]

/// Frequencies at which half the plate's side is 1/4 ... 8 radians of a wave long.
constexpr double half_sides[] = {0.25, 0.5, 1.0, 2.0, 4.0, 8.0};

double frequency_of(double half_side) {
  return half_side * speed_of_sound / (pi * plate_side);
}

/// Directions over the upper half, as many to equal parts of it.
std::vector<Vec3> plate_directions() {
  std::vector<Vec3> directions;
  constexpr int count = 24;
  for (int i = 0; i < count; ++i) {
    const double y = (i + 0.5) / count, around = i * pi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - y * y);
    directions.emplace_back(r * std::cos(around), y, r * std::sin(around));
  }
  return directions;
}

/// A plate whose broad sides go up and down together, in `half_waves` half waves along x with
/// antinodes at its edges, once.
WaveTrial moved_plate(double thickness, int half_waves, const Pulse& pulse) {
  WaveTrial trial(plate_cell, plate_seconds);
  trial
      .add_body("plate",
                geometry::box_mesh(Vec3(plate_side, thickness, plate_side), plate_side / 16),
                resting(Vec3(0.0011, 0.0017, -0.0007)))
      .sources.push_back(std::make_shared<base::PrescribedSource>(
          [=](const base::SurfacePoint& point) {
            const double along = point.position.x() / plate_side + 0.5;
            return point.normal.y() * std::cos(pi * half_waves * along);
          },
          pulse, pulse.end()));
  for (const Vec3& direction : plate_directions()) trial.listen_at(plate_ear * direction);
  return trial;
}

std::vector<Received> along_rays(const WaveTrial& trial) {
  util::Silent silent;
  const auto signals =
      radiation::RaysRadiator({.max_frequency = 0.1 * static_cast<double>(trial.world.rate.hz)})
          .radiate(trial.world, trial.receivers, {0, trial.world.samples}, silent);
  std::vector<Received> received;
  for (const base::Signal& signal : signals)
    received.push_back({trial.world.rate, 0, util::as_double(signal.samples)});
  return received;
}

double power_at(double frequency, const Pulse& pulse, std::span<const Received> received) {
  double sum = 0.0;
  for (const Received& one : received) sum += std::norm(one.transfer(frequency, pulse));
  return sum;
}

/// Of rays over that of waves, all directions together [dB].
double power_error(double frequency, const Pulse& pulse, std::span<const Received> rays,
                   std::span<const Received> waves) {
  return 10.0 * std::log10(power_at(frequency, pulse, rays) / power_at(frequency, pulse, waves));
}

std::string describe(int half_waves) {
  if (half_waves == 0) return "as a whole";
  return fmt::format("in {} half {}", half_waves, half_waves == 1 ? "wave" : "waves");
}

Outcome run_ray_plates() {
  const Pulse pulse{.width = 6e-5};
  Outcome outcome;
  for (const int half_waves : {0, 1, 2, 4}) {
    plot::LineChart chart{
        .title = "A plate of 200 x 200 mm that moves " + describe(half_waves),
        .subtitle = "power over the half space above it, by rays over that by the wave equation",
        .x = {.label = "frequency (Hz)", .scale = plot::Scale::log, .min = 100, .max = 5000},
        .y = {.label = "error (dB)"}};
    for (const double thickness : {0.001, 0.01, 0.04}) {
      const WaveTrial trial = moved_plate(thickness, half_waves, pulse);
      const auto waves = trial.run();
      const auto rays = along_rays(trial);
      plot::Series series{.name = fmt::format("{:g} mm thick", 1e3 * thickness),
                          .look = plot::Look::line_and_points};
      for (const double half_side : half_sides) {
        const double f = frequency_of(half_side);
        const double error = power_error(f, pulse, rays, waves);
        series.x.push_back(f);
        series.y.push_back(error);
        outcome.claims.push_back(
            {fmt::format("{:g} mm thick, {}, {:.0f} Hz", 1e3 * thickness, describe(half_waves), f),
             "dB", 0.0, error, half_side <= 1.0 ? 5.0 : 10.0});
      }
      chart.series.push_back(std::move(series));
    }
    outcome.charts.push_back(std::move(chart));
  }
  outcome.remarks =
      "Power over all directions. Single directions near a zero of the directivity differ by more: "
      "by 20 dB where a plate is as long as a wave and moves in 4 half waves.";
  return outcome;
}

}  // namespace

Entry ray_plates() {
  return {.key = "ray-plates",
          .title = "Thin plates in free air, along rays and through the wave equation",
          .source =
              "The model `wave` on the same motion; stated limits: 5 dB where the side is a third "
              "of a wavelength or less, 10 dB above",
          .method =
              "A plate of 200 x 200 mm bends in half waves along x, with antinodes at its edges, "
              "in a smooth pulse; spectra 1 m away in 24 directions, by `rays` and by `wave` with "
              "cells of 8 mm.",
          .run = run_ray_plates};
}

}  // namespace peal::validation

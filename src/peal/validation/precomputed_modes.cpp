#include <peal/base/prescribed_source.h>
#include <peal/base/radiation_amplitudes.h>
#include <peal/geometry/mesh/enclosing_ball.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/multipole_fields.h>
#include <peal/scene/material.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>
#include <peal/vibration/solid_modes.h>
#include <peal/wave/multipoles/modal_radiation.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

constexpr double bowl_radius = 0.05, bowl_wall = 0.002;  ///< [m]
constexpr double bowl_band = 8000.0;                     ///< [Hz]
constexpr std::array mode_distances = {1.3, 2.0, 8.0};   ///< [R]
constexpr int mode_directions = 14;

/// A bowl: half of a spherical shell.
geometry::TriMesh bowl_mesh() {
  geometry::Polygon profile;
  constexpr int steps = 24;
  for (int i = 0; i <= steps; ++i) {
    const double theta = 0.5 * std::numbers::pi * i / steps;
    profile.emplace_back(i == 0 ? 0.0 : bowl_radius * std::sin(theta),
                         -bowl_radius * std::cos(theta));
  }
  const double inner = bowl_radius - bowl_wall;
  for (int i = steps; i >= 0; --i) {
    const double theta = 0.5 * std::numbers::pi * i / steps;
    profile.emplace_back(i == 0 ? 0.0 : inner * std::sin(theta), -inner * std::cos(theta));
  }
  return geometry::lathe_mesh(profile, 0.005);
}

Vec3 spread_direction(int i) {
  const double z = 1.0 - 2.0 * (i + 0.5) / mode_directions;
  const double r = std::sqrt(1.0 - z * z), angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// A burst of a tone, as loud at its frequency as one period is long.
struct Burst {
  double frequency, width = 2e-3;

  double operator()(double t) const {
    const double s = t - 5.0 * width;
    return std::exp(-0.5 * s * s / (width * width)) *
           std::cos(2.0 * std::numbers::pi * frequency * s);
  }
};

Complex spectrum_at(const std::vector<double>& values, base::Rate rate, std::int64_t start,
                    double frequency) {
  Complex sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double t = rate.seconds(start + static_cast<std::int64_t>(i));
    sum += values[i] * std::polar(rate.step(), -2.0 * std::numbers::pi * frequency * t);
  }
  return sum;
}

/// Pressure for unit q'' of one mode at all receivers, by a run of the solver for it alone.
std::vector<Complex> mode_by_waves(const base::ModalModel& model, std::size_t mode,
                                   const geometry::Ball& ball, double cell) {
  const Burst burst{model.modes[mode].frequency};
  constexpr double mode_seconds = 34e-3;
  WaveTrial trial(cell, mode_seconds);
  base::Body& body = trial.add_body("bowl", model.surface);
  body.sources.push_back(std::make_shared<base::PrescribedSource>(
      [&model, mode](const base::SurfacePoint& point) {
        const Eigen::Matrix3Xf shapes = model.shapes_at(point.triangle, point.barycentric);
        return static_cast<double>(
            shapes.col(static_cast<Eigen::Index>(mode)).dot(point.normal.cast<float>()));
      },
      burst, 10.0 * burst.width));
  for (const double distance : mode_distances)
    for (int i = 0; i < mode_directions; ++i)
      trial.listen_at(ball.centre + distance * ball.radius * spread_direction(i));
  std::vector<double> drive;
  for (std::int64_t n = 0; n < trial.world.samples; ++n)
    drive.push_back(burst(trial.world.rate.seconds(n)));
  const Complex of_drive = spectrum_at(drive, trial.world.rate, 0, burst.frequency);
  std::vector<Complex> result;
  for (const Received& received : trial.run())
    result.push_back(
        spectrum_at(received.pressure, received.rate, received.start, burst.frequency) / of_drive);
  return result;
}

Outcome run_precomputed_modes() {
  util::Silent silent;
  const auto steel = scene::find_material("steel");
  const base::ModalModel model =
      vibration::solid_modes(bowl_mesh(), *steel, {.max_frequency = bowl_band}, silent, "").model;
  const base::Medium air;
  const geometry::Ball ball = geometry::enclosing_ball(model.surface.vertices);
  const wave::ModalRadiationPlan plan = wave::plan_modal_radiation(model, air, bowl_band);
  const base::ModalRadiation table = wave::modal_radiation(model, false, air, plan, [](double) {});
  const radiation::ModalField field(table);
  Outcome outcome;
  std::array<double, mode_distances.size()> worst{};
  // The lowest, one in the middle and the highest, each the first of its pair.
  const std::array chosen = {std::size_t{0}, plan.modes / 2 / 2 * 2, (plan.modes - 1) / 2 * 2};
  for (const std::size_t mode : chosen) {
    const std::vector<Complex> waves = mode_by_waves(model, mode, ball, 0.8 * plan.cell_size);
    std::array<double, mode_distances.size()> of_mode{};
    for (std::size_t d = 0; d < mode_distances.size(); ++d) {
      const double r = mode_distances[d] * ball.radius;
      double loudest = 0.0;
      for (int i = 0; i < mode_directions; ++i)
        loudest = std::max(loudest, std::abs(waves[d * mode_directions + std::size_t(i)]));
      for (int i = 0; i < mode_directions; ++i) {
        const double reference = std::abs(waves[d * mode_directions + std::size_t(i)]);
        if (reference < 0.1 * loudest) continue;
        std::vector<std::complex<float>> gains(field.modes());
        field.gains(spread_direction(i), r, gains);
        const double ours = static_cast<double>(std::abs(gains[mode]));
        of_mode[d] = std::max(of_mode[d], std::abs(20.0 * std::log10(ours / reference)));
      }
      worst[d] = std::max(worst[d], of_mode[d]);
    }
    outcome.remarks +=
        fmt::format("{:.0f} Hz, order {}: {:.2f} dB at most. ", table.modes[mode].frequency,
                    table.modes[mode].order, fmt::join(of_mode, ", "));
  }
  constexpr std::array tolerance = {1.0, 0.3, 0.3};
  for (std::size_t d = 0; d < mode_distances.size(); ++d) {
    outcome.claims.push_back({fmt::format("largest error of level at {:g} R", mode_distances[d]),
                              "dB", 0.0, worst[d], tolerance[d]});
  }
  // What a mode of energy q'^2 / 2 loses by its decay, against what its table radiates.
  const base::RadiationAmplitudes damping = base::radiation_amplitudes(model, air);
  for (const std::size_t mode : chosen) {
    const double omega = 2.0 * std::numbers::pi * model.modes[mode].frequency;
    outcome.claims.push_back(
        {fmt::format("power radiated at {:.0f} Hz over that of its damping by radiation",
                     model.modes[mode].frequency),
         "", 1.0,
         base::radiated_power(table.modes[mode], table.radius, air) * omega * omega /
             damping.decay_rates[mode],
         0.1});
  }
  outcome.remarks += fmt::format("{} modes in {} runs, {:.1f} kB.", plan.modes, plan.runs.size(),
                                 1e-3 * static_cast<double>(base::stored_bytes(table)));
  return outcome;
}

}  // namespace

Entry precomputed_modes() {
  return {.key = "precomputed-modes",
          .title = "Modes of a steel bowl by tables from bursts of several at a time",
          .source = "The wave solver, one mode at a time, on a grid 1.25 times as fine",
          .method =
              "Levels of three modes up to 8 kHz in 14 directions, of which those within 20 "
              "dB of the loudest count.",
          .run = run_precomputed_modes,
          .cost = Cost::slow};
}

}  // namespace peal::validation

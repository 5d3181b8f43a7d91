#include <peal/base/prescribed_source.h>
#include <peal/radiation/rays.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;
using Form = base::RaysSettings::Form;

constexpr double ear_distance = 1.0;  ///< [m]

/// Level on the axis over the exact one [dB].
double level_error(double frequency, bool swings, Form form) {
  base::World world;
  world.samples = static_cast<std::int64_t>(frequency < 150.0 ? 9600 : 2400);
  const double fine = world.medium.speed_of_sound / frequency / 4.0;
  base::Body body{.name = "sphere",
                  .mesh = round_sphere(sphere_radius, std::min(0.01, fine)),
                  .motion = resting(base::Vec3::Zero())};
  // A tone of 1 m/s^2, everywhere outwards or all along z.
  body.sources.push_back(std::make_shared<base::PrescribedSource>(
      [=](const base::SurfacePoint& point) { return swings ? point.normal.z() : 1.0; },
      [=](double t) { return std::sin(2.0 * pi * frequency * t); },
      world.rate.seconds(world.samples)));
  world.bodies.push_back(std::move(body));
  const std::vector<base::Receiver> ears{
      {.name = "ear", .motion = resting(base::Vec3(0, 0, ear_distance))}};
  util::Silent silent;
  const auto received =
      radiation::RaysRadiator({.form = form, .max_frequency = std::max(1000.0, frequency)})
          .radiate(world, ears, {0, world.samples}, silent);
  const std::vector<double> all = util::as_double(received[0].samples);
  const double ours = util::tone_at(std::span(all).last(all.size() / 2),
                                    static_cast<double>(world.rate.hz), frequency)
                          .amplitude;
  const double k = wave_number(frequency), ka = k * sphere_radius;
  const double exact = swings ? world.medium.density * std::pow(sphere_radius, 3) *
                                    std::hypot(1.0, k * ear_distance) /
                                    (ear_distance * ear_distance * std::hypot(2 - ka * ka, 2 * ka))
                              : world.medium.density * sphere_radius * sphere_radius /
                                    (ear_distance * std::hypot(1.0, ka));
  return 20.0 * std::log10(ours / exact);
}

Outcome run_ray_spheres() {
  const std::vector<double> frequencies{50,   100,  200,  400,  700,   1000,
                                        1400, 2000, 4000, 8000, 12000, 16000};
  Outcome outcome;
  for (const bool swings : {false, true}) {
    const std::string what = swings ? "swinging" : "pulsating";
    plot::LineChart chart{
        .title = fmt::format("A {} sphere of 50 mm heard along rays", what),
        .subtitle = "level over the exact one, 1 m away on the axis",
        .x = {.label = "frequency (Hz)", .scale = plot::Scale::log, .min = 50, .max = 16000},
        .y = {.label = "error (dB)"}};
    for (const auto& [name, form] : {std::pair("kirchhoff", Form::kirchhoff),
                                     {"rayleigh", Form::rayleigh},
                                     {"paper", Form::paper}}) {
      plot::Series series{.name = name, .look = plot::Look::line_and_points};
      for (const double frequency : frequencies) {
        series.x.push_back(frequency);
        series.y.push_back(level_error(frequency, swings, form));
        if (form != Form::kirchhoff) continue;
        outcome.claims.push_back({fmt::format("{} sphere at {:g} Hz", what, frequency), "dB", 0.0,
                                  series.y.back(), 2.0});
      }
      chart.series.push_back(std::move(series));
    }
    outcome.charts.push_back(std::move(chart));
  }
  outcome.remarks =
      "The forms `rayleigh` and `paper` are drawn for comparison and claim nothing: a sphere is no "
      "wall, and the paper's level has no unit.";
  return outcome;
}

}  // namespace

Entry ray_spheres() {
  return {.key = "ray-spheres",
          .title = "Spheres heard along rays",
          .source =
              "Exact fields of a pulsating and of a swinging sphere; stated limit: 2 dB from "
              "50 Hz to 16 kHz",
          .method =
              "The radiation model \"rays\" on a triangulated sphere, its three forms beside "
              "each other.",
          .run = run_ray_spheres};
}

}  // namespace peal::validation

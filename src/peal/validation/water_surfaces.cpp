#include <peal/base/surface_sequence.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/scene/liquid.h>
#include <peal/shaders/bubble_source.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/rasteriser.h>
#include <peal/wave/sources/wall_source.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::validation {

namespace {

using std::numbers::pi;

/// A bubble of 1 mm whose volume acceleration is a pulse of 1 m^3/s^2 at `rate`.
std::shared_ptr<const shaders::BubbleSource> pulsing_bubble(const Vec3& position,
                                                            const Pulse& pulse, base::Rate rate,
                                                            const Vec3& velocity = Vec3::Zero()) {
  base::BubbleSound sound{.start = 0};
  double volume_velocity = 0.0;
  for (std::int64_t n = 0; rate.seconds(n) < pulse.end(); ++n) {
    volume_velocity += pulse(rate.seconds(n)) * rate.step();
    sound.volume_acceleration.push_back(static_cast<float>(pulse(rate.seconds(n))));
    sound.volume_velocity.push_back(static_cast<float>(volume_velocity));
  }
  sound.path.push_back({.time = 0.0, .position = position, .radius = 1e-3});
  if (!velocity.isZero())
    sound.path.push_back({.time = 1.0, .position = position + velocity, .radius = 1e-3});
  auto sounds = std::make_shared<base::BubbleSounds>();
  sounds->rate = rate;
  sounds->sounds.push_back(std::move(sound));
  return std::make_shared<shaders::BubbleSource>(std::move(sounds));
}

double decibels(double ratio) {
  return 20.0 * std::log10(ratio);
}

/// Above an infinite surface, far from a bubble at depth d, at an angle from the normal:
/// p = rho V'' e^{-ikr} / (2 pi r) e^{-k d sin(angle)}: the Hankel transform of the velocity of the
/// surface, d / (2 pi (d^2 + s^2)^1.5), is e^{-k d sin(angle)}.
Complex over_half_space(double frequency, double depth, double r, double angle) {
  const double k = wave_number(frequency);
  return air_density / (2.0 * pi * r) * std::exp(-k * depth * std::sin(angle)) *
         std::polar(1.0, -k * r);
}

void claim_half_space(Outcome& outcome) {
  constexpr double h = 0.004, depth = 0.005, r = 1.0, thickness = 0.1;
  const std::array angles{0.0, 45.0, 70.0};  // [degrees]
  const std::array frequencies{500.0, 1000.0, 2000.0, 4000.0, 8000.0};
  const Pulse pulse{2e-5};
  const double top = 0.37 * h;
  WaveTrial trial(h, 5e-3);
  trial.settings.domain = geometry::Box(Vec3(-0.15, -0.03, -0.15), Vec3(0.15, 0.1, 0.15));
  trial
      .add_body("water", geometry::box_mesh({2.0, thickness, 2.0}, 1.0),
                resting({0, top - 0.5 * thickness, 0}))
      .sources.push_back(
          pulsing_bubble({0.0, 0.5 * thickness - depth, 0.0}, pulse, trial.world.rate));
  for (const double degrees : angles) {
    const double angle = degrees * pi / 180.0;
    trial.listen_at(
        Vec3(0.8 * r * std::sin(angle), top + r * std::cos(angle), 0.6 * r * std::sin(angle)));
  }
  const std::vector<Received> received = trial.run();
  plot::LineChart chart{.title = "A bubble 5 mm below a flat surface, heard at 1 m",
                        .subtitle = "level over that of a monopole on a rigid plane",
                        .x = {.label = "frequency (Hz)", .min = 0, .max = 8000},
                        .y = {.label = "level (dB)"}};
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double angle = angles[i] * pi / 180.0;
    plot::Series exact{.name = fmt::format("exact, {:g} degrees", angles[i])};
    plot::Series ours{.name = fmt::format("Peal, {:g} degrees", angles[i]),
                      .look = plot::Look::points};
    for (const double frequency : frequencies) {
      const Complex p = received[i].transfer(frequency, pulse);
      const Complex expected = over_half_space(frequency, depth, r, angle);
      const double monopole = air_density / (2.0 * pi * r);
      outcome.claims.push_back(
          {fmt::format("half space: level at {:g} degrees, {:g} Hz", angles[i], frequency), "dB",
           0.0, decibels(std::abs(p) / std::abs(expected)), 1.0});
      outcome.claims.push_back(
          {fmt::format("half space: phase at {:g} degrees, {:g} Hz", angles[i], frequency), "rad",
           0.0, std::arg(p / expected), 0.12});
      exact.x.push_back(frequency), exact.y.push_back(decibels(std::abs(expected) / monopole));
      ours.x.push_back(frequency), ours.y.push_back(decibels(std::abs(p) / monopole));
    }
    chart.series.push_back(std::move(exact));
    chart.series.push_back(std::move(ours));
  }
  outcome.charts.push_back(std::move(chart));
}

/// A liquid with a new mesh each millisecond, whose triangles differ or not.
class Retriangulated : public base::SurfaceSequence {
 public:
  Retriangulated(scene::LiquidBody liquid, double duration, bool differs)
      : liquid_(std::move(liquid)), differs_(differs) {
    for (int i = 1; i * 0.001 < duration; ++i) changes_.push_back(0.001 * i);
  }
  std::span<const double> changes() const override { return changes_; }
  std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const override {
    return std::make_shared<const geometry::TriMesh>(
        scene::liquid_mesh(with_edges(number), false, 0.001 * static_cast<double>(number)));
  }
  void vertices(std::size_t number, double t, std::span<Vec3> out) const override {
    const scene::LiquidBody liquid = with_edges(number);
    scene::LiquidShape(liquid, false).vertices(t, out);
  }
  bool is_sheet() const override { return false; }

 private:
  scene::LiquidBody with_edges(std::size_t number) const {
    scene::LiquidBody liquid = liquid_;
    if (differs_) liquid.edge_length *= 1.0 + 0.13 * static_cast<double>(number % 5);
    return liquid;
  }

  scene::LiquidBody liquid_;
  bool differs_;
  std::vector<double> changes_;
};

scene::LiquidBody cup_of_water() {
  scene::LiquidBody liquid;
  liquid.container = {{0.0, 0.0}, {0.03, 0.0}, {0.032, 0.05}};
  liquid.level = 0.03;
  liquid.overlap = 0.002;
  liquid.edge_length = 0.0015;
  return liquid;
}

/// The flux through the walls of a surface that moves and changes its triangles over v'' of a
/// bubble that rises below it, at each step: the largest error.
void claim_flux(Outcome& outcome) {
  constexpr double h = 0.004, duration = 0.012;
  scene::LiquidBody liquid = cup_of_water();
  liquid.drops = {{.time = -0.012, .at = {0.004, 0.0}, .diameter = 0.0046, .speed = 1.25}};
  const base::Rate rate{150000};
  base::World world{.medium = {}, .rate = rate, .samples = 1800, .bodies = {}, .sources = {}};
  base::Body water;
  water.name = "water";
  water.motion = resting();
  water.sequence = std::make_shared<Retriangulated>(liquid, 0.05, true);
  water.mesh = *water.sequence->mesh(0);
  const Pulse pulse{1e-3};
  water.sources.push_back(
      pulsing_bubble({0.003, 0.018, 0.001}, pulse, rate, Vec3(0.1, 0.25, -0.2)));
  world.bodies.push_back(water);
  base::Body cup;
  cup.name = "cup";
  cup.motion = resting();
  cup.mesh = geometry::lathe_mesh(liquid.container, 0.005, 0.004);
  world.bodies.push_back(std::move(cup));
  const wave::Grid grid{Vec3(-0.06, -0.02, -0.06), h, {30, 25, 30}};
  const wave::Chunk chunk{.end = 1.0};
  wave::Rasteriser rasteriser(world, grid, chunk.segment);
  wave::WallSource<double> walls(world, rasteriser, grid, {rate, rate, 6e4}, chunk);
  double worst = 0.0;
  int steps = 0;
  const auto last = static_cast<std::int64_t>(rate.samples(duration));
  wave::CutGeometry next = rasteriser.at(0.0);
  for (std::int64_t now = 0; now < last;) {
    const int count = rasteriser.steps_to_next_key(now, rate.step(), 512);
    const double t = rate.seconds(now), t_next = rate.seconds(now + count);
    const wave::CutGeometry from = std::exchange(next, rasteriser.at(t_next));
    walls.enter(wave::interval(grid, from, next), t, t_next);
    for (int i = 0; i < count; ++i, ++now, ++steps) {
      double sum = 0.0;
      for (const double source : walls.source({now, rate}, static_cast<double>(i) / count))
        sum += source;
      const double flux = sum * h / air_density;
      worst = std::max(worst, std::abs(flux - pulse(rate.seconds(now))));
    }
  }
  outcome.claims.push_back(
      {"flux through a moving surface with new triangles each millisecond over v'', worst step", "",
       0.0, worst, 1e-3});
  outcome.remarks += fmt::format("The flux was compared at {} steps. ", steps);
}

/// The sound of a bubble in a cup at rest whose surface is triangulated anew each millisecond, less
/// that with one set of triangles.
void claim_silence(Outcome& outcome) {
  constexpr double h = 0.005, duration = 0.012;
  const Pulse pulse{6e-5};
  const auto heard = [&](bool differs, bool sounds) {
    WaveTrial trial(h, duration);
    const scene::LiquidBody liquid = cup_of_water();
    base::Body& water = trial.add_body("water", scene::liquid_mesh(liquid, false, 0.0));
    water.sequence = std::make_shared<Retriangulated>(liquid, duration + 0.01, differs);
    if (sounds)
      water.sources.push_back(pulsing_bubble({0.004, 0.024, 0.0}, pulse, trial.world.rate));
    trial.add_body("cup", geometry::lathe_mesh(liquid.container, 0.008, 0.004));
    trial.listen_at({0.1, 0.2, 0.05});
    return trial.run()[0].pressure;
  };
  const std::vector<double> kept = heard(false, true), changing = heard(true, true);
  std::vector<double> apart(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) apart[i] = changing[i] - kept[i];
  outcome.claims.push_back({"new triangles each millisecond, difference over the bubble's sound",
                            "dB", -100.0, decibels(util::peak(apart) / util::peak(kept)), 40.0});
  outcome.claims.push_back({"the same surface without bubbles, largest pressure", "Pa", 0.0,
                            util::peak(heard(true, false)), 1e-12});
}

Outcome run_water_surfaces() {
  Outcome outcome;
  claim_half_space(outcome);
  claim_flux(outcome);
  claim_silence(outcome);
  return outcome;
}

}  // namespace

Entry water_surfaces() {
  return {.key = "water-surfaces",
          .title = "Bubbles at the surface of water",
          .source =
              "Wang et al. 2018, section 4.4; exact field over an infinite surface, from the "
              "Hankel transform of its velocity",
          .method =
              "Bubbles with a given volume acceleration move the surface of a liquid by their "
              "field of unit flux, and `wave` radiates it: over a wide flat surface, in a cup, "
              "and while the surface moves and its triangles change.",
          .run = run_water_surfaces,
          .cost = Cost::slow};
}

}  // namespace peal::validation

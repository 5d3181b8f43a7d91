#include <peal/geometry/shapes.h>
#include <peal/util/measure.h>
#include <peal/validation/cup_on_floor.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>
#include <peal/wave/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>

namespace peal::validation {

namespace {

constexpr double seconds = 0.18;

/// Down, a while on the floor, up again: closed from 60 to 140 ms.
class Lowered : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    constexpr double speed = 0.5, middle = 0.1;  // [m/s], [s]
    constexpr double closed = 0.02;              // way that it would go into the floor [m]
    return {.position = Vec3(0.0013, std::max(0.0, speed * std::abs(t - middle) - closed), 0.0021)};
  }
  bool is_still() const override { return false; }
};

double fading_tone(double t) {
  const double x = std::clamp(t / 2e-3, 0.0, 1.0);
  const double rise = x * x * x * (10.0 - x * (15.0 - 6.0 * x));
  return rise * std::sin(2.0 * std::numbers::pi * 1000.0 * t) * (1.0 - t / 0.2);
}

std::span<const double> part(const CupOnFloor& cup, const std::vector<double>& p, double begin,
                             double end) {
  return std::span(p).subspan(static_cast<std::size_t>(cup.rate.samples(begin)),
                              static_cast<std::size_t>(cup.rate.samples(end - begin)));
}

double second_difference(std::span<const double> p) {
  return util::click(p) * util::rms(p);
}

Outcome run_cup() {
  const CupOnFloor cup = lower_and_lift_cup();
  Outcome outcome;
  outcome.claims = {{"second difference at the opening over the 10 dB above the open tone's that "
                     "are allowed",
                     "dB", 0.0, std::max(0.0, cup.bang() - 10.0), 0.0},
                    {"mean pressure in the closed cup over its rms", "", 0.0, cup.drift(), 0.05},
                    {"pressure beside the closed cup over that in it", "", 0.0, cup.leak(), 2e-3}};
  outcome.remarks = fmt::format("At the opening {:.1f} dB over the open tone.", cup.bang());
  return outcome;
}

}  // namespace

double CupOnFloor::bang() const {
  return 20.0 * std::log10(second_difference(part(*this, outside, 0.12, 0.17)) /
                           second_difference(part(*this, outside, 0.02, 0.04)));
}

double CupOnFloor::drift() const {
  const auto closed = part(*this, cavity, 0.1, 0.13);
  return std::abs(util::mean(closed)) / util::rms(closed);
}

double CupOnFloor::leak() const {
  return util::peak(part(*this, outside, 0.09, 0.13)) / util::peak(part(*this, cavity, 0.09, 0.13));
}

CupOnFloor lower_and_lift_cup() {
  base::World world;
  world.rate.hz = 48000;
  world.samples = static_cast<std::int64_t>(world.rate.samples(0.2));
  const base::WaveSettings settings{.max_frequency = 3000, .accuracy = 0.05, .cell_size = 0.01};
  // Half section of the upside-down cup: inside 40 mm wide in radius and 80 mm high.
  const geometry::Polygon section{{0, 0.08}, {0.04, 0.08}, {0.04, 0},
                                  {0.06, 0}, {0.06, 0.1},  {0, 0.1}};
  world.bodies.push_back({.name = "floor",
                          .mesh = geometry::box_mesh({0.8, 0.2, 0.8}, 1),
                          .motion = resting({0, -0.1, 0})});
  world.bodies.push_back({.name = "cup",
                          .mesh = geometry::lathe_mesh(section, 0.008),
                          .motion = std::make_shared<Lowered>()});
  world.sources.push_back(
      {.name = "tone", .motion = resting({0.005, 0.035, 0.003}), .shader = emitting(fading_tone)});
  const wave::Discretisation d = wave::choose_discretisation(settings, world.rate, world.medium);
  const double h = d.cell_size;
  wave::Domain domain;
  domain.grid = {Vec3(-20 * h, -12 * h, -20 * h), h, {40, 44, 40}};
  domain.low = {8, 8, 8};
  domain.high = {32, 36, 32};
  wave::Simulation<float> simulation(world, settings, d, domain, {.begin = 0.0, .end = 0.2});
  const wave::Cell inside = domain.grid.cell_of({0.02, 0.02, 0.0});
  const wave::Cell beside = domain.grid.cell_of({0.11, 0.03, 0.0});
  CupOnFloor cup{.rate = d.rate};
  while (d.rate.seconds(simulation.now()) < seconds) {
    simulation.step();
    cup.cavity.push_back(static_cast<double>(simulation.pressure()[inside]));
    cup.outside.push_back(static_cast<double>(simulation.pressure()[beside]));
  }
  return cup;
}

Entry cup_on_floor() {
  return {.key = "cup-on-floor",
          .title = "A cup lowered on a floor and lifted",
          .source =
              "Stated limits: no drift while it is closed, the second difference on opening "
              "within 10 dB of the open tone's",
          .method = "A cup of 80 mm with a 1 kHz tone inside, at 0.5 m/s, cells of 10 mm, float.",
          .run = run_cup,
          .cost = Cost::slow};
}

}  // namespace peal::validation

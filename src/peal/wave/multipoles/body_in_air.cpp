#include <peal/base/prescribed_source.h>
#include <peal/util/denormals.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/multipoles/body_in_air.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::wave {

namespace {

/// Records per shortest period: enough for sums without interpolation.
constexpr double records_per_period = 6.0;
constexpr std::int64_t check_steps = 512;  ///< between checks that the field is bounded

Chunk chunk_until(double end) {
  Chunk chunk;
  chunk.end = end;
  return chunk;
}

/// A raised cosine from 1 where `left` = 1 of the fade is still to come, to 0 at its end.
double fade_gain(double left) {
  return 0.5 - 0.5 * std::cos(std::numbers::pi * std::clamp(left, 0.0, 1.0));
}

}  // namespace

BodyInAir::BodyInAir(const geometry::TriMesh& mesh, bool is_sheet, const base::Medium& medium,
                     double cell_size, double max_frequency) {
  // The rate of audio has no meaning here: any whole rate may be that of the solver.
  world_.medium = medium;
  world_.rate = {1};
  world_.samples = 1;
  world_.bodies.push_back(
      {.name = "body",
       .mesh = mesh,
       .triangle_part = {},
       .is_sheet = is_sheet,
       .motion = std::make_shared<base::Resting>(),
       .deformation = nullptr,
       .sequence = nullptr,
       .exists = {},
       // A silent source: the domain may cut large bodies without sources.
       .sources = {std::make_shared<base::PrescribedSource>([](double) { return 0.0; }, 0.0)}});
  settings_.cell_size = cell_size;
  settings_.max_frequency = max_frequency;
  discretisation_ = choose_discretisation(settings_, world_.rate, medium);
  const Chunk chunk = chunk_until(1.0);
  domain_ = DomainChooser(world_, settings_, discretisation_).domain_for(chunk, 1.0);
  const auto rate = static_cast<double>(discretisation_.rate.hz);
  stride_ = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(rate / (records_per_period * max_frequency)));
  const Simulation<float> simulation(world_, settings_, discretisation_, domain_, chunk);
  box_.emplace(FarFieldSetup{
      .grid = domain_.grid,
      .low = domain_.low,
      .high = domain_.high,
      .medium = medium,
      .rate = discretisation_.rate,
      .mirrors = {},
      .open_area = [&](const Cell& inside, int face) { return simulation.open_area(inside, face); },
      .is_air = [&](const Cell& cell) { return simulation.is_plain_air(cell); }});
}

base::World BodyInAir::world_with(const Source& source) const {
  base::World world = world_;
  world.bodies.front().sources = {source};
  return world;
}

BodyInAir::Spectra BodyInAir::run(const Run& run, std::vector<double> frequencies,
                                  const Advance& advance) const {
  const util::FlushDenormals guard;
  const base::World world = world_with(run.source);
  Simulation<float> simulation(world, settings_, discretisation_, domain_, chunk_until(run.driven));
  Spectra spectra{.faces = FaceSpectra(*box_, std::move(frequencies))};
  std::vector<float> values(2 * box_->slots());
  const base::Rate rate = discretisation_.rate;
  const auto last = static_cast<std::int64_t>(std::ceil(rate.samples(run.length)));
  const double weight = static_cast<double>(stride_) * rate.step();
  double largest = 0.0, late = 0.0;
  const double window = std::max(run.fade, weight);
  const auto record = [&] {
    const double t = rate.seconds(simulation.now()), left = run.length - t;
    const double gain = run.fade > 0.0 ? fade_gain(left / run.fade) : 1.0;
    spectra.faces.record(simulation.pressure(), t, gain * weight);
    box_->read(simulation.pressure(), values.data());
    double now = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_slope = i / FaceGroup::capacity % 2 == 1;
      if (!is_slope) now = std::max(now, std::abs(static_cast<double>(values[i])));
    }
    largest = std::max(largest, now);
    if (left < 1.5 * window && left > 0.5 * window) late = std::max(late, now);
  };
  record();
  while (simulation.now() < last) {
    simulation.step();
    if (simulation.now() % stride_ == 0) record();
    if (simulation.now() % check_steps == 0) {
      simulation.check_bounded();
      advance(static_cast<double>(check_steps));
    }
  }
  simulation.check_bounded();
  advance(static_cast<double>(simulation.now() % check_steps));
  spectra.faces.flush();
  spectra.rest = largest > 0.0 ? late / largest : 0.0;
  return spectra;
}

double BodyInAir::ringing_time(const Run& run, double part, double quiet,
                               const Advance& advance) const {
  const util::FlushDenormals guard;
  const base::World world = world_with(run.source);
  Simulation<float> simulation(world, settings_, discretisation_, domain_, chunk_until(run.driven));
  std::vector<float> values(2 * box_->slots());
  const base::Rate rate = discretisation_.rate;
  const auto last = static_cast<std::int64_t>(std::ceil(rate.samples(run.length)));
  double largest = 0.0, loud_until = run.driven;
  while (simulation.now() < last) {
    simulation.step();
    if (simulation.now() % check_steps == 0) {
      simulation.check_bounded();
      advance(static_cast<double>(check_steps));
    }
    if (simulation.now() % stride_ != 0) continue;
    box_->read(simulation.pressure(), values.data());
    double now = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_slope = i / FaceGroup::capacity % 2 == 1;
      if (!is_slope) now = std::max(now, std::abs(static_cast<double>(values[i])));
    }
    const double t = rate.seconds(simulation.now());
    largest = std::max(largest, now);
    if (now > part * largest) loud_until = std::max(loud_until, t);
    if (t > loud_until + quiet) break;
  }
  return loud_until;
}

}  // namespace peal::wave

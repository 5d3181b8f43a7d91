#include <peal/util/low_pass.h>
#include <peal/util/rate_converter.h>
#include <peal/wave/chunk_run.h>
#include <peal/wave/hearing.h>
#include <peal/wave/mirrors.h>
#include <peal/wave/simulation.h>
#include <peal/wave/slice_record.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace peal::wave {

namespace {

constexpr double quiet_time = 0.05;        ///< t_w of section 6.1 [s]
constexpr double quiet_part = 1e-3;        ///< delta_rel
constexpr double quiet_level = 20e-6;      ///< delta_abs [Pa]
constexpr std::int64_t check_every = 256;  ///< steps

template <class Real>
HearingSetup hearing_setup(const ChunkRun& run, const Simulation<Real>& simulation) {
  const CutGeometry geometry = simulation.walls().at(0.0);
  const Mirrors mirrors = find_mirrors(geometry, run.domain);
  const Grid& grid = run.domain.grid;
  return {.grid = grid,
          .low = run.domain.low,
          .high = run.domain.high,
          .medium = run.world.medium,
          .rate = run.discretisation.rate,
          .first_step = simulation.now(),
          .mirrors = mirrors.planes,
          .open_area =
              [&simulation, grid, mirrors](const Cell& inside, int face) {
                for (const Plane& plane : mirrors.planes) {
                  const Vec3 from_plane = grid.centre(inside) - plane.point;
                  if (plane.normal.dot(from_plane) < -0.5 * grid.cell_size) return 0.0;
                }
                return simulation.open_area(inside, face);
              },
          .is_air = [&simulation](const Cell& cell) { return simulation.open_volume(cell) > 0.0; },
          .far_field = run.settings.far_field,
          .expansion_terms = run.settings.expansion_terms};
}

/// A run that ends while something still rings faintly ends without a click.
void fade_out(base::Signal& signal) {
  const auto length = static_cast<std::size_t>(signal.rate.samples(quiet_time));
  const std::size_t n = signal.samples.size();
  for (std::size_t i = 0; i < std::min(length, n); ++i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(length);
    signal.samples[n - 1 - i] *= static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * x));
  }
}

/// From the solver's rate to the audio rate, without what is above the asked band: the grid carries
/// it at wrong speeds.
base::Signal to_audio(base::Signal signal, base::Rate audio, double max_frequency) {
  constexpr std::int64_t ringing = 64;  // of the converter, samples at the audio rate
  const std::int64_t factor = signal.rate.hz / audio.hz;
  const std::int64_t first = static_cast<std::int64_t>(std::floor(
                                 static_cast<double>(signal.start) / static_cast<double>(factor))) -
                             ringing;
  const std::int64_t before = signal.start - first * factor;
  std::vector<float> padded(static_cast<std::size_t>(before) + signal.samples.size() +
                            static_cast<std::size_t>(ringing * factor));
  std::ranges::copy(signal.samples, padded.begin() + before);
  base::Signal out{.rate = audio, .start = first};
  out.samples = util::convert(padded, signal.rate.hz, audio.hz);
  const double stop = 1.15 * max_frequency;
  if (stop >= audio.nyquist()) return out;
  const util::LowPass filter(static_cast<double>(audio.hz), max_frequency, stop);
  out.samples = filter.apply(out.samples);
  out.start -= static_cast<std::int64_t>(filter.reach());
  return out;
}

bool is_quiet(const HeardPeak& heard) {
  return heard.recent < quiet_part * heard.overall || heard.recent < quiet_level;
}

template <class Real>
ChunkSound run_with(const ChunkRun& run, const std::function<void(std::int64_t)>& advance,
                    SliceRecord* slices) {
  Simulation<Real> simulation(run.world, run.settings, run.discretisation, run.domain, run.chunk);
  Hearing<Real> hearing(hearing_setup(run, simulation), run.receivers);
  const base::Rate rate = run.discretisation.rate;
  const auto last_source = static_cast<std::int64_t>(rate.samples(run.chunk.last_source()));
  const auto latest = static_cast<std::int64_t>(std::ceil(rate.samples(run.latest_end)));
  const auto quiet_steps = static_cast<std::int64_t>(rate.samples(quiet_time));
  const auto record = [&] {
    hearing.record(simulation.pressure());
    if (slices != nullptr) slices->record(simulation);
  };
  record();
  bool quiet = false;
  while (simulation.now() < latest && !quiet) {
    const std::int64_t steps = std::min(check_every, latest - simulation.now());
    for (std::int64_t i = 0; i < steps; ++i) {
      simulation.step();
      record();
    }
    simulation.check_bounded();
    advance(steps);
    if (simulation.now() > last_source + quiet_steps) quiet = is_quiet(hearing.peak(quiet_time));
  }
  ChunkSound sound;
  for (base::Signal& signal : hearing.take()) {
    if (quiet || run.latest_end < run.world.rate.seconds(run.world.samples)) fade_out(signal);
    sound.push_back(to_audio(std::move(signal), run.world.rate, run.settings.max_frequency));
  }
  return sound;
}

template <class Real>
double time_step_with(const ChunkRun& run) {
  using Clock = std::chrono::steady_clock;
  Simulation<Real> simulation(run.world, run.settings, run.discretisation, run.domain, run.chunk);
  Hearing<Real> hearing(hearing_setup(run, simulation), run.receivers);
  constexpr int warm_up = 8, counted = 64;
  for (int i = 0; i < warm_up; ++i) simulation.step(), hearing.record(simulation.pressure());
  const auto start = Clock::now();
  for (int i = 0; i < counted; ++i) simulation.step(), hearing.record(simulation.pressure());
  return std::chrono::duration<double>(Clock::now() - start).count() / counted;
}

}  // namespace

ChunkSound run(const ChunkRun& run, const std::function<void(std::int64_t steps)>& advance,
               SliceRecord* slices) {
  return run.settings.precision == base::WaveSettings::Precision::single
             ? run_with<float>(run, advance, slices)
             : run_with<double>(run, advance, slices);
}

std::int64_t expected_steps(const ChunkRun& run) {
  const double end = std::min(run.chunk.last_source() + quiet_time, run.latest_end);
  return static_cast<std::int64_t>(
      std::ceil(run.discretisation.rate.samples(end - run.chunk.first_source())));
}

double time_one_step(const ChunkRun& run) {
  return run.settings.precision == base::WaveSettings::Precision::single
             ? time_step_with<float>(run)
             : time_step_with<double>(run);
}

double field_bytes(const ChunkRun& run) {
  const double real =
      run.settings.precision == base::WaveSettings::Precision::single ? sizeof(float) : 8.0;
  constexpr double values_per_cell = 5.0;  // two fields, and the layer's memory
  return values_per_cell * real * static_cast<double>(run.domain.grid.cells());
}

}  // namespace peal::wave

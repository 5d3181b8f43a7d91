#include <peal/geometry/shapes/shapes.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/grid/time_step.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using wave::Cell;

using std::numbers::pi;

struct Mode {
  std::array<int, 3> n;  ///< half waves along each axis
};

/// The discrete modes of a rigid box: K = sum (2 / h sin(pi n / (2 N)))^2 takes the place of k^2,
/// and sin^2(w tau / 2) = (c tau)^2 K / 4.
struct BoxModes {
  Cell cells;
  double cell_size;        ///< h [m]
  double viscosity = 0.0;  ///< alpha [m]
  double seconds = 0.05;

  double stiffness(const Mode& mode) const {
    double sum = 0.0;
    for (int d = 0; d < 3; ++d) {
      sum += std::pow(2.0 / cell_size * std::sin(0.5 * pi * mode.n[d] / cells[d]), 2);
    }
    return sum;
  }
  double wave_number(const Mode& mode) const {
    double sum = 0.0;
    for (int d = 0; d < 3; ++d) sum += std::pow(pi * mode.n[d] / (cells[d] * cell_size), 2);
    return std::sqrt(sum);
  }
};

struct RingingBox {
  double step = 0.0;              ///< tau [s]
  std::vector<util::Tone> found;  ///< one for each mode
};

/// A pulse in a corner of the box, through the solver; each mode's part of the field is read by
/// projection, so that other modes do not disturb it.
RingingBox ring(const BoxModes& box, std::span<const Mode> modes, const Pulse& pulse) {
  const double h = box.cell_size;
  const Vec3 inside = h * Vec3(box.cells[0], box.cells[1], box.cells[2]);
  WaveTrial trial(h, box.seconds);
  trial.settings.viscosity = box.viscosity;
  trial.settings.precision = base::WaveSettings::Precision::double_;
  if (box.viscosity > 0.0) {
    trial.world.rate.hz = wave::choose_rate({1000}, h, speed_of_sound, box.viscosity).hz;
    trial.world.samples = static_cast<std::int64_t>(trial.world.rate.samples(box.seconds));
  }
  trial.add_body("box", hollow_box(inside, 2.0 * h));
  const double source = std::min(2.6 * h, 0.3 * inside.minCoeff());
  trial.add_point(Vec3::Constant(source), pulse);
  const wave::Discretisation d =
      wave::choose_discretisation(trial.settings, trial.world.rate, trial.world.medium);
  const wave::DomainChooser chooser(trial.world, trial.settings, d);
  wave::Domain domain = chooser.domain_for({.begin = 0.0, .end = box.seconds}, box.seconds);
  // The walls between cells, where the discrete relation is exact.
  domain.grid.origin = h * (domain.grid.origin / h).array().round();
  wave::Simulation<double> simulation(trial.world, trial.settings, d, domain,
                                      {.begin = 0.0, .end = box.seconds});
  const Cell first = domain.grid.cell_of(Vec3::Constant(0.5 * h));
  std::vector<std::array<std::vector<double>, 3>> shapes(modes.size());
  for (std::size_t m = 0; m < modes.size(); ++m) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < box.cells[axis]; ++i) {
        shapes[m][axis].push_back(std::cos(pi * modes[m].n[axis] * (i + 0.5) / box.cells[axis]));
      }
    }
  }
  std::vector<std::vector<double>> parts(modes.size());
  const auto silent = static_cast<std::int64_t>(d.rate.samples(pulse.end())) + 2;
  const auto last = static_cast<std::int64_t>(d.rate.samples(box.seconds));
  while (simulation.now() < last) {
    simulation.step();
    if (simulation.now() < silent) continue;
    for (std::size_t m = 0; m < modes.size(); ++m) {
      double sum = 0.0;
      for (int z = 0; z < box.cells[2]; ++z) {
        for (int y = 0; y < box.cells[1]; ++y) {
          const double* row = simulation.pressure().row(first[1] + y, first[2] + z) + first[0];
          double along = 0.0;
          for (int x = 0; x < box.cells[0]; ++x) along += row[x] * shapes[m][0][x];
          sum += along * shapes[m][1][y] * shapes[m][2][z];
        }
      }
      parts[m].push_back(sum);
    }
  }
  RingingBox result{.step = d.rate.step()};
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const auto rate = static_cast<double>(d.rate.hz);
    result.found.push_back(box.viscosity > 0.0 ? util::find_mode(parts[m], rate)
                                               : util::find_tone(parts[m], rate));
  }
  return result;
}

double discrete_frequency(const BoxModes& box, const Mode& mode, double step) {
  return std::asin(0.5 * speed_of_sound * step * std::sqrt(box.stiffness(mode))) / (pi * step);
}

Outcome run_box_modes() {
  const std::array<Mode, 12> modes{{{{1, 0, 0}},
                                    {{0, 1, 0}},
                                    {{1, 1, 0}},
                                    {{0, 0, 1}},
                                    {{1, 0, 1}},
                                    {{2, 0, 0}},
                                    {{0, 1, 1}},
                                    {{1, 1, 1}},
                                    {{2, 1, 0}},
                                    {{0, 2, 0}},
                                    {{2, 0, 1}},
                                    {{1, 2, 0}}}};
  const std::array published{343.2,
                             429.0,
                             549.388059571738,
                             572.0,
                             667.060896770302,
                             686.4,
                             715.0,
                             793.102288484909,
                             809.435581130457,
                             858.0,
                             893.492562923721,
                             924.094280904281};
  const BoxModes box{{50, 40, 30}, 0.01, 0.0, 0.05};
  const RingingBox ringing = ring(box, modes, Pulse{2e-4});
  Outcome outcome;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const auto& n = modes[m].n;
    const double exact = discrete_frequency(box, modes[m], ringing.step);
    const double ours = ringing.found[m].frequency;
    outcome.claims.push_back({fmt::format("mode {} {} {}, discrete relation", n[0], n[1], n[2]),
                              "Hz", exact, ours, 1e-6 * exact});
    // The relation's own error, (k h)^2 / 24 at most, is the grid's second order.
    const double k = box.wave_number(modes[m]);
    outcome.claims.push_back({fmt::format("mode {} {} {}, continuum", n[0], n[1], n[2]), "Hz",
                              published[m], ours,
                              std::pow(k * box.cell_size, 2) / 24.0 * published[m]});
  }
  return outcome;
}

/// The mode of a box at which w tau, with the w of its grid at rest in time, is nearest to a value.
Mode mode_with(const BoxModes& box, double phase, double step) {
  Mode best{};
  double least = 1e9;
  for (int x = 1; x < box.cells[0]; ++x) {
    for (int y = 0; y <= std::min(x, box.cells[1] - 1); ++y) {
      for (int z = 0; z <= std::min(y, box.cells[2] - 1); ++z) {
        const Mode mode{{x, y, z}};
        const double miss =
            std::abs(speed_of_sound * step * std::sqrt(box.stiffness(mode)) - phase);
        if (miss < least) least = miss, best = mode;
      }
    }
  }
  return best;
}

Outcome run_dispersion() {
  // Wavelengths of 4 to 20 cells along an axis, and as near along the diagonals.
  struct Case {
    Mode mode;
    double published;  ///< relative error of the phase velocity at the limit of stability
  };
  const std::array<Case, 6> axis{{{{{30, 0, 0}}, -0.072589077763816},
                                  {{{20, 0, 0}}, -0.0312839087837711},
                                  {{{15, 0, 0}}, -0.0173968240827094},
                                  {{{12, 0, 0}}, -0.0110739165923049},
                                  {{{8, 0, 0}}, -0.00489521195564679},
                                  {{{6, 0, 0}}, -0.00274831321750368}}};
  const std::array<Mode, 4> diagonal{{{{20, 20, 0}}, {{10, 10, 0}}, {{16, 16, 16}}, {{8, 8, 8}}}};
  std::vector<Mode> modes;
  for (const Case& one : axis) modes.push_back(one.mode);
  modes.insert(modes.end(), diagonal.begin(), diagonal.end());
  const BoxModes box{{60, 60, 60}, 0.01, 0.0, 0.02};
  // D04: an oscillator of w tau = 0.1 ... 1.5 stepped by central differences.
  const std::array phases{0.1, 0.5, 1.0, 1.5};
  const std::array central{1.0004171361154, 1.01072102056831, 1.0471975511966, 1.13074943864197};
  const WaveTrial same(box.cell_size, box.seconds);
  const double step =
      wave::choose_discretisation(same.settings, same.world.rate, same.world.medium).rate.step();
  const std::size_t first_phase = modes.size();
  for (const double phase : phases) modes.push_back(mode_with(box, phase, step));
  const RingingBox ringing = ring(box, modes, Pulse{3e-5});
  const auto speed_error = [&](std::size_t m, double frequency) {
    return 2.0 * pi * frequency / (speed_of_sound * box.wave_number(modes[m])) - 1.0;
  };
  Outcome outcome;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const std::size_t m = first_phase + i;
    const double at_rest = speed_of_sound * std::sqrt(box.stiffness(modes[m])) / (2.0 * pi);
    // The nearest mode misses the phase by up to 1e-5.
    outcome.claims.push_back(
        {fmt::format(
             "central differences, w tau = {:g}: frequency over that of the oscillator (D04)",
             phases[i]),
         "", central[i], ringing.found[m].frequency / at_rest, 1e-5});
  }
  for (std::size_t m = 0; m < first_phase; ++m) {
    const auto& n = modes[m].n;
    const double ours = speed_error(m, ringing.found[m].frequency);
    const double cells = 2.0 * pi / (box.wave_number(modes[m]) * box.cell_size);
    const std::string way = n[1] == 0 ? "axis" : n[2] == 0 ? "face diagonal" : "space diagonal";
    outcome.claims.push_back(
        {fmt::format(
             "error of the speed, {}, {:.3g} cells in a wavelength, discrete relation at our "
             "step",
             way, cells),
         "", speed_error(m, discrete_frequency(box, modes[m], ringing.step)), ours, 1e-6});
    if (m >= axis.size()) continue;
    // Our step is 0.1 % below the limit of stability, for which the table is.
    outcome.claims.push_back(
        {fmt::format("error of the speed, axis, {:.3g} cells in a wavelength (A15)", cells), "",
         axis[m].published, ours, 2e-3 * std::abs(axis[m].published)});
  }
  return outcome;
}

Outcome run_viscosity() {
  constexpr double alpha = 2e-4, c = speed_of_sound;
  const std::array<Mode, 3> modes{{{{1, 0, 0}}, {{5, 0, 0}}, {{20, 0, 0}}}};
  const std::array published{13.728, 343.2, 5491.2};
  const BoxModes box{{200, 6, 6}, pi / 20.0 / 200.0, alpha, 5e-3};
  const RingingBox ringing = ring(box, modes, Pulse{1.5e-5});
  Outcome outcome;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const double k = box.wave_number(modes[m]);
    // Of z^2 - (2 - (c tau)^2 K - c tau alpha K) z + 1 - c tau alpha K = 0.
    const double discrete =
        -0.5 * std::log(1.0 - c * ringing.step * alpha * box.stiffness(modes[m])) / ringing.step;
    const double ours = ringing.found[m].decay;
    outcome.claims.push_back({fmt::format("decay at k = {:.0f} /m, discrete relation", k), "1/s",
                              discrete, ours, 1e-4 * discrete});
    outcome.remarks += fmt::format("{:.0f} /m: {:.6g} 1/s, ours {:+.3f} %. ", k, published[m],
                                   100.0 * (ours / published[m] - 1.0));
  }
  outcome.remarks = "The continuum c alpha k^2 / 2 (reference A16): " + outcome.remarks;
  return outcome;
}

}  // namespace

Entry box_modes() {
  return {.key = "box-modes",
          .title = "Modes of a rigid box",
          .source =
              "c / 2 sqrt(sum (n_i / L_i)^2), and sin^2(w tau / 2) = (c tau / h)^2 sum "
              "sin^2(k_i h / 2) on the grid (reference A11)",
          .method =
              "A hollow box of 0.5 x 0.4 x 0.3 m inside, cells of 10 mm, double precision; "
              "the solver's own field, projected on each mode.",
          .run = run_box_modes,
          .cost = Cost::slow};
}

Entry grid_dispersion() {
  return {.key = "grid-dispersion",
          .title = "Speed of sound on the grid",
          .source = "sin^2(w tau / 2) = (c tau / h)^2 sum sin^2(k_i h / 2) (references A15, D04)",
          .method =
              "Modes of a hollow cube of 60 cells, projected from the solver's own field; "
              "their frequencies give the speed of the waves that they are made of.",
          .run = run_dispersion,
          .cost = Cost::slow};
}

Entry viscous_decay() {
  return {.key = "viscous-decay",
          .title = "Decay of waves by the air's viscosity",
          .source =
              "Wang, Qu, Langlois & James 2018, equation 1: s = -c alpha k^2 / 2 (reference "
              "A16), with alpha = 0.2 mm",
          .method = "Modes along a hollow box of 157 mm, 200 cells, after a pulse.",
          .run = run_viscosity,
          .cost = Cost::slow};
}

}  // namespace peal::validation

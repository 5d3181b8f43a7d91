#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/mallet.h>
#include <peal/elastic/selective_mass_scaling.h>
#include <peal/elastic/shell_solid.h>
#include <peal/elastic/stepper.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/shell.h>
#include <peal/util/progress.h>
#include <peal/validation/entries.h>
#include <peal/validation/shell_trials.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace peal::validation {

namespace {

using elastic::Nodes;
using std::numbers::pi;

/// Lowest frequencies of a free shell above its rigid motions [Hz].
std::vector<double> free_shell_modes(const geometry::ShellMesh& shell,
                                     const base::Material& material, Eigen::Index count) {
  const fem::ShellElements elements = fem::shell_elements(shell, material, "shell");
  const fem::Matrices matrices = fem::shell_matrices(shell, elements);
  const fem::Eigenpairs pairs =
      fem::lowest_eigenpairs(matrices, fem::shell_rigid_motions(matrices, shell, elements),
                             {.count = count, .shift = std::pow(2.0 * pi * 20.0, 2)});
  std::vector<double> frequencies;
  for (const double value : pairs.values) frequencies.push_back(std::sqrt(value) / (2.0 * pi));
  return frequencies;
}

void claim_free_plates(Outcome& outcome) {
  // w a^2 sqrt(m / D) of a free square plate with nu = 0.3 (Leissa 1973).
  constexpr double free_square[] = {13.468, 19.596, 24.270, 34.801, 34.801,
                                    61.093, 61.093, 63.687, 69.265};
  const base::Material steel{.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
  constexpr double side = 0.3, t = 0.001;
  const double unit =
      t * std::sqrt(200e9 / (12.0 * (1.0 - 0.09) * 7850.0)) / (2.0 * pi * side * side);
  const auto plate_of = [](int cells, Triangulation kind) {
    return uniform_wall(
        mapped_sheet(cells, cells, kind,
                     [](double a, double b) { return Vec3(side * a, 0.0, side * b); }),
        t);
  };
  constexpr std::size_t modes = 100;
  const std::vector<double> fine =
      free_shell_modes(plate_of(60, Triangulation::alternating), steel, modes);
  // A bending wave of wave number k has the frequency `unit` (k side)^2.
  const auto edges_to_a_wave = [&](double frequency) {
    return 2.0 * pi * 20.0 / std::sqrt(frequency / unit);
  };
  const std::pair<Triangulation, const char*> kinds[] = {
      {Triangulation::right, "right"},
      {Triangulation::alternating, "alternating"},
      {Triangulation::random, "random"}};
  for (const auto& [kind, name] : kinds) {
    const auto found = free_shell_modes(plate_of(20, kind), steel, modes);
    double worst = 0.0, worst_short = 0.0, squares = 0.0;
    int count = 0;
    for (std::size_t k = 0; k < std::size(free_square); ++k)
      worst = std::max(worst, std::abs(found[k] / (unit * free_square[k]) - 1.0));
    for (std::size_t k = 0; k < modes; ++k) {
      if (edges_to_a_wave(fine[k]) < 4.0 || edges_to_a_wave(fine[k]) > 4.5) continue;
      const double error = std::abs(found[k] / fine[k] - 1.0);
      worst_short = std::max(worst_short, error);
      squares += error * error;
      ++count;
    }
    outcome.claims.push_back({fmt::format("free square plate, {} triangles, 20 cells a side: worst "
                                          "error of nine modes",
                                          name),
                              "%", 0.0, 100.0 * worst, 0.5});
    outcome.claims.push_back({fmt::format("the same: root mean square error of the {} modes with 4 "
                                          "to 4.5 edges to a wave, against 60 cells a side",
                                          count),
                              "%", 0.0, 100.0 * std::sqrt(squares / count), 4.0});
    outcome.remarks +=
        fmt::format("Worst of these modes, {} triangles: {:.1f} %. ", name, 100.0 * worst_short);
  }
}

/// A mallet against the rim of a free cymbal.
struct Stroke {
  double modulus = 0.0;  ///< E* of the contact [Pa]
  double speed = 0.0;    ///< [m/s]
};

struct Crash {
  double drift = 0.0;     ///< of the energy after the blow, over it [1]
  double lost = 0.0;      ///< the same with what leapfrog's account leaves out [1]
  double high = 0.0;      ///< of 8 to 16 kHz over all at 40 to 50 ms [dB]
  double centroid = 0.0;  ///< at 40 to 50 ms [Hz]
};

/// Sum over some vertices of the spectrum of their velocity along the axis, from 40 to 50 ms.
void measure_spectrum(const std::vector<std::vector<float>>& histories, double rate, Crash& crash) {
  double all = 0.0, high = 0.0, weighted = 0.0;
  const std::size_t count = histories.front().size();
  for (const auto& history : histories) {
    for (std::size_t k = 1; 2 * k < count; ++k) {
      const double f = rate * static_cast<double>(k) / static_cast<double>(count);
      if (f > 16000.0) break;
      double re = 0.0, im = 0.0;
      const double turn = 2.0 * pi * static_cast<double>(k) / static_cast<double>(count);
      double c = 1.0, s = 0.0;
      const double dc = std::cos(turn), ds = std::sin(turn);
      for (std::size_t n = 0; n < count; ++n) {
        const double window = 0.5 - 0.5 * std::cos(2.0 * pi * (static_cast<double>(n) + 0.5) /
                                                   static_cast<double>(count));
        re += window * c * history[n];
        im += window * s * history[n];
        const double next = c * dc - s * ds;
        s = s * dc + c * ds;
        c = next;
      }
      const double power = re * re + im * im;
      all += power;
      weighted += power * f;
      if (f >= 8000.0) high += power;
    }
  }
  crash.high = 10.0 * std::log10(high / all);
  crash.centroid = weighted / all;
}

/// `duration` is at least 50 ms.
Crash crash_of(int rings, const Stroke& stroke, double duration = 0.05) {
  constexpr int rate = 96000;
  const int samples = static_cast<int>(std::lround(duration * rate));
  std::vector<elastic::Solid> solids;
  solids.push_back(elastic::make_shell_solid(trial_cymbal(rings), trial_bronze(), "cymbal"));
  const std::size_t n = solids[0].middle.vertices.size();
  auto mallet = std::make_unique<elastic::Mallet>(
      solids[0], 0,
      elastic::MalletBlow{.start = 1e-5,
                          .at = {0.195, cymbal_height(0.195), 0.0},
                          .direction = -Vec3::UnitY(),
                          .speed = stroke.speed,
                          .mass = 0.03,
                          .radius = 0.01,
                          .modulus = stroke.modulus});
  elastic::Mallet* const watched = mallet.get();
  std::vector<std::unique_ptr<elastic::Load>> loads;
  loads.push_back(std::move(mallet));
  elastic::Stepper stepper(std::move(solids), std::move(loads), {}, {.audio = {rate}});
  std::vector<std::vector<float>> histories(64);
  Crash crash;
  double whole = 0.0, whole_shadow = 0.0;
  for (int sample = 0; sample < samples; ++sample) {
    stepper.sample();
    if (sample == rate / 100 || sample + 1 == samples) {
      const elastic::EnergyAccount energy = stepper.energy();
      const double now = energy.kinetic + energy.elastic + watched->kinetic();
      const double shadow = now + stepper.shadow_energy();
      if (whole == 0.0) whole = now, whole_shadow = shadow;
      crash.drift = std::abs(now / whole - 1.0);
      crash.lost = std::abs(shadow / whole_shadow - 1.0);
    }
    if (sample < rate / 25 || sample >= rate / 20) continue;
    const Nodes& v = stepper.state().velocity[0];
    for (std::size_t i = 0; i < histories.size(); ++i) {
      const std::size_t vertex = (i * 97 + 13) * n / (histories.size() * 97 + 13);
      histories[i].push_back(static_cast<float>(0.5 * (v.y[vertex] + v.y[vertex + n])));
    }
  }
  measure_spectrum(histories, rate, crash);
  return crash;
}

/// k of Hertz's law over sqrt(R), times 3/4 [Pa].
double modulus_for(double hertz) {
  return 0.75 * hertz / std::sqrt(0.01);
}

void claim_crash(Outcome& outcome) {
  const Stroke soft{modulus_for(3e5), 0.775}, hard{modulus_for(3e5), 21.6};
  const Crash quiet = crash_of(30, soft), loud = crash_of(30, hard), finer = crash_of(41, hard);
  outcome.claims.push_back(
      {"cymbal of 5400 triangles, 9 mJ with a soft mallet: 8 to 16 kHz over all "
       "after 40 ms, from -90",
       "dB", -90.0, quiet.high, 20.0});
  outcome.claims.push_back(
      {"7 J with the same mallet: 8 to 16 kHz over all, from -12", "dB", -12.0, loud.high, 3.0});
  outcome.claims.push_back({"the same, 10086 triangles: 8 to 16 kHz over all, against 5400", "dB",
                            finer.high, loud.high, 2.0});
  outcome.claims.push_back({"the same: centroid, against 5400", "Hz", finer.centroid, loud.centroid,
                            0.15 * finer.centroid});
  outcome.claims.push_back({"the same, 5400: change of its energy over 40 ms after the blow", "%",
                            0.0, 100.0 * loud.drift, 0.05});
  const Crash longer = crash_of(20, hard, 0.5);
  outcome.claims.push_back(
      {"2400 triangles, half a second: change of the energy that leapfrog keeps, "
       "a second",
       "%", 0.0, 100.0 * longer.lost / 0.49, 0.1});
  outcome.remarks += fmt::format(
      "Without the term of the step (a mode of w has w^2 dt^2 / 6 more than kinetic and elastic "
      "energy), the account of the last claim falls by {:.2f} % in half a second. ",
      100.0 * longer.drift);
}

/// Whether a plate that is struck far out stays stable for 3000 steps of a length relative to the
/// longest.
bool stays_stable(double part) {
  const auto sheet = mapped_sheet(12, 9, Triangulation::random,
                                  [](double a, double b) { return Vec3(0.2 * a, 0.0, 0.15 * b); });
  elastic::Solid solid = elastic::make_shell_solid(
      uniform_wall(sheet, 0.001), {.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3},
      "plate");
  const Nodes rest = solid.rest;
  const std::vector<double> free(rest.size(), 1.0);
  const double w = elastic::largest_frequency(solid, {free, free, free}), step = 2.0 * part / w;
  Nodes x = rest, v(rest.size()), f(rest.size());
  for (std::size_t i = 0; i < v.size(); ++i) v.y[i] = 1e-6 * std::cos(30.0 * rest.x[i]);
  elastic::MassScaledKick scaled(solid, {free, free, free});
  const Nodes nothing(rest.size());
  for (int n = 0; n < 3000; ++n) {
    f.clear();
    solid.forces->add(x, f);
    elastic::Work work;
    scaled.share({.dt = step, .keep = 1.0, .push = step}, v, nothing, f, work);
    for (std::size_t i = 0; i < x.size(); ++i) {
      v.add(i, step / solid.mass[i] * f.at(i));
      x.add(i, step * v.at(i));
    }
    if (!(std::abs(v.y[0]) < 1e-2)) return false;
  }
  return true;
}

void claim_step(Outcome& outcome) {
  outcome.claims.push_back(
      {"plate at 0.99 of the longest step: stable", "", 1.0, stays_stable(0.99) ? 1.0 : 0.0, 0.0});
  outcome.claims.push_back(
      {"plate at 1.01 of the longest step: stable", "", 0.0, stays_stable(1.01) ? 1.0 : 0.0, 0.0});
}

constexpr double hinged_side = 0.3, hinged_wall = 0.001, hinged_nu = 0.3;  // [m], [1]

/// A steel plate in the plane y = 0. Its edges turn freely; they do not move up or down or inwards,
/// but along themselves.
elastic::Stepper hinged_plate() {
  const auto sheet = mapped_sheet(20, 20, Triangulation::alternating, [](double a, double b) {
    return Vec3(hinged_side * (a - 0.5), 0.0, hinged_side * (b - 0.5));
  });
  std::vector<elastic::Solid> solids;
  solids.push_back(elastic::make_shell_solid(
      uniform_wall(sheet, hinged_wall),
      {.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = hinged_nu}, "plate"));
  elastic::Constraint up{.axes = {false, true, false}, .is_hinge = true};
  elastic::Constraint along_x{.axes = {true, false, false}, .is_hinge = true};
  elastic::Constraint along_z{.axes = {false, false, true}, .is_hinge = true};
  for (std::uint32_t v = 0; v < sheet.vertices.size(); ++v) {
    const bool is_x = std::abs(sheet.vertices[v].x()) > 0.4999 * hinged_side;
    const bool is_z = std::abs(sheet.vertices[v].z()) > 0.4999 * hinged_side;
    if (is_x || is_z) up.nodes.push_back(v);
    if (is_x) along_x.nodes.push_back(v);
    if (is_z) along_z.nodes.push_back(v);
  }
  return elastic::Stepper(std::move(solids), {}, {up, along_x, along_z}, {});
}

/// The frequency of a hinged plate that starts at rest in the shape of its first mode, with the
/// membrane in balance (Chu & Herrmann 1956): its quarter of a period [Hz].
double hinged_plate_frequency(double amplitude) {
  elastic::Stepper stepper = hinged_plate();
  const Nodes& rest = stepper.solids()[0].rest;
  const double k = pi / hinged_side, stretch = k * amplitude * amplitude / 16.0;
  const auto shape = [k](double along) { return std::cos(k * along); };  // from the middle
  Nodes start = rest;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    const double x = rest.x[n], y = rest.y[n], z = rest.z[n];
    // Twice the phases from the edge.
    const double xx = 2.0 * k * x + pi, zz = 2.0 * k * z + pi;
    start.add(n, {stretch * std::sin(xx) * (std::cos(zz) - 1.0 + hinged_nu) +
                      y * amplitude * k * std::sin(k * x) * shape(z),
                  amplitude * shape(x) * shape(z),
                  stretch * std::sin(zz) * (std::cos(xx) - 1.0 + hinged_nu) +
                      y * amplitude * k * std::sin(k * z) * shape(x)});
  }
  stepper.start_at(0, start, Nodes(rest.size()));
  double before = 0.0;
  for (;;) {
    double mode = 0.0;
    const Nodes& x = stepper.state().position[0];
    for (std::size_t n = 0; n < rest.size(); ++n) {
      mode +=
          stepper.solids()[0].mass[n] * (x.y[n] - rest.y[n]) * shape(rest.x[n]) * shape(rest.z[n]);
    }
    if (mode <= 0.0) {
      const double part = before / (before - mode);
      return 0.25 / (stepper.time() + (part - 1.0) * stepper.rate().step());
    }
    before = mode;
    stepper.step();
  }
}

/// Frequency over the linear one of q'' + q + c q^3 = 0 from rest at q = 1, exactly: the
/// arithmetic-geometric mean gives the elliptic integral.
double duffing_frequency(double c) {
  const double m = c / (2.0 * (1.0 + c));
  double a = 1.0, b = std::sqrt(1.0 - m);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::sqrt(1.0 + c) * a;
}

/// Chu & Herrmann 1956: one term of von Karman's theory, c = 3 (3 + 2 nu - nu^2) / 8 (A / t)^2 for
/// a square.
void claim_plate_backbone(Outcome& outcome) {
  const double linear = hinged_plate_frequency(0.01 * hinged_wall);
  for (const double amplitude : {0.25, 0.5, 1.0}) {
    const double c =
        0.375 * (3.0 + 2.0 * hinged_nu - hinged_nu * hinged_nu) * amplitude * amplitude;
    const double theory = duffing_frequency(c);
    outcome.claims.push_back(
        {fmt::format("hinged square plate, amplitude {:g} thicknesses: frequency over the linear "
                     "one",
                     amplitude),
         "", theory, hinged_plate_frequency(amplitude * hinged_wall) / linear, 0.005 * theory});
  }
}

Outcome run_shell_triangles() {
  Outcome outcome;
  claim_free_plates(outcome);
  claim_plate_backbone(outcome);
  claim_step(outcome);
  return outcome;
}

/// The same cymbal by three-dimensional elasticity. The bell, which is steep, sets the first pair:
/// its error falls with the square of the edge.
void claim_cymbal_modes(Outcome& outcome) {
  constexpr int modes = 12;
  util::Silent silent;
  const vibration::SolidModes solid = vibration::solid_modes(
      geometry::surface_of(trial_cymbal(30)), trial_bronze(),
      {.max_frequency = 0.0, .count = modes, .accuracy = 0.01}, silent, "cymbal");
  const auto errors = [&](int rings) {
    const std::vector<double> ours = free_shell_modes(trial_cymbal(rings), trial_bronze(), modes);
    std::vector<double> all;
    for (std::size_t k = 0; k < modes; ++k)
      all.push_back(std::abs(100.0 * (ours[k] / solid.model.modes[k].frequency - 1.0)));
    return all;
  };
  const auto claim = [&](const char* what, std::span<const double> error, double allowed) {
    outcome.claims.push_back(
        {fmt::format("cymbal of {} against {} tetrahedra of third order", what, solid.tets), "%",
         0.0, *std::ranges::max_element(error), allowed});
  };
  const std::vector<double> coarse = errors(30), fine = errors(41);
  claim("10086 triangles: worst error of six pairs of modes", fine, 1.0);
  claim("5400 triangles: error of the first pair", std::span(coarse).first(2), 1.5);
  claim("5400 triangles: worst error of the second to the sixth", std::span(coarse).subspan(2),
        1.0);
}

Outcome run_cymbal_crash() {
  Outcome outcome;
  claim_cymbal_modes(outcome);
  claim_crash(outcome);
  return outcome;
}

}  // namespace

Entry shell_triangles() {
  return {.key = "shell-triangles",
          .title = "Shell triangles ring as plates do, on any triangulation",
          .source =
              "Leissa 1973 (free square plate); Chu & Herrmann 1956 (large vibration of a "
              "hinged plate); Lanczos' largest frequency",
          .method =
              "Modes of the stiffness at rest; a quarter of a period from rest in the first "
              "mode; leapfrog just below and above its limit.",
          .run = run_shell_triangles};
}

Entry cymbal_crash() {
  return {.key = "cymbal-crash",
          .title = "A cymbal crashes when it is struck hard, and only then",
          .source = "Wang et al. 2018, section 4.5 and figure 21",
          .method =
              "A free cymbal and a mallet of 30 g: spectra of the velocity of 64 vertices "
              "from 40 to 50 ms.",
          .run = run_cymbal_crash,
          .cost = Cost::slow};
}

}  // namespace peal::validation

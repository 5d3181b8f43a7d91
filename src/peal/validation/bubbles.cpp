#include <peal/bubbles/capacitance.h>
#include <peal/bubbles/coupled.h>
#include <peal/bubbles/mesh_capacitance.h>
#include <peal/bubbles/play.h>
#include <peal/bubbles/plume.h>
#include <peal/bubbles/pulsation.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/fft.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using base::BubbleSound;
using geometry::Vec3;
using std::numbers::pi;

/// Adds claims within a part of the published value.
class Claims {
 public:
  explicit Claims(Outcome& outcome) : outcome_(outcome) {}
  void near(const std::string& quantity, const char* unit, double published, double ours,
            double relative) {
    outcome_.claims.push_back({quantity, unit, published, ours, relative * std::abs(published)});
  }

 private:
  Outcome& outcome_;
};

Outcome run_pulsation() {
  Outcome outcome;
  Claims claims(outcome);
  const base::Liquid water;
  constexpr std::array radii = {1e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2};
  constexpr std::array minnaert = {32862.0233790283, 6572.40467580566, 3286.20233790283,
                                   1643.10116895141, 657.240467580566, 328.620233790283};
  for (std::size_t i = 0; i < radii.size(); ++i) {
    claims.near(fmt::format("Minnaert's frequency, R = {:g} mm (B01)", 1e3 * radii[i]), "Hz",
                minnaert[i], bubbles::minnaert_frequency(radii[i], water), 1e-6);
  }
  claims.near("with surface tension, R = 50 um (P-B01)", "Hz", 66436.7814751304,
              bubbles::adiabatic_frequency(50e-6, water), 1e-6);
  claims.near("3.3 mm, 2 m deep (P-B01)", "Hz", 1087.80887383404,
              bubbles::minnaert_frequency(3.3e-3, water, 2.0), 1e-6);
  struct Damping {
    double radius, frequency, beta;
  };
  constexpr std::array dampings = {Damping{5e-4, 6452.68631865343, 988.116963278707},
                                   Damping{1e-3, 3243.2670033761, 398.975543803147},
                                   Damping{3e-3, 1087.0254249659, 98.5632237375648}};
  for (const Damping& one : dampings) {
    const bubbles::Pulsation ours = bubbles::pulsation(one.radius, water);
    const double mm = 1e3 * one.radius;
    claims.near(fmt::format("frequency with heat exchange, R = {:g} mm (B02)", mm), "Hz",
                one.frequency, ours.frequency(), 1e-6);
    claims.near(fmt::format("damping, R = {:g} mm (B02)", mm), "1/s", one.beta, ours.beta(), 1e-2);
  }
  struct Shift {
    double distance, ratio;
  };
  constexpr std::array shifts = {Shift{1.1, 1.468021156868401},  Shift{1.5, 1.2391006855119777},
                                 Shift{2.0, 1.1580413693294511}, Shift{3.0, 1.095972301017817},
                                 Shift{5.0, 1.0541518315753917}, Shift{10.0, 1.0259817363394679}};
  for (const Shift& one : shifts) {
    claims.near(
        fmt::format("frequency ratio at d = {:g} R below a free surface (B03)", one.distance), "",
        one.ratio, std::sqrt(bubbles::capacitance_below_surface(one.distance)), 5e-3);
  }
  return outcome;
}

/// A sphere of about 2000 triangles, stretched.
geometry::TriMesh stretched_sphere(const Vec3& axes) {
  geometry::TriMesh mesh = geometry::sphere_mesh(1.0, 0.14);
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(axes);
  return mesh;
}

Outcome run_capacitance() {
  Outcome outcome;
  Claims claims(outcome);
  const double root3 = std::sqrt(3.0);
  claims.near("sphere", "", 1.0, bubbles::mesh_capacitance(stretched_sphere({1.0, 1.0, 1.0})),
              1e-2);
  claims.near("prolate spheroid 2 : 1", "", root3 / std::acosh(2.0),
              bubbles::mesh_capacitance(stretched_sphere({1.0, 2.0, 1.0})), 1e-2);
  claims.near("oblate spheroid 1 : 2", "", root3 / std::acos(0.5),
              bubbles::mesh_capacitance(stretched_sphere({2.0, 1.0, 2.0})), 1e-2);
  const geometry::TriMesh ball = stretched_sphere({1.0, 1.0, 1.0});
  for (const double distance : {1.5, 3.0}) {
    claims.near(fmt::format("sphere {:g} R below a free surface", distance), "",
                bubbles::capacitance_below_surface(distance),
                bubbles::mesh_capacitance(ball, {.offset = distance}), 1e-2);
    claims.near(fmt::format("sphere {:g} R beside a wall", distance), "",
                bubbles::capacitance_beside_wall(distance),
                bubbles::mesh_capacitance(ball, {.offset = distance, .is_free = false}), 1e-2);
  }
  return outcome;
}

bubbles::PlaySettings play_settings(double duration, bool coupled) {
  bubbles::PlaySettings how{.coupled = coupled};
  how.oscillators.range = {0, static_cast<std::int64_t>(48000.0 * duration)};
  return how;
}

/// v'' of two sounds, one plus `sign` times the other, from a sample on.
std::vector<double> sum_of_pair(const base::BubbleSounds& sounds, double sign, std::int64_t first,
                                std::size_t count) {
  std::vector<double> sum(count, 0.0);
  for (std::size_t b = 0; b < 2; ++b) {
    const BubbleSound& one = sounds.sounds.at(b);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t n = first + static_cast<std::int64_t>(i) - one.start;
      if (n < 0 || n >= one.end() - one.start) continue;
      sum[i] += (b == 0 ? 1.0 : sign) *
                static_cast<double>(one.volume_acceleration[static_cast<std::size_t>(n)]);
    }
  }
  return sum;
}

Outcome run_pairs() {
  Outcome outcome;
  Claims claims(outcome);
  const base::FlatSurface far_surface(100.0);
  bubbles::PlaySettings how = play_settings(0.5, true);
  // Hardly damped, for sharp tones; without the weight of the liquid.
  how.chains.liquid.thermal_diffusivity = 1e-8;
  how.chains.liquid.speed_of_sound = 1e6;
  how.chains.liquid.gravity = 0.0;
  for (const double distance : {3.0, 6.0, 20.0}) {
    constexpr double radius = 2e-3;
    base::BubblePopulation pair;
    for (int i = 0; i < 2; ++i) {
      pair.tracks.push_back({.id = i,
                             .samples = {{.time = 0.001,
                                          .position = Vec3(i * distance * radius, 0.0, 0.0),
                                          .radius = radius}},
                             .excitation = {.cone = i == 0 ? 0.95 : 0.2}});
    }
    const auto played = bubbles::play(pair, far_surface, how);
    const double alone = bubbles::pulsation(radius, how.chains.liquid).frequency();
    const double m = 1.0 / std::sqrt(distance * distance + 4.0);
    for (const double sign : {1.0, -1.0}) {
      const auto samples = sum_of_pair(played.sounds, sign, 1000, 20000);
      claims.near(fmt::format("pair at {:g} R, {}", distance,
                              sign > 0.0 ? "in phase" : "in opposite phase"),
                  "Hz", alone / std::sqrt(1.0 + sign * m),
                  util::find_tone(samples, 48000.0).frequency, 1e-2);
    }
  }
  return outcome;
}

/// Energy of a signal in an octave about a frequency.
double octave_energy(std::span<const float> samples, double centre) {
  const std::vector<double> signal = util::as_double(samples);
  double energy = 0.0;
  const double low = centre / std::numbers::sqrt2;
  constexpr int lines = 24;
  // Lines of the spectrum, evenly spaced over the octave.
  for (int i = 0; i < lines; ++i) {
    const double frequency = low * (1.0 + (i + 0.5) / lines);
    double re = 0.0, im = 0.0;
    for (std::size_t n = 0; n < signal.size(); ++n) {
      const double phase = 2.0 * pi * frequency * static_cast<double>(n) / 48000.0;
      re += signal[n] * std::cos(phase);
      im += signal[n] * std::sin(phase);
    }
    energy += (re * re + im * im) * low / lines;
  }
  return energy;
}

Outcome run_poured() {
  Outcome outcome;
  Claims claims(outcome);
  const base::FlatSurface surface(0.0);
  const base::Liquid water;
  // One bubble: largest v'' over a half space at 0.5 m.
  base::BubblePopulation one;
  one.tracks.push_back({.samples = {{.time = 0.01, .position = {0.0, -0.1, 0.0}, .radius = 1e-3}},
                        .excitation = {.cone = 0.95}});
  const auto single = bubbles::play(one, surface, play_settings(0.1, false));
  float peak = 0.0f;
  for (const float x : single.sounds.sounds.at(0).volume_acceleration)
    peak = std::max(peak, std::abs(x));
  const double pressure = 1.2041 * static_cast<double>(peak) / (2.0 * pi * 0.5);
  outcome.claims.push_back({"level of one bubble of 1 mm at 0.5 m", "dB", 42.0,
                            20.0 * std::log10(pressure / std::numbers::sqrt2 / 2e-5), 1.5});
  claims.near("its decay time T60, R = 1 mm", "s", 17.3e-3,
              bubbles::pulsation(1e-3, water).decay_time(), 1e-2);
  // A pour: what the bubbles radiate together against the sum of what each radiates.
  const bubbles::Jet jet{.flow = 7.5e-5, .diameter = 0.008, .height = 0.2, .end = 0.5};
  const auto population = bubbles::make_plume(bubbles::plume_of(jet, water), {1, 0});
  auto played = bubbles::play(population, surface, play_settings(0.5, false));
  std::vector<float> sum(24000, 0.0f);
  std::array<double, 4> each{};
  constexpr std::array centres = {1000.0, 2000.0, 4000.0, 8000.0};
  for (BubbleSound& sound : played.sounds.sounds) {
    sound.expand();
    for (std::int64_t n = sound.start; n < sound.end(); ++n)
      sum[static_cast<std::size_t>(n)] +=
          sound.volume_acceleration[static_cast<std::size_t>(n - sound.start)];
    for (std::size_t k = 0; k < centres.size(); ++k)
      each[k] += octave_energy(sound.volume_acceleration, centres[k]);
  }
  for (std::size_t k = 0; k < centres.size(); ++k) {
    // More lines are needed for the sum of half a second: octave_energy of parts of 25 ms.
    double together = 0.0;
    for (std::size_t begin = 0; begin + 1200 <= sum.size(); begin += 1200)
      together += octave_energy(std::span(sum).subspan(begin, 1200), centres[k]);
    outcome.claims.push_back(
        {fmt::format("pour of 4.5 L/min, octave of {:g} Hz: sum over its bubbles", centres[k]),
         "dB", 0.0, 10.0 * std::log10(together / each[k]), 3.0});
  }
  const base::BubbleEnergy& energy = played.sounds.energy;
  outcome.claims.push_back({"energy taken by damping and left, over that given", "", 1.0,
                            (energy.dissipated + energy.remaining) / energy.given, 0.02});
  outcome.claims.push_back(
      {"radiated over given, at most 1", "", 0.0, energy.radiated / energy.given, 1.0});
  return outcome;
}

}  // namespace

Entry bubble_pulsation() {
  return {.key = "bubbles",
          .title = "Frequency and damping of bubbles",
          .source = "References B01, B02, B03 and P-B01.",
          .method = "Formulas of `bubbles` for a bubble alone and below a free surface.",
          .run = run_pulsation};
}

Entry bubble_capacitance() {
  return {.key = "bubble-shapes",
          .title = "Bubbles that are not round",
          .source =
              "Capacitance of spheroids in closed form (reference B05), and the series of two "
              "spheres (reference B03).",
          .method =
              "Boundary elements on meshes of about 2000 triangles, in units of the radius of "
              "the stretched sphere.",
          .run = run_capacitance};
}

Entry bubble_pairs() {
  return {.key = "bubble-pairs",
          .title = "Two coupled bubbles",
          .source =
              "Modes of two equal oscillators whose mass matrix has m = 1 / (r^2 / R^2 + "
              "4)^(1/2) beside the diagonal: f / (1 + m)^(1/2), f / (1 - m)^(1/2) (reference "
              "B04).",
          .method = "Tones of the sum and the difference of what two bubbles play.",
          .run = run_pairs};
}

Entry poured_bubbles() {
  return {.key = "poured-bubbles",
          .title = "One bubble, and those of a pour",
          .source =
              "Forcing by a neck of steepness 0.95 (Deane & Stokes 2008), Prosperetti 1977, "
              "and the incoherent sum of the drawn population.",
          .method =
              "What bubbles play, at 0.5 m over a half space; octaves of their sum against "
              "the sum of their octaves.",
          .run = run_poured};
}

}  // namespace peal::validation

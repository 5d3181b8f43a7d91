#include <peal/base/prescribed_source.h>
#include <peal/geometry/mesh/rotation.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/measure.h>
#include <peal/util/parallel.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace peal::validation {

namespace {

using std::numbers::pi;
constexpr double tone_frequency = 1000.0;        ///< [Hz]
constexpr double settle = 4e-3, window = 16e-3;  ///< [s]

/// A tone that is switched on smoothly within 2 ms.
double tone(double t, double frequency) {
  const double x = std::clamp(t / 2e-3, 0.0, 1.0);
  return x * x * x * (10.0 - x * (15.0 - 6.0 * x)) * std::sin(2.0 * pi * frequency * t);
}

/// Energy from 1.42 to 20 kHz relative to that around the tone [dB].
double noise_above(const std::vector<double>& received, double rate) {
  const double n = static_cast<double>(received.size());
  constexpr double edge = tone_frequency + 420.0;
  double band = 0.0, noise = 0.0;
  for (int bin = 1; bin < 20e3 * n / rate; ++bin) {
    Complex sum = 0.0;
    for (std::size_t i = 0; i < received.size(); ++i) {
      const double x = 2.0 * pi * (static_cast<double>(i) + 0.5) / n;
      const double blackman_harris = 0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2.0 * x) -
                                     0.01168 * std::cos(3.0 * x);
      sum +=
          std::polar(received[i] * blackman_harris, -2.0 * pi * bin * static_cast<double>(i) / n);
    }
    const double frequency = bin * rate / n;
    if (frequency > edge) noise += std::norm(sum);
    if (frequency < edge && frequency > 2.0 * tone_frequency - edge) band += std::norm(sum);
  }
  return 10.0 * std::log10(noise / band);
}

/// Largest deviation of a tone's level from its mean over stretches of 2 ms [dB].
double level_ripple(const std::vector<double>& received, double rate, double frequency) {
  const auto length = static_cast<std::size_t>(4e-3 * rate), hop = length / 8;
  std::vector<double> levels;
  for (std::size_t i = 0; i + length <= received.size(); i += hop) {
    const double amplitude =
        util::tone_at(std::span(received).subspan(i, length), rate, frequency).amplitude;
    levels.push_back(20.0 * std::log10(amplitude));
  }
  const double mean = util::mean(levels);
  double worst = 0.0;
  for (const double level : levels) worst = std::max(worst, std::abs(level - mean));
  return worst;
}

/// The normal of a disc, oblique to the grid.
const Vec3 disc_normal = Vec3(0.36, 0.8, 0.48).normalized();

/// What moves: a sphere of 50 mm, or a disc of 60 mm radius and some thickness.
struct Crossing {
  double speed;  ///< [m/s]
  bool driven;   ///< it pulsates, a disc shakes; else the tone comes from a resting point
  std::optional<double> disc = std::nullopt;  ///< its thickness [m]; 0 is a sheet
  double cell_size = 0.01;                    ///< [m]
};

geometry::TriMesh disc_mesh(double thickness) {
  geometry::TriMesh mesh = thickness > 0.0 ? geometry::cylinder_mesh(0.06, thickness, 0.008)
                                           : geometry::disc_mesh(0.06, 0.008);
  const auto turn = geometry::least_turn(Vec3::UnitY(), disc_normal);
  for (Vec3& v : mesh.vertices) v = turn * v;
  return mesh;
}

struct CrossingNoise {
  double noise = -300.0;              ///< of the worst of three resting listeners [dB]
  double ripple = 0.0;                ///< of a listener that moves with a driven sphere [dB]
  std::array<double, 3> amplitude{};  ///< of the tone for the resting listeners [Pa]
};

/// A body crosses the cells on an oblique line.
CrossingNoise cross(const Crossing& crossing) {
  const Vec3 way = Vec3(0.82, 0.43, -0.38).normalized(), velocity = crossing.speed * way;
  const Vec3 start = Vec3(0.013, -0.021, 0.017) - (settle + 0.5 * window) * velocity;
  WaveTrial trial(crossing.cell_size, settle + window);
  trial.settings.domain = geometry::Box(Vec3::Constant(-0.36), Vec3::Constant(0.36));
  base::Body& body =
      trial.add_body("body", crossing.disc ? disc_mesh(*crossing.disc) : round_sphere(0.05, 0.008),
                     gliding(start, velocity));
  body.is_sheet = crossing.disc == 0.0;
  if (crossing.driven) {
    body.sources.push_back(std::make_shared<base::PrescribedSource>(
        [is_disc = crossing.disc.has_value()](const base::SurfacePoint& point) {
          return is_disc ? point.normal.dot(disc_normal) : 1.0;
        },
        [](double t) { return tone(t, tone_frequency); }, settle + window));
  } else {
    trial.add_point({-0.21, 0.25, 0.13}, [](double t) { return tone(t, tone_frequency); });
  }
  for (const Vec3& x : {Vec3(0.2, -0.25, 0.1), Vec3(-0.1, -0.2, -0.28), Vec3(0.05, 0.3, 0.22)}) {
    trial.listen_at(x);
  }
  trial.listen_at(start + 0.25 * Vec3(-0.43, 0.82, 0.38).normalized(), velocity);
  const std::vector<Received> received = trial.run();
  const auto rate = static_cast<double>(trial.world.rate.hz);
  CrossingNoise result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<double> part = received[i].between(settle, settle + window);
    result.noise = std::max(result.noise, noise_above(part, rate));
    result.amplitude[i] = util::tone_at(part, rate, tone_frequency).amplitude;
  }
  const std::vector<double> along = received[3].between(settle, settle + window);
  if (crossing.driven) result.ripple = level_ripple(along, rate, tone_frequency);
  return result;
}

/// Largest pressure anywhere around a silent body that moves through silence.
double silent_peak(double speed) {
  WaveTrial trial(0.01, 0.01);
  trial.add_body("ball", round_sphere(0.05, 0.008), gliding({-0.1, 0.01, 0.02}, {speed, 3, 1}));
  trial.add_point({0.3, 0.2, 0.1}, [](double t) { return t > 0.0099 ? 1e-30 : 0.0; });
  trial.listen_at({0.1, 0.2, 0.05});
  const auto received = trial.run();
  double most = 0.0;
  for (const double p : received[0].pressure) most = std::max(most, std::abs(p));
  return most;
}

Outcome run_motion_noise() {
  const std::array crossings{Crossing{1.0, false}, Crossing{5.0, false}, Crossing{20.0, false},
                             Crossing{5.0, true}, Crossing{20.0, true}};
  const std::array limits{-65.0, -65.0, -65.0, -60.0, -55.0};
  std::array<CrossingNoise, crossings.size()> found;
  util::parallel_for(crossings.size(), [&](std::int64_t i) {
    found[static_cast<std::size_t>(i)] = cross(crossings[static_cast<std::size_t>(i)]);
  });
  Outcome outcome;
  outcome.claims.push_back({"silent sphere at 20 m/s through silence: largest pressure", "Pa", 0.0,
                            silent_peak(20.0), 1e-29});
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const Crossing& c = crossings[i];
    outcome.claims.push_back(
        {fmt::format("{} at {:g} m/s: noise above the band over the {:g} dB that are allowed",
                     c.driven ? "driven sphere" : "sphere through a tone", c.speed, limits[i]),
         "dB", 0.0, std::max(0.0, found[i].noise - limits[i]), 0.0});
    if (c.driven) {
      outcome.claims.push_back({fmt::format("driven sphere at {:g} m/s: ripple of its level for a "
                                            "listener that moves along",
                                            c.speed),
                                "dB", 0.0, found[i].ripple, 0.05});
    }
    outcome.remarks += fmt::format("{} at {:g} m/s {:.1f} dB. ", c.driven ? "driven" : "tone",
                                   c.speed, found[i].noise);
  }
  outcome.remarks = "Noise from 1.42 to 20 kHz over the 1 kHz tone: " + outcome.remarks;
  return outcome;
}

/// Largest pressure outside of a closed box with thin walls over that inside [dB].
double leak_of_thin_box() {
  WaveTrial trial(0.01, 0.02);
  trial.add_body("box", hollow_box(Vec3(0.2, 0.16, 0.14), 0.002));
  trial.add_point({0.07, 0.06, 0.05}, Pulse{2e-4});
  trial.listen_at({0.15, 0.11, 0.09});
  trial.listen_at({0.28, 0.11, 0.09});
  const std::vector<Received> received = trial.run();
  // Silence counts as -300 dB.
  return 20.0 * std::log10(std::max(
                    util::peak(received[1].pressure) / util::peak(received[0].pressure), 1e-15));
}

Outcome run_thin_shells() {
  constexpr double v = 20.0, thin = 0.002;
  const std::array crossings{Crossing{v, false, 0.0}, Crossing{v, false, thin},
                             Crossing{v, true, 0.0}, Crossing{v, true, thin},
                             Crossing{v, true, thin, 0.005}};
  std::array<CrossingNoise, crossings.size()> found;
  util::parallel_for(crossings.size(), [&](std::int64_t i) {
    found[static_cast<std::size_t>(i)] = cross(crossings[static_cast<std::size_t>(i)]);
  });
  const double leak = leak_of_thin_box();
  Outcome outcome;
  outcome.claims.push_back(
      {"closed box with walls of 2 mm: pressure outside over the -60 dB of "
       "that inside that are allowed",
       "dB", 0.0, std::max(0.0, leak + 60.0), 0.0});
  outcome.remarks = fmt::format("Outside of the box {:.0f} dB. ", leak);
  for (std::size_t i = 0; i < 4; ++i) {
    const Crossing& c = crossings[i];
    const double limit = c.driven ? -40.0 : -60.0;
    outcome.claims.push_back(
        {fmt::format("disc of {:g} mm at {:g} m/s, {}: noise above the band over the {:g} dB that "
                     "are allowed",
                     1e3 * *c.disc, v, c.driven ? "driven" : "through a tone", limit),
         "dB", 0.0, std::max(0.0, found[i].noise - limit), 0.0});
    outcome.remarks += fmt::format("Disc of {:g} mm, {} {:.1f} dB. ", 1e3 * *c.disc,
                                   c.driven ? "driven" : "tone", found[i].noise);
  }
  for (const std::size_t i : {2u, 3u}) {
    double worst = 0.0;
    for (std::size_t ear = 0; ear < 3; ++ear) {
      const double ratio = found[i].amplitude[ear] / found[4].amplitude[ear];
      worst = std::max(worst, std::abs(20.0 * std::log10(ratio)));
    }
    outcome.claims.push_back(
        {fmt::format("driven disc of {:g} mm at {:g} m/s: level off that of 2 mm on cells of 5 mm, "
                     "worst of three listeners",
                     1e3 * *crossings[i].disc, v),
         "dB", 0.0, worst, 0.5});
  }
  return outcome;
}

Outcome run_moving_speaker() {
  constexpr double f = 440.0, v = 20.0, seconds = 0.4, h = 0.02;
  const auto frequency = [&](const Vec3& start, const Vec3& velocity, double from) {
    WaveTrial trial(h, seconds);
    trial.settings.chunk = 0.1;
    trial.add_body("speaker", round_sphere(0.08, 0.02), gliding(start, velocity))
        .sources.push_back(
            std::make_shared<base::PrescribedSource>([](double t) { return tone(t, f); }, seconds));
    trial.listen_at(Vec3::Zero());
    const Received received = trial.run()[0];
    return util::find_tone(received.between(from, seconds), static_cast<double>(received.rate.hz),
                           f, 100.0)
        .frequency;
  };
  Outcome outcome;
  outcome.claims = {{"speaker approaches at 20 m/s", "Hz", 467.227722772277,
                     frequency({-10, 0.003, 0.007}, {v, 0, 0}, 0.1), 1e-3 * f},
                    {"speaker recedes at 20 m/s", "Hz", 415.770925110132,
                     frequency({2, 0.003, 0.007}, {v, 0, 0}, 0.1), 1e-3 * f}};
  return outcome;
}

}  // namespace

Entry motion_noise() {
  return {.key = "motion-noise",
          .title = "Noise of bodies that move through the grid",
          .source =
              "Stated limits: silence stays silent; -65 dB for a body through a tone, -60 and "
              "-55 dB for one that is driven itself at 5 and 20 m/s, ripple 0.05 dB",
          .method =
              "A sphere of 50 mm crosses cells of 10 mm on an oblique line; energy above the "
              "band of a 1 kHz tone at the worst of three listeners.",
          .run = run_motion_noise,
          .cost = Cost::slow};
}

Entry thin_shells() {
  return {.key = "thin-shells",
          .title = "Walls thinner than a cell",
          .source =
              "Stated limits: a closed thin-walled box is silent outside to -60 dB; a moving shell "
              "of 0 to 0.2 cells: noise of -60 dB through a tone and -40 dB driven at 20 m/s, "
              "driven level within 0.5 dB of a fine grid",
          .method =
              "A box with walls of 2 mm around a pulse; a disc of 60 mm radius, without thickness "
              "and 2 mm thick, crosses cells of 10 mm on an oblique line.",
          .run = run_thin_shells,
          .cost = Cost::slow};
}

Entry moving_speaker() {
  return {.key = "moving-speaker",
          .title = "Doppler shift of a sounding body in the wave solver",
          .source = "f' = f / (1 - M), c = 343.2 m/s (reference A13)",
          .method =
              "A pulsating sphere of 80 mm flies 8 m past cells of 20 mm, its domain with it "
              "in chunks of 0.1 s.",
          .run = run_moving_speaker,
          .cost = Cost::slow};
}

}  // namespace peal::validation

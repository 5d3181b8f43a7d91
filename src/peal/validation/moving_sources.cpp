#include <peal/render/render.h>
#include <peal/sounds/point.h>
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

/// A straight path through `from` and `to`.
scene::MotionPath line(const Vec3& from, const Vec3& to, double duration) {
  scene::AnimatedTransform transform;
  transform.translation = {.times = {0.0, duration}, .values = {from, to}};
  return {{transform}};
}

scene::MotionPath at(const Vec3& place) {
  scene::AnimatedTransform transform;
  transform.translation = {.times = {0.0}, .values = {place}};
  return {{transform}};
}

/// One tone and one mono listener through the whole renderer.
std::vector<double> hear(const scene::MotionPath& source, const scene::MotionPath& listener,
                         const scene::ToneSound& tone, double pressure_at_1m, double duration) {
  scene::Scene scene;
  scene.duration = duration;
  scene.objects.push_back({.name = "source",
                           .path = source,
                           .sounds = {sounds::make_sound(sounds::PointSound{
                               .signal = tone, .pressure_at_1m = pressure_at_1m})}});
  scene.listeners.push_back({.name = "listener", .motion = listener});
  util::Silent silent;
  return util::as_double(render::render(scene, silent).listeners.at(0).audio.channels.at(0));
}

/// Frequency of the tone that is heard between two times.
double frequency_heard(const std::vector<double>& received, double from, double to) {
  const base::Rate rate;
  const auto first = static_cast<std::size_t>(rate.samples(from));
  const auto count = static_cast<std::size_t>(rate.samples(to - from));
  return util::find_tone(std::span(received).subspan(first, count), 48000.0).frequency;
}

Outcome run_doppler() {
  const double f = 440.0, v = 20.0;
  const scene::ToneSound tone{.frequency = f};
  const auto frequency = [&](const scene::MotionPath& source, const scene::MotionPath& listener) {
    return frequency_heard(hear(source, listener, tone, 1.0, 2.0), 0.9, 1.9);
  };
  const auto tolerance = 1e-4 * f;
  Outcome outcome;
  outcome.claims = {
      {"source approaches at 20 m/s", "Hz", 467.227722772277,
       frequency(line({-60, 0, 0}, {-20, 0, 0}, 2.0), at({0, 0, 0})), tolerance},
      {"source recedes at 20 m/s", "Hz", 415.770925110132,
       frequency(line({20, 0, 0}, {60, 0, 0}, 2.0), at({0, 0, 0})), tolerance},
      {"listener approaches at 20 m/s", "Hz", f * (1.0 + v / speed_of_sound),
       frequency(at({0, 0, 0}), line({60, 0, 0}, {20, 0, 0}, 2.0)), tolerance},
  };
  return outcome;
}

/// Reference A14: exact field of a monopole of mass flux sin(w t) at x = v t, heard at (0, y, 0).
struct MovingMonopole {
  double w, v, y;

  double pressure(double t) const {
    const double mach = v / speed_of_sound, x = v * t, beta = 1.0 - mach * mach;
    const double r = (-mach * x + std::sqrt(x * x + beta * y * y)) / beta;
    const double te = t - r / speed_of_sound;
    const double mach_r = mach * (-v * te) / r;
    const double d = 1.0 - mach_r;
    return w * std::cos(w * te) / (4.0 * pi * r * d * d) + std::sin(w * te) * speed_of_sound *
                                                               (mach_r - mach * mach) /
                                                               (4.0 * pi * r * r * d * d * d);
  }
};

/// The pass-by at 20 m/s and 2 m, closest at t = 1 s, against the exact field.
struct PassBy {
  std::vector<double> time, exact, ours;
  double largest_error = 0.0;  ///< relative to the largest pressure
};

PassBy pass_by(double frequency) {
  const double closest = 1.0, v = 20.0, w = 2.0 * pi * frequency;
  const MovingMonopole monopole{w, v, 2.0};
  // The strength w cos(w (t - closest)) / (4 pi), as a sine from t = 0.
  const scene::ToneSound tone{.frequency = frequency,
                              .phase = std::remainder(0.5 * pi - w * closest, 2.0 * pi)};
  const auto received = hear(line({-v * closest, 0, 0}, {v * 0.5, 0, 0}, 1.5), at({0, 2, 0}), tone,
                             w / (4.0 * pi), 1.5);
  PassBy result;
  double largest = 0.0, error = 0.0;
  for (std::int64_t n = 12000; n < 72000; ++n) {
    const double t = base::Rate{}.seconds(n) - closest;
    const double exact = monopole.pressure(t);
    largest = std::max(largest, std::abs(exact));
    error = std::max(error, std::abs(received[n] - exact));
    result.time.push_back(t);
    result.exact.push_back(exact);
    result.ours.push_back(received[n]);
  }
  result.largest_error = error / largest;
  return result;
}

Outcome run_moving_monopole() {
  Outcome outcome;
  for (const double frequency : {50.0, 100.0, 440.0, 1000.0, 3000.0, 10000.0}) {
    const PassBy result = pass_by(frequency);
    outcome.claims.push_back(
        {fmt::format("largest error of the waveform at {:g} Hz, relative", frequency), "", 0.0,
         result.largest_error, 1e-3});
    if (frequency == 440.0) {
      // A few periods around the closest approach; ours at every eighth sample, to be seen apart.
      const auto near = [&](const std::vector<double>& all, std::size_t step) {
        std::vector<double> some;
        for (std::size_t i = 35760; i < 36480; i += step) some.push_back(all[i]);
        return some;
      };
      outcome.charts.push_back(
          {.title = "Moving monopole, 440 Hz, 20 m/s, passing at 2 m",
           .x = {.label = "time from closest approach (s)", .min = 0, .max = 0},
           .y = {.label = "pressure (Pa)", .min = 0, .max = 0},
           .series = {{"exact", near(result.time, 1), near(result.exact, 1)},
                      {"Peal", near(result.time, 8), near(result.ours, 8), plot::Look::points}},
           .residual = plot::Residual::difference});
    }
  }
  return outcome;
}

Outcome run_circling() {
  // A rotating parent carries the source: 12 keys a turn, spherically interpolated: exact.
  const double radius = 0.4, turns_per_second = 3.0, duration = 1.5, f = 5000.0;
  scene::AnimatedTransform turning, arm;
  for (int i = 0; i <= static_cast<int>(12 * turns_per_second * duration); ++i) {
    const double half_angle = pi * i / 12.0;
    turning.rotation.times.push_back(i / (12.0 * turns_per_second));
    turning.rotation.values.emplace_back(0.0, std::sin(half_angle), 0.0, std::cos(half_angle));
  }
  arm.translation = {.times = {0.0}, .values = {Vec3(radius, 0, 0)}};
  const auto received = hear({{turning, arm}}, at({5, 0, 0}), {.frequency = f}, 1.0, duration);

  // Frequency over windows of 2.5 ms.
  double highest = 0.0, lowest = 2.0;
  std::vector<double> time, ratio;
  for (double t = 0.1; t < 1.4; t += 0.001) {
    const double heard_ratio = frequency_heard(received, t, t + 0.0025) / f;
    highest = std::max(highest, heard_ratio);
    lowest = std::min(lowest, heard_ratio);
    time.push_back(t);
    ratio.push_back(heard_ratio);
  }
  // Level of what left the nearest and the farthest point, where the source moves across the line
  // of sight and only distance counts.
  const auto level = [&](double emitted, double distance) {
    const double middle = base::Rate{}.samples(emitted + distance / speed_of_sound);
    return util::rms(std::span(received).subspan(static_cast<std::size_t>(middle) - 48, 96));
  };
  const double near_level = level(1.0, 5.0 - radius);
  const double far_level = level(1.0 + 0.5 / turns_per_second, 5.0 + radius);
  Outcome outcome;
  outcome.claims = {
      {"highest frequency over emitted", "", 1.02246266572884, highest, 1e-3},
      {"lowest frequency over emitted", "", 0.978503090074866, lowest, 1e-3},
      {"level at the far side over the near side", "", 0.851851851851852, far_level / near_level,
       1e-3},
  };
  outcome.charts = {{.title = "Source on a circle of 0.4 m at 3 turns a second, seen from 5 m",
                     .x = {.label = "time (s)", .min = 0, .max = 0},
                     .y = {.label = "frequency heard / emitted", .min = 0, .max = 0},
                     .series = {{"", time, ratio}},
                     .guides = {{plot::Guide::Along::y, 1.02246266572884, "exact maximum"},
                                {plot::Guide::Along::y, 0.978503090074866, "exact minimum"}}}};
  return outcome;
}

}  // namespace

Entry doppler_shift() {
  return {.key = "doppler-shift",
          .title = "Doppler shift of a moving source and a moving listener",
          .source = "f' = f / (1 - M) and f' = f (1 + M), with c = 343.2 m/s (reference A13)",
          .method =
              "A 440 Hz tone through `peal render` with the `direct` radiator; the frequency is "
              "measured from one second of the sound.",
          .run = run_doppler};
}

Entry moving_monopole() {
  return {.key = "moving-monopole",
          .title = "Waveform of a monopole passing at 20 m/s",
          .source =
              "Morse & Ingard 1968, section 11.2: p = q'/(4 pi R D^2) + q c (Mr - M^2)/(4 pi "
              "R^2 D^3) (reference A14)",
          .method =
              "A tone passes the listener at 2 m; every sample from 0.75 s before to 0.5 s after "
              "is compared with the exact field.",
          .run = run_moving_monopole};
}

Entry circling_source() {
  return {.key = "circling-source",
          .title = "Extreme Doppler ratios of a source on a circle",
          .source =
              "Exact retarded-time solution (reference P-A14), for the swinging bar of O'Brien, "
              "Cook & Essl 2001, figure 9",
          .method =
              "A 5 kHz tone on a circle of 0.4 m at 3 turns a second, heard from 5 m in its "
              "plane.",
          .run = run_circling};
}

}  // namespace peal::validation

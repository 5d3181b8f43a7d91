#include <peal/base/prescribed_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/parallel.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <algorithm>
#include <cmath>

namespace peal::validation {

namespace {

double peak(const Received& received) {
  double most = 0.0;
  for (const double p : received.pressure) most = std::max(most, std::abs(p));
  return most;
}

/// Largest difference over the largest value.
double difference(const Received& a, const Received& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.pressure.size(); ++i) {
    worst = std::max(worst, std::abs(a.pressure[i] - b.pressure[i]));
  }
  return worst / peak(a);
}

/// A plate between two points, one to sound and one to listen, both in the domain.
Received across_plate(const Vec3& source, const Vec3& listener) {
  const Pulse pulse{1e-4};
  WaveTrial trial(0.008, 8e-3);
  trial.add_body("plate", geometry::box_mesh({0.21, 0.03, 0.17}, 0.05),
                 resting({0.02, 0.005, 0.0}));
  trial.add_point(source, pulse);
  trial.add_point(listener, [](double) { return 0.0; });
  trial.listen_at(listener);
  return trial.run()[0];
}

/// A sphere whose two halves may sound, and a listener aside.
WaveTrial two_halves(bool upper, bool lower) {
  WaveTrial trial(0.01, 6e-3);
  const Pulse early{1e-4}, late{1.5e-4};
  base::Body& body = trial.add_body("ball", round_sphere(0.05, 0.01));
  if (upper) {
    body.sources.push_back(std::make_shared<base::PrescribedSource>(
        [](const base::SurfacePoint& p) { return p.normal.y() > 0 ? 1.0 : 0.0; }, early,
        early.end()));
  }
  if (lower) {
    body.sources.push_back(std::make_shared<base::PrescribedSource>(
        [](const base::SurfacePoint& p) { return p.normal.y() > 0 ? 0.0 : 1.0; }, late,
        late.end()));
  }
  trial.listen_at({0.3, 0.1, 0.2});
  return trial;
}

/// A tone on a moving sphere beside a box, long enough for several chunks.
WaveTrial long_scene(double chunk) {
  WaveTrial trial(0.02, 0.15);
  trial.settings.chunk = chunk;
  trial.add_body("ball", round_sphere(0.08, 0.02), gliding({-0.2, 0.0, 0.0}, {1.0, 0.2, 0.0}))
      .sources.push_back(std::make_shared<base::PrescribedSource>(
          [](double t) { return std::sin(3000.0 * t) * std::min(1.0, 100.0 * t); }, 0.14));
  trial.add_body("box", geometry::box_mesh({0.2, 0.1, 0.2}, 0.1), resting({0.0, -0.25, 0.03}));
  trial.listen_at({0.6, 0.3, 0.2});
  return trial;
}

double causality() {
  constexpr double radius = 0.05, h = 0.01, r = 0.3;
  const Pulse pulse{1e-4};
  WaveTrial trial(h, 4e-3);
  trial.add_body("ball", round_sphere(radius, 0.01))
      .sources.push_back(std::make_shared<base::PrescribedSource>(pulse, pulse.end()));
  trial.listen_at({r, 0, 0});
  const Received received = trial.run()[0];
  // Stencils reach a few cells, and the far field's interpolation three steps.
  const double first = (r - radius - 4.0 * h) / speed_of_sound;
  double early = 0.0;
  for (const double p : received.between(0.0, first)) early = std::max(early, std::abs(p));
  return early / peak(received);
}

Outcome run_properties() {
  Outcome outcome;
  const auto claim = [&](const std::string& name, double ours, double tolerance) {
    outcome.claims.push_back({name, "", 0.0, ours, tolerance});
  };
  const Vec3 a(0.012, 0.16, -0.052), b(-0.052, -0.124, 0.06);
  claim("reciprocity: a point and a listener around a plate, swapped",
        difference(across_plate(a, b), across_plate(b, a)), 1e-3);

  const Received both = two_halves(true, true).run()[0], upper = two_halves(true, false).run()[0];
  Received sum = two_halves(false, true).run()[0];
  for (std::size_t i = 0; i < sum.pressure.size(); ++i) sum.pressure[i] += upper.pressure[i];
  claim("linearity: the sum of two sources' sounds, single precision", difference(both, sum), 3e-6);

  claim("causality: loudest before the wave can be there", causality(), 1e-6);

  const Received whole = long_scene(1.0).run()[0], chunked = long_scene(0.03).run()[0];
  claim("chunks: the sum of 5 chunks against one run", difference(whole, chunked), 2e-3);
  const util::ThreadLimit one(1);
  claim("threads: one against all, 5 chunks", difference(chunked, long_scene(0.03).run()[0]), 0.0);
  return outcome;
}

}  // namespace

Entry wave_properties() {
  return {.key = "wave-properties",
          .title = "Reciprocity, linearity, causality, chunks and threads of the wave solver",
          .source =
              "Properties of the wave equation, and the promise that a sound does not depend "
              "on how it is computed. A chunk ends when 1e-3 of its loudest is left (Wang et "
              "al. 2018, section 6.1)",
          .method = "Largest difference of two waveforms over the largest pressure.",
          .run = run_properties};
}

}  // namespace peal::validation

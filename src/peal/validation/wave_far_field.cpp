#include <peal/base/prescribed_source.h>
#include <peal/validation/entries.h>
#include <peal/validation/spherical_waves.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <cmath>

namespace peal::validation {

namespace {

using base::WaveSettings;

constexpr double listener_distance = 0.8;  ///< of the listener [m]

struct FarRun {
  bool shakes;  ///< along an axis; else the sphere pulsates
  WaveSettings::FarField method;
  int terms = 2;
  bool off_centre = false;  ///< a silent point makes the listening box wider on one side
};

/// What is heard at 0.8 m on the axis.
Received far_sphere(const FarRun& run, const Pulse& pulse) {
  constexpr double h = 2.5e-3;
  const Vec3 axis(0.6, 0.0, 0.8), centre = h * Vec3(0.31, -0.17, 0.23);
  WaveTrial trial(h, 5e-3);
  trial.settings.far_field = run.method;
  trial.settings.expansion_terms = run.terms;
  trial.add_body("sphere", round_sphere(sphere_radius, 0.003), resting(centre))
      .sources.push_back(std::make_shared<base::PrescribedSource>(
          [axis, run](const base::SurfacePoint& point) {
            return run.shakes ? axis.dot(point.normal) : 1.0;
          },
          pulse, pulse.end()));
  if (run.off_centre) trial.add_point(centre - 0.25 * axis, [](double) { return 0.0; });
  trial.listen_at(centre + listener_distance * axis);
  return trial.run()[0];
}

Outcome run_far_field() {
  using enum WaveSettings::FarField;
  const Pulse pulse{6e-5};
  const auto error = [&](const FarRun& run, double f) {
    const Complex exact =
        run.shakes ? oscillating_sphere(wave_number(f), sphere_radius, listener_distance, 1.0)
                   : pulsating_sphere(wave_number(f), sphere_radius, listener_distance);
    return relative_error(far_sphere(run, pulse).transfer(f, pulse), exact);
  };
  const Complex dipole(-0.00160883530811819, -0.000728307969596894);
  const Complex monopole(-0.00174407675577977, 0.000460229717724812);
  Outcome outcome;
  const auto claim = [&](const std::string& name, double ours, double tolerance) {
    outcome.claims.push_back({name, "", 0.0, ours, tolerance});
  };
  claim("our formula for the shaken sphere against A05, 2 kHz",
        relative_error(oscillating_sphere(wave_number(2000), sphere_radius, listener_distance, 1.0),
                       dipole),
        1e-9);
  claim("our formula for the pulsating sphere against A05, 2 kHz",
        relative_error(pulsating_sphere(wave_number(2000), sphere_radius, listener_distance),
                       monopole),
        1e-9);
  claim("Kirchhoff, pulsating sphere, 2 kHz", error({false, kirchhoff}, 2000), 0.01);
  claim("Kirchhoff, shaken sphere, 2 kHz", error({true, kirchhoff}, 2000), 0.01);
  claim("Kirchhoff, pulsating sphere off centre, 1 kHz", error({false, kirchhoff, 2, true}, 1000),
        0.005);
  claim("expansion of 1 term, pulsating sphere, 2 kHz", error({false, expansion, 1}, 2000), 0.01);
  claim("expansion of 2 terms, shaken sphere, 2 kHz", error({true, expansion, 2}, 2000), 0.01);
  // Where the expansion has too few terms, or its centre is not the source's, it must fail: one
  // term carries the near field of a dipole on as if it fell with 1 / r.
  const double near_field = error({true, expansion, 1}, 500);
  outcome.claims.push_back({"expansion of 1 term, shaken sphere, 500 Hz: errs by about its size",
                            "", 1.0, near_field, 0.7});
  outcome.remarks =
      fmt::format("Expansion of 2 terms for a pulsating sphere off centre, 1 kHz: error {:.2g}.",
                  error({false, expansion, 2, true}, 1000));
  return outcome;
}

}  // namespace

Entry far_field() {
  return {.key = "far-field",
          .title = "Kirchhoff integral and radial expansion to a listener at 0.8 m",
          .source =
              "Wang, Qu, Langlois & James 2018, equation 18; a pulsating sphere needs one "
              "term, a shaken one two (reference A05)",
          .method =
              "Relative error of the phasor at 0.8 m, cells of 2.5 mm, sphere of 50 mm; off "
              "centre, a silent point makes the domain 0.25 m longer on one side.",
          .run = run_far_field,
          .cost = Cost::slow};
}

}  // namespace peal::validation

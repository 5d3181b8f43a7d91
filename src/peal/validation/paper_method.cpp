#include <peal/base/radiation_drives.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/fft.h>
#include <peal/util/random.h>
#include <peal/validation/entries.h>
#include <peal/validation/paper_tables.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace peal::validation {

namespace {

using radiation::Vec3;
using std::numbers::pi;
using Complex = std::complex<double>;

constexpr double paper_band = 20000.0;  ///< of fields [Hz]
constexpr double paper_pulse = 1e-4;    ///< tau of figures 8 and 9 [s]
constexpr double paper_distance = 8.0;  ///< of figures 8 and 9 [R]
constexpr int paper_directions = 12;
constexpr double paper_shown = 1.2e-3;  ///< of signals that are compared [s]

/// A body of the paper's table 1.
struct PaperBody {
  std::string name;
  geometry::TriMesh mesh;
  double h = 0.0;       ///< [s]
  double length = 0.0;  ///< T [s]
  int rate = 0;         ///< 228 samples in T make the size of the paper's tables [Hz]
  double fine_megabytes = 0.0, coarse_megabytes = 0.0;  ///< of 40 x 80 and 5 x 10
};

/// The table as it is stored, which is ours.
base::RigidRadiation own_radiation(const geometry::TriMesh& mesh) {
  const base::Medium air;
  const wave::RigidRadiationPlan plan = wave::plan_rigid_radiation(mesh, air, paper_band);
  return plan.of_body(wave::shape_radiation(mesh, plan, [](double) {}), air);
}

Vec3 listening_direction(std::uint64_t i) {
  const double z = 2.0 * util::random_uniform(12, 1, 2 * i) - 1.0;
  const double angle = 2.0 * pi * util::random_uniform(12, 1, 2 * i + 1);
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// The sound of half a sine of acceleration from the field itself; time 0 is the first that sound
/// from the centre may arrive at.
std::vector<double> field_signal(const radiation::RigidField& field, double rate, double radius,
                                 double speed_of_sound, int motion, const Vec3& direction) {
  radiation::RigidField::Response response;
  field.response(direction, paper_distance * radius, response);
  std::vector<Complex> spectrum(field.block() / 2 + 1);
  for (std::size_t b = 0; b < field.bins(); ++b) {
    const double f = field.spacing() * static_cast<double>(b);
    // The integral of the half sine is 2 tau / pi.
    spectrum[b] = rate * 2.0 / pi * paper_pulse *
                  base::pulse_spectrum(base::PulseProfile::half_sine, f * paper_pulse) *
                  std::polar(1.0, 2.0 * pi * f * radius / speed_of_sound) *
                  Complex(response(motion, static_cast<Eigen::Index>(b)));
  }
  std::vector<double> signal(field.block());
  util::RealFft(field.block()).inverse(spectrum, signal);
  return signal;
}

/// The same by equations 18 and 19.
double paper_signal(const PaperTable& table, double h, const Vec3& direction, double r, double t) {
  double sum = 0.0;
  for (int k = 0; k * h < paper_pulse; ++k)
    sum += std::sin(pi * k * h / paper_pulse) * table.pulse(direction, r, t - k * h);
  return sum;
}

/// Relative errors of the paper's method over some directions.
struct PaperError {
  double linear = 0.0, angular = 0.0;
};

PaperError paper_error(const PaperBody& body, const radiation::RigidField& field, double radius,
                       double speed_of_sound, const PaperSettings& settings) {
  const auto of_motion = [&](int motion) {
    const PaperTable table(field, radius, speed_of_sound, motion, settings);
    double wrong = 0.0, all = 0.0;
    for (std::uint64_t d = 0; d < paper_directions; ++d) {
      const Vec3 direction = listening_direction(d);
      const std::vector<double> exact =
          field_signal(field, body.rate, radius, speed_of_sound, motion, direction);
      for (std::size_t n = 0; n < static_cast<std::size_t>(paper_shown * body.rate); n += 2) {
        const double theirs = paper_signal(table, settings.h, direction, paper_distance * radius,
                                           static_cast<double>(n) / body.rate);
        wrong += std::pow(theirs - exact[n], 2);
        all += exact[n] * exact[n];
      }
    }
    return std::sqrt(wrong / all);
  };
  return {of_motion(0), of_motion(3)};
}

Outcome run_paper_method() {
  Outcome outcome;
  const std::vector<PaperBody> bodies = {
      {"die", geometry::box_mesh({0.016, 0.016, 0.016}, 0.002), 14.898e-6, 1e-3, 228000, 35.0, 0.6},
      {"coin", geometry::cylinder_mesh(0.01213, 0.00175, 0.001), 4.8333e-6, 2e-3, 114000, 35.0,
       0.6}};
  for (const PaperBody& body : bodies) {
    const base::RigidRadiation own = own_radiation(body.mesh);
    const auto block = static_cast<std::size_t>(2 * static_cast<int>(2e-3 * body.rate));
    const radiation::RigidField field(own, {body.rate}, block);
    const double c = own.medium.speed_of_sound;
    const auto settings = [&](int polar, int around, double h) {
      return PaperSettings{polar, around, h, body.length, static_cast<double>(body.rate)};
    };
    outcome.claims.push_back({fmt::format("{}: size of the paper's tables of 40 x 80", body.name),
                              "MB", body.fine_megabytes,
                              1e-6 * PaperTable::bytes(settings(40, 80, body.h)), 0.5});
    outcome.claims.push_back({fmt::format("{}: size of the paper's tables of 5 x 10", body.name),
                              "MB", body.coarse_megabytes,
                              1e-6 * PaperTable::bytes(settings(5, 10, body.h)), 0.06});
    const PaperError fine = paper_error(body, field, own.radius, c, settings(40, 80, body.h));
    outcome.remarks += fmt::format(
        "{}, at {:g} R (figure 8), linear and angular acceleration: the paper's tables of 40 x 80 "
        "are off by {:.1f} and {:.1f} % of the signal, those of 5 x 10 with h, 2 h, 4 h and 8 h "
        "(figure 9) by",
        body.name, paper_distance, 100.0 * fine.linear, 100.0 * fine.angular);
    for (const double factor : {1.0, 2.0, 4.0, 8.0}) {
      const PaperError error =
          paper_error(body, field, own.radius, c, settings(5, 10, factor * body.h));
      outcome.remarks +=
          fmt::format(" {:.1f} and {:.1f},", 100.0 * error.linear, 100.0 * error.angular);
    }
    outcome.remarks +=
        fmt::format(" %. Peal's table of outgoing waves, exact in distance, takes {:.1f} kB. ",
                    1e-3 * static_cast<double>(base::stored_bytes(own)));
    // Figure 8: tables of 40 x 80 follow the field closely. (A cube that turns is heard by waves of
    // order 4, whose near field two terms do not reach.)
    outcome.claims.push_back(
        {fmt::format("{}: error of the paper's tables of 40 x 80, linear acceleration", body.name),
         "", 0.0, fine.linear, 0.1});
  }
  return outcome;
}

}  // namespace

Entry paper_method() {
  return {.key = "paper-method",
          .title = "The tables of Chadwick et al. 2012 beside outgoing waves",
          .source = "Chadwick et al. 2012: equations 17 to 25, figures 6, 8 and 9, table 1",
          .method =
              "Both of the same field of the wave solver: cubic pulses, two radial terms from five "
              "shells between 2 R and 4 R by truncated singular values, bilinear in the angles; "
              "half sines of 0.1 ms of linear and angular acceleration, heard at 8 R in 12 "
              "directions. The paper's bodies of these figures are bowls.",
          .run = run_paper_method,
          .cost = Cost::slow};
}

}  // namespace peal::validation

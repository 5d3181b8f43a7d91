#include <peal/base/prescribed_source.h>
#include <peal/geometry/mesh/rotation.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace peal::validation {

namespace {

using std::numbers::pi;

/// A disc that shakes along its axis in an unbounded medium, for a unit acceleration: the flow
/// around it is that of an incompressible fluid (Lamb 1932, section 108),
///     p = (2 rho a / pi) mu (1 - zeta acot zeta),  height = a mu zeta,
///     distance from the axis = a sqrt((1 - mu^2) (1 + zeta^2)),
/// times |1 + i k r|, which is what a dipole of such a wave number k has more.
double disc_pressure(double a, double height, double aside, double frequency) {
  // zeta^2 solves zeta^4 + (1 - r^2 / a^2) zeta^2 - height^2 / a^2 = 0.
  const double r2 = height * height + aside * aside, b = 1.0 - r2 / (a * a);
  const double q = height * height / (a * a);
  const double zeta = std::sqrt(0.5 * (-b + std::sqrt(b * b + 4.0 * q)));
  const double mu = height / (a * zeta);
  const double near = 2.0 * air_density * a / pi * mu * (1.0 - zeta * std::atan2(1.0, zeta));
  return near * std::abs(Complex(1.0, wave_number(frequency) * std::sqrt(r2)));
}

/// A disc in the XZ plane: a sheet, or the solid of a thickness [m].
geometry::TriMesh shaken_mesh(double a, double thickness, double edge) {
  return thickness > 0.0 ? geometry::cylinder_mesh(a, thickness, edge)
                         : geometry::disc_mesh(a, edge);
}

/// A disc somewhere in the grid.
struct DiscPlace {
  Vec3 normal;
  double height;  ///< of its centre over a node of the grid [cells]
};

/// Levels at six radii, 0, 45 and 60 degrees from the axis, over those of theory [dB]. A disc with
/// a thickness also sends what a body of its volume does: 3 pi t / (8 a) more.
std::array<double, 3> disc_levels(double thickness, double cell_size, const DiscPlace& place) {
  constexpr double a = 0.1, f = 80.0, settle = 0.03, window = 0.05;
  constexpr std::array angles{0.0, pi / 4.0, pi / 3.0};
  const Vec3 centre = 0.003 * Vec3(0.7, 0.0, -0.9) + place.height * cell_size * Vec3::UnitY();
  const geometry::Quat turned = geometry::least_turn(Vec3::UnitY(), place.normal);
  geometry::TriMesh mesh = shaken_mesh(a, thickness, 0.008);
  for (Vec3& v : mesh.vertices) v = turned * v;
  WaveTrial trial(cell_size, settle + window);
  base::Body& body = trial.add_body("disc", std::move(mesh), resting(centre));
  body.is_sheet = thickness == 0.0;
  body.sources.push_back(std::make_shared<base::PrescribedSource>(
      [normal = place.normal](const base::SurfacePoint& point) { return point.normal.dot(normal); },
      [](double t) {
        const double x = std::min(1.0, t / 0.02);
        return x * x * (3.0 - 2.0 * x) * std::sin(2.0 * pi * f * t);
      },
      settle + window));
  for (const double turn : angles)
    trial.listen_at(
        centre +
        6.0 * a * (turned * Vec3(0.6 * std::sin(turn), std::cos(turn), 0.8 * std::sin(turn))));
  const std::vector<Received> received = trial.run();
  std::array<double, 3> levels{};
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double height = 6.0 * a * std::cos(angles[i]), aside = 6.0 * a * std::sin(angles[i]);
    const double exact =
        disc_pressure(a, height, aside, f) * (1.0 + 3.0 * pi * thickness / (8.0 * a));
    const double ours = util::tone_at(received[i].between(settle, settle + window),
                                      static_cast<double>(trial.world.rate.hz), f)
                            .amplitude;
    levels[i] = 20.0 * std::log10(ours / exact);
  }
  return levels;
}

/// The level farthest from theory at three angles, of discs between nodes and oblique to the grid
/// [dB].
double worst_disc_level(double thickness, double cell_size) {
  const Vec3 up = Vec3::UnitY(), oblique = Vec3(0.36, 0.8, 0.48).normalized();
  double worst = 0.0;
  for (const DiscPlace& place :
       {DiscPlace{up, 0.1}, DiscPlace{up, 0.35}, DiscPlace{up, 0.6}, DiscPlace{up, 0.85},
        DiscPlace{oblique, 0.1}, DiscPlace{oblique, 0.6}}) {
    for (const double level : disc_levels(thickness, cell_size, place))
      if (std::abs(level) > std::abs(worst)) worst = level;
  }
  return worst;
}

Outcome run_shaken_disc() {
  Outcome outcome;
  for (const double thickness : {0.0, 0.001}) {
    for (const double cell_size : {0.02, 0.01, 0.005}) {
      // The rim of a solid is kept as it is in motion, 0.2 cells too far out.
      if (thickness > 0.0 && cell_size > 0.005) continue;
      outcome.claims.push_back(
          {fmt::format("{}, {:g} cells a radius: level, worst of six places in the grid",
                       thickness > 0.0 ? "1 mm thick" : "a sheet", 0.1 / cell_size),
           "dB", 0.0, worst_disc_level(thickness, cell_size), 0.5});
    }
    outcome.remarks += fmt::format(
        "{} whose middle lies in a plane of lattice points, on the axis with 10 cells a radius: "
        "{:+.2f} dB. ",
        thickness > 0.0 ? "A disc of 1 mm" : "A sheet",
        disc_levels(thickness, 0.01, {Vec3::UnitY(), 0.25})[0]);
  }
  return outcome;
}

/// Bending waves on a flat body: standing waves of several directions, each a burst of its own
/// frequency, all along Y.
class BendingWaves : public base::SurfaceSource {
 public:
  struct Wave {
    double frequency;  ///< [Hz]
    Vec3 number;       ///< [1/m]
    double phase;
  };

  /// `speed` is that of bending waves over the root of the angular frequency [m/s^(1/2)].
  BendingWaves(double stiffness, std::span<const double> frequencies) {
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const double w = 2.0 * pi * frequencies[i], k = std::sqrt(w / stiffness);
      const double turn = 2.4 * static_cast<double>(i);
      waves_.push_back({frequencies[i], k * Vec3(std::cos(turn), 0.0, std::sin(turn)),
                        1.7 * static_cast<double>(i)});
    }
  }

  const std::vector<Wave>& waves() const { return waves_; }
  Eigen::Index columns() const override { return static_cast<Eigen::Index>(waves_.size()); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override {
    base::SurfaceBasis::Dense matrix(static_cast<Eigen::Index>(points.size()), columns());
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t k = 0; k < waves_.size(); ++k) {
        const Wave& wave = waves_[k];
        matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = static_cast<float>(
            points[i].normal.y() * std::cos(wave.number.dot(points[i].position) + wave.phase));
      }
    }
    return base::SurfaceBasis(std::move(matrix));
  }
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override {
    out.resize(columns(), range.size());
    for (std::int64_t n = range.begin; n < range.end; ++n) {
      const double t = rate.seconds(n), x = std::min(1.0, t / rise);
      for (std::size_t k = 0; k < waves_.size(); ++k)
        out(static_cast<Eigen::Index>(k), n - range.begin) = static_cast<float>(
            t < 0.0 ? 0.0 : x * x * (3.0 - 2.0 * x) * std::sin(2.0 * pi * waves_[k].frequency * t));
    }
  }
  void hash(base::Rate, base::SampleRange, util::Fingerprint& print) const override {
    for (const Wave& wave : waves_) print.add(wave.frequency);
  }

  static constexpr double rise = 0.004;  ///< [s]

 private:
  std::vector<Wave> waves_;
};

/// A plate as a sheet and as a solid, with waves as short as 2.2 cells.
Outcome run_bending_sheet() {
  constexpr double side = 0.2, h = 0.01, settle = 0.008, window = 0.02, thickness = 0.0008;
  const std::array frequencies{500.0, 800.0, 1250.0, 2000.0, 3150.0, 4000.0, 5000.0, 6300.0};
  // Steel: c_p / sqrt(12) times the thickness.
  const double stiffness = 5290.0 / std::sqrt(12.0) * thickness;
  const auto waves = std::make_shared<BendingWaves>(stiffness, frequencies);
  const auto heard = [&](bool is_sheet, double edge, double cell, const Vec3& place) {
    WaveTrial trial(cell, settle + window);
    base::Body& body = trial.add_body("plate",
                                      is_sheet ? geometry::plane_mesh(side, side, edge)
                                               : geometry::box_mesh({side, thickness, side}, edge),
                                      resting(place));
    body.is_sheet = is_sheet;
    body.sources.push_back(waves);
    for (const Vec3& x : {Vec3(0.1, 0.3, 0.05), Vec3(-0.2, 0.25, 0.1), Vec3(0.3, 0.1, -0.2)})
      trial.listen_at(place + x);
    const std::vector<Received> received = trial.run();
    std::vector<double> power(frequencies.size(), 0.0);
    for (const Received& one : received) {
      const std::vector<double> part = one.between(settle, settle + window);
      for (std::size_t k = 0; k < frequencies.size(); ++k) {
        const double amplitude =
            util::tone_at(part, static_cast<double>(trial.world.rate.hz), frequencies[k]).amplitude;
        power[k] += amplitude * amplitude;
      }
    }
    return power;
  };
  const Vec3 here = 0.01 * Vec3(0.21, 0.34, -0.13), there = 0.01 * Vec3(0.62, 0.81, 0.37);
  const auto sheet = heard(true, 0.004, h, here), solid = heard(false, 0.004, h, here);
  const auto moved = heard(true, 0.004, h, there), fine = heard(true, 0.004, 0.5 * h, here);
  Outcome outcome;
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const auto level = [&](const std::vector<double>& one) {
      return 10.0 * std::log10(one[k] / sheet[k]);
    };
    const double cells = 2.0 * pi / waves->waves()[k].number.norm() / h;
    outcome.claims.push_back({fmt::format("solid over sheet at {:g} Hz, {:.2g} cells to a bending "
                                          "wave",
                                          frequencies[k], cells),
                              "dB", 0.0, level(solid), 1.0});
    outcome.remarks += fmt::format(
        "{:g} Hz: {:+.2f} dB half a cell away, {:+.2f} dB with cells of "
        "half the size. ",
        frequencies[k], level(moved), level(fine));
  }
  return outcome;
}

}  // namespace

Entry shaken_disc() {
  return {.key = "shaken-disc",
          .title = "Disc that shakes along its axis",
          .source = "Dipole of a disc, with its near field (Lamb 1932, section 108)",
          .method =
              "A disc of 0.1 m radius shakes at 80 Hz, as a sheet and as a solid of 1 mm. "
              "Listeners at six radii, at 0, 45 and 60 degrees from the axis.",
          .run = run_shaken_disc,
          .cost = Cost::slow};
}

Entry bending_sheet() {
  return {.key = "bending-sheet",
          .title = "Bending waves on a plate, as a sheet and as a solid",
          .source = "The two must agree: both are the same plate of 0.8 mm of steel",
          .method =
              "Standing bending waves with the frequencies and wavelengths of the plate, in cells "
              "of 10 mm. Walls are driven by means over their areas.",
          .run = run_bending_sheet,
          .cost = Cost::slow};
}

}  // namespace peal::validation

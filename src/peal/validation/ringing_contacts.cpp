#include <peal/contact/hertz.h>
#include <peal/contact/impact_law.h>
#include <peal/fem/lame.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

namespace peal::validation {

namespace {

using contact::CompliantImpactLaw;
using geometry::Vec3;
using std::numbers::pi;

/// A body that gives way along y alone and everywhere alike.
class AlikeCompliance : public base::ContactCompliance {
 public:
  AlikeCompliance(std::vector<base::Mode> modes, double gain, double highest)
      : modes_(std::move(modes)), gain_(static_cast<float>(gain)), cut_(2.0 * pi * highest) {}

  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return cut_; }
  Point at(const Vec3&) const override {
    Point point{.gains = Eigen::Matrix3Xf::Zero(3, static_cast<Eigen::Index>(modes_.size()))};
    point.gains.row(1).setConstant(gain_);
    point.unknown = base::unknown_modes(modes_, point.gains, cut_);
    return point;
  }

 private:
  std::vector<base::Mode> modes_;
  float gain_;  ///< [kg^-1/2]
  double cut_;  ///< [rad/s]
};

struct FallingBall {
  base::Material material;
  double radius = 0.0, speed = 0.0;  ///< [m], [m/s]

  double mass() const { return material.density * 4.0 / 3.0 * pi * std::pow(radius, 3); }
  contact::HertzContact on(const base::Material& below) const {
    return contact::hertz_contact({1.0 / mass(), radius, fem::contact_compliance(material)},
                                  {.compliance = fem::contact_compliance(below)}, speed, 1.0);
  }
  /// Its first impact on something that is held; `step` [s].
  base::ImpactOutcome strike(const base::Material& below,
                             std::shared_ptr<const base::ContactCompliance> compliance,
                             double step) const {
    std::vector<contact::ImpactSurface> surfaces(2);
    surfaces[0] = {.material = below, .patch = 1.0, .compliance = std::move(compliance)};
    surfaces[1] = {.material = material, .radius = radius, .patch = 1.0};
    CompliantImpactLaw law(std::move(surfaces), {.longest_step = step});
    std::vector<base::ImpactBody> bodies(2);
    bodies[1] = {.body = 1, .centre = Vec3(0, radius, 0), .velocity = Vec3(0, -speed, 0)};
    bodies[1].inverse_mass = 1.0 / mass();
    bodies[1].inverse_inertia = geometry::Mat3::Identity() / (0.4 * mass() * radius * radius);
    const base::ImpactContact touch{.a = 1, .b = 0, .restitution = 1.0};
    return law.strike(bodies, std::span(&touch, 1), 0.0);
  }
  double rebound(const base::ImpactOutcome& outcome) const {
    return outcome.bodies[1].velocity.y() / speed - 1.0;
  }
};

/// Odd modes of a square plate that is simply supported, struck in the middle.
std::shared_ptr<AlikeCompliance> struck_plate(double side, double thickness,
                                              const base::Material& material, double highest) {
  const double weight = material.density * thickness;
  const double stiffness = material.young_modulus * std::pow(thickness, 3) /
                           (12.0 * (1.0 - material.poisson_ratio * material.poisson_ratio));
  const double unit = 0.5 * pi * std::sqrt(stiffness / weight) / (side * side);
  std::vector<base::Mode> modes;
  for (int m = 1; unit * (m * m + 1) <= highest; m += 2)
    for (int n = 1; unit * (m * m + n * n) <= highest; n += 2)
      modes.push_back({.frequency = unit * (m * m + n * n)});
  std::ranges::sort(modes, {}, &base::Mode::frequency);
  return std::make_shared<AlikeCompliance>(std::move(modes), 2.0 / std::sqrt(weight * side * side),
                                           highest);
}

Outcome run_zener() {
  Outcome outcome;
  const base::Material steel{
      .name = "steel", .density = 7850, .young_modulus = 2.1e11, .poisson_ratio = 0.3};
  const base::Material glass{
      .name = "glass", .density = 2500, .young_modulus = 7e10, .poisson_ratio = 0.22};
  const FallingBall ball{steel, 0.005, 1.0};
  const contact::HertzContact hertz = ball.on(glass);
  const double k = 4.0 / 3.0 * hertz.modulus * std::sqrt(hertz.radius);
  struct Plate {
    double lambda, restitution;
  };
  // e of s'' + (1 + lambda d/dt) s^1.5 = 0, by Runge and Kutta's method with steps of 1e-5.
  for (const Plate& plate : {Plate{0.023, 0.9611}, Plate{0.091, 0.8562}, Plate{0.253, 0.6544},
                             Plate{0.569, 0.3899}, Plate{1.457, 0.0730}}) {
    const double impedance =
        std::pow(ball.mass(), 0.6) * std::pow(k, 0.4) * std::pow(ball.speed, 0.2) / plate.lambda;
    const double thickness =
        std::sqrt(impedance / (8.0 * std::sqrt(glass.young_modulus * glass.density /
                                               (12.0 * (1.0 - std::pow(glass.poisson_ratio, 2))))));
    for (const bool is_cut : {false, true}) {
      const double highest = is_cut ? 20000.0 : 8.0 / hertz.contact_time();
      const base::ImpactOutcome blow =
          ball.strike(glass, struck_plate(1.0, thickness, glass, highest), 1.0 / 192000.0);
      outcome.claims.push_back({fmt::format("e on {:.1f} mm of glass, lambda {:.3f}, modes up to "
                                            "{:.0f} kHz",
                                            1e3 * thickness, plate.lambda, 1e-3 * highest),
                                "", plate.restitution, ball.rebound(blow), is_cut ? 0.04 : 0.01});
    }
  }
  outcome.remarks =
      "The plate is 1 m wide, so that nothing returns from its edges while the ball of 10 mm "
      "touches. Above 20 kHz, less than the inverse of the contact time of 46 us, its modes are "
      "taken as a density (docs/theory/contact.md).";
  return outcome;
}

Outcome run_timoshenko() {
  Outcome outcome;
  const base::Material steel{.name = "steel",
                             .density = 7960,
                             .young_modulus = 2.2e6 * 98066.5,  // 2.2e6 kg/cm^2
                             .poisson_ratio = 0.3};
  struct Beam {
    const char* name;
    double radius, length, restitution, peak;
    std::vector<double> times;  ///< contacts begin and end [s]
  };
  // The same equations by Runge and Kutta's method with steps of 20 ns.
  for (const Beam& beam : {Beam{"ball of 1 cm", 0.01, 0.1535, 0.3023, 4.977, {0, 156.4e-6}},
                           Beam{"ball of 2 cm",
                                0.02,
                                0.307,
                                0.9714,
                                10.296,
                                {0, 434.5e-6, 1337.0e-6, 1782.1e-6, 2798.1e-6, 3221.6e-6}}}) {
    const double side = 0.01, weight = steel.density * side * side;
    const double bending = steel.young_modulus * std::pow(side, 4) / 12.0;
    std::vector<base::Mode> modes;
    for (int n = 1; n <= 31; n += 2)
      modes.push_back({.frequency = std::pow(n * pi / beam.length, 2) *
                                    std::sqrt(bending / weight) / (2.0 * pi)});
    const auto compliance =
        std::make_shared<AlikeCompliance>(modes, std::sqrt(2.0 / (weight * beam.length)), 0.0);
    const FallingBall ball{steel, beam.radius, 0.01};
    const base::ImpactOutcome blow = ball.strike(steel, compliance, 1.0 / 1536000.0);
    const base::ImpactOutcome::Touch& touch = blow.touches.front();
    const auto claim = [&](const std::string& what, const char* unit, double published, double ours,
                           double tolerance) {
      outcome.claims.push_back(
          {fmt::format("{}: {}", beam.name, what), unit, published, ours, tolerance});
    };
    claim("contacts", "", static_cast<double>(beam.times.size() / 2), touch.hits, 0.0);
    claim("largest force", "N", beam.peak, touch.force.peak(), 0.005 * beam.peak);
    claim("e", "", beam.restitution, ball.rebound(blow), 0.002);
    std::size_t turn = 0;
    bool touches = false;
    for (std::size_t i = 0; i <= touch.force.samples.size(); ++i) {
      const bool now = i < touch.force.samples.size() && touch.force.samples[i].y() > 0.0f;
      if (now == touches) continue;
      touches = now;
      if (turn >= beam.times.size()) break;
      claim(fmt::format("contact {} {}", turn / 2 + 1, now ? "begins" : "ends"), "us",
            1e6 * beam.times[turn],
            1e6 * (touch.force.start + touch.force.step * static_cast<double>(i)), 1.0);
      ++turn;
    }
  }
  return outcome;
}

}  // namespace

Entry zener_plates() {
  return {.key = "zener-plates",
          .title = "Balls bounce off thin plates as waves carry their energy away",
          .source = "Zener 1941, The intrinsic inelasticity of large plates",
          .method =
              "A steel ball falls on glass plates of five thicknesses with the modes of a "
              "plate that is simply supported, by the impact law.",
          .run = run_zener};
}

Entry timoshenko_beams() {
  return {.key = "timoshenko-beams",
          .title = "A ball strikes a beam that swings back at it",
          .source = "Timoshenko 1913, Zur Frage nach der Wirkung eines Stosses auf einen Balken",
          .method =
              "Both of his steel balls at 1 cm/s on the middle of beams that are simply "
              "supported, by the impact law.",
          .run = run_timoshenko};
}

}  // namespace peal::validation

#include <peal/fem/lame.h>

#include <contact/compliant_bodies.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace peal::contact {
namespace {

using base::ImpactBody;
using base::ImpactContact;
using base::ImpactEnergy;
using base::ImpactOutcome;
using base::Vec3;

const base::Material law_steel{
    .name = "steel", .density = 7850, .young_modulus = 2.1e11, .poisson_ratio = 0.3};
const base::Material law_glass{
    .name = "glass", .density = 2500, .young_modulus = 7e10, .poisson_ratio = 0.22};
constexpr double wide = 1.0;  ///< a patch that no contact here fills [m]

/// Body 0 is held, flat and of `below`; a ball of `radius` falls on it.
struct BallOn {
  double radius = 0.005, speed = 1.0, restitution = 1.0;
  base::Material below = law_glass, ball = law_steel;
  std::shared_ptr<const base::ContactCompliance> compliance;
  ImpactLawSettings settings;

  double mass() const { return 1.0 / falling_ball(1, radius, ball.density, speed).inverse_mass; }
  HertzContact hertz() const {
    return hertz_contact({1.0 / mass(), radius, fem::contact_compliance(ball)},
                         {0.0, 1e300, fem::contact_compliance(below)}, speed, wide);
  }
  double stiffness() const { return 4.0 / 3.0 * hertz().modulus * std::sqrt(hertz().radius); }
  CompliantImpactLaw law() const {
    return CompliantImpactLaw({{.material = below, .patch = wide, .compliance = compliance},
                               {.material = ball, .radius = radius, .patch = wide}},
                              settings);
  }
  ImpactOutcome strike() const {
    CompliantImpactLaw one = law();
    return one.strike(bodies(), touches(), 0.0);
  }
  std::vector<ImpactBody> bodies() const {
    return {ImpactBody{.body = 0}, falling_ball(1, radius, ball.density, speed)};
  }
  std::vector<ImpactContact> touches() const {
    return {ImpactContact{.a = 1, .b = 0, .restitution = restitution, .friction = 0.0}};
  }
  /// Rebound over approach.
  double rebound(const ImpactOutcome& outcome) const {
    return outcome.bodies[1].velocity.y() / speed - 1.0;
  }
};

TEST(ImpactLaw, RigidBodiesPartWithNewtonsRestitutionAndHertzsForce) {
  for (const double e : {1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05}) {
    for (const double speed : {0.01, 1.0, 10.0}) {
      const BallOn ball{.radius = 0.01, .speed = speed, .restitution = e};
      const ImpactOutcome outcome = ball.strike();
      EXPECT_NEAR(ball.rebound(outcome), e, 1e-5) << e << ", " << speed;
      EXPECT_NEAR(outcome.touches[0].impulse.y(), (1.0 + e) * ball.mass() * speed,
                  1e-5 * ball.mass() * speed);
      EXPECT_NEAR(outcome.touches[0].force.peak() / ball.hertz().peak_force(), 1.0, 0.007);
      const double time = 0.5 * (1.0 + e) * ball.hertz().contact_time();
      EXPECT_NEAR(outcome.touches[0].force.duration(), time, 0.06 * time);  // whole steps
      EXPECT_NEAR(outcome.energy.contact, (1.0 - e * e) * outcome.energy.rigid_before,
                  1e-4 * outcome.energy.rigid_before);
      EXPECT_EQ(outcome.touches[0].hits, 1u);
    }
  }
}

TEST(ImpactLaw, TwoFreeBallsAndADieOnItsCornerKeepNewtonsRestitution) {
  // A die of steel, askew: the corner is beside the centre, so that it turns away.
  const double side = 0.016, mass = law_steel.density * std::pow(side, 3);
  ImpactBody die{.body = 0, .centre = Vec3(0.002, 0.011, 0.004), .velocity = Vec3(0.1, -1.2, 0.0)};
  die.angular_velocity = Vec3(3.0, 1.0, -7.0);
  die.inverse_mass = 1.0 / mass;
  die.inverse_inertia = geometry::Mat3::Identity() * (6.0 / (mass * side * side));
  const std::vector<ImpactBody> on_floor = {die, ImpactBody{.body = 1}};
  CompliantImpactLaw law(
      {{.material = law_steel, .radius = 0.001, .patch = 0.008}, {.material = law_glass}});
  const ImpactContact touch{.a = 0, .b = 1, .restitution = 0.6};
  const ImpactOutcome outcome = law.strike(on_floor, std::span(&touch, 1), 0.0);
  const double before = die.velocity_at(Vec3::Zero()).y();
  ImpactBody after = die;
  after.velocity += outcome.bodies[0].velocity;
  after.angular_velocity += outcome.bodies[0].angular_velocity;
  EXPECT_NEAR(after.velocity_at(Vec3::Zero()).y() / before, -0.6, 1e-5);
  EXPECT_NEAR(outcome.energy.balance(), 0.0, 1e-12 * outcome.energy.rigid_before);
}

/// A ball's e and largest force on an endless plate (Zener 1941): s'' + (1 + lambda d/dt) s^1.5 =
/// 0, in units of the contact, by small steps of Runge and Kutta.
struct Zener {
  double restitution = 0.0, peak = 0.0;

  explicit Zener(double lambda) {
    const auto acceleration = [lambda](double s, double v) {
      if (s <= 0.0) return 0.0;
      return -std::sqrt(s) * (s + 1.5 * lambda * v);
    };
    const double h = 1e-3;
    double s = 0.0, v = 1.0, impulse = 0.0;
    for (double t = 0.0; t < 60.0; t += h) {
      const double k1 = acceleration(s, v), l1 = v;
      const double k2 = acceleration(s + h / 2 * l1, v + h / 2 * k1), l2 = v + h / 2 * k1;
      const double k3 = acceleration(s + h / 2 * l2, v + h / 2 * k2), l3 = v + h / 2 * k2;
      const double k4 = acceleration(s + h * l3, v + h * k3), l4 = v + h * k3;
      const double before = s;
      s += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
      v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      if (s <= 0.0) break;
      const double force = std::pow(0.5 * (s + before), 1.5);
      impulse += h * force;
      peak = std::max(peak, force);
    }
    restitution = impulse - 1.0;
  }
};

TEST(ImpactLawAnalytic, BallsReboundFromThinPlatesAsZenerFound) {
  for (const double lambda : {0.023, 0.091, 0.253, 0.569, 1.457}) {
    BallOn ball;
    const double m = ball.mass(), k = ball.stiffness();
    // lambda = m^0.6 k^0.4 V^0.2 / (8 sqrt(D m''))
    const double impedance = std::pow(m, 0.6) * std::pow(k, 0.4) / lambda;
    const double thickness = std::sqrt(
        impedance / (8.0 * std::sqrt(law_glass.young_modulus * law_glass.density /
                                     (12.0 * (1.0 - std::pow(law_glass.poisson_ratio, 2))))));
    const Zener zener(lambda);
    const double unit = k * std::pow(std::pow(m / k, 0.4), 1.5);  // of the force, at 1 m/s [N]
    const auto check = [&](double highest, double error, double peak_error, const char* what) {
      ball.compliance = supported_plate(1.0, thickness, law_glass, highest, tau_circle * highest);
      const ImpactOutcome outcome = ball.strike();
      EXPECT_NEAR(ball.rebound(outcome), zener.restitution, error) << what << ", " << lambda;
      EXPECT_NEAR(outcome.touches[0].force.peak() / (zener.peak * unit), 1.0, peak_error)
          << what << ", " << lambda;
      EXPECT_LT(std::abs(outcome.energy.balance()), 1e-11 * outcome.energy.rigid_before);
    };
    check(8.0 / ball.hertz().contact_time(), 0.001, 0.005, "all modes");
    check(20000.0, 0.02, 0.02, "modes up to 20 kHz");
    // No modes at all: the waves that leave are the whole plate.
    ball.compliance = std::make_shared<ToldCompliance>(
        std::vector<base::Mode>{}, [](const Vec3&) { return Eigen::Matrix3Xf(3, 0); }, 0.0,
        base::plate_mobility(Vec3::UnitY(), thickness, law_glass.young_modulus,
                             law_glass.poisson_ratio, law_glass.density));
    EXPECT_NEAR(ball.rebound(ball.strike()), zener.restitution, 0.001) << "endless, " << lambda;
  }
}

/// When contacts begin and end [s].
std::vector<double> turns_of(const base::ForceHistory& history) {
  std::vector<double> times;
  bool touches = false;
  for (std::size_t i = 0; i <= history.samples.size(); ++i) {
    const bool now = i < history.samples.size() && history.samples[i].y() > 0.0f;
    if (now != touches) times.push_back(history.start + history.step * static_cast<double>(i));
    touches = now;
  }
  return times;
}

TEST(ImpactLawAnalytic, TimoshenkosBeamsAreHitAsOftenAndAsHard) {
  // Timoshenko 1913: a ball of 1 cm on a steel beam of 1 x 1 x 15.35 cm, one of 2 cm on one twice
  // as long, at 1 cm/s. The numbers are those of the same equations by Runge and Kutta's method
  // with steps of 20 ns.
  const base::Material steel{
      .name = "steel", .density = 7960, .young_modulus = 2.2e6 * 98066.5, .poisson_ratio = 0.3};
  struct Beam {
    double radius, length, restitution, peak;
    std::vector<double> times;
  };
  for (const Beam& beam : {Beam{0.01, 0.1535, 0.3023, 4.977, {0.0, 156.4e-6}},
                           Beam{0.02,
                                0.307,
                                0.9714,
                                10.296,
                                {0.0, 434.5e-6, 1337.0e-6, 1782.1e-6, 2798.1e-6, 3221.6e-6}}}) {
    const double side = 0.01, weight = steel.density * side * side;
    const double bending = steel.young_modulus * std::pow(side, 4) / 12.0;
    std::vector<base::Mode> modes;
    for (int n = 1; n <= 31; n += 2)
      modes.push_back({.frequency = std::pow(n * std::numbers::pi / beam.length, 2) *
                                    std::sqrt(bending / weight) / tau_circle});
    const auto count = static_cast<Eigen::Index>(modes.size());
    const auto gain = static_cast<float>(std::sqrt(2.0 / (weight * beam.length)));
    BallOn ball{.radius = beam.radius, .speed = 0.01, .below = steel, .ball = steel};
    ball.compliance = std::make_shared<ToldCompliance>(modes, [count, gain](const Vec3&) {
      Eigen::Matrix3Xf gains = Eigen::Matrix3Xf::Zero(3, count);
      gains.row(1).setConstant(gain);
      return gains;
    });
    ball.settings.longest_step = 1.0 / 1536000.0;  // 0.65 us, to tell times
    const ImpactOutcome outcome = ball.strike();
    const std::vector<double> times = turns_of(outcome.touches[0].force);
    ASSERT_EQ(times.size(), beam.times.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], beam.times[i], 1e-6);
    EXPECT_EQ(outcome.touches[0].hits, beam.times.size() / 2);
    EXPECT_NEAR(outcome.touches[0].force.peak() / beam.peak, 1.0, 0.005);
    EXPECT_NEAR(ball.rebound(outcome), beam.restitution, 0.001);
  }
}

/// A body of random modes that moves and turns, with points that may touch.
struct RandomBody {
  std::vector<base::Mode> modes;
  double mass = 0.0, size = 0.0;

  RandomBody(std::mt19937& random, bool is_damped) {
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    size = 0.03 * std::pow(8.0, uniform(random));
    mass = 0.01 * std::pow(100.0, uniform(random));
    const auto count = static_cast<int>(3.0 * std::pow(60.0, uniform(random)));
    const double lowest = 80.0 * std::pow(30.0, uniform(random));
    for (int k = 0; k < count; ++k) {
      const double f = lowest * std::pow(20000.0 / lowest, (k + uniform(random)) / count);
      modes.push_back({.frequency = f, .decay_rate = is_damped ? 0.01 * f : 0.0});
    }
    std::ranges::sort(modes, {}, &base::Mode::frequency);
  }

  /// Shapes that differ from point to point, of the size that those of plates have.
  std::shared_ptr<ToldCompliance> compliance() const {
    return std::make_shared<ToldCompliance>(
        modes,
        [count = modes.size(), mass = mass, size = size](const Vec3& p) {
          Eigen::Matrix3Xf gains(3, static_cast<Eigen::Index>(count));
          for (std::size_t k = 0; k < count; ++k) {
            const double x = 4.0 * static_cast<double>(k + 1) / size;
            gains.col(static_cast<Eigen::Index>(k)) =
                Eigen::Vector3d(0.4 * std::sin(x * p.y() + double(k)),
                                2.0 * std::cos(x * p.x() + 2.0 * double(k)),
                                0.7 * std::sin(x * p.z() + 3.0 * double(k)))
                    .cast<float>() /
                static_cast<float>(std::sqrt(mass));
          }
          return gains;
        },
        tau_circle * 20000.0);
  }
};

TEST(ImpactLawSlow, EnergyOfRandomDropsIsAccountedForAndNeverGrows) {
  std::mt19937 random(20261118);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  double largest_modal = 0.0;
  for (int drop = 0; drop < 200; ++drop) {
    const bool is_damped = drop % 4 == 3, is_pair = drop % 3 == 2;
    const RandomBody upper(random, is_damped), lower(random, is_damped);
    CompliantImpactLaw law({{.material = law_steel,
                             .radius = 0.001,
                             .patch = upper.size,
                             .compliance = upper.compliance()},
                            {.material = law_glass,
                             .radius = is_pair ? 0.004 : 1e300,
                             .patch = lower.size,
                             .compliance = is_pair ? lower.compliance() : nullptr}});
    const auto some = [&](double scale) {
      return Vec3(Vec3(uniform(random), uniform(random), uniform(random)) * 2.0 - Vec3::Ones()) *
             scale;
    };
    const auto free_body = [&](std::uint32_t index, const RandomBody& shape, double height) {
      ImpactBody body{.body = index, .centre = Vec3(0, height, 0)};
      body.pose.orientation =
          geometry::Quat(1.0, uniform(random), uniform(random), 0.3).normalized();
      body.inverse_mass = 1.0 / shape.mass;
      body.inverse_inertia =
          Vec3(Vec3(10.0, 6.0, 13.0) / (shape.mass * shape.size * shape.size)).asDiagonal();
      return body;
    };
    std::vector<ImpactBody> bodies = {free_body(0, upper, 0.3 * upper.size),
                                      free_body(1, lower, -0.3 * lower.size)};
    if (!is_pair) bodies[1] = ImpactBody{.body = 1};
    double energy_before = 0.0, given = 0.0;
    double time = 0.0;
    for (int blow = 0; blow < 4; ++blow, time += 0.003 * uniform(random)) {
      // It comes down again as it would after a flight: another velocity, the same modes.
      bodies[0].velocity = some(0.5) - Vec3(0, 1.2, 0);
      bodies[0].angular_velocity = some(0.5 / upper.size);
      if (is_pair) bodies[1].velocity = some(0.3);
      std::vector<ImpactContact> touches(1 + static_cast<std::size_t>(4.0 * uniform(random)));
      for (ImpactContact& touch : touches) {
        touch = {.a = 0, .b = 1, .restitution = uniform(random)};
        touch.point = some(0.5 * std::min(upper.size, lower.size)).cwiseProduct(Vec3(1, 0.1, 1));
        touch.normal = (Vec3::UnitY() + some(is_pair ? 0.2 : 0.0)).normalized();
        touch.gap = &touch == touches.data() ? 1e-8 : 2e-3 * uniform(random);
        touch.friction = drop % 2 == 0 ? 0.4 : 0.0;
      }
      const ImpactOutcome outcome = law.strike(bodies, touches, time);
      const ImpactEnergy& energy = outcome.energy;
      const double start = energy.rigid_before + energy.modal_before;
      EXPECT_LT(std::abs(energy.balance()), 1e-9 * start) << drop << ", blow " << blow;
      EXPECT_LE(energy.rigid_after + energy.modal_after, (1.0 + 1e-9) * start) << drop;
      for (const double part : {energy.contact, energy.friction, energy.beyond, energy.damped})
        EXPECT_GE(part, -1e-9 * start) << drop << ", blow " << blow;
      // Undamped modes lose nothing: what is given to them arrives.
      if (!is_damped) {
        EXPECT_LT(std::abs(energy.damped), 1e-9 * start) << drop;
      }
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies[b].velocity += outcome.bodies[b].velocity;
        bodies[b].angular_velocity += outcome.bodies[b].angular_velocity;
      }
      time = outcome.end;
      largest_modal = std::max(largest_modal, energy.modal_after / start);
      given += outcome.touches[0].impulse.norm();
      energy_before = start;
    }
    EXPECT_GT(energy_before, 0.0);
    EXPECT_GT(given, 0.0);
  }
  EXPECT_GT(largest_modal, 0.1);
}

/// A steel plate of 200 x 200 x 3 mm that falls on a held floor with a corner: modes as a free
/// plate has them, 1.5 m/s.
struct FallingPlate {
  std::vector<base::Mode> modes;
  std::shared_ptr<ToldCompliance> compliance;
  std::vector<ImpactBody> bodies;
  ImpactContact touch{.a = 1, .b = 0, .restitution = 0.5};

  FallingPlate() {
    for (int k = 0; k < 90; ++k)
      modes.push_back({.frequency = 240.0 * (1.0 + 0.9 * k), .decay_rate = 3.0 + 0.1 * k});
    compliance = std::make_shared<ToldCompliance>(
        modes,
        [](const Vec3&) {
          Eigen::Matrix3Xf gains = Eigen::Matrix3Xf::Zero(3, 90);
          for (Eigen::Index k = 0; k < 90; ++k)
            gains(1, k) = static_cast<float>((k % 2 == 0 ? 2.5 : 1.2) / std::sqrt(0.942));
          return gains;
        },
        tau_circle * 20000.0);
    bodies.resize(2);
    bodies[1].body = 1;
    bodies[1].velocity = Vec3(0, -1.5, 0);
    bodies[1].centre = Vec3(0.09, 0.02, 0.09);
    bodies[1].inverse_mass = 1.0 / 0.942;
    bodies[1].inverse_inertia = Vec3(318, 160, 318).asDiagonal();
  }
  CompliantImpactLaw law(const ImpactLawSettings& settings = {}) const {
    return CompliantImpactLaw(
        {{.material = law_glass},
         {.material = law_steel, .radius = 0.001, .patch = 0.1, .compliance = compliance}},
        settings);
  }
};

TEST(ImpactLaw, StepsOfHalfTheLengthChangeNoModesLevelByMuch) {
  const FallingPlate plate;
  CompliantImpactLaw coarse = plate.law(), fine = plate.law({.longest_step = 1.0 / 384000.0});
  const ImpactOutcome a = coarse.strike(plate.bodies, std::span(&plate.touch, 1), 0.0);
  const ImpactOutcome b = fine.strike(plate.bodies, std::span(&plate.touch, 1), 0.0);
  EXPECT_NEAR(a.touches[0].impulse.y() / b.touches[0].impulse.y(), 1.0, 0.002);
  // Octaves.
  for (double low = 240.0; low < 16000.0; low *= 2.0) {
    const auto energy = [&](const ModalOscillators& modes) {
      double sum = 0.0;
      for (std::size_t k = 0; k < modes.size(); ++k) {
        const double w = modes.angular_frequency(k), f = w / tau_circle;
        if (f >= low && f < 2.0 * low)
          sum += std::pow(modes.v()[k], 2) + std::pow(w * modes.q()[k], 2);
      }
      return sum;
    };
    EXPECT_NEAR(10.0 * std::log10(energy(coarse.modes(1)) / energy(fine.modes(1))), 0.0, 0.2)
        << low << " Hz";
  }
}

TEST(ImpactLaw, AThinPlateIsTouchedForLongAndSoftly) {
  FallingPlate plate;
  CompliantImpactLaw law = plate.law();
  EXPECT_TRUE(law.matters(plate.bodies, std::span(&plate.touch, 1), 0.0));
  const ImpactOutcome ringing = law.strike(plate.bodies, std::span(&plate.touch, 1), 0.0);
  plate.compliance = nullptr;
  CompliantImpactLaw rigid = plate.law();
  EXPECT_FALSE(rigid.matters(plate.bodies, std::span(&plate.touch, 1), 0.0));
  const ImpactOutcome stiff = rigid.strike(plate.bodies, std::span(&plate.touch, 1), 0.0);
  EXPECT_LT(ringing.touches[0].force.peak(), 0.4 * stiff.touches[0].force.peak());
  EXPECT_GT(ringing.touches[0].force.duration(), 2.0 * stiff.touches[0].force.duration());
  const ImpactEnergy& energy = ringing.energy;
  EXPECT_GT(energy.modal_after, 0.05 * energy.rigid_before);
  EXPECT_LT(energy.modal_after + energy.rigid_after, energy.rigid_before);
}

TEST(ImpactLaw, RingingBodiesGiveEnergyBackAndMatterWhateverHitsThem) {
  const FallingPlate plate;
  bool has_gained = false;
  for (int trial = 0; trial < 12; ++trial) {
    CompliantImpactLaw law = plate.law();
    ImpactOutcome outcome = law.strike(plate.bodies, std::span(&plate.touch, 1), 0.0);
    // Soon after, it meets the floor slowly: its ringing throws it off.
    std::vector<ImpactBody> slow = plate.bodies;
    slow[1].velocity = Vec3(0, -0.05, 0);
    const double time = outcome.end + 0.0007 * (trial + 1);
    EXPECT_TRUE(law.matters(slow, std::span(&plate.touch, 1), time));
    outcome = law.strike(slow, std::span(&plate.touch, 1), time);
    EXPECT_LE(outcome.energy.rigid_after + outcome.energy.modal_after,
              (1.0 + 1e-12) * (outcome.energy.rigid_before + outcome.energy.modal_before));
    has_gained = has_gained || outcome.energy.rigid_after > 1.5 * outcome.energy.rigid_before;
  }
  EXPECT_TRUE(has_gained);
}

TEST(ImpactLaw, ABlowDuringAnotherBeginsAtItsEndAndModesDecayInBetween) {
  const FallingPlate plate;
  CompliantImpactLaw law = plate.law();
  const ImpactOutcome first = law.strike(plate.bodies, std::span(&plate.touch, 1), 1.0);
  EXPECT_EQ(first.start, 1.0);
  EXPECT_GT(first.end, 1.0005);
  CompliantImpactLaw other = plate.law();
  other.strike(plate.bodies, std::span(&plate.touch, 1), 1.0);
  const ImpactOutcome second = law.strike(plate.bodies, std::span(&plate.touch, 1), 1.0001);
  EXPECT_EQ(second.start, first.end);
  const ImpactOutcome later = other.strike(plate.bodies, std::span(&plate.touch, 1), 3.0);
  EXPECT_EQ(later.start, 3.0);
  EXPECT_LT(later.energy.modal_before, first.energy.modal_after * std::exp(-2.0 * 3.0 * 1.9));
  EXPECT_GT(later.energy.modal_before, 0.0);
  // The state can be put aside.
  util::Archive written;
  law.serialize(written);
  CompliantImpactLaw again = plate.law();
  util::Archive read(written.written());
  again.serialize(read);
  const ImpactOutcome a = law.strike(plate.bodies, std::span(&plate.touch, 1), 2.0);
  const ImpactOutcome b = again.strike(plate.bodies, std::span(&plate.touch, 1), 2.0);
  EXPECT_EQ(a.touches[0].impulse, b.touches[0].impulse);
}

TEST(ImpactLaw, OnAHeldBodyAnImpactDoesNotWaitForAnotherAndBothAddUp) {
  // The plate is held here, and two balls fall on it, the second while the first still touches.
  const FallingPlate plate;
  const auto law = [&] {
    return CompliantImpactLaw(
        {{.material = law_steel, .patch = 0.1, .compliance = plate.compliance},
         {.material = law_steel, .radius = 0.01, .patch = wide},
         {.material = law_steel, .radius = 0.01, .patch = wide}});
  };
  const auto strike = [](CompliantImpactLaw& one, std::uint32_t ball, double time) {
    const std::vector<ImpactBody> bodies = {ImpactBody{.body = 0},
                                            falling_ball(ball, 0.01, law_steel.density, 1.0)};
    const ImpactContact touch{.a = 1, .b = 0, .restitution = 0.8};
    return one.strike(bodies, std::span(&touch, 1), time);
  };
  CompliantImpactLaw both = law(), follower = law();
  const ImpactOutcome first = strike(both, 1, 0.5);
  const double early = 0.5 + 0.3 * (first.end - 0.5);
  const ImpactOutcome second = strike(both, 2, early);
  EXPECT_EQ(second.start, early);
  EXPECT_GE(both.clock(0), first.end);
  // The modes are where both forces bring them, but for the damping of the time wound back.
  for (const ImpactOutcome* outcome : {&first, &second})
    follower.follow(0, Vec3::Zero(),
                    outcome->touches[0].force.rotated(geometry::Quat::Identity(), -1.0));
  const double end = std::max(both.clock(0), follower.clock(0));
  double largest = 0.0, wrong = 0.0;
  const auto at_end = [&](const CompliantImpactLaw& one) {
    ModalOscillators modes = one.modes(0);
    modes.ring(end - one.clock(0));
    return std::vector<double>(modes.q().begin(), modes.q().end());
  };
  const std::vector<double> a = at_end(both), b = at_end(follower);
  for (std::size_t k = 0; k < a.size(); ++k) {
    largest = std::max(largest, std::abs(a[k]));
    wrong = std::max(wrong, std::abs(a[k] - b[k]));
  }
  EXPECT_LT(wrong, 0.02 * largest);
  EXPECT_GT(largest, 0.0);
}

TEST(ImpactLaw, AGivenImpulseIsNotExceededAndModesFollowTheForceOfIt) {
  const FallingPlate plate;
  CompliantImpactLaw alone = plate.law();
  const Vec3 own = alone.strike(plate.bodies, std::span(&plate.touch, 1), 0.0).touches[0].impulse;
  for (const double part : {0.5, 3.0}) {
    CompliantImpactLaw law = plate.law();
    const Vec3 given = part * own.y() * Vec3(0.2, 1.0, 0.0);
    const base::ForceHistory force = law.strike_with(plate.bodies, plate.touch, given, 0.0);
    // Along the impulse that is told, and as large as that or as the impact makes it by itself.
    const Vec3 impulse = force.impulse();
    EXPECT_NEAR(impulse.y(), std::min(part, 1.0) * own.y(), 1e-5 * own.y());
    EXPECT_NEAR(impulse.x() / impulse.y(), 0.2, 1e-5);
    CompliantImpactLaw follower = plate.law();
    follower.follow(1, Vec3::Zero(), force);
    for (std::size_t k = 0; k < 90; ++k) EXPECT_EQ(law.modes(1).q()[k], follower.modes(1).q()[k]);
  }
}

TEST(ImpactLaw, FrictionStopsSlipAtMostAndTakesEnergyOnly) {
  // A ball that slides and does not turn leaves with mu times the normal impulse, or rolling.
  for (const double friction : {0.05, 0.8}) {
    BallOn ball{.radius = 0.01, .speed = 1.0, .restitution = 0.7};
    CompliantImpactLaw law = ball.law();
    std::vector<ImpactBody> bodies = ball.bodies();
    bodies[1].velocity.x() = 0.5;
    std::vector<ImpactContact> touches = ball.touches();
    touches[0].friction = friction;
    const ImpactOutcome outcome = law.strike(bodies, touches, 0.0);
    const Vec3 impulse = outcome.touches[0].impulse;
    // Rolling: 2/7 of the momentum along the floor is gone.
    const double stick = 0.5 * ball.mass() * 2.0 / 7.0;
    EXPECT_NEAR(-impulse.x(), std::min(friction * impulse.y(), stick), 1e-4 * stick) << friction;
    EXPECT_NEAR(outcome.energy.friction,
                -(impulse.x() * 0.5 + 0.5 * impulse.x() * impulse.x() * 3.5 / ball.mass()),
                1e-3 * outcome.energy.rigid_before);
    EXPECT_NEAR(outcome.energy.balance(), 0.0, 1e-12 * outcome.energy.rigid_before);
  }
}

}  // namespace
}  // namespace peal::contact

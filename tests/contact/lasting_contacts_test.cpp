#include <peal/contact/impact_system.h>
#include <peal/vibration/modal_response.h>
#include <peal/vibration/modal_rest.h>

#include <contact/compliant_bodies.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

namespace peal::contact {
namespace {

/// A plate of 1 kg that lies on four corners and vibrates in bending modes.
struct LyingPlate {
  int modes = 12, excited = 4;
  double decay = 5.0;
  double lowest = 300.0, highest = 6000.0;  ///< [Hz]
  double restitution = 0.5, friction = 0.0;
  double stiffness = 3e9;  ///< of Hertz's springs [N/m^1.5]
  double half = 0.1;       ///< [m]

  std::vector<base::Mode> list() const {
    std::vector<base::Mode> result;
    for (int k = 0; k < modes; ++k)
      result.push_back(
          {.frequency = modes == 1 ? lowest : lowest + (highest - lowest) * k / (modes - 1),
           .decay_rate = decay});
    return result;
  }
  Vec3 corner(int c) const { return {c % 2 == 0 ? half : -half, 0.0, c < 2 ? half : -half}; }
  /// Free bending modes have about twice the mean square at corners, of either sign.
  double shape(int mode, int c) const {
    const double sign = std::cos(1.7 * (mode + 1) * (c + 1) + 0.3 * mode);
    return 2.0 * sign;
  }
  base::ImpactBody body() const {
    base::ImpactBody result{.body = 1, .centre = Vec3(0, 0.001, 0)};
    result.inverse_mass = 1.0;
    result.inverse_inertia = Vec3(300, 150, 300).asDiagonal();
    result.acceleration = Vec3(0, -9.81, 0);
    return result;
  }
  base::LastingContact contact(int c, double end) const {
    const Vec3 lever = (corner(c) - body().centre).cross(Vec3::UnitY());
    const double load = 9.81 / 4.0;
    return {.begin = 0.0,
            .end = end,
            .at = corner(c),
            .load = load,
            .stiffness = 1.5 * std::cbrt(stiffness * stiffness * load),
            .restitution = restitution,
            .inverse_mass = 1.0 + lever.dot(body().inverse_inertia * lever)};
  }

  /// Energies of the excited modes every `interval` seconds by the impact law's system. `left` gets
  /// the amplitudes of all modes' velocities after the first.
  std::vector<double> by_system(double speed, double interval, int count,
                                Eigen::ArrayXd& left) const {
    const std::vector<base::Mode> known = list();
    ModalOscillators oscillators(known);
    for (int k = 0; k < excited; ++k)
      oscillators.set(static_cast<std::size_t>(k), 0.0,
                      speed / std::sqrt(excited) * (k % 2 == 0 ? 1.0 : -1.0));
    const std::array<base::ImpactBody, 2> bodies = {base::ImpactBody{.body = 0}, body()};
    const std::array<ModalOscillators*, 2> list = {nullptr, &oscillators};
    std::vector<ImpactSystem::Contact> contacts;
    for (int c = 0; c < 4; ++c) {
      ImpactSystem::Contact one{.touch = {.a = 1,
                                          .b = 0,
                                          .point = corner(c),
                                          .restitution = restitution,
                                          .friction = friction},
                                .stiffness = stiffness};
      one.gains_a = Eigen::Matrix3Xf::Zero(3, modes);
      for (int k = 0; k < modes; ++k) one.gains_a(1, k) = static_cast<float>(shape(k, c));
      contacts.push_back(std::move(one));
    }
    const double h = 1.0 / 384000.0;
    ImpactSystem system(bodies, list, std::move(contacts), h);
    const auto amplitudes = [&] {
      Eigen::ArrayXd result(modes);
      for (std::size_t k = 0; k < known.size(); ++k)
        result[static_cast<Eigen::Index>(k)] =
            std::hypot(oscillators.v()[k], oscillators.angular_frequency(k) * oscillators.q()[k]);
      return result;
    };
    const auto energy = [&] { return 0.5 * amplitudes().head(excited).square().sum(); };
    std::vector<double> energies = {energy()};
    for (int i = 1; i <= count; ++i) {
      // The mean over the last quarter of the interval: rigid motion takes and gives.
      double sum = 0.0, n = 0.0;
      while (system.time() < i * interval) {
        system.step();
        if (system.time() > (i - 0.5) * interval) sum += energy(), n += 1.0;
      }
      energies.push_back(sum / n);
      if (i == 1) left = amplitudes();
    }
    return energies;
  }

  /// The same from amplitudes `z` of all modes on.
  std::vector<double> by_rates(Eigen::ArrayXd z, double interval, int count) const {
    const std::vector<base::Mode> known = list();
    std::vector<vibration::ModalRest> rests;
    for (int c = 0; c < 4; ++c) {
      Eigen::ArrayXd along(modes);
      for (int k = 0; k < modes; ++k) along[k] = shape(k, c);
      rests.push_back(vibration::modal_rest(contact(c, interval * count), known, along));
    }
    std::vector<const vibration::ModalRest*> active;
    for (const auto& rest : rests) active.push_back(&rest);
    const Eigen::ArrayXd own = Eigen::ArrayXd::Constant(modes, decay);
    std::vector<double> energies = {0.5 * z.head(excited).square().sum()};
    for (int i = 1; i <= count; ++i) {
      for (int n = 0; n < 100; ++n)
        z *= (-interval / 100 * (own + vibration::resting_rates(active, z).rates)).exp();
      energies.push_back(0.5 * z.head(excited).square().sum());
    }
    return energies;
  }
};

/// After which part of the steps an energy has fallen to a part of what it was at the start.
double time_to(const std::vector<double>& energies, double part) {
  for (std::size_t i = 1; i < energies.size(); ++i) {
    if (energies[i] > part * energies[0]) continue;
    const double from = std::log(energies[i - 1]), to = std::log(energies[i]);
    return static_cast<double>(i - 1) + (from - std::log(part * energies[0])) / (from - to);
  }
  return std::numeric_limits<double>::infinity();
}

TEST(LastingContacts, APlateThatLiesOnItsCornersStopsAsTheImpactLawHasIt) {
  // Rigid motion and other modes give back some of what they get: the mean of six plates, from when
  // the first impact is over until the modes that rang have lost half of their energy.
  constexpr int seeds = 6, steps = 16;
  for (const int modes : {4, 12, 40}) {
    for (const double e : {0.3, 0.5, 0.7}) {
      for (const double speed : {0.2, 0.05}) {
        const double interval = 0.05 * speed;
        std::vector<double> system(steps + 1), rates(steps + 1);
        for (int seed = 0; seed < seeds; ++seed) {
          LyingPlate plate{.modes = modes, .excited = modes / 4, .restitution = e};
          plate.lowest += 37.0 * seed;
          Eigen::ArrayXd left;
          const auto a = plate.by_system(speed, interval, steps + 1, left);
          const auto b = plate.by_rates(left, interval, steps);
          for (std::size_t i = 0; i <= steps; ++i) system[i] += a[i + 1], rates[i] += b[i];
        }
        const double ratio = time_to(rates, 0.5) / time_to(system, 0.5);
        EXPECT_GT(ratio, 1.0 / 3.0) << modes << " modes, e " << e << ", " << speed << " m/s";
        EXPECT_LT(ratio, 3.0) << modes << " modes, e " << e << ", " << speed << " m/s";
        // Freely, they would have kept nearly all of it.
        EXPECT_LT(2.0 * LyingPlate{}.decay * interval * time_to(rates, 0.5), 0.3);
      }
    }
  }
}

}  // namespace
}  // namespace peal::contact

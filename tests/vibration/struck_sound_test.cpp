#include <peal/scene/material.h>
#include <peal/util/measure.h>
#include <peal/vibration/ideal_rectangle.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/struck_sound.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

namespace peal::vibration {
namespace {

using std::numbers::pi;

TEST(StruckSound, EnergyIsSharedByTheModes) {
  const std::vector<base::Mode> modes = {{200, 0}, {450, 0}, {900, 0}};
  const scene::Strike strike{.t = 0.01, .energy = 0.3, .contact_time = 0.0008};
  const std::vector<std::vector<double>> gains = {{1.0, -0.5, 2.0}};
  const auto forces = modal_forces(std::vector{strike}, {}, gains, modes);
  const ModalResponse response(modes, forces);
  const base::Rate rate{48000};
  const auto q = response.evaluate(rate, {600, 601}, ModalResponse::Quantity::displacement);
  const auto v = response.evaluate(rate, {600, 601}, ModalResponse::Quantity::velocity);
  double energy = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double w = 2 * pi * modes[static_cast<std::size_t>(i)].frequency;
    energy += 0.5 * (std::pow(v(i, 0), 2) + std::pow(w * q(i, 0), 2));
  }
  EXPECT_NEAR(energy, 0.3, 1e-6);
}

TEST(StruckSoundAnalytic, AmplitudesAreThoseOfEquation11) {
  // A short impact of energy E on undamped modes: a_n = sqrt(2 E) Psi_n / (w_n Q).
  const auto membrane = rectangular_membrane({0.3, 0.3}, 1000, 0.3, {.max_frequency = 600});
  const auto& modes = membrane->modes();
  const auto u = membrane->displacement({0.05, -0.02});
  const scene::Strike strike{.energy = 0.01, .contact_time = 1e-6};
  const std::vector<std::vector<double>> gains = {u};
  const ModalResponse response(modes, modal_forces(std::vector{strike}, {}, gains, modes));
  const auto expected = strike_amplitudes(u, modes);
  const auto q = response.evaluate({192000}, {10, 40000}, ModalResponse::Quantity::displacement);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double amplitude = q.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff();
    EXPECT_NEAR(amplitude, std::sqrt(0.02) * std::abs(expected[i]), 1e-4 * amplitude + 1e-9);
  }
}

TEST(StruckSound, IsSilentBeforeTheBlowAndTheSameInAnyPiece) {
  const std::vector<base::Mode> modes = {{300, 5}, {770, 9}};
  const std::vector<ModalForce> forces = {{{0.1, 0.001, 1.0}, {1.0, 1.0}}};
  const StruckSound sound(ModalResponse(modes, forces), {2.0, 1.5},
                          ContactClick{.level = 0.5, .duration = 0.01}, {1, 2});
  const base::Signal whole = sound.strength({48000}, {0, 20000});
  EXPECT_GE(whole.start, 4800);
  EXPECT_EQ(whole.start + static_cast<std::int64_t>(whole.samples.size()), 20000);
  const base::Signal part = sound.strength({48000}, {5000, 6000});
  ASSERT_EQ(part.samples.size(), 1000u);
  for (std::size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(part.samples[i], whole.samples[i + static_cast<std::size_t>(5000 - whole.start)]);
  }
  EXPECT_TRUE(sound.strength({48000}, {0, 4800}).samples.empty());
}

TEST(StruckSound, EachModeHasItsOwnLoudness) {
  const std::vector<base::Mode> modes = {{300, 5}, {770, 9}};
  const std::vector<ModalForce> forces = {{{0.0, 0.001, 1.0}, {1.0, 1.0}}};
  const auto sound_of = [&](const std::vector<std::complex<double>>& loudness) {
    return StruckSound(ModalResponse(modes, forces), loudness, std::nullopt, {})
        .strength({48000}, {0, 2000})
        .samples;
  };
  const auto low = sound_of({1.0, 0.0}), high = sound_of({0.0, 1.0}), both = sound_of({2.0, 3.0});
  for (std::size_t i = 0; i < both.size(); ++i)
    ASSERT_NEAR(both[i], 2.0f * low[i] + 3.0f * high[i], 1e-9);
  EXPECT_THROW(sound_of({1.0}), std::invalid_argument);
}

/// Bodies of two modes, struck at once, whose sounds begin with opposite signs.
struct TwoModes {
  std::vector<base::Mode> modes = {{1000, 30}, {1300, 30}};
  std::vector<ModalForce> forces = {{{0.01, 0.0002, 1.0}, {1.0, 1.0}}};

  std::vector<float> sound(const std::vector<std::complex<double>>& loudness,
                           const std::vector<base::RadiationFilter>& filters,
                           base::SampleRange range = {0, 9600}) const {
    std::vector<float> result(static_cast<std::size_t>(range.size()));
    const base::Signal signal =
        StruckSound(ModalResponse(modes, forces), loudness, std::nullopt, {}, filters)
            .strength({48000}, range);
    std::ranges::copy(signal.samples, result.begin() + (signal.start - range.begin));
    return result;
  }
  static double energy(const std::vector<float>& sound, std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(sound[i]) * sound[i];
    return sum;
  }
};

TEST(StruckSound, AnAttackHasThePowerOfItsModes) {
  const TwoModes two;
  const std::vector<base::RadiationFilter> flat(2);
  const auto both = two.sound({1.0, -1.0}, flat), plain = two.sound({1.0, -1.0}, {});
  const auto low = two.sound({1.0, 0.0}, flat), high = two.sound({0.0, 1.0}, flat);
  // Contact and half a millisecond more.
  const std::size_t begin = 480, end = 480 + 34;
  const double powers = two.energy(low, begin, end) + two.energy(high, begin, end);
  EXPECT_LT(two.energy(plain, begin, end), 0.3 * powers);
  EXPECT_NEAR(two.energy(both, begin, end) / powers, 1.0, 1e-3);
  // Then it rings as ever.
  for (std::size_t i = end + 96 + 1; i < both.size(); ++i) ASSERT_EQ(both[i], plain[i]) << i;
  // One mode has its own power from the start.
  EXPECT_EQ(low, two.sound({1.0, 0.0}, {}));
}

TEST(StruckSound, FiltersChangeForcedMotionButNotTheRinging) {
  const TwoModes two;
  const std::vector<base::RadiationFilter> filters = {{2, 2 * pi * 4000.0}, {0, 0.0}};
  const auto with = two.sound({1.0, 0.0}, filters), without = two.sound({1.0, 0.0}, {});
  // The mode decays by 4 % in a period, and its phase is another.
  EXPECT_NEAR(two.energy(with, 1000, 2000) / two.energy(without, 1000, 2000), 1.0, 0.01);
  // The impact of 0.2 ms is above the mode, and radiates better there than it does.
  EXPECT_GT(two.energy(with, 480, 490), 2.0 * two.energy(without, 480, 490));
  EXPECT_EQ(two.energy(with, 0, 480), 0.0);
}

TEST(StruckSound, IsTheSameInAnyPieceWithFilters) {
  const TwoModes two;
  const std::vector<base::RadiationFilter> filters = {{2, 2 * pi * 3000.0}, {1, 2 * pi * 200.0}};
  const auto whole = two.sound({1.0, -2.0}, filters);
  for (const std::int64_t begin : {0, 470, 500, 1024, 5000}) {
    const auto part = two.sound({1.0, -2.0}, filters, {begin, begin + 1500});
    for (std::size_t i = 0; i < part.size(); ++i)
      ASSERT_EQ(part[i], whole[static_cast<std::size_t>(begin) + i]) << begin << " + " << i;
  }
}

TEST(StruckSound, TwoModesOfOnePitchAreAsLoudWhereverTheBlowFalls) {
  // The two ways in which a round body bends, struck at some angle between them: in step they would
  // cancel at 135 degrees.
  const std::vector<base::Mode> modes = {{500, 4}, {500, 4}};
  const auto peak_at = [&](double angle) {
    const std::vector<ModalForce> forces = {
        {{0.0, 0.0002, 1.0}, {std::cos(angle), std::sin(angle)}}};
    const StruckSound sound(ModalResponse(modes, forces), {{1.0, 0.0}, {0.0, 1.0}}, std::nullopt,
                            {});
    double largest = 0.0;
    for (const float p : sound.strength({48000}, {48, 480}).samples)
      largest = std::max(largest, std::abs(static_cast<double>(p)));
    return largest;
  };
  for (const double degrees : {30.0, 90.0, 135.0, 160.0})
    EXPECT_NEAR(peak_at(degrees * pi / 180.0) / peak_at(0.0), 1.0, 0.02) << degrees;
}

TEST(StruckSound, TheLowestModeIsAsLoudAsASurfaceThatRadiatesItsPower) {
  // One mode of velocity v(x) = shape(x) q': power rho c A <v^2>, spread over a sphere of 1 m.
  const base::Medium air;
  const double f = 250, area = 0.2, mass = 3.0, amplitude = 1e-4;  // of q
  const double w = 2 * pi * f;
  const double mean_square_velocity = 0.5 * std::pow(w * amplitude, 2) / mass;
  const double power = air.density * air.speed_of_sound * area * mean_square_velocity;
  const double rms_pressure = std::sqrt(power * air.density * air.speed_of_sound / (4 * pi));
  EXPECT_NEAR(paper_loudness(f, area, mass, air) * amplitude / std::sqrt(2.0), rms_pressure,
              1e-9 * rms_pressure);
}

TEST(MakeIdealShape, TakesItsConstantsFromTheMaterial) {
  const base::Material bar_material = *scene::find_material("steel");
  const auto bar = make_ideal_shape(
      scene::IdealBar{.length = 0.3, .width = 0.03, .thickness = 0.01}, bar_material, {});
  const double f = std::pow(4.730040744862704 / 0.3, 2) / (2 * pi) * std::sqrt(200e9 / 7850) *
                   0.01 / std::sqrt(12.0);
  EXPECT_NEAR(bar->modes()[0].frequency, f, 1e-9 * f);
  EXPECT_NEAR(bar->mass(), 7850 * 0.3 * 0.03 * 0.01, 1e-12);
  const scene::IdealPlate plate{.outline = scene::Disc{0.1}, .thickness = 0.002};
  EXPECT_NEAR(facing_area(plate), pi * 0.01, 1e-15);
  const double D = 200e9 * 8e-9 / (12 * (1 - 0.09));
  EXPECT_NEAR(make_ideal_shape(plate, bar_material, {})->modes()[0].frequency,
              5.358 / (2 * pi * 0.01) * std::sqrt(D / 15.7), 1.0);
  const scene::IdealMembrane triangle{
      .outline = geometry::Polygon{{0, 0}, {1, 0}, {0, 1}}, .thickness = 0.001, .tension = 100};
  EXPECT_NEAR(facing_area(triangle), 0.5, 1e-15);
  // Half a square: its lowest mode is (1, 2) - (2, 1).
  const double c = std::sqrt(100 / 7.85);
  EXPECT_NEAR(make_ideal_shape(triangle, bar_material, {.max_frequency = 7})->modes()[0].frequency,
              0.5 * c * std::sqrt(5.0), 1e-6);
}

}  // namespace
}  // namespace peal::vibration

#include <peal/base/directivity_file.h>
#include <peal/base/radiation_drives.h>
#include <peal/base/radiation_tables.h>
#include <peal/util/error.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

namespace peal::base {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

std::vector<double> harmonics(int order, const geometry::Vec3& direction) {
  std::vector<double> values(static_cast<std::size_t>(harmonics_up_to(order)));
  spherical_harmonics(order, direction.normalized(), values);
  return values;
}

TEST(SphericalHarmonics, low_orders_are_those_of_the_books) {
  const geometry::Vec3 n = geometry::Vec3(0.3, -0.7, 0.5).normalized();
  const std::vector<double> y = harmonics(2, n);
  EXPECT_NEAR(y[0], std::sqrt(1 / (4 * pi)), 1e-14);
  EXPECT_NEAR(y[1], std::sqrt(3 / (4 * pi)) * n.y(), 1e-14);
  EXPECT_NEAR(y[2], std::sqrt(3 / (4 * pi)) * n.z(), 1e-14);
  EXPECT_NEAR(y[3], std::sqrt(3 / (4 * pi)) * n.x(), 1e-14);
  EXPECT_NEAR(y[4], std::sqrt(15 / (4 * pi)) * n.x() * n.y(), 1e-14);
  EXPECT_NEAR(y[6], std::sqrt(5 / (16 * pi)) * (3 * n.z() * n.z() - 1), 1e-14);
  EXPECT_NEAR(y[8], std::sqrt(15 / (16 * pi)) * (n.x() * n.x() - n.y() * n.y()), 1e-14);
}

TEST(SphericalHarmonics, the_addition_theorem_holds_up_to_high_orders) {
  const geometry::Vec3 a = geometry::Vec3(0.2, 0.9, -0.4).normalized();
  const std::vector<double> y = harmonics(40, a);
  for (int l = 0; l <= 40; ++l) {
    double sum = 0;
    for (int i = l * l; i < (l + 1) * (l + 1); ++i) sum += y[i] * y[i];
    EXPECT_NEAR(sum, (2 * l + 1) / (4 * pi), 1e-10) << l;
  }
}

TEST(SphericalWaves, bessel_and_hankel_functions_have_the_wronskian_of_theory) {
  for (const double x : {0.01, 0.7, 3.141592653589793, 6.0, 25.0}) {
    std::vector<double> j(32);
    std::vector<Complex> h(32);
    spherical_bessel_up_to(31, x, j);
    spherical_hankel_up_to(31, x, h);
    const int most = x < 0.1 ? 10 : 30;
    for (int l = 0; l < most; ++l) {
      // j_l y_(l+1) - j_(l+1) y_l = -1 / x^2, and h = j - i y.
      const double wronskian = j[l] * -h[l + 1].imag() + j[l + 1] * h[l].imag();
      EXPECT_NEAR(wronskian * x * x, -1.0, 1e-9) << x << ' ' << l;
    }
  }
}

TEST(SphericalWaves, outgoing_waves_fall_off_as_their_hankel_functions) {
  const double k = 40.0, radius = 0.1, r = 0.37;
  std::vector<Complex> ratios(13), near(13), far(13);
  outgoing_ratios(12, k, r, radius, ratios);
  spherical_hankel_up_to(12, k * radius, near);
  spherical_hankel_up_to(12, k * r, far);
  for (int l = 0; l <= 12; ++l) {
    const Complex exact = far[l] / near[l] * std::polar(1.0, k * (r - radius));
    EXPECT_NEAR(std::abs(ratios[l] - exact) / std::abs(exact), 0.0, 1e-9) << l;
  }
  outgoing_ratios(12, 0.0, r, radius, ratios);
  EXPECT_NEAR(ratios[3].real(), std::pow(radius / r, 4), 1e-12);
}

TEST(PulseSpectrum, agrees_with_the_sum_over_the_pulse) {
  for (const PulseProfile profile : {PulseProfile::half_sine, PulseProfile::hertz}) {
    for (const double x : {0.0, 0.3, 0.5, 0.5 + 1e-9, 1.7, 6.2}) {
      Complex sum = 0;
      constexpr int slices = 4000;
      for (int i = 0; i < slices; ++i) {
        const double from = double(i) / slices, to = (i + 1.0) / slices;
        sum += (pulse_passed(profile, to) - pulse_passed(profile, from)) *
               std::polar(1.0, -2 * pi * x * 0.5 * (from + to));
      }
      EXPECT_NEAR(std::abs(pulse_spectrum(profile, x) - sum), 0.0, 2e-4) << x;
    }
  }
}

/// A table of any values, of a body of radius 2 cm.
RigidRadiation some_table() {
  RigidRadiation table{
      .centre = {0.01, 0.02, 0.03}, .radius = 0.02, .spacing = 500.0, .max_frequency = 2000.0};
  table.orders = {6, 6, 7, 8};
  std::size_t count = 0;
  for (const int order : table.orders)
    count += 6 * static_cast<std::size_t>(harmonics_up_to(order));
  for (std::size_t i = 0; i < count; ++i)
    table.values.emplace_back(std::sin(0.1f * float(i)), std::cos(0.37f * float(i)));
  return table;
}

template <class Table>
Table stored_and_read(Table table) {
  util::Archive out;
  serialize(out, table);
  Table read;
  util::Archive in(out.written());
  serialize(in, read);
  return read;
}

TEST(RadiationTables, a_compact_table_is_the_same_after_it_was_stored) {
  RigidRadiation table = some_table();
  table.compact();
  const RigidRadiation read = stored_and_read(table);
  EXPECT_EQ(read.values, table.values);
  EXPECT_EQ(read.orders, table.orders);
  EXPECT_EQ(read.centre, table.centre);
  EXPECT_LT(std::abs(table.values[100] - some_table().values[100]), 1e-3);
}

TEST(RadiationTables, compact_coefficients_are_right_to_a_thousandth_of_the_largest) {
  const RigidRadiation exact = some_table();
  RigidRadiation table = exact;
  table.compact();
  const std::vector<std::size_t> starts = table.offsets();
  for (std::size_t b = 0; b < table.frequencies(); ++b) {
    const double k = 2 * pi * table.spacing * double(b) / table.medium.speed_of_sound;
    std::vector<Complex> ratios(static_cast<std::size_t>(table.orders[b]) + 1);
    outgoing_ratios(table.orders[b], k, 1.2 * table.radius, table.radius, ratios);
    double largest = 0.0, wrong = 0.0;
    for (int m = 0; m < RigidRadiation::motions; ++m) {
      const auto given = exact.at(starts[b], b, m), kept = table.at(starts[b], b, m);
      for (std::size_t i = 0; i < given.size(); ++i) {
        const double ratio = std::abs(ratios[static_cast<std::size_t>(std::sqrt(double(i)))]);
        largest = std::max(largest, ratio * double(std::abs(given[i])));
        wrong = std::max(wrong, ratio * double(std::abs(given[i] - kept[i])));
      }
    }
    EXPECT_LE(wrong, 1e-3 * largest) << b;
  }
}

TEST(RadiationTables, flipped_bits_are_refused_or_give_finite_numbers) {
  RigidRadiation table = some_table();
  table.compact();
  util::Archive out;
  serialize(out, table);
  const std::string good(out.written());
  for (std::size_t at = 150; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    RigidRadiation read;
    util::Archive in(bad);
    try {
      serialize(in, read);
      for (const RadiationCoefficient& g : read.values)
        ASSERT_TRUE(std::isfinite(g.real()) && std::isfinite(g.imag())) << at;
    } catch (const util::InputError&) {
    }
  }
}

TEST(RadiationTables, damaged_tables_are_refused) {
  RigidRadiation table = some_table();
  util::Archive out;
  serialize(out, table);
  RigidRadiation read;
  util::Archive cut(out.written().substr(0, out.written().size() / 2));
  EXPECT_THROW(serialize(cut, read), util::InputError);
  table.orders[2] = 1000000;
  util::Archive wrong;
  wrong.number(table.centre.x(), table.centre.y(), table.centre.z(), table.radius,
               table.medium.speed_of_sound, table.medium.density, table.spacing,
               table.max_frequency, table.rest);
  wrong.list(table.orders);
  util::Archive in(wrong.written());
  EXPECT_THROW(serialize(in, read), util::InputError);
}

TEST(RadiationTables, directivity_files_hold_every_coefficient) {
  const RigidRadiation table = some_table();
  const DirectivityFiles files = directivity_files(table, "die-rigid.npy");
  const auto json = nlohmann::json::parse(files.json);
  EXPECT_EQ(json["coefficients"], "die-rigid.npy");
  EXPECT_EQ(json["orders"], nlohmann::json(table.orders));
  EXPECT_EQ(json["frequency_spacing_hz"], 500.0);
  // NumPy's header: magic, version, length, a dictionary; the array begins at a multiple of 64.
  EXPECT_EQ(files.npy.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t begin = files.npy.find('\n') + 1;
  EXPECT_EQ(begin % 64, 0u);
  EXPECT_NE(files.npy.find("'descr': '<c8', 'fortran_order': False, 'shape': (4, 6, 81, )"),
            std::string::npos);
  ASSERT_EQ(files.npy.size(), begin + 4 * 6 * 81 * sizeof(RadiationCoefficient));
  RadiationCoefficient value;
  std::memcpy(&value, files.npy.data() + begin + ((3 * 6 + 5) * 81 + 80) * sizeof(value),
              sizeof(value));
  EXPECT_EQ(value, table.at(table.offsets()[3], 3, 5)[80]);
}

TEST(RadiationTables, a_body_twice_the_size_sounds_an_octave_lower) {
  const RigidRadiation table = some_table();
  const RigidRadiation twice = table.scaled_to(table.centre, 2 * table.radius, table.medium);
  EXPECT_DOUBLE_EQ(twice.spacing, 250.0);
  EXPECT_NEAR(std::abs(twice.values[0] / table.values[0]), 2.0, 1e-6);
  EXPECT_NEAR(std::abs(twice.values[3 * 49] / table.values[3 * 49]), 4.0, 1e-6);
}

TEST(RigidRadiation, turned_radiates_the_same_into_the_turned_direction) {
  RigidRadiation table{.radius = 0.01, .spacing = 1000.0, .max_frequency = 1000.0};
  const int order = 9, count = harmonics_up_to(order);
  table.orders = {order};
  for (int i = 0; i < RigidRadiation::motions * count; ++i)
    table.values.emplace_back(std::sin(1.0f + 3.7f * float(i)), std::cos(2.9f * float(i)));
  const geometry::Quat turn = geometry::Quat(0.8, -0.4, 0.1, 0.5).normalized();
  const RigidRadiation turned = table.turned(turn.toRotationMatrix());
  // The pressure on the ball for a linear and an angular acceleration.
  const auto pressure = [&](const RigidRadiation& one, const geometry::Vec3& direction,
                            const geometry::Vec3& linear, const geometry::Vec3& angular) {
    const std::vector<double> y = harmonics(order, direction);
    Complex sum = 0.0;
    for (int m = 0; m < 6; ++m) {
      const auto values = one.at(0, 0, m);
      for (int i = 0; i < count; ++i)
        sum += (m < 3 ? linear[m] : angular[m - 3]) * y[i] *
               Complex(values[i].real(), values[i].imag());
    }
    return sum;
  };
  const geometry::Vec3 linear(0.3, -1.0, 0.7), angular(2.0, 0.1, -0.4);
  for (int n = 0; n < 20; ++n) {
    const geometry::Vec3 direction =
        geometry::Vec3(std::sin(n), std::cos(2.3 * n), std::sin(3.1 * n + 1)).normalized();
    const Complex before = pressure(table, direction, linear, angular);
    const Complex after = pressure(turned, turn * direction, turn * linear, turn * angular);
    EXPECT_LT(std::abs(after - before), 1e-4 * std::abs(before) + 1e-4);
  }
}

}  // namespace
}  // namespace peal::base

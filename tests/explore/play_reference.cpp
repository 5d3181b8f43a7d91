#include <peal/base/radiation_tables.h>
#include <peal/base/spherical_waves.h>
#include <peal/play/engine.h>
#include <peal/radiation/multipole_fields.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <string_view>
#include <vector>

// For web/test/engine.test.mjs, which asks the page for the same: writes to stdout what the engine
// makes of a fixed scene (float32, both ears by turns), or with the argument "waves" what modes of
// a sphere send out, as JSON.

namespace {

using Complex = std::complex<double>;

/// Modes of a sphere of radius 0.05 m whose surface accelerates by a spherical harmonic each, at
/// these frequencies: p = -rho h_l / (k h_l') on the surface.
peal::base::ModalRadiation sphere(double ratio) {
  peal::base::ModalRadiation table{.centre = {0.01, -0.02, 0.03}, .radius = 0.05};
  for (int l = 0; l < 9; ++l) {
    const double frequency = ratio * (300.0 + 900.0 * l);
    const double k = 2.0 * std::numbers::pi * frequency / table.medium.speed_of_sound;
    const double x = k * table.radius;
    std::vector<Complex> h(static_cast<std::size_t>(l) + 2);
    peal::base::spherical_hankel_up_to(l + 1, x, h);
    const auto order = static_cast<std::size_t>(l);
    const Complex slope = l / x * h[order] - h[order + 1];
    peal::base::ModeRadiation mode{.frequency = frequency, .order = l};
    mode.values.assign(static_cast<std::size_t>(peal::base::harmonics_up_to(l)), 0.0f);
    const std::size_t harmonic = static_cast<std::size_t>(l * l + (l * 5) % (2 * l + 1));
    mode.values[harmonic] =
        peal::base::RadiationCoefficient(-table.medium.density / k * h[order] / slope);
    table.modes.push_back(mode);
  }
  return table;
}

/// A table of a rigid body with coefficients of all kinds, and its pressure for unit accelerations.
nlohmann::json rigid_waves() {
  constexpr peal::base::Rate rate{48000};
  constexpr std::size_t block = 480;
  peal::base::RigidRadiation table{.radius = 0.03, .spacing = 100.0, .max_frequency = 16000.0};
  for (int b = 0; b <= 160; ++b) {
    const double k = 2.0 * std::numbers::pi * table.spacing * b / table.medium.speed_of_sound;
    table.orders.push_back(peal::base::radiation_order(k, table.radius));
  }
  for (const int order : table.orders)
    for (int i = 0; i < 6 * peal::base::harmonics_up_to(order); ++i)
      table.values.emplace_back(static_cast<float>((i * 7) % 11 - 5),
                                static_cast<float>((i * 5) % 13 - 6));
  nlohmann::json json{{"radius_m", table.radius},
                      {"spacing_hz", table.spacing},
                      {"max_frequency_hz", table.max_frequency},
                      {"orders", table.orders}};
  for (const auto& value : table.values)
    for (const float part : {value.real(), value.imag()}) json["values"].push_back(part);
  const peal::radiation::RigidField field(table, rate, block);
  peal::radiation::RigidField::Response response;
  const peal::geometry::Vec3 to(0.03, -0.04, 0.02);
  field.response(to.normalized(), to.norm(), response);
  json["place"] = {to.x(), to.y(), to.z()};
  for (Eigen::Index b = 0; b < response.cols(); ++b) {
    const std::complex<float> sum = response(0, b) - 2.0f * response(4, b);
    json["expected"].push_back({sum.real(), sum.imag()});
  }
  return json;
}

void write_waves() {
  constexpr double ratio = 1.7;
  const peal::base::ModalRadiation table = sphere(1.0), scaled = sphere(ratio);
  const peal::radiation::ModalField field(table), scaled_field(scaled);
  nlohmann::json json{
      {"radius", table.radius}, {"ratio", ratio}, {"speed", table.medium.speed_of_sound}};
  for (const auto& mode : table.modes) {
    json["orders"].push_back(mode.order);
    json["frequencies"].push_back(mode.frequency);
    for (const auto& value : mode.values)
      for (const float part : {value.real(), value.imag()}) json["values"].push_back(part);
  }
  for (const peal::geometry::Vec3& to :
       {peal::geometry::Vec3(0.05, 0.0, 0.0), peal::geometry::Vec3(0.06, -0.02, 0.03),
        peal::geometry::Vec3(-1.0, 2.0, 0.5)}) {
    json["places"].push_back({to.x(), to.y(), to.z()});
    for (const auto* one : {&field, &scaled_field}) {
      std::vector<std::complex<float>> gains(table.modes.size());
      one->gains(to.normalized(), to.norm(), gains);
      nlohmann::json numbers;
      for (const auto& gain : gains)
        for (const float part : {gain.real(), gain.imag()}) numbers.push_back(part);
      json[one == &field ? "gains" : "scaled"].push_back(numbers);
    }
  }
  json["rigid"] = rigid_waves();
  std::puts(json.dump().c_str());
}

}  // namespace

int main(int count_of_arguments, char** arguments) {
  using namespace peal::play;
  if (count_of_arguments > 1 && std::string_view(arguments[1]) == "waves") {
    write_waves();
    return 0;
  }
  constexpr int count = 200;
  std::vector<peal::base::Mode> modes, changed;
  std::vector<float> struck;
  std::vector<std::complex<float>> near, far;
  std::vector<double> radiation;
  std::vector<float> taps, click;
  for (int i = 0; i < count; ++i) {
    modes.push_back({40.0 + 95.0 * i, 1.0 + 0.3 * i});
    changed.push_back({1.1 * modes.back().frequency, 2.0 * modes.back().decay_rate});
    struck.push_back(static_cast<float>((i * 7 % 11) - 5));
    near.emplace_back(1e-6f * static_cast<float>(i % 5), 1e-6f * static_cast<float>(i % 3));
    far.emplace_back(1e-6f * static_cast<float>(i % 4), 1e-6f * static_cast<float>(2 - i % 7));
    radiation.push_back(0.1);
    if (i < 100) taps.push_back(static_cast<float>((i * 5 % 13) - 6) / static_cast<float>(10 + i));
    click.push_back(static_cast<float>((i * 3 % 17) - 8) * 1e-4f);
  }
  Engine engine({48000});
  PlayedBody& body = *engine.body(engine.add_body(modes, count - 3));
  radiation.resize(count - 3);
  body.set_radiation(radiation);
  engine.set_volume(50.0, 0);
  body.set_gains(near, 1.5, 0);
  body.set_ear(0, 0.0, taps, 0);
  body.set_ear(1, 0.0003, std::vector{1.0f}, 0);
  engine.room().set(80.0, 0.5, 0.2);
  std::vector<float> a(block_size), b(block_size), both(2 * block_size);
  for (int block = 0; block < 1500; ++block) {
    if (block == 5) body.strike(700.25, 0.0007, 0.01, struck);
    if (block == 100) body.strike(0.0, 0.00004, 0.02, struck);
    if (block == 200) {
      body.set_gains(far, 2.0, 512);
      body.set_ear(0, 0.0005, std::vector{0.5f, 0.25f}, 512);
      body.play(26000.0, click);
    }
    if (block == 300) body.set_modes(changed, 2400);
    if (block == 400) body.scrape(2, struck, 0.05, 900.0, 4000.0, 512);
    if (block == 600) body.scrape(2, struck, 0.0, 900.0, 4000.0, 512);
    if (block == 700) body.hold(struck, 0.5);
    engine.process(block_size, std::array<float*, ears>{a.data(), b.data()});
    for (std::size_t n = 0; n < a.size(); ++n) both[2 * n] = a[n], both[2 * n + 1] = b[n];
    std::fwrite(both.data(), sizeof(float), both.size(), stdout);
  }
}

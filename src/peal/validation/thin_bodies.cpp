#include <peal/geometry/mesh/vector.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/spectrum.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// Thin bodies that fall, by the impact law and their modes, against the same bodies as deformable
/// ones, which know nothing of either.
namespace peal::validation {

namespace {

struct ThinBody {
  const char* name;
  std::array<double, 3> size;  ///< [m]
  const char* material;
  double lowest;  ///< of the octaves that hold modes which radiate [Hz]
};

constexpr ThinBody thin_bodies_that_fall[] = {
    {"ceramic tile 100 x 100 x 6 mm", {0.1, 0.006, 0.1}, "ceramic", 2000.0},
    {"steel strip 180 x 20 x 1.2 mm", {0.18, 0.0012, 0.02}, "steel", 500.0},
    {"aluminium bar 250 x 20 x 5 mm", {0.25, 0.005, 0.02}, "aluminium", 250.0},
    {"glass slat 150 x 30 x 3 mm", {0.15, 0.003, 0.03}, "glass", 500.0},
    {"aluminium card 60 x 40 x 1 mm", {0.06, 0.001, 0.04}, "aluminium", 1000.0},
    {"steel sheet 80 x 80 x 2 mm", {0.08, 0.002, 0.08}, "steel", 1000.0},
    {"copper ruler 120 x 15 x 3 mm", {0.12, 0.003, 0.015}, "copper", 500.0},
    {"glass pane 90 x 70 x 4 mm", {0.09, 0.004, 0.07}, "glass", 2000.0},
    {"porcelain shard 60 x 50 x 3 mm", {0.06, 0.003, 0.05}, "porcelain", 2000.0},
    {"brass rod 160 x 12 x 4 mm", {0.16, 0.004, 0.012}, "brass", 500.0},
};

constexpr double highest = 8000.0;                          // [Hz]
constexpr double drops[] = {13.0, 14.0, 15.0, 16.0, 17.0};  ///< by their tilt [degrees]

constexpr double first_gap = 0.001;     ///< at the start [m]
constexpr double landing_speed = 1.17;  ///< then, as after a fall of 70 mm [m/s]

/// How far the lowest corner of the tilted body is below its centre [m].
double depth_of(const ThinBody& body, double degrees) {
  const geometry::Mat3 turned =
      Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, geometry::Vec3(0.3, 0, 1).normalized())
          .toRotationMatrix();
  return 0.5 * turned.row(1).cwiseAbs().dot(Eigen::Map<const Eigen::RowVector3d>(body.size.data()));
}

/// Both have the same damping, by stiffness alone, so that only the blows and what they set off
/// differ, and no loss in the contact, of which deformable bodies have none.
scene::Scene scene_of(const ThinBody& body, double degrees, bool is_deformable) {
  const auto& [x, y, z] = body.size;
  const std::string placed = fmt::format(
      R"("position": [0, {}, 0], "rotation": {{"axis": [0.3, 0, 1], "degrees": {}}},
         "velocity": [0, {}, 0])",
      first_gap + depth_of(body, degrees), degrees, -landing_speed);
  const std::string moves =
      is_deformable
          ? fmt::format(R"("shape": {{"box": [{}, {}, {}]}}, "motion": {{"deformable": {{{}}}}})",
                        x, y, z, placed)
          : fmt::format(
                R"("shape": {{"box": {{"size": [{}, {}, {}], "edge_length": 0.01}}}},
                   "motion": {{"rigid": {{{}}}}},
                   "sound": [{{"modal": {{"max_frequency": {}}}}}, "acceleration_noise"])",
                x, y, z, placed, highest);
  return scene::parse_scene(
      fmt::format(
          R"({{"peal": 1, "duration": 0.08, "radiation": {{"model": "rays", "max_frequency": {}}},
        "objects": [
          {{"name": "body", {}, "material": {{"base": "{}", "damping": {{"stiffness": 3e-7}}}},
            "contact": {{"friction": 0.3, "restitution": 1, "fillet": 0.001}}}},
          {{"name": "floor", "shape": {{"box": [1, 0.4, 1]}}, "material": "stone", "sound": [],
            "contact": {{"friction": 0.3, "restitution": 1}}, "motion": {{"position": [0, -0.2, 0]}}}}],
        "listeners": [{{"mono": {{"position": [0, 0.7, 0.714]}}}}]}})",
          highest, moves, body.material),
      body.name, ".");
}

/// Power from each octave's lower end to twice that, added up over the drops.
std::vector<double> octaves_of(const ThinBody& body, bool is_deformable) {
  std::vector<double> powers;
  for (double low = body.lowest; low < highest; low *= 2.0) powers.push_back(1e-30);
  for (const double degrees : drops) {
    util::Silent silent;
    const render::Sound sound = render::render(scene_of(body, degrees, is_deformable), silent);
    const std::vector<float>& heard = sound.listeners.at(0).audio.channels.at(0);
    const util::PowerSpectrum spectrum =
        util::average_power(std::span<const float>(heard), {.window = 2048}, util::Ends::inside);
    for (std::size_t bin = 0; bin < spectrum.power.size(); ++bin) {
      const double f = static_cast<double>(bin) * spectrum.bin_width;
      if (f < body.lowest || f >= highest) continue;
      powers[static_cast<std::size_t>(std::log2(f / body.lowest))] += spectrum.power[bin];
    }
  }
  return powers;
}

Outcome run_thin_bodies() {
  Outcome outcome;
  for (const ThinBody& body : thin_bodies_that_fall) {
    const std::vector<double> law = octaves_of(body, false), deformed = octaves_of(body, true);
    for (std::size_t i = 0; i < law.size(); ++i) {
      const double low = body.lowest * std::exp2(static_cast<double>(i));
      outcome.claims.push_back({fmt::format("{}: {:g} to {:g} Hz", body.name, low, 2.0 * low), "dB",
                                0.0, 10.0 * std::log10(law[i] / deformed[i]), 4.0});
    }
  }
  outcome.remarks =
      "Single drops scatter by 2 to 5 dB: after the first touches they are chaotic. The octaves "
      "are "
      "those that hold modes, from the first that radiates on.";
  return outcome;
}

}  // namespace

Entry thin_bodies() {
  return {.key = "thin-bodies",
          .title = "Ten thin bodies that fall, by the impact law and as deformable bodies",
          .source = "Deformable bodies of finite elements in full time integration",
          .method =
              "Each meets stone at 1.17 m/s, at five tilts, through \"rays\"; level of the mean "
              "power by octaves.",
          .run = run_thin_bodies,
          .cost = Cost::slow};
}

}  // namespace peal::validation

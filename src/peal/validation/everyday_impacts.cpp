#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/util/spectrum.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// Things that fall on others, as in kitchens: how loud they are, and whether they make more sound
/// than they had energy.
namespace peal::validation {

namespace {

constexpr double impedance_of_air = 413.0, sound_speed = 343.2;  // [Pa s/m], [m/s]
using std::numbers::pi;

/// A thin wall that takes an impact: a material as an isotropic one, and a rectangle of its size.
struct Wall {
  double modulus, density, thickness;  ///< [Pa], [kg/m^3], [m]
  double length, width;                ///< [m]
  double mobility_at = 1.0;  ///< where it is struck, over the middle: 8/3.5 at an edge (Cremer)

  double surface_mass() const { return density * thickness; }
  double stiffness() const { return modulus * std::pow(thickness, 3) / (12.0 * (1.0 - 0.09)); }
  double bending() const { return std::sqrt(stiffness() / surface_mass()); }  ///< [m^2/s]
  double mobility() const {  ///< of the endless plate [m/(N s)]
    return mobility_at / (8.0 * std::sqrt(stiffness() * surface_mass()));
  }
  double lowest() const { return 2.5 * bending() / (length * length); }  ///< a free plate's [Hz]

  /// Radiation efficiency: Maidanik 1962 below coincidence, where waves of a wall without a baffle
  /// also short-circuit around it unless sound is shorter than its width.
  double efficiency(double f) const {
    const double coincidence = sound_speed * sound_speed / (2.0 * pi * bending());
    const double ratio = f / coincidence;
    const double kb = pi * f * width / sound_speed;
    const double free = kb * kb / (1.0 + kb * kb);
    if (ratio >= 1.0) return free * std::min(1.0 / std::sqrt(1.0 - 0.999 / ratio), 1.5);
    const double a = std::sqrt(ratio);
    const double edge =
        2.0 * (length + width) * sound_speed / (4.0 * pi * pi * length * width * coincidence) *
        ((1.0 - a * a) * std::log((1.0 + a) / (1.0 - a)) + 2.0 * a) / std::pow(1.0 - a * a, 1.5);
    return free * std::min(edge, 1.0);
  }
};

/// What meets it: the effective mass, speed, radius and contact modulus of Hertz's law.
struct Blow {
  double mass, speed, radius, modulus;  ///< [kg], [m/s], [m], [Pa]

  double time() const {  ///< of rigid bodies [s]
    return 2.868 * std::pow(mass * mass / (radius * modulus * modulus * speed), 0.2);
  }
};

/// The peak at 1 m [dB] of a wall that rings, by textbook estimates alone. Of the energy m V^2 / 2
/// waves take 1 - e^2 with Zener's e (1941), which falls as exp(-1.72 lambda). The contact lasts
/// (1 + lambda) times Hertz's time and has half of its power below 0.6 over that; a plate takes
/// alike at all frequencies. Both faces radiate rho c sigma <v^2>. Many modes that begin together
/// peak at three times their root of the mean square.
double peak_of_wall(const Wall& wall, const Blow& blow) {
  const double k = 4.0 / 3.0 * blow.modulus * std::sqrt(blow.radius);
  const double lambda =
      std::pow(blow.mass, 0.6) * std::pow(k, 0.4) * std::pow(blow.speed, 0.2) * wall.mobility();
  const double energy =
      0.5 * blow.mass * blow.speed * blow.speed * (1.0 - std::exp(-2.0 * 1.72 * lambda));
  const double corner = 0.6 / (blow.time() * (1.0 + lambda));
  double all = 0.0, radiated = 0.0;
  for (double f = 20.0; f < 20000.0; f *= 1.01) {
    const double part = f / (1.0 + std::pow(f / corner, 4));
    all += part;
    // Below its modes a wall takes nothing, but moves as a whole.
    if (f > wall.lowest()) radiated += part * wall.efficiency(f);
  }
  const double power =
      2.0 * impedance_of_air * energy / wall.surface_mass() * radiated / std::max(all, 1e-30);
  constexpr double crest = 3.0;
  return util::level_db(crest * crest * impedance_of_air * power / (4.0 * pi));
}

/// The peak at 1 m [dB] of the click of a ball of a volume that is turned round: a dipole of 1.5 V
/// (Koss & Alfredson 1973), whose strength rises no more where sound is shorter than the ball.
double peak_of_click(const Blow& blow, double volume) {
  const double w = pi / blow.time(), a = std::cbrt(volume * 3.0 / (4.0 * pi)) * w / sound_speed;
  constexpr double air = 1.2;  // [kg/m^3]
  // The largest slope of a half sine's acceleration, whose mean is 1.7 V / time.
  const double jerk = 1.7 * blow.speed / blow.time() * 0.5 * pi * w;
  const double pressure =
      1.5 * air * volume * jerk / (4.0 * pi * sound_speed) / std::sqrt(1.0 + std::pow(a, 4) / 4.0);
  return util::level_db(pressure * pressure);
}

struct EverydayEvent {
  const char* name;
  const char* falls;   ///< the object that falls
  const char* ground;  ///< what it falls on
  double loudest;      ///< expected peak at 1 m [dB]
  const char* why;     ///< where the expectation comes from
};

/// Estimates of this kind are good to about that [dB].
constexpr double estimate_tolerance = 10.0;

constexpr const char* stone_floor =
    R"({"name": "floor", "shape": {"box": [1, 0.4, 1]}, "material": "stone",
        "contact": {"friction": 0.3, "restitution": 0.6}, "motion": {"position": [0, -0.2, 0]}})";
constexpr const char* oak_top =
    R"({"name": "table", "shape": {"box": {"size": [0.9, 0.022, 0.6], "edge_length": 0.06}},
        "material": {"base": "oak", "grain": [1, 0, 0], "damping": {"internal_friction": 0.02, "external": 20}},
        "contact": {"friction": 0.35, "restitution": 0.45, "fillet": 0.002},
        "motion": {"position": [0, -0.011, 0]}, "sound": [{"modal": {"max_frequency": 3000}}]})";
constexpr const char* thick_oak =
    R"({"name": "table", "shape": {"box": [1, 0.4, 1]}, "material": "oak",
        "contact": {"friction": 0.3, "restitution": 0.5}, "motion": {"position": [0, -0.2, 0]}})";
constexpr const char* steel_sheet =
    R"({"name": "plate", "shape": {"box": {"size": [0.3, 0.003, 0.24], "edge_length": 0.03}},
        "material": {"base": "steel", "damping": {"internal_friction": 0.002, "external": 6}},
        "contact": {"friction": 0.3, "restitution": 0.6}, "motion": {"position": [0, -0.0015, 0]},
        "sound": [{"modal": {"max_frequency": 8000}}]})";

constexpr const char* porcelain_plate =
    R"({"name": "plate", "shape": {"lathe": {"profile": [[0, 0.002], [0.05, 0.002], [0.052, 0], [0.056, 0],
           [0.06, 0.004], [0.085, 0.012], [0.11, 0.0195], [0.11, 0.0225], [0.083, 0.0162],
           [0.058, 0.008], [0.05, 0.0065], [0, 0.0065]], "edge_length": 0.006}},
        "material": "porcelain", "contact": {"friction": 0.25, "restitution": 0.6},
        "sound": [{"modal": {"max_frequency": 8000}}]})";

const std::vector<EverydayEvent>& everyday_events() {
  static const std::vector<EverydayEvent> events = {
      {"porcelain mug on a table top of oak, 20 cm",
       R"({"name": "mug", "shape": {"lathe": {"profile": [[0, 0.003], [0.026, 0.003], [0.028, 0],
           [0.032, 0], [0.036, 0.006], [0.041, 0.03], [0.041, 0.094], [0.0395, 0.0955],
           [0.038, 0.094], [0.0375, 0.03], [0.033, 0.009], [0, 0.008]], "edge_length": 0.005}},
           "material": "porcelain", "contact": {"friction": 0.35, "restitution": 0.55, "fillet": 0.001},
           "motion": {"rigid": {"position": [-0.05, 0.22, 0.02], "rotation":
             {"axis": [0.2, 0, 1], "degrees": -28}}}, "sound": [{"modal": {"max_frequency": 9000}},
             "acceleration_noise"]})",
       oak_top, peak_of_wall({4.6e9, 760, 0.022, 0.9, 0.6}, {0.1, 2.0, 0.006, 1.6e9}),
       "the top rings: 0.1 kg of the mug at its rim, with the mean stiffness of both grains"},
      {"copper coin on stone, 10 cm",
       R"({"name": "coin", "shape": {"cylinder": {"radius": 0.01213, "height": 0.00175,
           "edge_length": 0.001}}, "material": "copper", "contact": {"friction": 0.25,
           "restitution": 0.6, "fillet": 0.0003}, "motion": {"rigid": {"position": [0, 0.1, 0],
             "rotation": {"axis": [1, 0, 0.1], "degrees": 75}, "angular_velocity": [0, 25, 0]}},
           "sound": [{"modal": {"max_frequency": 16000}}, "acceleration_noise"]})",
       stone_floor,
       peak_of_wall({1.2e11, 8940, 0.00175, 0.024, 0.024, 2.3}, {0.004, 1.4, 0.002, 4.1e10}),
       "its rim: half of 7 g against stone, with a fillet of 0.3 mm on a radius of 12 mm"},
      {"steel fork on a tiled floor, 30 cm (a strip of 180 x 20 x 1.2 mm)",
       R"({"name": "fork", "shape": {"box": {"size": [0.18, 0.0012, 0.02], "edge_length": 0.01}},
           "material": "steel", "contact": {"friction": 0.25, "restitution": 0.6, "fillet": 0.0005},
           "motion": {"rigid": {"position": [0, 0.3, 0], "rotation": {"axis": [0.2, 0.1, 1],
             "degrees": 25}}}, "sound": [{"modal": {"max_frequency": 12000}}, "acceleration_noise"]})",
       stone_floor, peak_of_wall({2e11, 7850, 0.0012, 0.18, 0.02, 2.3}, {0.01, 2.4, 0.001, 4.6e10}),
       "a corner: a third of its mass"},
      {"steel ball of 20 mm on a steel plate of 3 mm, 10 cm",
       R"({"name": "ball", "shape": {"sphere": 0.01}, "material": "steel", "contact":
           {"friction": 0.2, "restitution": 0.8}, "motion": {"rigid": {"position": [0.03, 0.11, 0.04]}},
           "sound": ["acceleration_noise"]})",
       steel_sheet, peak_of_wall({2e11, 7850, 0.003, 0.3, 0.24}, {0.033, 1.4, 0.01, 1.1e11}),
       "the sheet rings"},
      {"glass marble on stone, 20 cm",
       R"({"name": "marble", "shape": {"sphere": 0.008}, "material": "glass", "contact":
           {"restitution": 0.7}, "motion": {"rigid": {"position": [0, 0.208, 0]}},
           "sound": ["acceleration_noise"]})",
       stone_floor, peak_of_click({0.0056, 1.98, 0.008, 3.1e10}, 2.14e-6), "the click alone"},
      {"die on a thick table, 12 cm",
       R"({"name": "die", "shape": {"box": [0.016, 0.016, 0.016]}, "material": "abs", "contact":
           {"friction": 0.25, "restitution": 0.55, "fillet": 0.0005}, "motion": {"rigid":
             {"position": [0, 0.12, 0], "rotation": {"axis": [0.12, 0.85, -0.07], "degrees": 42},
              "angular_velocity": [8, 18, -24]}}, "sound": ["acceleration_noise"]})",
       thick_oak, peak_of_click({0.002, 1.5, 0.0005, 1.0e9}, 4.1e-6),
       "the click alone, of a corner: half the mass"},
      {"ceramic tile of 100 x 100 x 6 mm on stone, 10 cm",
       R"({"name": "tile", "shape": {"box": {"size": [0.1, 0.006, 0.1], "edge_length": 0.02}},
           "material": "ceramic", "contact": {"friction": 0.3, "restitution": 0.5, "fillet": 0.001},
           "motion": {"rigid": {"position": [0, 0.12, 0], "rotation": {"axis": [0.6, 0, 1],
             "degrees": 20}}}, "sound": [{"modal": {"max_frequency": 16000}}, "acceleration_noise"]})",
       stone_floor, peak_of_wall({7.2e10, 2700, 0.006, 0.1, 0.1, 2.3}, {0.054, 1.4, 0.001, 3.4e10}),
       "a corner: a third of its mass"},
      {"steel teaspoon on a porcelain plate, 10 cm (a strip of 130 x 15 x 1.5 mm)",
       R"({"name": "spoon", "shape": {"box": {"size": [0.13, 0.0015, 0.015], "edge_length": 0.01}},
           "material": "steel", "contact": {"friction": 0.25, "restitution": 0.6, "fillet": 0.001},
           "motion": {"rigid": {"position": [0.04, 0.12, 0], "rotation": {"axis": [0.2, 0.1, 1],
             "degrees": 15}}}, "sound": [{"modal": {"max_frequency": 12000}}, "acceleration_noise"]})",
       porcelain_plate, 106.5,
       "published: 110 to 115 dB for a spoon that is dropped on a plate (Killion, as "
       "cited by The Hearing Review 1995), without height or distance; taken as at half a metre"},
      {"oak block of 90 x 60 x 40 mm on a table top of oak, 10 cm",
       R"({"name": "block", "shape": {"box": {"size": [0.09, 0.04, 0.06], "edge_length": 0.02}},
           "material": {"base": "oak", "grain": [1, 0, 0]}, "contact": {"friction": 0.35,
           "restitution": 0.45, "fillet": 0.002}, "motion": {"rigid": {"position": [0.1, 0.14, 0.05],
             "rotation": {"axis": [0.3, 0, 1], "degrees": 20}}}, "sound": ["acceleration_noise"]})",
       oak_top, peak_of_wall({4.6e9, 760, 0.022, 0.9, 0.6}, {0.06, 1.4, 0.002, 0.8e9}),
       "the top rings: a third of the block's mass at its corner"},
      {"steel lid of 200 mm across and 1 mm on a stone floor, 20 cm",
       R"({"name": "lid", "shape": {"cylinder": {"radius": 0.1, "height": 0.001, "edge_length": 0.01}},
           "material": "steel", "contact": {"friction": 0.25, "restitution": 0.6, "fillet": 0.0004},
           "motion": {"rigid": {"position": [0, 0.27, 0], "rotation": {"axis": [0.1, 0, 1],
             "degrees": 35}}}, "sound": [{"modal": {"max_frequency": 8000}}, "acceleration_noise"]})",
       stone_floor, peak_of_wall({2e11, 7850, 0.001, 0.2, 0.2, 2.3}, {0.05, 2.0, 0.004, 4.6e10}),
       "its rim: a fifth of its mass"},
  };
  return events;
}

scene::Scene scene_of(const EverydayEvent& event) {
  return scene::parse_scene(fmt::format(R"({{"peal": 1, "duration": 0.8, "objects": [{}, {}],
                       "listeners": [{{"mono": {{"position": [0, 0.7, 0.714]}}}}]}})",
                                        event.falls, event.ground),
                            event.name, ".");
}

Outcome run_everyday_impacts() {
  Outcome outcome;
  for (const EverydayEvent& event : everyday_events()) {
    util::Silent silent;
    const render::Sound sound = render::render(scene_of(event), silent);
    const auto& channel = sound.listeners.at(0).audio.channels.at(0);
    double peak = 0.0;
    for (const float p : channel) peak = std::max(peak, std::abs(static_cast<double>(p)));
    outcome.claims.push_back({fmt::format("{}: peak at 1 m", event.name), "dB", event.loudest,
                              util::level_db(peak * peak), estimate_tolerance});
    const double given = sound.contacts->energy->given;
    double radiated = 0.0;
    for (const render::VibrationEnergy& vibration : sound.vibrations)
      radiated += vibration.energy.radiated;
    // Between nothing and all that there was.
    outcome.claims.push_back({fmt::format("{}: radiated over given energy", event.name), "", 0.5,
                              radiated / given, 0.5});
    outcome.remarks += fmt::format("{}: {}. ", event.name, event.why);
  }
  outcome.remarks +=
      "Expectations are textbook estimates with the same formulas for all and nothing fitted "
      "(Hertz's time, Zener's loss to waves, the mobility of plates at middles and edges, "
      "Maidanik's "
      "efficiency, peaks at three times the root of the mean square), but for the one event with a "
      "published level. Estimates of this kind are good to about 10 dB. Real tables and floors "
      "also "
      "crush a little where they are hit, which takes the highest frequencies.";
  return outcome;
}

}  // namespace

Entry everyday_impacts() {
  return {
      .key = "everyday-impacts",
      .title = "Levels of things that fall, and their energy",
      .source = "Conservation of energy; Zener 1941, Maidanik 1962, Koss & Alfredson 1973; Killion",
      .method =
          "Ten scenes by \"direct\": peak of the first listener, 1 m away, and what all "
          "vibrating bodies radiate over what they had.",
      .run = run_everyday_impacts,
      .cost = Cost::slow};
}

}  // namespace peal::validation

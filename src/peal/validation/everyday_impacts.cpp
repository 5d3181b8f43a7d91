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

/// A wall that rings: the energy E that the loudest impact gives it, its mass m'' per area and its
/// radiation efficiency sigma at the frequencies that have most of E. Both faces together radiate
/// P = 2 rho c sigma E / m''.
struct RingingWall {
  double energy;        ///< [J]
  double surface_mass;  ///< [kg/m^2]
  double efficiency;    ///< [1]

  /// Peak at 1 m [dB]: the mean over directions has the mean square rho c P / (4 pi), and many
  /// modes that begin together peak at about three times its root.
  double loudest() const {
    constexpr double impedance = 413.0, crest = 3.0;  // [Pa s/m], [1]
    const double power = 2.0 * impedance * efficiency * energy / surface_mass;
    return util::level_db(crest * crest * impedance * power / (4.0 * std::numbers::pi));
  }
};

struct EverydayEvent {
  const char* name;
  const char* falls;   ///< the object that falls
  const char* ground;  ///< what it falls on
  double loudest;      ///< expected peak at 1 m [dB]
  double tolerance;    ///< of that [dB]
  const char* why;     ///< where the expectation comes from
};

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

/// What the expectations rest on: the click of a compact body of volume V that is stopped and
/// thrown back by J / m peaks at about 5 times 1.5 rho V (J / m) / (4 pi c r tau^2)
/// (Koss & Alfredson 1973). What rings is louder where its waves are longer than those of sound,
/// above coincidence at c^2 / (1.8 c_L h) (Cremer, Heckl & Petersson 2005).
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
       oak_top, RingingWall{0.25, 16.7, 0.1}.loudest(), 8,
       "the top takes half of 0.5 J, most of it below 1 kHz by a contact of 0.8 ms; coincidence is "
       "at "
       "0.7 kHz along the grain and 2.6 kHz across it, so that a tenth of an ideal wall's power is "
       "left"},
      {"copper coin on stone, 10 cm",
       R"({"name": "coin", "shape": {"cylinder": {"radius": 0.01213, "height": 0.00175,
           "edge_length": 0.001}}, "material": "copper", "contact": {"friction": 0.25,
           "restitution": 0.6, "fillet": 0.0003}, "motion": {"rigid": {"position": [0, 0.1, 0],
             "rotation": {"axis": [1, 0, 0.1], "degrees": 75}, "angular_velocity": [0, 25, 0]}},
           "sound": [{"modal": {"max_frequency": 16000}}, "acceleration_noise"]})",
       stone_floor, RingingWall{7e-5, 15.6, 0.5}.loudest(), 8,
       "1 % of 7 mJ, as all modes lie above what a contact of 0.09 ms excites; near coincidence"},
      {"steel fork on a tiled floor, 30 cm (a strip of 180 x 20 x 1.2 mm)",
       R"({"name": "fork", "shape": {"box": {"size": [0.18, 0.0012, 0.02], "edge_length": 0.01}},
           "material": "steel", "contact": {"friction": 0.25, "restitution": 0.6, "fillet": 0.0005},
           "motion": {"rigid": {"position": [0, 0.3, 0], "rotation": {"axis": [0.2, 0.1, 1],
             "degrees": 25}}}, "sound": [{"modal": {"max_frequency": 12000}}, "acceleration_noise"]})",
       stone_floor, RingingWall{0.03, 9.4, 0.0015}.loudest(), 8,
       "a third of 0.1 J rings far below coincidence at 10 kHz, on a strip narrower than the "
       "waves"},
      {"steel ball of 20 mm on a steel plate of 3 mm, 10 cm",
       R"({"name": "ball", "shape": {"sphere": 0.01}, "material": "steel", "contact":
           {"friction": 0.2, "restitution": 0.8}, "motion": {"rigid": {"position": [0.03, 0.11, 0.04]}},
           "sound": ["acceleration_noise"]})",
       steel_sheet, RingingWall{0.022, 23.6, 0.5}.loudest(), 8,
       "the plate takes two thirds of 32 mJ, half of it above coincidence at 4 kHz"},
      {"glass marble on stone, 20 cm",
       R"({"name": "marble", "shape": {"sphere": 0.008}, "material": "glass", "contact":
           {"restitution": 0.7}, "motion": {"rigid": {"position": [0, 0.208, 0]}},
           "sound": ["acceleration_noise"]})",
       stone_floor, 99, 6,
       "the click alone: 2 m/s turned round in 60 us is 105 dB for a ball that is small against "
       "that "
       "sound, which it is not: 3 to 9 dB less"},
      {"die on a thick table, 12 cm",
       R"({"name": "die", "shape": {"box": [0.016, 0.016, 0.016]}, "material": "abs", "contact":
           {"friction": 0.25, "restitution": 0.55, "fillet": 0.0005}, "motion": {"rigid":
             {"position": [0, 0.12, 0], "rotation": {"axis": [0.12, 0.85, -0.07], "degrees": 42},
              "angular_velocity": [8, 18, -24]}}, "sound": ["acceleration_noise"]})",
       thick_oak, 80, 8,
       "the click alone: 1.5 m/s turned round in 0.27 ms, on wood across its grain"},
      {"ceramic tile of 100 x 100 x 6 mm on stone, 10 cm",
       R"({"name": "tile", "shape": {"box": {"size": [0.1, 0.006, 0.1], "edge_length": 0.02}},
           "material": "ceramic", "contact": {"friction": 0.3, "restitution": 0.5, "fillet": 0.001},
           "motion": {"rigid": {"position": [0, 0.12, 0], "rotation": {"axis": [0.6, 0, 1],
             "degrees": 20}}}, "sound": [{"modal": {"max_frequency": 16000}}, "acceleration_noise"]})",
       stone_floor, RingingWall{0.018, 16.2, 1.0}.loudest(), 8,
       "a tenth of 0.18 J rings after one impact, all of it above coincidence at 2 kHz"},
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
                              util::level_db(peak * peak), event.tolerance});
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
      "\"direct\" adds up the fields of modes with signs, as from a point: in their first "
      "milliseconds impacts are up to 4 dB off \"wave\" (docs/theory/vibration.md). "
      "No measured levels of these very events are published: the expectations are estimates of "
      "the energy that rings and of the part of it that is radiated, with the spread that such "
      "estimates have. Walls that ring peak at three times the root of rho c P / (4 pi), "
      "P = 2 rho c sigma E / m''. Real tables and floors also crush a little where they are hit, "
      "which takes the highest frequencies.";
  return outcome;
}

}  // namespace

Entry everyday_impacts() {
  return {.key = "everyday-impacts",
          .title = "Levels of things that fall, and their energy",
          .source = "Conservation of energy; clicks after Koss & Alfredson 1973",
          .method =
              "Seven scenes by \"direct\": peak of the first listener, 1 m away, and what all "
              "vibrating bodies radiate over what they had.",
          .run = run_everyday_impacts,
          .cost = Cost::slow};
}

}  // namespace peal::validation

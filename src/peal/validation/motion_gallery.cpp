#include <peal/elastic/surface_record.h>
#include <peal/render/stages.h>
#include <peal/scene/read_scene.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

/// What the scenes of O'Brien, Cook & Essl 2001 live by, where theory knows it.
namespace peal::validation {

namespace {

constexpr double bowed_length = 0.2;                ///< [m]
constexpr double turn_begin = 0.2, turn_end = 0.8;  ///< of the ends, from up to down [s]
constexpr double turn_degrees = 22.0;
constexpr double strip_seconds = 0.8;

/// A strip of plastic whose ends are pushed together by `shortening` [m], while they turn up, and
/// then turn down steadily against its bow.
scene::Scene bowed_strip(double shortening) {
  const auto grip = [&](const std::string& region, double side) {
    const auto key = [&](double t, double part, double degrees) {
      return fmt::format(
          R"({{"t": {}, "position": [{}, 0, 0], "rotation": {{"axis": [0, 0, 1], "degrees": {}}}}})",
          t, side * 0.5 * (bowed_length - part * shortening), -side * degrees);
    };
    // Ends that turn by b shorten the strip by b^2 / 6 while it is an arc.
    std::string keys;
    const double arc = std::sqrt(6.0 * shortening / bowed_length) * 180.0 / std::numbers::pi;
    for (int i = 0; i <= 4; ++i) {
      const double part = 0.25 * i;
      keys += key(0.6 * turn_begin * part, part * part, part * arc) + ", ";
    }
    keys += key(turn_begin, 1.0, turn_degrees) + ", " + key(turn_end, 1.0, -turn_degrees);
    return fmt::format(R"({{"region": "{}", "motion": {{"keyframes": [{}]}}}})", region, keys);
  };
  return scene::parse_scene(
      fmt::format(
          R"({{"peal": 1, "duration": {}, "dynamics": {{"gravity": [0, 0, 0]}},
          "radiation": {{"model": "rays"}},
          "objects": [{{"name": "strip", "shape": {{"box": [{}, 0.002, 0.02]}},
            "material": {{"base": "pet", "damping": {{"mass": 60, "stiffness": 1e-6}}}},
            "motion": {{"deformable": {{"divisions": [16, 1, 1], "grips": [{}, {}]}}}}}}],
          "listeners": [{{"mono": {{"position": [0, 0.5, 0]}}}}]}})",
          strip_seconds, bowed_length, grip("-x", -1.0), grip("+x", 1.0)),
      "bowed strip", ".");
}

/// Height of the middle of the strip, shape by shape [m].
std::vector<double> middle_of(const base::ObjectMotion& strip, double duration) {
  const auto& vertices = strip.surface->vertices;
  const auto middle = static_cast<std::size_t>(
      std::ranges::min_element(vertices, {}, [](const auto& v) { return v.norm(); }) -
      vertices.begin());
  std::vector<double> heights;
  std::vector<base::Vec3> now(vertices.size());
  for (double t = 0.0; t < duration; t += strip.shape_interval) {
    strip.deformation->vertices(t, now);
    heights.push_back(now[middle].y() - vertices[middle].y());
  }
  return heights;
}

Outcome run_snap_through() {
  Outcome outcome;
  plot::LineChart chart{.title = "A bowed strip of 200 mm whose ends are turned against its bow",
                        .subtitle = "vertical lines: where theory lets it snap",
                        .x = {.label = "turn of the ends (degrees down)", .min = -20, .max = 20},
                        .y = {.label = "height of the middle (mm)"}};
  for (const double shortening : {0.002, 0.004}) {
    util::Silent silent;
    std::vector<std::string> notices;
    const scene::Scene scene = bowed_strip(shortening);
    const base::MotionResult motion = simulate::move_scene(scene, silent, notices);
    const base::ObjectMotion& strip = motion.objects.at(0);
    const std::vector<double> heights = middle_of(strip, scene.duration);
    plot::Series series{.name = fmt::format("ends {:g} mm nearer", 1e3 * shortening)};
    double snapped = 0.0;
    for (std::size_t k = 0; k < heights.size(); ++k) {
      const double t = static_cast<double>(k) * strip.shape_interval;
      const double degrees =
          turn_degrees * (2.0 * (t - turn_begin) / (turn_end - turn_begin) - 1.0);
      if (t < turn_begin || t > turn_end) continue;
      series.x.push_back(degrees);
      series.y.push_back(1e3 * heights[k]);
      if (snapped == 0.0 && heights[k] < 0.0) snapped = degrees;
    }
    const double theory = 2.0 * std::sqrt(shortening / bowed_length) * 180.0 / std::numbers::pi;
    chart.guides.push_back({.at = theory});
    outcome.claims.push_back(
        {fmt::format("ends {:g} mm nearer: turn of the ends when it snaps", 1e3 * shortening),
         "degrees", theory, snapped, 0.1 * theory});
    chart.series.push_back(std::move(series));
  }
  outcome.charts.push_back(std::move(chart));
  outcome.remarks =
      "Theory is of small slopes and of a turn without end; the strip turns by 73 degrees a "
      "second. "
      "No modes of the flat strip know of this.";
  return outcome;
}

}  // namespace

Entry snap_through() {
  return {.key = "snap-through",
          .title = "A bowed sheet snaps through",
          .source =
              "O'Brien, Cook & Essl 2001, figure 11; thin strips: w'''' + t^2 w'' = 0 with the "
              "ends nearer by d has no bow against ends that turn by more than 2 sqrt(d / L)",
          .method = "A strip of 16 hexahedra with two grips; when its middle passes through zero.",
          .run = run_snap_through,
          .cost = Cost::slow};
}

}  // namespace peal::validation

#include <peal/scene/load_mesh.h>
#include <peal/scene/material.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>
#include <peal/vibration/modes_file.h>
#include <peal/vibration/solid_modes_cache.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

struct ModesArguments {
  std::filesystem::path mesh;
  std::string material;
  double density = 0.0, young_modulus = 0.0, poisson_ratio = -2.0;
  int count = 0;
  double max_frequency = 0.0;
  double accuracy = 0.005;
  std::vector<std::vector<std::string>> clamps;
  std::filesystem::path output;
  bool no_cache = false;
};

[[noreturn]] void wrong_option(const std::string& option, const std::string& problem,
                               const std::string& cure) {
  throw util::InputError({"", option}, problem, cure);
}

/// The named material, with constants given on the command line in place of its own.
base::Material material_of(const ModesArguments& arguments) {
  base::Material material;
  if (!arguments.material.empty()) {
    const auto known = scene::find_material(arguments.material);
    if (!known) {
      wrong_option("--material", "there is no material \"" + arguments.material + "\"",
                   util::suggest(arguments.material, scene::material_names()));
    }
    material = *known;
  }
  if (arguments.density != 0.0) material.density = arguments.density;
  if (arguments.young_modulus != 0.0) material.young_modulus = arguments.young_modulus;
  if (arguments.poisson_ratio != -2.0) material.poisson_ratio = arguments.poisson_ratio;
  const bool complete =
      !arguments.material.empty() || (arguments.density != 0.0 && arguments.young_modulus != 0.0 &&
                                      arguments.poisson_ratio != -2.0);
  if (!complete) {
    wrong_option("--material", "the body has no material",
                 "Name one (--material steel), or give --density, --young-modulus and "
                 "--poisson-ratio.");
  }
  if (!(material.density > 0.0) || !std::isfinite(material.density)) {
    wrong_option("--density", "a density must be above 0 kg/m3", "Steel has 7850.");
  }
  if (!(material.young_modulus > 0.0) || !std::isfinite(material.young_modulus)) {
    wrong_option("--young-modulus", "Young's modulus must be above 0 Pa", "Steel has 200e9.");
  }
  if (!(material.poisson_ratio > -1.0 && material.poisson_ratio < 0.4999)) {
    wrong_option("--poisson-ratio", "Poisson's ratio must be above -1 and below 0.4999",
                 "Most materials have 0.2 to 0.4; rubber 0.49.");
  }
  return material;
}

/// "x0 y0 z0 x1 y1 z1 [xyz]": a box, and which displacements it holds.
vibration::Clamp clamp_of(const std::vector<std::string>& words) {
  vibration::Clamp clamp;
  std::array<double, 6> numbers{};
  for (int k = 0; k < 6; ++k) {
    std::size_t used = 0;
    try {
      numbers[k] = std::stod(words[k], &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != words[k].size()) {
      wrong_option("--clamp", "\"" + words[k] + "\" is not a number",
                   "Give two corners of a box in metres: --clamp x0 y0 z0 x1 y1 z1");
    }
  }
  for (int k = 0; k < 3; ++k) {
    clamp.box.min()[k] = std::min(numbers[k], numbers[k + 3]);
    clamp.box.max()[k] = std::max(numbers[k], numbers[k + 3]);
  }
  if (words.size() == 7) {
    for (int k = 0; k < 3; ++k) clamp.axes[k] = words[6].find("xyz"[k]) != std::string::npos;
    if (words[6].find_first_not_of("xyz") != std::string::npos) {
      wrong_option("--clamp", "\"" + words[6] + "\" names no displacements",
                   "After the corners may follow which of x, y, z are held, such as xz.");
    }
  }
  return clamp;
}

Json modes_json(const vibration::SolidModes& modes, const ModesArguments& arguments, bool cached,
                double seconds) {
  Json list = Json::array();
  for (const base::Mode& mode : modes.model.modes) {
    Json entry{{"frequency_hz", mode.frequency}};
    entry["decay_s"] = mode.decay_rate > 0.0 ? Json(1.0 / mode.decay_rate) : Json(nullptr);
    entry["relative_error"] = mode.relative_error;
    list.push_back(entry);
  }
  Json json{{"modes", list},
            {"mass_kg", modes.mass},
            {"order", modes.order},
            {"tetrahedra", modes.tets},
            {"unknowns", modes.unknowns},
            {"cached", cached},
            {"seconds", seconds},
            {"notices", modes.notices}};
  if (!arguments.output.empty()) json["file"] = arguments.output.string();
  return json;
}

void print_table(const Console& console, const vibration::SolidModes& modes) {
  console.line("mode  frequency [Hz]  decay [s]  error [%]");
  for (std::size_t i = 0; i < modes.model.modes.size(); ++i) {
    const base::Mode& mode = modes.model.modes[i];
    const std::string decay =
        mode.decay_rate > 0.0 ? fmt::format("{:.3g}", 1.0 / mode.decay_rate) : "-";
    console.line(fmt::format("{:4}  {:14.2f}  {:>9}  {:9.2f}", i + 1, mode.frequency, decay,
                             100.0 * mode.relative_error));
  }
}

void run(const Console& console, const ModesArguments& arguments) {
  const Stopwatch watch;
  const base::Material material = material_of(arguments);
  vibration::SolidModesSettings settings;
  settings.accuracy = arguments.accuracy;
  settings.count = arguments.count;
  settings.max_frequency = arguments.max_frequency;
  if (arguments.count == 0 && arguments.max_frequency == 0.0) settings.max_frequency = 20000.0;
  for (const auto& words : arguments.clamps) settings.clamps.push_back(clamp_of(words));
  const geometry::TriMesh mesh = scene::load_mesh(arguments.mesh);

  const auto progress = console.progress();
  const auto folder = arguments.no_cache ? std::nullopt : vibration::modes_cache_folder();
  bool cached = false;
  const vibration::SolidModes modes = vibration::cached_solid_modes(
      folder, mesh, material, settings, *progress, arguments.mesh.string(), cached);
  if (!arguments.output.empty()) vibration::write_modes(arguments.output, modes.model);
  for (const std::string& notice : modes.notices) console.notice(notice);
  if (console.json) {
    console.document(modes_json(modes, arguments, cached, watch.seconds()));
    return;
  }
  print_table(console, modes);
  console.notice(fmt::format("{} of {} kg, {} tetrahedra of order {}, {} unknowns, {} s{}",
                             material.name.empty() ? "body" : material.name, rounded(modes.mass),
                             modes.tets, modes.order, modes.unknowns, rounded(watch.seconds()),
                             cached ? " (kept from before)" : ""));
  if (!arguments.output.empty()) console.line(arguments.output.string());
}

}  // namespace

void add_modes(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "modes",
      "Vibration modes of a solid body: frequency, decay time (amplitude to 1/e) and estimated\n"
      "error of each. The mesh is its closed surface, in metres.");
  auto arguments = std::make_shared<ModesArguments>();
  verb->add_option("MESH", arguments->mesh, "OBJ, PLY, STL or glTF file")->required();
  verb->add_option("--material", arguments->material, "What it is made of, such as steel");
  verb->add_option("--density", arguments->density, "[kg/m3]");
  verb->add_option("--young-modulus", arguments->young_modulus, "[Pa]");
  verb->add_option("--poisson-ratio", arguments->poisson_ratio, "[1]");
  verb->add_option("--count", arguments->count, "How many modes, lowest first")
      ->check(CLI::Range(1, 2000));
  verb->add_option("--max-frequency", arguments->max_frequency,
                   "Modes up to this [Hz]; 20000 unless --count is given")
      ->check(CLI::Range(1e-3, 1e9));
  verb->add_option("--accuracy", arguments->accuracy, "Largest relative error; 0.005 is 0.5 %")
      ->check(CLI::Range(1e-4, 0.2));
  verb->add_option("--clamp", arguments->clamps,
                   "Box x0 y0 z0 x1 y1 z1 [m] in which the surface is held, and which\n"
                   "displacements (xyz); may be given several times")
      ->expected(6, 7);
  verb->add_option("-o,--output", arguments->output, "Write a .modes file");
  verb->add_flag("--no-cache", arguments->no_cache, "Compute even if the result is known");
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

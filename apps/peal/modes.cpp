#include <peal/base/modes_file.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/plot/axis.h>
#include <peal/plot/body_picture.h>
#include <peal/render/in_file.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/cache_folder.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/store.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/radiation_amplitudes_cache.h>
#include <peal/vibration/shell_modes.h>
#include <peal/vibration/solid_modes.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "body.h"
#include "number_between.h"
#include "sound_map.h"
#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

struct ModesArguments {
  BodyArguments body;
  int count = 0;
  double max_frequency = 0.0;
  double accuracy = 0.005;
  std::vector<std::vector<std::string>> clamps;
  std::filesystem::path output, picture;
  SoundMapArguments sound_map;
  bool no_cache = false;
};

/// Vertices times modes of an ideal shape that is drawn: half a gigabyte.
constexpr std::size_t most_shown = 40'000'000;

/// What was found, and how.
struct FoundModes {
  base::ModalModel model;
  /// How its modes radiate in air; none for ideal shapes, whose level is a convention.
  base::RadiationAmplitudes radiation = {};
  std::vector<std::string> notices = {};
  Json how = Json::object();  ///< for machines
  std::string how_in_words;
  /// What pictures and the sound map show, if not `model`: an ideal shape on a finer surface.
  std::optional<base::ModalModel> shown;
};

[[noreturn]] void wrong_option(const std::string& option, const std::string& problem,
                               const std::string& hint) {
  throw util::InputError({"", option}, problem, hint);
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
    if (used != words[k].size() || !std::isfinite(numbers[k])) {
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
      wrong_option("--clamp", "\"" + words[6] + "\" names no axes",
                   "After the corners, name the fixed axes, such as xz (all three unless given).");
    }
  }
  return clamp;
}

double band_of(const ModesArguments& arguments) {
  if (arguments.max_frequency > 0.0) return arguments.max_frequency;
  return arguments.count == 0 ? 20000.0 : 0.0;
}

vibration::SolidModesSettings settings_of(const ModesArguments& arguments) {
  vibration::SolidModesSettings settings;
  settings.accuracy = arguments.accuracy;
  settings.count = arguments.count;
  settings.max_frequency = band_of(arguments);
  for (const auto& words : arguments.clamps) settings.clamps.push_back(clamp_of(words));
  return settings;
}

/// A thin wall, by shell elements.
FoundModes shell(const Console& console, const ModesArguments& arguments,
                 const scene::Object& object) {
  const auto progress = console.progress();
  const auto folder = arguments.no_cache ? std::nullopt : util::cache_folder("modes");
  const util::Store store(util::stored::solid_modes, folder);
  bool cached = false;
  vibration::SolidModes modes =
      vibration::stored_shell_modes(store, *object.shell, *object.material, settings_of(arguments),
                                    *progress, arguments.body.file, cached);
  std::ranges::copy(store.notices(), std::back_inserter(modes.notices));
  return {
      .model = std::move(modes.model),
      .notices = std::move(modes.notices),
      .how = {{"shell_triangles", modes.tets}, {"unknowns", modes.unknowns}, {"cached", cached}},
      .how_in_words = fmt::format("{} shell triangles, {} unknowns{}", modes.tets, modes.unknowns,
                                  cached ? " (cached)" : "")};
}

FoundModes solid(const Console& console, const ModesArguments& arguments,
                 const scene::Object& object) {
  const vibration::SolidModesSettings settings = settings_of(arguments);
  const auto progress = console.progress();
  const auto folder = arguments.no_cache ? std::nullopt : util::cache_folder("modes");
  const util::Store store(util::stored::solid_modes, folder);
  bool cached = false;
  vibration::SolidModes modes = vibration::stored_solid_modes(
      store, *object.mesh, *object.material, settings, *progress, arguments.body.file, cached);
  std::ranges::copy(store.notices(), std::back_inserter(modes.notices));
  return {.model = std::move(modes.model),
          .notices = std::move(modes.notices),
          .how = {{"order", modes.order},
                  {"tetrahedra", modes.tets},
                  {"unknowns", modes.unknowns},
                  {"residual_shapes", modes.residual},
                  {"cached", cached}},
          .how_in_words = fmt::format(
              "{} tetrahedra of order {}, {} unknowns{}{}", modes.tets, modes.order, modes.unknowns,
              modes.residual > 0 ? fmt::format(", the last {} are residual shapes", modes.residual)
                                 : "",
              cached ? " (cached)" : "")};
}

void refuse_clamps(const ModesArguments& arguments, const std::string& hint) {
  if (!arguments.clamps.empty())
    wrong_option("--clamp", "only solids can be clamped in a box", hint);
}

/// With a number of modes but no band, the band grows until it holds them.
FoundModes ideal(const ModesArguments& arguments, const scene::Object& object) {
  refuse_clamps(arguments, "The shape itself has settings for its ends or edges.");
  vibration::ModeLimits limits;
  const auto wanted = static_cast<std::size_t>(arguments.count);
  if (wanted > 0) limits.most = wanted + 1;  // of a pair, shapes give both or none
  const double band = band_of(arguments);
  std::unique_ptr<vibration::IdealShape> shape;
  constexpr double first_band = 100.0, last_band = 1e7;  // [Hz]
  for (double f = band > 0.0 ? band : first_band; f <= last_band; f *= 2.0) {
    limits.max_frequency = f;
    shape = vibration::make_ideal_shape(*object.ideal_shape(), *object.material, limits);
    if (band > 0.0 || shape->is_cut() || shape->modes().size() >= wanted) break;
  }
  FoundModes found{.model = vibration::modal_model(*shape, *object.mesh, object.material->damping),
                   .how_in_words = "ideal " + object.mesh_source};
  found.how["shape"] = object.mesh_source;
  if (!arguments.picture.empty() || !arguments.sound_map.files.empty()) {
    geometry::TriMesh surface = shown_surface(arguments.body, object);
    if (surface.vertices.size() * shape->modes().size() > most_shown) {
      wrong_option("--max-frequency",
                   fmt::format("a picture or map of {} modes is too large", shape->modes().size()),
                   "Give a lower one, or a --count.");
    }
    found.shown = vibration::modal_model(*shape, std::move(surface), object.material->damping);
  }
  if (wanted > 0) {
    found.model.keep_lowest(wanted);
    if (found.shown) found.shown->keep_lowest(wanted);
  }
  if (shape->is_cut() && arguments.count == 0) {
    found.notices.push_back(
        fmt::format("these are the lowest {} modes; there are more below {:g} Hz",
                    shape->modes().size(), band));
  }
  return found;
}

FoundModes from_file(const ModesArguments& arguments, const scene::Object& object) {
  refuse_clamps(arguments, "Give the mesh instead of its modes.");
  FoundModes found{.model = *object.modal_body()->model,
                   .how_in_words = "read from " + arguments.body.file};
  if (arguments.max_frequency > 0.0)
    found.model.keep_lowest(base::count_up_to(found.model.modes, arguments.max_frequency));
  if (arguments.count > 0) found.model.keep_lowest(static_cast<std::size_t>(arguments.count));
  return found;
}

/// In air, modes of a surface lose what they radiate.
void add_radiation(const ModesArguments& arguments, FoundModes& found) {
  const auto folder = arguments.no_cache ? std::nullopt : util::cache_folder("modes");
  const util::Store store(util::stored::radiation_amplitudes, folder);
  found.radiation = vibration::stored_radiation_amplitudes(store, found.model, base::Medium());
  std::ranges::copy(store.notices(), std::back_inserter(found.notices));
}

FoundModes find_modes(const Console& console, const ModesArguments& arguments,
                      const scene::Object& object) {
  if (object.ideal_shape() != nullptr) return ideal(arguments, object);
  sounds::ModalSound sound;
  if (arguments.body.elements == "shells") sound.elements = sounds::ModalSound::Elements::shells;
  if (arguments.body.elements == "solid") sound.elements = sounds::ModalSound::Elements::solid;
  const geometry::ElementChoice elements = object.modal_body() != nullptr
                                               ? geometry::ElementChoice{.is_shell = false}
                                               : sounds::elements_for(object, sound);
  FoundModes found = object.modal_body() != nullptr ? from_file(arguments, object)
                     : elements.is_shell            ? shell(console, arguments, object)
                                                    : solid(console, arguments, object);
  if (object.shell && !elements.reason.empty())
    found.notices.push_back("computed as " + elements.reason);
  add_radiation(arguments, found);
  return found;
}

/// Times in which the amplitude of a mode falls to 1/e, if ever [s]: by its material, by what it
/// radiates, and by both.
struct DecayTimes {
  std::optional<double> material, radiation, both;

  DecayTimes(const FoundModes& found, std::size_t mode) {
    const double own = found.model.modes[mode].decay_rate;
    const double radiated =
        mode < found.radiation.decay_rates.size() ? found.radiation.decay_rates[mode] : 0.0;
    if (own > 0.0) material = 1.0 / own;
    constexpr double least_rate = 1e-9;  // of what moves: below it is rounding [1/s]
    if (radiated > least_rate) radiation = 1.0 / radiated;
    if (own + radiated > 0.0) both = 1.0 / (own + radiated);
  }
};

Json modes_json(const FoundModes& found) {
  Json list = Json::array();
  const auto number = [](const std::optional<double>& time) {
    return time ? Json(*time) : Json(nullptr);
  };
  for (std::size_t i = 0; i < found.model.modes.size(); ++i) {
    const DecayTimes decay(found, i);
    list.push_back({{"frequency_hz", found.model.modes[i].frequency},
                    {"decay_s", number(decay.both)},
                    {"material_decay_s", number(decay.material)},
                    {"radiation_decay_s", number(decay.radiation)},
                    {"relative_error", found.model.modes[i].relative_error}});
  }
  Json json{{"modes", list}, {"mass_kg", found.model.mass}};
  json.update(found.how);
  return json;
}

void print_table(const Console& console, const FoundModes& found) {
  console.line("mode  frequency [Hz]  decay [s]  of material  of radiation  error [%]");
  const auto text = [](const std::optional<double>& time) {
    return time ? fmt::format("{:.3g}", *time) : std::string("-");
  };
  for (std::size_t i = 0; i < found.model.modes.size(); ++i) {
    const base::Mode& mode = found.model.modes[i];
    const DecayTimes decay(found, i);
    console.line(fmt::format("{:4}  {:14.2f}  {:>9}  {:>11}  {:>12}  {:9.2f}", i + 1,
                             mode.frequency, text(decay.both), text(decay.material),
                             text(decay.radiation), 100.0 * mode.relative_error));
  }
}

plot::BodyHeading heading_of(const ModesArguments& arguments, const scene::Object& object,
                             const base::ModalModel& model) {
  const std::string material =
      object.material && !object.material->name.empty() ? object.material->name + ", " : "";
  return {.title = arguments.body.shape.empty() ? object.name : object.mesh_source,
          .subtitle = material + plot::si_text(1000.0 * model.mass, 3, "g")};
}

void run(const Console& console, const ModesArguments& arguments) try {
  const Stopwatch watch;
  const scene::Scene scene = body_scene(arguments.body);
  for (const std::string& notice : scene.notices) console.notice(notice);
  const scene::Object& object = scene.objects.front();
  FoundModes found = find_modes(console, arguments, object);
  const base::ModalModel& model = found.model;
  if (model.modes.empty()) {
    found.notices.push_back(fmt::format("all modes are above {:g} Hz", band_of(arguments)));
  }

  const base::ModalModel& shown = found.shown ? *found.shown : model;
  std::vector<std::string> files;
  if (!arguments.output.empty()) {
    base::write_modes(arguments.output, model);
    files.push_back(arguments.output.string());
  }
  if (!arguments.picture.empty() && !model.modes.empty()) {
    util::write_file(arguments.picture,
                     plot::draw_modes(shown, heading_of(arguments, object, model)));
    files.push_back(arguments.picture.string());
  }
  Json map;
  if (!arguments.sound_map.files.empty() && !model.modes.empty()) {
    map = write_sound_map(shown, arguments.sound_map, heading_of(arguments, object, model));
    for (const auto& file : arguments.sound_map.files) files.push_back(file.string());
  }

  for (const std::string& notice : found.notices) console.notice(notice);
  if (console.json) {
    Json json = modes_json(found);
    if (!map.is_null()) json["sound_map"] = map;
    json["seconds"] = watch.seconds();
    json["notices"] = found.notices;
    json["files"] = files;
    console.document(json);
    return;
  }
  print_table(console, found);
  console.notice(fmt::format("{} kg, {}, {} s", rounded(model.mass), found.how_in_words,
                             rounded(watch.seconds())));
  for (const std::string& file : files) console.line(file);
} catch (const util::NumericsError&) {
  render::rethrow_in_file(arguments.body.file);
}

}  // namespace

void add_modes(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "modes",
      "Compute the vibration modes of a body.\n"
      "\n"
      "Frequency, decay time (amplitude to 1/e) and estimated error of each mode: by finite\n"
      "elements for a solid, given by its closed surface in metres; by formula for ideal shapes.");
  auto arguments = std::make_shared<ModesArguments>();
  add_body_options(*verb, arguments->body);
  verb->add_option("--count", arguments->count, "Number of modes, lowest first")
      ->check(CLI::Range(1, 2000));
  verb->add_option("--max-frequency", arguments->max_frequency,
                   "Highest frequency [Hz]; 20000 unless --count is given")
      ->check(number_between(1e-3, 1e9));
  verb->add_option("--accuracy", arguments->accuracy, "Largest relative error; 0.005 is 0.5 %")
      ->check(number_between(1e-4, 0.2));
  verb->add_option("--clamp", arguments->clamps,
                   "Box x0 y0 z0 x1 y1 z1 [m] in which the surface is fixed, and along\n"
                   "which axes (xyz); repeat for several boxes")
      ->expected(6, 7);
  const auto ends_in = [](const std::string& ending) {
    return CLI::Validator(
        [ending](std::string& name) {
          return std::filesystem::path(name).extension() == ending
                     ? ""
                     : fmt::format("\"{}\" does not end in {}", name, ending);
        },
        "FILE" + ending);
  };
  verb->add_option("-o,--output", arguments->output, "Write a .modes file (docs/modes-format.md)")
      ->check(ends_in(".modes"));
  verb->add_option("--picture", arguments->picture, "Draw the first 12 mode shapes as PNG")
      ->check(ends_in(".png"));
  add_sound_map_options(*verb, arguments->sound_map);
  verb->add_flag("--no-cache", arguments->no_cache, "Ignore the cache and recompute");
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

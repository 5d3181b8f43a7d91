#include "render_chunk.h"

#include <peal/farm/mode_units.h>
#include <peal/farm/shared_render.h>
#include <peal/farm/status.h>
#include <peal/render/output.h>
#include <peal/util/error.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

#include "interruption.h"

namespace peal::apps {

namespace {

/// "3/8" or "/8", and not the name of a file.
bool is_part(const std::string& word) {
  return !word.empty() && word.find('/') != std::string::npos &&
         word.find_first_not_of("-0123456789/") == std::string::npos;
}

farm::Part part_of(const std::string& text) {
  if (!text.empty() && text.front() != '/') return farm::parse_part(text, "--chunk");
  std::optional<std::size_t> count;
  if (!text.empty()) count = farm::parse_part("1" + text, "--chunk").count;
  return farm::part_from_environment(count);
}

void begin(const farm::SharedFolder& folder) {
  render::check_folder(folder.root());
  folder.become_cache();
  explain_interruption("Finished results are stored in " + folder.root().string() +
                       "; run the same command again to continue.");
}

void find_modes(const Console& console, const SceneArguments& arguments,
                const farm::SharedFolder& folder) {
  const scene::Scene scene = read_scene(arguments);
  begin(folder);
  if (const auto plan = folder.find_plan())
    farm::check_identity(*plan, farm::identity_of(arguments.file, arguments.settings),
                         folder.plan());
  const auto progress = console.progress();
  const std::size_t all = farm::mode_units(scene).size();
  const std::size_t found =
      farm::find_modes(scene, *progress, [&](const std::string& text) { console.notice(text); });
  if (console.json)
    return console.document(
        {{"folder", folder.root().string()}, {"bodies", all}, {"found", found}});
  console.line(fmt::format("modes of {} bodies, {} found here", all, found));
}

void work(const Console& console, const SceneArguments& arguments,
          const std::optional<farm::Part>& part, const farm::SharedFolder& folder,
          double checkpoint_interval) {
  const Stopwatch watch;
  const scene::Scene scene = read_scene(arguments);
  begin(folder);
  const auto progress = console.progress();
  std::size_t shown = 0;
  for (; shown < scene.notices.size(); ++shown) console.notice(scene.notices[shown]);
  const farm::SharedRender render(
      scene, farm::identity_of(arguments.file, arguments.settings), folder, *progress,
      {.checkpoint_interval = checkpoint_interval,
       .tell = [&](const std::string& sentence) { console.notice(sentence); }});
  const double ready = watch.seconds();
  farm::SharedRender::Report report;
  if (part) {
    report = render.compute(*part, *progress);
  } else {
    // Those who merge tell all notices; here they are of use before hours of work.
    console.plan(render.radiation());
    for (; shown < render.notices().size(); ++shown) console.notice(render.notices()[shown]);
  }
  if (console.json) {
    nlohmann::ordered_json json = {{"folder", folder.root().string()},
                                   {"units", render.plan().units.size()},
                                   {"startup_s", ready},
                                   {"seconds", watch.seconds()}};
    if (part) {
      json["chunk"] = part->text();
      json["units_of_chunk"] = report.units;
      json["computed"] = report.computed;
    }
    return console.document(json);
  }
  if (!part) {
    return console.line(fmt::format("{}: prepared, {} units of work", folder.plan().string(),
                                    render.plan().units.size()));
  }
  console.line(fmt::format("chunk {}: {} units, {} computed here", part->text(), report.units,
                           report.computed));
}

}  // namespace

bool ChunkArguments::is_asked() const {
  return prepare || modes || asked->count() > 0;
}

void add_chunk_options(CLI::App& verb, ChunkArguments& arguments) {
  const auto take_part = [&verb, &arguments](const std::string& word) {
    CLI::Option* scene = verb.get_option("SCENE");
    if (!word.empty() && !is_part(word) && scene->count() == 0) {
      scene->add_result(word);
    } else {
      arguments.part = word;
    }
  };
  CLI::Option* chunk =
      verb.add_option_function<std::string>(
              "--chunk", take_part,
              "Compute only the i-th of N parts of the work, in a folder that others share. "
              "Without "
              "i and N, PEAL_CHUNK=i/N, Slurm, Kubernetes (--chunk /N) or OpenCue sets them")
          ->expected(0, 1)
          ->type_name("i/N");
  arguments.asked = chunk;
  verb.add_flag("--prepare", arguments.prepare,
                "Only move the scene and find modes for all chunks, and plan them; otherwise the "
                "first chunk does it")
      ->excludes(chunk);
  verb.add_flag("--modes", arguments.modes,
                "Only find the modes of bodies for all chunks; several processes with the same "
                "folder share that work")
      ->excludes(chunk)
      ->excludes("--prepare");
}

void render_chunk(const Console& console, const SceneArguments& scene, const ChunkArguments& chunk,
                  const std::filesystem::path& output, double checkpoint_interval) {
  std::optional<farm::Part> part;
  if (!chunk.prepare && !chunk.modes) part = part_of(chunk.part);
  const farm::SharedFolder folder(output);
  const std::string name = part ? part->text() : chunk.modes ? "modes" : "prepare";
  try {
    if (chunk.modes)
      find_modes(console, scene, folder);
    else
      work(console, scene, part, folder, checkpoint_interval);
  } catch (const std::exception& error) {
    std::error_code ignored;
    // Not in a folder that was refused before anything was written.
    if (std::filesystem::is_directory(folder.results(), ignored))
      farm::note_failure(folder, name, error.what());
    throw;
  }
  farm::forget_failure(folder, name);
}

}  // namespace peal::apps

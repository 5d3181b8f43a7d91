#include "render_to_folder.h"

#include <peal/render/end_fade.h>
#include <peal/util/cache.h>
#include <peal/util/cache_folder.h>
#include <peal/util/folder_lock.h>
#include <peal/util/parallel.h>
#include <peal/util/store_kinds.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>

#include "device_option.h"
#include "interruption.h"

namespace peal::apps {

void add_folder_options(CLI::App& verb, FolderArguments& arguments, Console& console) {
  verb.add_option("-o,--output", arguments.output.folder, "Folder for the results")
      ->default_val("out");
  add_output_options(verb, arguments, console);
}

void add_output_options(CLI::App& verb, FolderArguments& arguments, Console& console) {
  verb.add_flag("--normalize,--normalise", arguments.output.normalise,
                "Scale each file to a peak of -1 dB; the manifest says by how much");
  verb.add_flag("--no-picture", arguments.no_picture, "Do not draw the spectrogram");
  verb.add_option("--threads", arguments.threads, "Threads to use; 0 means all cores")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  add_device_option(verb, arguments.device);
  verb.add_flag("--json", console.json, "Print the result as JSON, progress as JSON lines");
}

void render_to_folder(const Console& console, const scene::Scene& scene,
                      const FolderArguments& arguments, const Stopwatch& watch,
                      const render::RenderOptions& options, const nlohmann::ordered_json& also,
                      std::size_t shown) {
  render::OutputSettings output = arguments.output;
  output.picture = !arguments.no_picture;
  const util::FolderLock lock(output.folder);
  explain_interruption(what_is_kept());
  const auto progress = console.progress();
  // At once: what follows may take long.
  console.notices(std::span(scene.notices).subspan(shown));
  shown = scene.notices.size();
  const auto announce = [&](const base::RadiationPlan& plan, std::span<const std::string> notices) {
    console.plan(plan);
    console.notices(notices.subspan(std::min(shown, notices.size())));
    shown = std::max(shown, notices.size());
  };
  render::RenderOptions with_folder = options;
  with_folder.cache = util::cache_folder(std::string(util::stored::wave_chunk.folder));
  with_folder.announce = announce;
  with_folder.tell = [&](const std::string& sentence) { console.notice(sentence); };
  render::Sound sound = render::render(scene, *progress, with_folder);
  write_sound(console, scene, sound, output, *progress, watch, also, shown);
  util::trim_cache();
}

void write_sound(const Console& console, const scene::Scene& scene, render::Sound& sound,
                 const render::OutputSettings& output, util::Progress& progress,
                 const Stopwatch& watch, const nlohmann::ordered_json& also, std::size_t shown) {
  render::fade_ends(sound);
  std::ranges::copy(render::clipping_notices(sound, output), std::back_inserter(sound.notices));
  const auto files = render::write_output(scene, sound, output, progress);
  console.notices(std::span(sound.notices).subspan(std::min(shown, sound.notices.size())));
  if (!console.json) {
    for (const auto& file : files) console.line(file.string());
    return;
  }
  nlohmann::ordered_json result = render::manifest(scene, sound, output);
  result["folder"] = output.folder.string();
  result["render_s"] = watch.seconds();
  result["x_real_time"] = scene.duration / watch.seconds();
  result.update(also);
  console.document(result);
}

}  // namespace peal::apps

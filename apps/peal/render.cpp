#include <peal/render/output.h>
#include <peal/scene/read_scene.h>
#include <peal/util/parallel.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

#include "verbs.h"

namespace peal::apps {

namespace {

struct RenderArguments {
  std::string scene;
  render::OutputSettings output;
  bool no_picture = false;
  int threads = 0;
};

void report(const Console& console, const scene::Scene& scene, const render::Sound& sound,
            const RenderArguments& arguments, const std::vector<std::filesystem::path>& files,
            double seconds) {
  const double speed = scene.duration / seconds;
  if (console.json) {
    nlohmann::ordered_json result = render::manifest(scene, sound, arguments.output);
    result["folder"] = arguments.output.folder.string();
    result["render_s"] = seconds;
    result["x_real_time"] = speed;
    console.document(result);
    return;
  }
  for (const auto& file : files) console.line(file.string());
}

void run(const Console& console, RenderArguments arguments) {
  const util::ThreadLimit limit(arguments.threads);
  arguments.output.picture = !arguments.no_picture;
  const Stopwatch watch;
  const scene::Scene scene = scene::read_scene(arguments.scene);
  render::check_folder(arguments.output.folder);
  const auto progress = console.progress();
  render::Sound sound = render::render(scene, *progress, arguments.output.folder / "cache");
  std::ranges::copy(render::clipping_notices(sound, arguments.output),
                    std::back_inserter(sound.notices));
  for (const std::string& notice : sound.notices) console.notice(notice);
  const auto files = render::write_output(scene, sound, arguments.output);
  report(console, scene, sound, arguments, files, watch.seconds());
}

}  // namespace

void add_render(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "render",
      "Compute the sound of a scene.\n"
      "\n"
      "Writes audio.wav (32-bit float, 1.0 = 1 Pa), spectrogram.png and manifest.json (what was\n"
      "decided, how loud it is and why) into a folder, and prints their paths.");
  auto arguments = std::make_shared<RenderArguments>();
  verb->add_option("SCENE", arguments->scene, "Scene file: .json, .gltf or .glb")->required();
  verb->add_option("-o,--output", arguments->output.folder, "Folder for the results")
      ->default_val("out");
  verb->add_flag("--normalize,--normalise", arguments->output.normalise,
                 "Scale each file to a peak of -1 dB; the manifest says by how much");
  verb->add_flag("--no-picture", arguments->no_picture, "Do not draw the spectrogram");
  verb->add_option("--threads", arguments->threads, "Threads to use; 0 means all cores")
      ->default_val(0)
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--json", console.json, "Print the result as JSON, progress as JSON lines");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

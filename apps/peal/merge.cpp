#include <peal/farm/shared_render.h>
#include <peal/farm/status.h>
#include <peal/util/error.h>
#include <peal/util/folder_lock.h>
#include <peal/util/parallel.h>
#include <peal/wave/driver/wave_device.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "number_between.h"
#include "render_to_folder.h"
#include "scene_arguments.h"
#include "verbs.h"

namespace peal::apps {

namespace {

struct MergeArguments {
  FolderArguments folder;
  std::string scene;
  std::optional<double> motion_rate, view_rate;
  bool wait = false;
};

/// Waits until all results are there.
void wait_for_results(const farm::SharedFolder& folder, const Console& console) {
  using namespace std::chrono_literals;
  bool is_reported = false;
  for (auto pause = 100ms;; pause = std::min<std::chrono::milliseconds>(2 * pause, 10s)) {
    std::error_code error;
    if (std::filesystem::exists(folder.plan(), error)) {
      const farm::Status status = farm::status_of(folder);
      if (status.done == status.units) return;
    }
    if (!std::exchange(is_reported, true)) console.notice("waiting for the chunks");
    std::this_thread::sleep_for(pause);
  }
}

void run_merge(const Console& console, const MergeArguments& arguments) {
  const util::ThreadLimit limit(arguments.folder.threads);
  const wave::DeviceScope device(arguments.folder.device);
  const Stopwatch watch;
  const farm::SharedFolder folder(arguments.folder.output.folder);
  if (arguments.wait) wait_for_results(folder, console);
  const std::optional<farm::Plan> plan = folder.find_plan();
  if (!plan) {
    throw util::InputError(
        {folder.plan().string(), ""}, "no such file: nothing was prepared",
        "`peal render SCENE --chunk i/N -o DIR` prepares and computes a render.");
  }
  const SceneArguments scene_arguments{
      .file = arguments.scene.empty() ? plan->scene.string() : arguments.scene,
      .settings = plan->identity.settings};
  const scene::Scene scene = read_scene(scene_arguments);
  folder.become_cache();
  const auto progress = console.progress();
  const util::FolderLock lock(folder.root());
  farm::SharedRender render(
      scene, farm::identity_of(scene_arguments.file, scene_arguments.settings), folder, *progress,
      {.motion_rate = arguments.motion_rate,
       .view_rate = arguments.view_rate,
       .tell = [&](const std::string& sentence) { console.notice(sentence); }});
  render::Sound sound = render.merge(*progress);
  render::OutputSettings output = arguments.folder.output;
  output.picture = !arguments.folder.no_picture;
  write_sound(console, scene, sound, output, *progress, watch, nlohmann::ordered_json::object(), 0);
}

}  // namespace

void add_merge(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand("merge",
                                      "Add up the chunks of a shared render and write its sound.\n"
                                      "\n"
                                      "The files are byte for byte those that `peal render` writes "
                                      "on one machine. What is missing\n"
                                      "or damaged is named.");
  auto arguments = std::make_shared<MergeArguments>();
  FolderArguments& folder = arguments->folder;
  verb->add_option("DIR", folder.output.folder, "Folder that the machines share")->required();
  verb->add_option("--scene", arguments->scene,
                   "Scene file, if it has another path here than where it was prepared");
  verb->add_flag("--wait", arguments->wait, "Wait until all chunks are done");
  verb->add_option("--motion-rate", arguments->motion_rate, "As for `peal render`")
      ->check(number_between(0.1, 1e4))
      ->type_name("HZ");
  verb->add_option("--view-rate", arguments->view_rate, "As for `peal render`")
      ->check(number_between(0.1, 1e5))
      ->type_name("HZ");
  add_output_options(*verb, folder, console);
  verb->callback([&console, arguments] { run_merge(console, *arguments); });
}

}  // namespace peal::apps

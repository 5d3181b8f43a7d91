#include <peal/explore/explorer_server.h>
#include <peal/explore/export_page.h>
#include <peal/explore/head_data.h>
#include <peal/render/output.h>
#include <peal/scene/load_mesh.h>
#include <peal/scene/read_scene.h>
#include <peal/scene/read_sofa.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/util/program.h>

#include <CLI/CLI.hpp>
#include <signal.h>
#include <spawn.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "body.h"
#include "number_between.h"
#include "verbs.h"

extern char** environ;

namespace peal::apps {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ExploreArguments {
  std::vector<std::string> files;
  std::string material;
  std::optional<double> scale;
  int port = 0, threads = 0;
  bool open = false, precompute = false;
  std::string hrtf;  ///< a SOFA file; empty: the default
  fs::path folder;
};

std::atomic<bool> is_over = false;

/// Where this program is, to start it again.
fs::path own_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw util::NumericsError("/proc/self/exe cannot be read");
  return program;
}

/// The room of the 1998 paper, in the tree that this program was built in or installed from.
fs::path room() {
  for (fs::path folder = own_program().parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const fs::path scene = folder / "scenes/1998-shapes/room/scene.json";
    if (fs::exists(scene)) return scene;
  }
  throw util::InputError({"", ""}, "scenes/1998-shapes/room was not found beside this program",
                         "Name a scene, a mesh or a .modes file.");
}

bool is_scene_file(const fs::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".json" || ((kind == ".gltf" || kind == ".glb") && scene::is_gltf_scene(file));
}

scene::Scene one_body(const ExploreArguments& arguments, const std::string& file) {
  BodyArguments body{.file = file, .material = arguments.material, .scale = arguments.scale};
  Json sound = modal_sound(body, 0.0);
  if (fs::path(file).extension() != ".modes") sound.push_back("acceleration_noise");
  return body_scene(body, {{"sound", sound}});
}

/// Scenes keep the places of their objects; further bodies stand beside each other.
explore::Session session_of(const ExploreArguments& arguments, util::Progress& progress) {
  explore::Session all;
  double right = 0.0;
  for (const std::string& file : arguments.files) {
    const bool whole = is_scene_file(file);
    const scene::Scene scene = whole ? scene::read_scene(file) : one_body(arguments, file);
    constexpr double endless = std::numeric_limits<double>::infinity();
    explore::Session one = arguments.precompute ? explore::make_session(scene, progress, endless)
                                                : explore::make_session(scene, progress);
    if (all.title.empty()) all.title = whole ? one.title : scene.objects.front().name;
    if (whole && !all.listener) {
      all.listener = one.listener;
      all.head = one.head;
    }
    if (all.bodies.empty()) all.medium = one.medium;
    for (auto& body : one.bodies) {
      const geometry::Box box = geometry::bounds(*body->mesh);
      auto placed = std::make_shared<explore::ExploredBody>(*body);
      if (!whole) {
        placed->file = file;
        placed->scale = arguments.scale.value_or(1.0);
        const double gap = 0.2 * box.sizes().x();
        if (!all.bodies.empty()) placed->pose.position.x() += right + gap - box.min().x();
        right = placed->pose.position.x() + box.max().x();
      }
      all.bodies.push_back(std::move(placed));
    }
    all.notices.insert(all.notices.end(), one.notices.begin(), one.notices.end());
  }
  const bool sounds =
      std::ranges::any_of(all.bodies, [](const auto& one) { return one->sounds(); });
  if (!sounds) {
    throw util::InputError({arguments.files.front(), ""}, "no object in it can be struck",
                           "Give an object \"sound\": [\"modal\"] and a material.");
  }
  return all;
}

void open_browser(const Console& console, const std::string& address) {
  const auto program = util::find_program("xdg-open");
  if (!program) return console.notice("xdg-open is not installed; open the address in a browser");
  std::string name = program->string(), argument = address;
  char* const words[] = {name.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (::posix_spawn(&process, name.c_str(), nullptr, nullptr, words, environ) != 0)
    console.notice("the browser could not be started; open the address in one");
}

void serve(const Console& console, explore::Session session, const ExploreArguments& arguments) {
  explore::ExplorerServer server(std::move(session),
                                 {.port = arguments.port, .program = own_program()});
  struct sigaction action = {};
  action.sa_handler = [](int) { is_over = true; };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  if (console.json)
    console.document({{"address", server.address()}});
  else
    console.line(server.address());
  std::fflush(stdout);
  if (!console.json) console.notice("Ctrl-C ends the explorer");
  if (arguments.open) open_browser(console, server.address());
  server.run(is_over);
}

/// The ears that are asked for, or those of the scene's listener, or the default.
void add_head(const ExploreArguments& arguments, explore::Session& session) {
  std::error_code error;
  const fs::path file = arguments.hrtf.empty() ? scene::default_head() : fs::path(arguments.hrtf);
  if (arguments.hrtf.empty() && (!session.head.empty() || !fs::exists(file, error))) return;
  session.head = explore::head_data(
      std::make_shared<const base::MeasuredHead>(scene::read_sofa(file)), session.medium);
}

void run(const Console& console, ExploreArguments arguments) {
  const util::ThreadLimit limit(arguments.threads);
  if (arguments.files.empty()) arguments.files = {room().string()};
  if (!arguments.folder.empty()) render::check_folder(arguments.folder);
  const auto progress = console.progress();
  explore::Session session = session_of(arguments, *progress);
  add_head(arguments, session);
  for (const std::string& notice : session.notices) console.notice(notice);
  if (arguments.folder.empty()) return serve(console, std::move(session), arguments);
  Json files = Json::array();
  for (const fs::path& file : explore::export_page(session, arguments.folder)) {
    files.push_back(file.string());
    if (!console.json) console.line(file.string());
  }
  if (console.json) console.document({{"files", files}});
}

}  // namespace

void add_explore(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "explore",
      "Strike, scrape and hold bodies in a browser: the Sonic Explorer.\n"
      "\n"
      "Computes the modes of all bodies, then serves a page on this machine only and prints its\n"
      "address. Without arguments: the room of van den Doel & Pai 1998.");
  auto arguments = std::make_shared<ExploreArguments>();
  verb->add_option("FILES", arguments->files,
                   "Scenes, meshes (with --material) or .modes files (default: the room)")
      ->type_name("SCENE|MESH|MODES");
  verb->add_option("--material", arguments->material,
                   "Material of meshes: a name, such as steel, or JSON as in a scene");
  verb->add_option("--scale", arguments->scale,
                   "Metres per unit of meshes: 0.001 for mm; 1 accepts an unusual size")
      ->check(finite_number());
  CLI::Option* folder = verb->add_option("--export", arguments->folder,
                                         "Write the page into a folder for any web server, and as "
                                         "one HTML file, instead of serving it");
  verb->add_option("--port", arguments->port, "Port (default: any free one)")
      ->check(CLI::Range(1, 65535))
      ->excludes(folder);
  verb->add_flag("--open", arguments->open, "Open the page in the usual browser")->excludes(folder);
  verb->add_option("--hrtf", arguments->hrtf, "SOFA file with the ears to hear by (default: KEMAR)")
      ->type_name("SOFA");
  verb->add_flag("--precompute", arguments->precompute,
                 "Compute the radiation of all bodies in every direction, however long it takes");
  verb->add_option("--threads", arguments->threads, "Threads for modal analyses; 0: all cores")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

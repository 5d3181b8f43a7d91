#include <peal/farm/engines.h>
#include <peal/farm/mode_units.h>
#include <peal/farm/shared_render.h>
#include <peal/farm/status.h>
#include <peal/render/cost.h>
#include <peal/render/in_file.h>
#include <peal/render/output.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/util/program.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "number_between.h"
#include "scene_arguments.h"
#include "verbs.h"

namespace peal::apps {

namespace {

namespace fs = std::filesystem;

struct SubmitArguments {
  SceneArguments scene;
  fs::path folder;
  std::string engine = "local";
  std::size_t jobs = 0;  ///< 0: by the estimate
  int threads = 0;       ///< of a chunk; 0: by the engine
  bool run = false, normalise = false, no_picture = false, no_estimate = false;
  std::string program, image = "peal", claim = "peal", show = "testing", shot = "sound";
  fs::path mount;
  std::vector<std::string> slurm_options;
};

/// What a whole render takes, as far as that is known.
struct Estimate {
  double core_seconds = 3600.0;  ///< of the chunks together
  double prepare_seconds = 0.0;  ///< of the preparation
  double unit_memory = 1e9;      ///< [byte]
  double sound_memory = 0.0;     ///< of the whole sound [byte]
  std::size_t units = 1000;      ///< most parts that have something to do
  std::size_t modes = 0;         ///< bodies whose modes must be found
  bool is_known = false;
};

constexpr double base_memory = 1e9;     ///< of the program, meshes and modes [byte]
constexpr double part_seconds = 600.0;  ///< work of a part by default
constexpr double time_margin = 3.0;     ///< other machines may be slower
constexpr double least_limit = 1800.0;  ///< time limit of any process [s]
constexpr std::size_t most_default_parts = 100;

Estimate estimate(const SubmitArguments& arguments, const Console& console) {
  Estimate result;
  const scene::Scene scene = read_scene(arguments.scene);
  result.modes = farm::mode_units(scene).size();
  if (arguments.no_estimate) return result;
  try {
    const render::Preview preview(scene, simulate::FreeBodies::at_start);
    const auto cost = preview.cost();
    if (cost && cost->radiation) {
      result.is_known = true;
      result.core_seconds = cost->radiation->seconds * util::thread_count();
      result.units = std::max<std::size_t>(1, cost->units);
    }
    if (cost) {
      result.prepare_seconds = cost->simulation;
      result.unit_memory = std::max(cost->unit_memory, 1e8);
      result.sound_memory = cost->memory_bytes;
    }
  } catch (const std::exception&) {
    render::rethrow_in_file(scene.file);
  }
  if (!result.is_known) {
    console.notice(
        "how its bodies move is not known before they are simulated, so time and memory are "
        "guessed; --jobs sets the number of chunks");
  }
  return result;
}

std::size_t parts_of(const SubmitArguments& arguments, const Estimate& estimate) {
  if (arguments.jobs > 0) return arguments.jobs;
  const std::size_t wanted =
      arguments.engine == "local"
          ? static_cast<std::size_t>(util::thread_count())
          : static_cast<std::size_t>(std::ceil(estimate.core_seconds / part_seconds));
  return std::clamp<std::size_t>(wanted, 1, std::min(most_default_parts, estimate.units));
}

/// The deepest folder that holds both.
fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path common;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
    common /= *i;
  return common;
}

farm::Job make_job(const SubmitArguments& arguments, const Estimate& estimate) {
  farm::Job job{.name = farm::job_name(arguments.scene.file),
                .program = arguments.program.empty() ? fs::read_symlink("/proc/self/exe")
                                                     : fs::path(arguments.program),
                .scene = fs::absolute(arguments.scene.file).lexically_normal(),
                .folder = fs::absolute(arguments.folder).lexically_normal(),
                .settings = arguments.scene.settings,
                .parts = parts_of(arguments, estimate),
                .image = arguments.image,
                .claim = arguments.claim,
                .mount = arguments.mount,
                .show = arguments.show,
                .shot = arguments.shot,
                .slurm_options = arguments.slurm_options};
  // One process alone prepares as well.
  job.mode_tasks = std::min(job.parts, estimate.modes);
  if (job.mode_tasks < 2) job.mode_tasks = 0;
  const char* const user = std::getenv("USER");
  job.user = user != nullptr ? user : "peal";
  if (arguments.normalise) job.output.emplace_back("--normalize");
  if (arguments.no_picture) job.output.emplace_back("--no-picture");
  if (job.mount.empty()) job.mount = common_folder(job.scene.parent_path(), job.folder);
  const auto cores = static_cast<std::size_t>(util::thread_count());
  const int threads = arguments.threads > 0 ? arguments.threads
                      : arguments.engine == "local"
                          ? static_cast<int>(std::max<std::size_t>(1, cores / job.parts))
                          : 1;
  // A chunk runs as many units at a time as it has threads.
  job.chunk = {.threads = threads,
               .memory = base_memory + 1.5 * threads * estimate.unit_memory,
               .seconds = least_limit + time_margin * estimate.core_seconds /
                                            static_cast<double>(job.parts) / threads};
  job.prepare = {.threads = std::max(threads, 2),
                 .memory = 4.0 * base_memory,
                 .seconds = 2.0 * least_limit + time_margin * estimate.prepare_seconds};
  // What receivers get, what listeners make of it, and a copy as it is written.
  job.merge = {.threads = std::max(threads, 2),
               .memory = 2.0 * base_memory + 6.0 * estimate.sound_memory,
               .seconds = 2.0 * least_limit};
  return job;
}

/// Runs the command that submits, and shows how far a local render is while it runs.
void run_job(const farm::Engine& engine, const farm::SharedFolder& folder, bool is_local,
             util::Progress& progress) {
  std::vector<std::string> words = engine.submit(folder.jobs());
  const auto program = words.front().front() == '/' ? std::optional(fs::path(words.front()))
                                                    : util::find_program(words.front());
  if (!program) {
    throw util::InputError(
        {"", "--run"},
        fmt::format("the program \"{}\" of {} was not found", words.front(), engine.name),
        "Submit the files yourself where it is installed: " + farm::shell_line(words));
  }
  words.erase(words.begin());
  std::atomic<bool> has_ended = false;
  util::ProgramEnd end;
  std::thread runner([&] {
    end = util::run_program(*program, words);
    has_ended = true;
  });
  if (is_local) progress.begin("render", 0.0);
  for (int tick = 0; !has_ended; ++tick) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::error_code error;
    if (!is_local || tick % 20 != 0 || !fs::exists(folder.plan(), error)) continue;
    const farm::Status status = farm::status_of(folder);
    if (status.work > 0.0) progress.update(status.work_done / status.work);
  }
  runner.join();
  if (is_local) progress.end();
  if (end.fine) return;
  throw util::InputError({folder.jobs().string(), ""},
                         fmt::format("{} has failed: {}", engine.name, end.message),
                         is_local ? "`peal status` shows which chunks failed; the same command "
                                    "goes on from there."
                                  : "");
}

void run_submit(const Console& console, const SubmitArguments& arguments) {
  const auto engine = std::ranges::find(farm::engines(), arguments.engine, &farm::Engine::name);
  const farm::SharedFolder folder(arguments.folder);
  render::check_folder(folder.root());
  const bool is_local = engine->name == "local";
  const Estimate cost = estimate(arguments, console);
  if (const auto plan = folder.find_plan()) {
    farm::check_identity(*plan, farm::identity_of(arguments.scene.file, arguments.scene.settings),
                         folder.plan());
  }
  const farm::Job job = make_job(arguments, cost);
  const auto files = farm::write_job(*engine, job, folder.jobs());
  if (arguments.run) {
    const auto progress = console.progress();
    run_job(*engine, folder, is_local, *progress);
  }
  if (console.json) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const fs::path& file : files) names.push_back(file.string());
    return console.document(
        {{"engine", engine->name},
         {"folder", folder.root().string()},
         {"chunks", job.parts},
         {"threads", job.chunk.threads},
         {"memory_bytes", job.chunk.memory},
         {"time_limit_s", job.chunk.seconds},
         {"expected_core_s", cost.is_known ? nlohmann::ordered_json(cost.core_seconds)
                                           : nlohmann::ordered_json(nullptr)},
         {"submitted", arguments.run},
         {"files", names}});
  }
  for (const fs::path& file : files) console.line(file.string());
  if (!arguments.run) console.line("submit: " + farm::shell_line(engine->submit(folder.jobs())));
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const farm::Engine& engine : farm::engines()) names.push_back(engine.name);
  return names;
}

}  // namespace

void add_submit(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "submit",
      "Write the jobs of a render for a render farm, and submit them with --run.\n"
      "\n"
      "Some find modes, one prepares, N compute the chunks, one merges them. All see the same "
      "folder. `local`\n"
      "runs the processes on this machine. See docs/farm.md.");
  auto arguments = std::make_shared<SubmitArguments>();
  add_scene_options(*verb, arguments->scene);
  verb->add_option("-o,--output", arguments->folder, "Folder that the machines share")
      ->default_val("out");
  verb->add_option("--engine", arguments->engine, "Render manager")
      ->check(CLI::IsMember(engine_names()))
      ->default_val("local");
  verb->add_option("--jobs", arguments->jobs,
                   "Number of chunks; by default one for every ten minutes of work, on `local` one "
                   "for every core")
      ->check(CLI::Range(1, 100'000));
  verb->add_option("--threads", arguments->threads,
                   "Threads of a chunk; by default 1, on `local` the cores are shared")
      ->check(CLI::Range(1, 1024));
  verb->add_flag("--run", arguments->run, "Submit the jobs; on `local`, wait for the sound");
  verb->add_flag("--normalize,--normalise", arguments->normalise, "As for `peal render`");
  verb->add_flag("--no-picture", arguments->no_picture, "Do not draw the spectrogram");
  verb->add_flag("--no-estimate", arguments->no_estimate,
                 "Skip the estimate of time and memory, which moves the scene");
  verb->add_option("--program", arguments->program,
                   "Path of peal on the machines, if not that of this one");
  verb->add_option("--slurm-option", arguments->slurm_options,
                   "Further option for all Slurm jobs, such as --slurm-option=--partition=render");
  verb->add_option("--image", arguments->image, "Kubernetes: image of the containers")
      ->capture_default_str();
  verb->add_option("--claim", arguments->claim,
                   "Kubernetes: persistent volume claim that holds scene and folder")
      ->capture_default_str();
  verb->add_option("--mount", arguments->mount,
                   "Kubernetes: path of that volume in the containers; by default the folder that "
                   "holds both");
  verb->add_option("--show", arguments->show, "OpenCue: show")->capture_default_str();
  verb->add_option("--shot", arguments->shot, "OpenCue: shot")->capture_default_str();
  verb->add_flag("--json", console.json, "Print the result as JSON, progress as JSON lines");
  verb->callback([&console, arguments] { run_submit(console, *arguments); });
}

}  // namespace peal::apps

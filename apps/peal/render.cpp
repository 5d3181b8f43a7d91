#include <peal/util/parallel.h>
#include <peal/wave/driver/wave_device.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "number_between.h"
#include "render_chunk.h"
#include "render_to_folder.h"
#include "scene_arguments.h"
#include "verbs.h"

namespace peal::apps {

namespace {

/// Options about pressure slices, as given.
struct SliceArguments {
  const CLI::Option* asked = nullptr;  ///< --slices
  std::string plane;                   ///< "y=0.1", or empty
  double rate = 30.0;
  std::string range;  ///< "0.1:0.2", or empty
};

struct RenderArguments {
  SceneArguments scene;
  FolderArguments folder;
  SliceArguments slices;
  ChunkArguments chunk;
  std::optional<double> motion_rate, view_rate;
  double checkpoint_interval = util::Checkpoint::usual_pause;  ///< [s]
};

std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// AXIS=POSITION
void read_plane(const std::string& text, base::SliceRequest& request) {
  const std::size_t equals = text.find('=');
  const std::size_t axis = std::string("xyz").find(text.substr(0, equals));
  const auto position =
      equals == std::string::npos ? std::nullopt : number_in(text.substr(equals + 1));
  if (equals != 1 || axis == std::string::npos || !position) {
    throw CLI::ValidationError("--slices", "\"" + text +
                                               "\" is not a plane. Write an axis and a position in "
                                               "metres, such as y=0.1.");
  }
  request.axis = static_cast<int>(axis);
  request.position = position;
}

/// T0:T1, either of which may be left out.
void read_range(const std::string& text, base::SliceRequest& request) {
  const std::size_t colon = text.find(':');
  const std::string from = text.substr(0, colon);
  const std::string to = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto begin = from.empty() ? std::optional(request.begin) : number_in(from);
  const auto end = to.empty() ? std::optional(request.end) : number_in(to);
  if (colon == std::string::npos || !begin || !end || *begin < 0.0 || *end < *begin) {
    throw CLI::ValidationError("--slice-range",
                               "\"" + text +
                                   "\" is not a time range. Write its begin and end in "
                                   "seconds, such as 0.1:0.25.");
  }
  request.begin = *begin;
  request.end = *end;
}

std::optional<base::SliceRequest> slice_request(const SliceArguments& arguments) {
  if (arguments.asked->count() == 0) return std::nullopt;
  base::SliceRequest request{.rate = arguments.rate};
  if (!arguments.plane.empty()) read_plane(arguments.plane, request);
  if (!arguments.range.empty()) read_range(arguments.range, request);
  return request;
}

/// Call it before SCENE is added: CLI11 fills in options in the order in which they were added, and
/// `--slices scene.json` gives the scene to --slices, which hands it on.
void add_slice_options(CLI::App& verb, SliceArguments& arguments) {
  const auto take_plane = [&verb, &arguments](const std::string& word) {
    CLI::Option* scene = verb.get_option("SCENE");
    const bool plane = word.empty() || word.find('=') == 1;
    if (!plane && scene->count() == 0) {
      scene->add_result(word);
    } else {
      arguments.plane = word;
    }
  };
  CLI::Option* slices =
      verb.add_option_function<std::string>(
              "--slices", take_plane,
              "Also draw the pressure on a plane, such as y=0.1 (metres; default: z through the "
              "middle): PNG and VTI files in slices/, and slices.mp4 if ffmpeg is installed. For "
              "the radiation model \"wave\"")
          ->expected(0, 1)
          ->type_name("AXIS=POSITION");
  arguments.asked = slices;
  verb.add_option("--slice-rate", arguments.rate,
                  "Slices per second of scene time; above 60 the movie is in slow motion")
      ->default_val(30.0)
      ->check(number_between(1e-3, 1e9))
      ->type_name("HZ")
      ->needs(slices);
  verb.add_option("--slice-range", arguments.range, "Slices from T0 to T1 seconds only")
      ->type_name("T0:T1")
      ->needs(slices);
}

void run(const Console& console, const RenderArguments& arguments) {
  const util::ThreadLimit limit(arguments.folder.threads);
  const wave::DeviceScope device(arguments.folder.device);
  const auto slices = slice_request(arguments.slices);
  const Stopwatch watch;
  if (arguments.chunk.is_asked()) {
    if (slices || arguments.motion_rate || arguments.view_rate) {
      throw CLI::ValidationError("--chunk",
                                 "chunks have no pictures and no motion file. `peal merge` has "
                                 "--motion-rate and --view-rate; --slices needs a whole render.");
    }
    return render_chunk(console, arguments.scene, arguments.chunk, arguments.folder.output.folder,
                        arguments.checkpoint_interval);
  }
  const scene::Scene scene = read_scene(arguments.scene);
  render::check_folder(arguments.folder.output.folder);
  render_to_folder(console, scene, arguments.folder, watch,
                   {.checkpoint_interval = arguments.checkpoint_interval,
                    .strict = arguments.scene.settings.strict,
                    .slices = slices,
                    .motion_rate = arguments.motion_rate,
                    .view_rate = arguments.view_rate});
}

}  // namespace

void add_render(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "render",
      "Compute the sound of a scene.\n"
      "\n"
      "Writes audio.wav (32-bit float, 1.0 = 1 Pa), spectrogram.png and manifest.json (what was\n"
      "decided, how loud it is and why) into a folder, and prints their paths.\n"
      "\n"
      "Several machines that share the folder render one scene: each runs --chunk i/N, and one "
      "runs\n"
      "`peal merge` in the end. `peal submit` writes the jobs for a render farm.");
  auto arguments = std::make_shared<RenderArguments>();
  add_slice_options(*verb, arguments->slices);
  add_chunk_options(*verb, arguments->chunk);
  add_scene_options(*verb, arguments->scene);
  verb->add_option("--motion-rate", arguments->motion_rate,
                   "Also write motion.glb with all meshes and their motion, at this frame rate")
      ->check(number_between(0.1, 1e4))
      ->type_name("HZ");
  verb->add_option("--view-rate", arguments->view_rate,
                   "Also draw the motion: PNG files in view/ at this frame rate, and view.mp4 if "
                   "ffmpeg is installed; above 60 the movie is in slow motion")
      ->check(number_between(0.1, 1e5))
      ->type_name("HZ");
  verb->add_option("--checkpoint-every,--keep-every", arguments->checkpoint_interval,
                   "Interval between checkpoints of deformable bodies; an interrupted render "
                   "resumes from the last one")
      ->check(number_between(0.01, 1e6))
      ->capture_default_str()
      ->type_name("SECONDS");
  add_folder_options(*verb, arguments->folder, console);
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

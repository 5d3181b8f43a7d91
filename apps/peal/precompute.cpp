#include <peal/base/directivity_file.h>
#include <peal/base/plausible_size.h>
#include <peal/render/output.h>
#include <peal/render/precompute.h>
#include <peal/scene/load_mesh.h>
#include <peal/scene/read_scene.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/parallel.h>
#include <peal/wave/driver/wave_device.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "body.h"
#include "device_option.h"
#include "number_between.h"
#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

struct PrecomputeArguments {
  BodyArguments body;
  double max_frequency = 16000.0;
  std::filesystem::path directivity;
  int threads = 0;
  std::string device = "auto";
};

/// A name that is a file's name everywhere.
std::string file_stem(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
  return name;
}

template <class Table>
Json write_directivity(const std::filesystem::path& folder, const std::string& stem,
                       const Table& table) {
  const std::string array = stem + ".npy";
  const base::DirectivityFiles files = base::directivity_files(table, array);
  util::write_file(folder / array, files.npy);
  util::write_file(folder / (stem + ".json"), files.json);
  return {(folder / (stem + ".json")).string(), (folder / array).string()};
}

Json report(const render::PrecomputedBody& body, const std::filesystem::path& folder) {
  Json json{{"name", body.name}};
  if (body.rigid) {
    json["acceleration_noise"] = {
        {"radius_m", body.rigid->radius},           {"max_frequency_hz", body.rigid->max_frequency},
        {"frequencies", body.rigid->frequencies()}, {"highest_order", body.rigid->max_order()},
        {"response_s", body.rigid->duration()},     {"faded_out_at", body.rigid->rest},
        {"bytes", base::stored_bytes(*body.rigid)}};
    if (!folder.empty())
      json["acceleration_noise"]["files"] =
          write_directivity(folder, file_stem(body.name) + "-rigid", *body.rigid);
  }
  if (body.modal) {
    json["modes"] = {{"count", body.modal->modes.size()},
                     {"bytes", base::stored_bytes(*body.modal)}};
    if (!folder.empty())
      json["modes"]["files"] =
          write_directivity(folder, file_stem(body.name) + "-modes", *body.modal);
  }
  return json;
}

void print(const Console& console, const Json& body) {
  const std::string name = body["name"];
  if (body.contains("acceleration_noise")) {
    const Json& table = body["acceleration_noise"];
    console.line(
        fmt::format("{}: acceleration noise up to {:.0f} Hz: {} frequencies, orders up to {}, "
                    "{:.3g} ms, {:.1f} "
                    "kB",
                    name, table["max_frequency_hz"].get<double>(), table["frequencies"].get<int>(),
                    table["highest_order"].get<int>(), 1e3 * table["response_s"].get<double>(),
                    1e-3 * table["bytes"].get<double>()));
  }
  if (body.contains("modes")) {
    console.line(fmt::format("{}: {} modes, {:.1f} kB", name, body["modes"]["count"].get<int>(),
                             1e-3 * body["modes"]["bytes"].get<double>()));
  }
  for (const char* kind : {"acceleration_noise", "modes"}) {
    if (!body.contains(kind) || !body[kind].contains("files")) continue;
    for (const Json& file : body[kind]["files"]) console.line(file.get<std::string>());
  }
}

std::vector<render::PrecomputedBody> tables_of(const Console& console,
                                               const PrecomputeArguments& arguments,
                                               std::vector<std::string>& notices) {
  const auto progress = console.progress();
  const std::filesystem::path file = arguments.body.file;
  if (file.extension() == ".json") {
    scene::Scene scene = scene::read_scene(file);
    if (scene.radiation.model != scene::Radiation::Model::precomputed)
      scene.radiation.table_frequency = arguments.max_frequency;
    return render::precompute(scene, *progress, notices);
  }
  if (!arguments.body.material.empty()) {
    const scene::Scene scene = body_scene(arguments.body);
    notices = scene.notices;
    return {render::precompute(scene.objects.front(), scene.medium, arguments.max_frequency,
                               *progress, notices)};
  }
  if (file.empty()) {
    throw util::InputError(
        {"", "command line"},
        arguments.body.shape.empty() ? "there is no body" : "a shape needs a material",
        arguments.body.shape.empty() ? "Name a mesh or a scene, or give a --shape."
                                     : "For example: --material steel");
  }
  scene::Object object{.name = file.stem().string()};
  geometry::TriMesh mesh = scene::load_mesh(file);
  for (geometry::Vec3& vertex : mesh.vertices) vertex *= arguments.body.scale.value_or(1.0);
  const base::SizeCheck size = base::check_size(mesh, 0.0);
  if (size.is_wrong && !arguments.body.scale) {
    throw util::InputError(
        {file.string(), ""}, size.describe() + ": " + size.question(),
        fmt::format("Give --scale {:g}, or --scale 1 if its size is right.", size.factors.front()));
  }
  object.mesh = std::make_shared<geometry::TriMesh>(std::move(mesh));
  return {render::precompute(object, {}, arguments.max_frequency, *progress, notices)};
}

void run(const Console& console, const PrecomputeArguments& arguments) {
  const util::ThreadLimit limit(arguments.threads);
  const wave::DeviceScope device(arguments.device);
  wave::refuse_named_device("precomputed radiation is computed by the processor only");
  if (!arguments.directivity.empty()) render::check_folder(arguments.directivity);
  std::vector<std::string> notices;
  const auto bodies = tables_of(console, arguments, notices);
  Json all = Json::array();
  for (const render::PrecomputedBody& body : bodies)
    all.push_back(report(body, arguments.directivity));
  for (const std::string& notice : notices) console.notice(notice);
  if (console.json) return console.document({{"bodies", all}});
  for (const Json& body : all) print(console, body);
}

}  // namespace

void add_precompute(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "precompute",
      "Precompute what bodies radiate, for \"radiation\": {\"model\": \"precomputed\"}: the\n"
      "acceleration noise of a mesh, its modes too if it has a --material, or all that is heard\n"
      "in a scene (.json). Tables are stored in the user's cache, where a render finds them.");
  auto arguments = std::make_shared<PrecomputeArguments>();
  add_body_options(*verb, arguments->body);
  verb->add_option("--max-frequency", arguments->max_frequency,
                   "Highest frequency of the tables [Hz]; a scene with the model has its own")
      ->default_val(16000.0)
      ->check(number_between(20.0, 96000.0));
  verb->add_option("--directivity", arguments->directivity,
                   "Folder for the tables in files for other programs: NAME-rigid and NAME-modes, "
                   "each .json and .npy (docs/directivity-format.md)");
  add_device_option(*verb, arguments->device);
  verb->add_option("--threads", arguments->threads, "Use at most this many threads (0: all)")
      ->default_val(0)
      ->check(CLI::Range(0, 4096));
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

#include <peal/base/modes_file.h>
#include <peal/explore/body_data.h>
#include <peal/explore/embedded_files.h>
#include <peal/explore/explorer_server.h>
#include <peal/explore/export_page.h>
#include <peal/geometry/io/write_mesh.h>
#include <peal/scene/read_scene.h>
#include <peal/util/error.h>
#include <peal/util/files.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <random>

namespace peal::explore {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Kinds of files that can be dropped on the page. A .gltf file would name others.
constexpr std::array<std::string_view, 5> dropped_kinds = {".obj", ".ply", ".stl", ".glb",
                                                           ".modes"};

std::string random_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

HttpResponse json_response(const Json& json) {
  return {.type = "application/json",
          .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

HttpResponse refusal(int status, const std::string& reason) {
  return {.status = status, .body = reason + "\n"};
}

std::string parameter(const HttpRequest& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

/// A number of a query; -1 if it is none.
int number(const std::string& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

/// Of a body that is opened, radiation is taken if it is stored: requests are answered within ten
/// seconds.
constexpr double most_radiation_seconds = 0.0;

/// N of "/body-N" and an ending; -1 if it is none.
int body_number(std::string_view path, std::string_view after) {
  constexpr std::string_view before = "/body-";
  if (!path.starts_with(before) || !path.ends_with(after)) return -1;
  path.remove_prefix(before.size());
  path.remove_suffix(std::min(path.size(), after.size()));
  return number(std::string(path));
}

/// Compares in a time that does not depend on where they differ.
bool are_equal(std::string_view a, std::string_view b) {
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differences |= static_cast<unsigned>(a[i] ^ b[i]);
  return differences == 0;
}

/// A material as a scene has it: a name, or JSON.
Json material_of(const std::string& text) {
  if (text.empty() || text.front() != '{') return text;
  const Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

}  // namespace

ExplorerServer::ExplorerServer(Session session, const ServerSettings& settings)
    : token_(random_token()),
      program_(settings.program),
      session_(std::move(session)),
      jobs_(folder_.path()),
      server_(settings.port, [this](HttpRequest& request) { return answer(request); }) {}

std::string ExplorerServer::address() const {
  // What follows # never leaves the browser on its own.
  return fmt::format("http://{}/#{}", server_.host(), token_);
}

void ExplorerServer::run(const std::atomic<bool>& stop) {
  server_.run(stop, 0.25, [this] { jobs_.end_abandoned(); });
}

HttpResponse ExplorerServer::answer(HttpRequest& request) {
  const std::string_view name =
      request.path == "/" ? "index.html" : std::string_view(request.path).substr(1);
  if (const EmbeddedFile* file = embedded_file(name)) {
    if (request.method != "GET") return refusal(405, "this is a file");
    return {.type = std::string(file->type), .constant_body = file->bytes};
  }
  if (!are_equal(parameter(request, "token"), token_))
    return refusal(403, "open the address that `peal explore` printed");
  return answer_private(request);
}

HttpResponse ExplorerServer::answer_private(HttpRequest& request) {
  if (request.method == "POST") {
    if (request.path == "/api/solve") return solve(request);
    if (request.path == "/api/cancel") {
      jobs_.cancel(number(parameter(request, "job")));
      return json_response(Json::object());
    }
    return refusal(404, "unknown request");
  }
  if (request.path == "/api/job") return job(request);
  const std::scoped_lock lock(mutex_);
  if (request.path == "/session.json")
    return {.type = "application/json", .body = session_json(session_, true)};
  if (request.path == std::string("/") + head_name && !session_.head.empty())
    return {.type = "application/octet-stream", .body = session_.head};
  if (request.path == "/explorer.html")
    return {.type = "application/octet-stream", .body = page_in_one_file(session_)};
  const auto body_of = [&](std::string_view ending) -> const ExploredBody* {
    const int body = body_number(request.path, ending);
    if (body < 0 || static_cast<std::size_t>(body) >= session_.bodies.size()) return nullptr;
    return session_.bodies[static_cast<std::size_t>(body)].get();
  };
  if (const ExploredBody* body = body_of(".peal-body"))
    return {.type = "application/octet-stream", .body = body_data(*body)};
  if (const ExploredBody* body = body_of(".modes"); body != nullptr && body->model)
    return {.type = "application/octet-stream", .body = base::modes_bytes(*body->model)};
  return refusal(404, "there is no such file");
}

/// The file whose modes are asked for: an upload, or the mesh of a body that is there already.
/// Empty if neither is.
fs::path ExplorerServer::stored_mesh(HttpRequest& request) {
  const std::scoped_lock lock(mutex_);
  const std::string own_name = fmt::format("mesh-{}", uploads_++);
  if (const int body = number(parameter(request, "body")); body >= 0) {
    if (static_cast<std::size_t>(body) >= session_.bodies.size()) return {};
    const fs::path file = folder_.path() / (own_name + ".ply");
    geometry::write_mesh(file, *session_.bodies[static_cast<std::size_t>(body)]->mesh);
    return file;
  }
  std::string kind = fs::path(parameter(request, "name")).extension().string();
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::find(dropped_kinds, kind) == dropped_kinds.end()) return {};
  const fs::path file = folder_.path() / (own_name + kind);
  util::write_file(file, request.body);
  return file;
}

HttpResponse ExplorerServer::solve(HttpRequest& request) {
  const fs::path file = stored_mesh(request);
  if (file.empty()) return refusal(400, "drop an .obj, .ply, .stl, .glb or .modes file");
  const bool has_modes = file.extension() == ".modes";
  const Json material = material_of(parameter(request, "material"));
  const std::string scale = parameter(request, "scale");
  const std::string name = fs::path(parameter(request, "name")).stem().string();
  Json object{{"name", name.empty() ? "body" : name}, {"mesh", file.filename().string()}};
  object["sound"] = has_modes ? Json{"modal"} : Json{"modal", "acceleration_noise"};
  if (!has_modes) object["material"] = material;
  std::vector<std::string> arguments{"modes", file.string(), "--json"};
  if (!has_modes) {
    arguments.insert(
        arguments.end(),
        {"--material", material.is_string() ? material.get<std::string>() : material.dump()});
  }
  if (!scale.empty()) {
    const Json factor = Json::parse(scale, nullptr, false);
    if (!factor.is_number()) return refusal(400, "the scale is not a number");
    object["scale"] = factor;
    arguments.insert(arguments.end(), {"--scale", factor.dump()});
  }
  // The process leaves the modes in the user's cache, where load() finds them.
  const auto started = jobs_.start(program_, arguments);
  if (!started) return refusal(503, "two modal analyses are running; wait for one or cancel it");
  const std::scoped_lock lock(mutex_);
  pending_.emplace(*started, Pending{.object = object.dump()});
  return json_response({{"job", *started}});
}

HttpResponse ExplorerServer::job(const HttpRequest& request) {
  const int wanted = number(parameter(request, "job"));
  const auto status = jobs_.status(wanted);
  if (!status) return refusal(404, "there is no such job");
  Json json{{"step", status->step}, {"fraction", status->fraction}};
  if (status->state == SolveJobs::State::failed) json["problem"] = status->problem;
  if (status->state != SolveJobs::State::done) return json_response(json);
  std::unique_lock lock(mutex_);
  Pending& pending = pending_.at(wanted);
  if (pending.body < 0 && !pending.loading && pending.problem.empty()) {
    pending.loading = true;
    lock.unlock();
    load(pending);
    lock.lock();
    pending.loading = false;
  }
  if (!pending.problem.empty()) json["problem"] = pending.problem;
  if (pending.body >= 0) json["body"] = body_name(static_cast<std::size_t>(pending.body));
  return json_response(json);
}

/// Makes a body of a finished job.
void ExplorerServer::load(Pending& pending) {
  std::string problem;
  std::shared_ptr<const ExploredBody> body;
  try {
    const Json scene{{"peal", 1},
                     {"duration", 1},
                     {"objects", {Json::parse(pending.object)}},
                     {"listeners", {{{"mono", Json::object()}}}}};
    const scene::Scene read = scene::parse_scene(scene.dump(), "upload", folder_.path());
    util::Silent silent;
    std::vector<std::string> notices;
    auto made =
        explored_body(read.objects.front(), read.medium, silent, most_radiation_seconds, notices);
    if (made && made->sounds())
      body = std::make_shared<const ExploredBody>(std::move(*made));
    else
      problem = "it has no modes below 20 kHz";
  } catch (const util::InputError& error) {
    problem = error.problem() + (error.hint().empty() ? "" : ". " + error.hint());
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const std::scoped_lock lock(mutex_);
  pending.problem = problem;
  if (!body) return;
  pending.body = static_cast<int>(session_.bodies.size());
  session_.bodies.push_back(std::move(body));
}

}  // namespace peal::explore

#include <peal/scene/read_pieces.h>
#include <peal/util/files.h>
#include <peal/util/json_lines.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <set>

namespace peal::scene {

namespace fs = std::filesystem;
using nlohmann::json;
using util::JsonObject;
using util::JsonValue;

namespace {

constexpr std::size_t most_pieces_of_file = 10'000;
constexpr util::NumberRange pose_time = {.min = -1e6, .max = 1e6, .unit = "s"};
constexpr util::NumberRange pose_position = {.min = -1e6, .max = 1e6, .unit = "m"};
constexpr util::NumberRange quaternion_part = {.min = -1e6, .max = 1e6};

void read_pieces_header(const json& document, util::Problems& problems, PiecesFile& file) {
  JsonObject keys(JsonValue(document, "header", problems), "the header of a file of pieces");
  if (const auto version = keys.require("peal_pieces", "\"peal_pieces\": 1")) {
    version->integer(1, 1);
  }
  file.breaks = keys.required_number("breaks_s", pose_time, "\"breaks_s\": 0.31");
  const auto pieces =
      keys.require("pieces", "\"pieces\": [{\"name\": \"cell-1\", \"mesh\": \"cell-1.obj\"}]");
  std::set<std::string> names;
  if (pieces) {
    const auto list = pieces->list(1, "a list of pieces");
    if (list.size() > most_pieces_of_file) {
      pieces->report(fmt::format("{} pieces are too many", list.size()),
                     fmt::format("Give at most {}.", most_pieces_of_file));
    }
    for (const JsonValue& item : list) {
      JsonObject piece(item, "a piece");
      PiecesFile::Piece one;
      if (const auto name = piece.require("name", "\"name\": \"cell-1\""))
        one.name = name->text("the name of a piece");
      if (const auto mesh = piece.require("mesh", "\"mesh\": \"cell-1.obj\""))
        one.mesh = mesh->text("the name of a mesh");
      piece.finish();
      if (!names.insert(one.name).second && !one.name.empty())
        item.report(fmt::format("\"{}\" appears twice", one.name), "Give each its own name.");
      file.pieces.push_back(std::move(one));
    }
  }
  // The reader of contacts checks these.
  for (const char* key : {"step_s", "order"}) keys.find(key);
  keys.finish();
}

/// Adds a keyframe of a body, in the order of the lines.
void read_pose(const JsonValue& value, PiecesFile& file) {
  JsonObject keys(value, "a pose");
  const double time = keys.required_number("time_s", pose_time, "\"time_s\": 0.25 in seconds");
  const auto body = keys.require("body", "\"body\": \"cell-1\"");
  json key = {{"t", time}};
  if (const auto position = keys.require("position_m", "\"position_m\": [0, 1, 0]"))
    key["position"] = position->numbers(3, "a position [x, y, z] in metres", pose_position);
  if (const auto rotation = keys.find("rotation"))
    key["rotation"] = rotation->numbers(4, "a quaternion [x, y, z, w]", quaternion_part);
  keys.finish();
  if (!body) return;
  const std::string name = body->text("the name of a body");
  json& all = file.keyframes.try_emplace(name, json::array()).first->second;
  if (!all.empty() && time <= all.back()["t"].get<double>()) {
    value.report(fmt::format("the pose at {:g} s comes after that at {:g} s", time,
                             all.back()["t"].get<double>()),
                 "Sort the poses of each body by time, each time once.");
    return;
  }
  all.push_back(std::move(key));
}

/// Path of a mesh in the scene's folder, of that in the folder of the file of pieces.
std::string beside(const std::string& file, const std::string& mesh) {
  return (fs::path(file).parent_path() / mesh).lexically_normal().generic_string();
}

/// Why pieces and poses of a file do not fit together, or the scene; empty if they do.
std::string mismatch(const PiecesFile& file, const std::string& whole) {
  std::vector<std::string> known = {whole};
  for (const auto& piece : file.pieces) {
    known.push_back(piece.name);
    if (piece.name == whole)
      return fmt::format("\"{}\" is the name of the object and of a piece", whole);
    if (!file.keyframes.contains(piece.name))
      return fmt::format("there is no pose of \"{}\"", piece.name);
  }
  for (const auto& [body, keys] : file.keyframes) {
    if (std::ranges::find(known, body) == known.end())
      return fmt::format("a pose of \"{}\", which is neither a piece nor \"{}\"", body, whole);
  }
  return "";
}

}  // namespace

PiecesFile parse_pieces(std::string_view bytes, const std::string& name) {
  util::Problems problems(name);
  util::Lines lines(bytes);
  std::string_view line;
  if (!lines.next(line)) {
    throw util::InputError(
        {name, ""}, "the file of pieces is empty",
        "Its first line is {\"peal_pieces\": 1, \"breaks_s\": 0.3, \"pieces\": [...]}.");
  }
  PiecesFile file;
  read_pieces_header(util::parse_json_line(line, lines.number(), name, "header"), problems, file);
  problems.throw_if_any();
  while (lines.next(line)) {
    const std::string location = fmt::format("line {}", lines.number());
    const json document = util::parse_json_line(line, lines.number(), name, location);
    const JsonValue value(document, location, problems);
    if (document.is_object() && document.contains("a") && !document.contains("body"))
      file.has_contacts = true;  // which another reader reads
    else
      read_pose(value, file);
  }
  problems.throw_if_any();
  return file;
}

std::vector<json> with_pieces(const JsonValue& object, const ReadContext& context,
                              fs::path& contacts) {
  json whole = object.json();
  const json given = whole["pieces"];
  whole.erase("pieces");
  const JsonValue value(given, object.path() + ".pieces", object.problems());
  const std::string name = value.text("the name of a file of pieces");
  const fs::path path = existing_file(value, name, context);
  std::string own = "object";
  if (whole.contains("name") && whole["name"].is_string())
    own = whole["name"].get<std::string>();
  else
    value.report("a body with pieces needs a name", "Add \"name\": \"pane\".");
  if (path.empty()) return {whole};
  PiecesFile file;
  try {
    file = parse_pieces(util::read_bytes(path).view(), path.string());
    if (const std::string problem = mismatch(file, own); !problem.empty())
      throw util::InputError({path.string(), ""}, problem,
                             "Name bodies in the poses as in the header and in the scene.");
  } catch (const util::InputError& error) {
    value.report(error);
    return {whole};
  }
  if (file.has_contacts) contacts = path;
  std::vector<json> objects;
  for (const auto& piece : file.pieces) {
    json one = {{"name", piece.name},
                {"mesh", beside(name, piece.mesh)},
                {"exists", {file.breaks, nullptr}},
                {"motion", {{"keyframes", file.keyframes.at(piece.name)}}}};
    for (const char* key : {"material", "contact", "sound", "scale"})
      if (whole.contains(key)) one[key] = whole[key];
    objects.push_back(std::move(one));
  }
  for (const char* key : {"exists", "strikes"}) {
    if (!whole.contains(key)) continue;
    value.report(fmt::format("a body with pieces has no \"{}\"", key),
                 fmt::format("Remove \"{}\".", key));
    whole.erase(key);
  }
  whole["exists"] = {nullptr, file.breaks};
  if (const auto keys = file.keyframes.find(own); keys != file.keyframes.end()) {
    if (whole.contains("motion"))
      value.report("the file has poses of the body, and so has \"motion\"", "Remove \"motion\".");
    whole["motion"] = {{"keyframes", keys->second}};
  }
  objects.insert(objects.begin(), std::move(whole));
  return objects;
}

}  // namespace peal::scene

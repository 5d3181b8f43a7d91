#include <peal/scene/default_sounds.h>
#include <peal/scene/gltf_scene.h>
#include <peal/scene/gltf_source.h>
#include <peal/scene/read_object.h>
#include <peal/scene/read_settings.h>
#include <peal/util/machine_memory.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

namespace peal::scene {

using nlohmann::json;
using util::JsonObject;
using util::JsonValue;

namespace {

/// `extras.peal`, from JSON or from a text that holds JSON; null if there is none.
json peal_extras(const json& extras, const std::string& path, util::Problems& problems) {
  if (!extras.is_object() || !extras.contains("peal")) return nullptr;
  const json& peal = extras.at("peal");
  if (!peal.is_string()) return peal;
  try {
    return util::parse_json(peal.get_ref<const std::string&>(), "");
  } catch (const util::InputError& error) {
    problems.add(path, error);
    return nullptr;
  }
}

std::string node_path(const GltfFile& file, std::size_t i) {
  const std::string& name = file.nodes[i].name;
  return name.empty() ? util::json_path("nodes", i) : fmt::format("nodes[\"{}\"]", name);
}

NodeDefaults node_defaults(const GltfFile& file, std::size_t i, ReadContext& context) {
  const GltfNode& node = file.nodes[i];
  NodeDefaults defaults;
  defaults.name = node.name.empty() ? fmt::format("node-{}", i) : node.name;
  defaults.motion = scene_motion(file, static_cast<int>(i), context);
  if (node.mesh >= 0) {
    // Nodes with one mesh may have their own weights of its morph targets, and their own skin.
    const std::string key = node.weights.empty() && node.skin < 0
                                ? fmt::format("mesh {}", node.mesh)
                                : fmt::format("mesh of node {}", i);
    auto& mesh = context.meshes[key];
    if (!mesh) {
      mesh = std::make_shared<const geometry::TriMesh>(mesh_of(file, static_cast<int>(i)));
    }
    defaults.mesh = mesh;
    defaults.vertex_values = file.vertex_values[static_cast<std::size_t>(node.mesh)];
    defaults.morph_targets = scene_morph(file, static_cast<int>(i), context);
    defaults.mesh_source = fmt::format("mesh of node \"{}\"", defaults.name);
  }
  return defaults;
}

void read_node(const JsonValue& value, const NodeDefaults& defaults, Scene& scene,
               ReadContext& context) {
  if (!value.json().is_object() || !value.json().contains("listener")) {
    scene.objects.push_back(read_object(value, scene.objects.size(), context, &defaults));
    return;
  }
  JsonObject keys(value, "a node's keys");
  if (const auto listener = keys.find("listener")) {
    scene.listeners.push_back(read_listener(*listener, scene.listeners.size(), context, &defaults));
  }
  keys.finish();
}

/// The memory that a motion takes here and in a render [bytes].
double motion_bytes(const MotionPath& path) {
  double bytes = 0.0;
  for (const AnimatedTransform& link : path.chain) {
    bytes += sizeof(link) +
             sizeof(double) * 4.0 *
                 static_cast<double>(link.translation.times.size() + link.rotation.times.size() +
                                     link.scale.times.size());
  }
  constexpr double copies = 3.0;
  return copies * bytes;
}

/// Each object has the animation of all its ancestors.
void check_motion_memory(double needed, const std::string& path) {
  const double there = util::machine_memory();
  if (needed <= util::memory_share * there) return;
  throw util::InputError(
      {"", path},
      fmt::format("the animations of this node and its ancestors, and of the nodes before it, "
                  "need more than the {:.3g} GB of this machine",
                  1e-9 * there),
      "Nest fewer animated nodes, or bake the motion of each object.");
}

/// Reads all nodes that carry keys; says which others are not heard and not in the way.
void read_nodes(const GltfFile& file, Scene& scene, ReadContext& context,
                util::Problems& problems) {
  std::vector<std::string> left_out;
  double bytes = 0.0;
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    const GltfNode& node = file.nodes[i];
    if (!node.in_scene) continue;
    const std::string path = node_path(file, i) + ".extras.peal";
    const json keys = peal_extras(node.extras, path, problems);
    if (keys.is_null()) {
      if (node.mesh >= 0) left_out.push_back(node.name.empty() ? fmt::format("{}", i) : node.name);
      continue;
    }
    try {
      const NodeDefaults defaults = node_defaults(file, i, context);
      bytes += motion_bytes(defaults.motion);
      check_motion_memory(bytes, path);
      read_node(JsonValue(keys, path, problems), defaults, scene, context);
    } catch (const util::InputError& error) {
      problems.add(path, error);
    }
  }
  if (left_out.empty()) return;
  const std::size_t count = left_out.size();
  if (count > 5) left_out.resize(5);
  scene.notices.push_back(
      fmt::format("{} node{} with a mesh but without extras.peal left out: {}{}", count,
                  count == 1 ? "" : "s", fmt::join(left_out, ", "), count > 5 ? ", ..." : ""));
}

/// Frames a second of sampled animations [1/s]: those that the scene gives, or those of the keys.
/// Empty if the keys follow each other like those that people set.
std::optional<double> frame_rate(const GltfFile& file, const json& keys) {
  constexpr double slowest = 10.0, fastest = 240.0;
  const auto fps = keys.find("fps");
  if (fps != keys.end()) {
    return fps->is_number() && fps->get<double>() > 0.0 ? std::optional(fps->get<double>())
                                                        : std::nullopt;
  }
  const double rate = 1.0 / file.key_interval;
  if (!(rate > slowest && rate < fastest)) return std::nullopt;
  // Times are 32-bit floats, so that the interval is good to a millionth of the last of them.
  const double whole = std::round(rate), ntsc = std::round(rate * 1.001) / 1.001;
  for (const double usual : {whole, ntsc}) {
    if (std::abs(rate - usual) < 1e-3 * rate / 3.0) return usual;
  }
  return rate;
}

/// Length of a file's animation on the scene's clock [s], the time of its last frame included: 72
/// frames at 24 frames a second are 3 s.
double animation_length(const GltfFile& file, const json& keys) {
  const std::optional<double> rate = frame_rate(file, keys);
  const double frame = rate ? 1.0 / *rate : 0.0;
  const bool is_shifted = rate && keys.contains("frame_start") && keys["frame_start"].is_number();
  // An animation that begins on frame 1, without frame 0, ends with its last key.
  const bool is_late = !is_shifted && std::abs(file.first_key - frame) < 0.01 * frame;
  const double shift = is_shifted ? keys["frame_start"].get<double>() * frame
                       : is_late  ? frame
                                  : 0.0;
  double length = file.duration + frame - shift;
  if (!std::isfinite(length) || length <= frame) length = file.duration + frame;
  // Keys are 32-bit floats.
  return rate ? std::round(length * *rate * 1000.0) / (*rate * 1000.0) : length;
}

/// The keys of the whole scene; without a duration, the length of the animation.
json scene_keys(const GltfFile& file, util::Problems& problems) {
  json keys = peal_extras(file.scene_extras, "scene.extras.peal", problems);
  if (keys.is_object() && !keys.contains("duration") && file.duration > 0.0)
    keys["duration"] = animation_length(file, keys);
  return keys;
}

}  // namespace

Scene gltf_scene(const GltfFile& file, const std::filesystem::path& base_dir) {
  util::Problems problems(file.name);
  ReadContext context;
  context.base_dir = base_dir;
  Scene scene;
  scene.file = file.name;
  scene.notices = file.notices;

  const json document = scene_keys(file, problems);
  if (document.is_null()) {
    problems.add("", "the glTF scene has no extras.peal",
                 "Give the scene in Blender a custom property \"peal\" with the text "
                 "{\"peal\": 1, \"duration\": 5} and export custom properties.");
    problems.throw_if_any();
  }
  JsonObject keys(JsonValue(document, "scene.extras.peal", problems), "the keys of a scene");
  read_settings(keys, scene, context);
  read_contents(keys, scene, context);
  keys.finish();
  read_nodes(file, scene, context, problems);

  if (scene.objects.empty() && problems.count() == 0) {
    problems.add("", "no node is an object",
                 "Give a node a custom property \"peal\", for example {\"material\": \"steel\"}.");
  }
  if (scene.listeners.empty() && problems.count() == 0) {
    problems.add("", "no node is a listener",
                 "Give a node (a camera, say) a custom property \"peal\": "
                 "{\"listener\": {\"stereo\": {}}}.");
  }
  check_names(scene, problems);
  problems.throw_if_any();
  add_default_sounds(scene, context);
  scene.notices.insert(scene.notices.end(), context.notices.begin(), context.notices.end());
  return scene;
}

}  // namespace peal::scene

#include <peal/scene/gltf_source.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::scene {

namespace {

struct NodeName {
  std::string file;
  std::optional<std::string> node;  ///< after the #
};

NodeName split(const std::string& text) {
  const std::size_t hash = text.find('#');
  if (hash == std::string::npos) return {text, {}};
  return {text.substr(0, hash), text.substr(hash + 1)};
}

int only_mesh_node(const GltfFile& file) {
  int found = -1;
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    if (file.nodes[i].mesh < 0) continue;
    if (found >= 0) {
      throw util::InputError({file.name, ""}, "has several nodes with a mesh",
                             fmt::format("Name one: \"{}#{}\".", file.name, file.nodes[i].name));
    }
    found = static_cast<int>(i);
  }
  if (found < 0) throw util::InputError({file.name, ""}, "has no node with a mesh");
  return found;
}

/// Time of the first key of anything that moves [s], if something does.
struct FirstKey {
  std::optional<double> time;

  template <class T>
  void look(const Track<T>& track) {
    if (!track.is_constant()) time = std::min(time.value_or(track.times[0]), track.times[0]);
  }
  void look(const AnimatedTransform& transform) {
    look(transform.translation);
    look(transform.rotation);
    look(transform.scale);
  }
};

std::optional<double> first_key(const MotionPath& path) {
  FirstKey first;
  for (const AnimatedTransform& transform : path.chain) first.look(transform);
  return first.time;
}

std::optional<double> first_key(const MorphTargets& morph) {
  FirstKey first;
  first.look(morph.weights);
  if (morph.skin) {
    for (const Skin::Link& link : morph.skin->links) first.look(link.transform);
  }
  return first.time;
}

/// Blender writes frame N at N / fps, so an animation that starts on frame 1 starts late.
std::optional<double> frame_rate_of_late_start(double first_key, const ReadContext& context) {
  std::vector<double> rates = {24, 25, 30, 50, 60, 24000.0 / 1001.0, 30000.0 / 1001.0};
  if (context.fps) rates = {*context.fps};
  for (const double rate : rates) {
    if (std::abs(first_key * rate - 1.0) < 1e-4) return rate;
  }
  return {};
}

/// Offset of the file's times [s]: from the scene's frame_start, if it has one. Adds a notice if
/// the animation seems to begin at frame 1 and the scene gives no frame_start.
double clock_shift(const GltfFile& file, std::optional<double> first, ReadContext& context) {
  if (context.frame_start_given && context.fps) return -context.frame_start / *context.fps;
  const auto rate = first ? frame_rate_of_late_start(*first, context) : std::nullopt;
  if (rate && context.late_starts.insert(file.name).second) {
    context.notices.push_back(
        fmt::format("{}: the animation begins at t = {:.4f} s, frame 1 at {:g} frames per second. "
                    "For it to begin at t = 0, set \"fps\": {:g} and \"frame_start\": 1.",
                    file.name, *first, *rate, *rate));
  }
  return 0.0;
}

}  // namespace

bool is_gltf_name(const std::string& name) {
  std::string extension = std::filesystem::path(split(name).file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension == ".gltf" || extension == ".glb";
}

std::optional<GltfSource> find_gltf_source(const util::JsonValue& value, ReadContext& context) {
  const std::string text = value.text("a node of a glTF file, \"scene.glb#phone\"");
  if (text.empty()) return {};
  const NodeName name = split(text);
  if (!is_gltf_name(name.file)) {
    value.report(fmt::format("\"{}\" is not a glTF file", name.file),
                 "Its name must end in .gltf or .glb.");
    return {};
  }
  const std::filesystem::path path = existing_file(value, name.file, context);
  if (path.empty()) return {};
  try {
    std::shared_ptr<const GltfFile>& file = context.gltf_files[path.string()];
    if (!file) {
      file = std::make_shared<const GltfFile>(read_gltf(path));
      for (const std::string& notice : file->notices) {
        context.notices.push_back(name.file + ": " + notice);
      }
    }
    return GltfSource{file, name.node ? find_node(*file, *name.node) : only_mesh_node(*file)};
  } catch (const util::InputError& error) {
    value.report(error);
    return {};
  }
}

MotionPath scene_motion(const GltfFile& file, int node, ReadContext& context) {
  MotionPath path = motion_of(file, node);
  const double shift = clock_shift(file, first_key(path), context);
  return shift == 0.0 ? path : shifted(std::move(path), shift);
}

std::shared_ptr<const MorphTargets> scene_morph(const GltfFile& file, int node,
                                                ReadContext& context) {
  const auto morph = morph_of(file, node);
  if (!morph) return morph;
  const double shift = clock_shift(file, first_key(*morph), context);
  return shift == 0.0 ? morph : std::make_shared<MorphTargets>(shifted(*morph, shift));
}

}  // namespace peal::scene

#include <peal/scene/gltf.h>
#include <peal/scene/gltf_document.h>
#include <peal/scene/gltf_mesh.h>
#include <peal/scene/gltf_nodes.h>
#include <peal/scene/motion_scale.h>
#include <peal/util/files.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>

namespace peal::scene {

namespace {

/// "nodes[3] (\"mug\")"
std::string label(const GltfFile& file, int node) {
  const std::string& name = file.nodes[static_cast<std::size_t>(node)].name;
  return fmt::format("nodes[{}]{}", node, name.empty() ? "" : fmt::format(" (\"{}\")", name));
}

/// Animation files can have thousands of nodes: then only the likely one is reported.
std::string advice(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "None of its nodes has a name.";
  if (known.size() <= 30) return util::suggest(name, known);
  const std::string nearest = util::nearest_word(name, known);
  return nearest.empty() ? fmt::format("It has {} others.", known.size())
                         : fmt::format("Did you mean \"{}\"?", nearest);
}

/// Throws InputError if two animations move the node differently.
void refuse_conflict(const GltfFile& file, int node) {
  const GltfNode& link = file.nodes[static_cast<std::size_t>(node)];
  if (link.conflict.empty()) return;
  throw util::InputError({file.name, label(file, node)}, link.conflict,
                         "Export one animation for each object, on one clock.");
}

template <class T>
void shift(Track<T>& track, double dt) {
  for (double& time : track.times) time += dt;
}

void shift(AnimatedTransform& link, double dt) {
  shift(link.translation, dt);
  shift(link.rotation, dt);
  shift(link.scale, dt);
}

bool is_skinned(const GltfNode& node) {
  return node.mesh >= 0 && node.skin >= 0;
}

/// The joints of the node's skin with all their ancestors, parents first. Throws InputError if two
/// animations contradict each other on one of them.
Skin skin_of(const GltfFile& file, int node) {
  const GltfNode& owner = file.nodes[static_cast<std::size_t>(node)];
  const GltfSkin& source = file.skins[static_cast<std::size_t>(owner.skin)];
  Skin skin;
  skin.weights = file.joint_weights[static_cast<std::size_t>(owner.mesh)];
  std::map<int, int> links;  // node -> link
  for (std::size_t j = 0; j < source.joints.size(); ++j) {
    std::vector<int> path;
    for (int i = source.joints[j]; i >= 0 && !links.contains(i);
         i = file.nodes[static_cast<std::size_t>(i)].parent) {
      refuse_conflict(file, i);
      path.push_back(i);
    }
    for (auto i = path.rbegin(); i != path.rend(); ++i) {
      const GltfNode& link = file.nodes[static_cast<std::size_t>(*i)];
      links[*i] = static_cast<int>(skin.links.size());
      skin.links.push_back({link.parent < 0 ? -1 : links.at(link.parent), link.transform});
    }
    skin.joints.push_back(
        {static_cast<std::size_t>(links.at(source.joints[j])), source.inverse_bind[j]});
  }
  return skin;
}

/// A skinned mesh with its morph targets; fixed ones go into its base.
MorphTargets skinned(const GltfFile& file, int node) {
  constexpr double farthest = 1e9;  // [m]: what is farther away lacks the digits of a surface
  const GltfNode& owner = file.nodes[static_cast<std::size_t>(node)];
  const auto mesh = static_cast<std::size_t>(owner.mesh);
  const GltfMorph& morph = file.morphs[mesh];
  MorphTargets shape{
      .base = file.meshes[mesh].vertices, .displacements = {}, .weights = {}, .skin = {}};
  if (never_changes(owner.weights)) {
    const Weights& weights = owner.weights.empty() ? morph.weights : owner.weights.values.front();
    mix(file.meshes[mesh].vertices, morph.displacements, weights, shape.base);
  } else {
    refuse_conflict(file, node);
    shape.displacements = morph.displacements;
    shape.weights = owner.weights;
  }
  shape.skin = skin_of(file, node);
  double radius = 0.0;
  for (const geometry::Vec3& vertex : shape.base) radius = std::max(radius, vertex.norm());
  if (!(farthest_reach(*shape.skin, radius) < farthest)) {
    throw util::InputError(
        {file.name, label(file, node)},
        fmt::format("its joints may carry the mesh farther than {} m away", farthest),
        "Look for joints or inverse bind matrices with huge scales or translations.");
  }
  return shape;
}

}  // namespace

GltfFile parse_gltf(std::string_view bytes, const std::string& name,
                    const std::filesystem::path& base_dir) {
  gltf::Document document(bytes, name, base_dir);
  GltfFile file;
  file.name = name;
  file.asset_extras = document.root().at("asset").extras();
  gltf::read_meshes(document, file);
  gltf::read_nodes(document, file);
  gltf::read_skins(document, file);
  gltf::read_default_scene(document, file);
  gltf::read_animations(document, file);
  return file;
}

namespace {

/// What is no glTF file may be large: its first bytes, and the length that a container states, are
/// looked at before it is read.
void check_first_bytes(const std::filesystem::path& path) {
  constexpr std::string_view container = "glTF";
  util::InputFile file(path);
  std::array<char, 12> bytes{};
  const std::size_t count = std::min(file.size(), bytes.size());
  file.read(bytes.data(), count);
  const std::string_view first(bytes.data(), count);
  const auto refuse = [&](const std::string& problem) {
    throw util::InputError({path.string(), ""}, problem, "Export it again.");
  };
  if (!first.starts_with(container)) {
    // Text; a byte order mark may come first.
    const std::size_t begin = first.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (count == bytes.size() && begin != std::string_view::npos && first[begin] != '{')
      refuse("is not a glTF file");
    return;
  }
  if (count < bytes.size()) return;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, sizeof length);
  if (length > file.size()) refuse("is not a whole glTF file: it is cut short");
}

}  // namespace

GltfFile read_gltf(const std::filesystem::path& path) {
  check_first_bytes(path);
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  return parse_gltf(util::read_file(path), path.string(), folder);
}

int find_node(const GltfFile& file, std::string_view name) {
  std::vector<std::string> known;
  int found = -1;
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    const std::string& candidate = file.nodes[i].name;
    if (!candidate.empty()) known.push_back(candidate);
    if (candidate != name) continue;
    if (found >= 0) {
      throw util::InputError(
          {file.name, ""},
          fmt::format("two nodes are named \"{}\": nodes[{}] and nodes[{}]", name, found, i),
          "Give every node its own name.");
    }
    found = static_cast<int>(i);
  }
  if (found < 0) {
    throw util::InputError({file.name, ""}, fmt::format("has no node named \"{}\"", name),
                           advice(name, known));
  }
  return found;
}

namespace {

/// A long chain of parents is stored in each of its nodes: links are joined where that is exact, so
/// that thousands of nodes below each other take no more than their number. What turns or scales
/// stays a link of its own.
constexpr std::size_t longest_plain_chain = 32;

using PositionTrack = Track<geometry::Vec3>;
using RotationTrack = Track<Eigen::Vector4d>;

bool has_scale(const AnimatedTransform& link) {
  return !link.scale.is_constant() ||
         (!link.scale.empty() && link.scale.values.front() != geometry::Vec3::Ones());
}

/// Applies `change` to values and `change_tangent` to tangents.
template <class T, class Change, class ChangeTangent>
Track<T> changed(Track<T> track, const Change& change, const ChangeTangent& change_tangent) {
  for (T& value : track.values) value = change(value);
  for (auto* tangents : {&track.in_tangents, &track.out_tangents})
    for (T& tangent : *tangents) tangent = change_tangent(tangent);
  return track;
}

PositionTrack turned(const geometry::Quat& rotation, const PositionTrack& track) {
  const auto turn = [&](const geometry::Vec3& v) -> geometry::Vec3 { return rotation * v; };
  return changed(track, turn, turn);
}

/// A rotation and then a keyed one. Its keys are turned one by one, which is exact: interpolation
/// knows only the angles between them.
RotationTrack turned(const geometry::Quat& rotation, RotationTrack track) {
  if (track.empty()) track = {.times = {0.0}, .values = {geometry::Quat::Identity().coeffs()}};
  const auto turn = [&](const Eigen::Vector4d& q) -> Eigen::Vector4d {
    return (rotation * geometry::Quat(q)).coeffs();
  };
  return changed(std::move(track), turn, turn);
}

bool have_equal_keys(const PositionTrack& a, const PositionTrack& b) {
  return a.interpolation == b.interpolation && a.times == b.times;
}

/// The sum of two tracks of which one is constant, or which have the same keys.
PositionTrack sum(const PositionTrack& a, const PositionTrack& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  if (a.is_constant() || b.is_constant()) {
    const geometry::Vec3 offset = (a.is_constant() ? a : b).values.front();
    const auto shift = [&](const geometry::Vec3& v) -> geometry::Vec3 { return v + offset; };
    return changed(a.is_constant() ? b : a, shift, std::identity());
  }
  PositionTrack both = a;
  const auto add = [](std::vector<geometry::Vec3>& to, const std::vector<geometry::Vec3>& more) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
  };
  add(both.values, b.values);
  add(both.in_tangents, b.in_tangents);
  add(both.out_tangents, b.out_tangents);
  return both;
}

bool can_join(const AnimatedTransform& upper, const AnimatedTransform& lower) {
  const PositionTrack &a = upper.translation, &b = lower.translation;
  return !has_scale(upper) && upper.rotation.is_constant() &&
         (a.is_constant() || b.is_constant() || have_equal_keys(a, b));
}

/// The transform of `upper`, which neither turns nor scales with time, and then `lower`.
AnimatedTransform joined_links(const AnimatedTransform& upper, const AnimatedTransform& lower) {
  using geometry::Quat;
  const Quat turn =
      upper.rotation.empty() ? Quat::Identity() : Quat(upper.rotation.values.front()).normalized();
  return {.translation = sum(upper.translation, turned(turn, lower.translation)),
          .rotation = turned(turn, lower.rotation),
          .scale = lower.scale};
}

void join_links(std::vector<AnimatedTransform>& chain) {
  if (chain.size() <= longest_plain_chain) return;
  std::vector<AnimatedTransform> shorter;
  for (AnimatedTransform& link : chain) {
    if (!shorter.empty() && can_join(shorter.back(), link)) {
      shorter.back() = joined_links(shorter.back(), link);
    } else {
      shorter.push_back(std::move(link));
    }
  }
  chain = std::move(shorter);
}

}  // namespace

MotionPath motion_of(const GltfFile& file, int node) {
  if (is_skinned(file.nodes[static_cast<std::size_t>(node)])) return {};
  MotionPath path;
  for (int i = node; i >= 0; i = file.nodes[static_cast<std::size_t>(i)].parent) {
    refuse_conflict(file, i);
    path.chain.push_back(file.nodes[static_cast<std::size_t>(i)].transform);
  }
  std::reverse(path.chain.begin(), path.chain.end());
  join_links(path.chain);
  return path;
}

geometry::TriMesh mesh_of(const GltfFile& file, int node) {
  const GltfNode& owner = file.nodes[static_cast<std::size_t>(node)];
  const int mesh = owner.mesh;
  if (mesh < 0) throw util::InputError({file.name, label(file, node)}, "has no mesh");
  const geometry::TriMesh& found = file.meshes[static_cast<std::size_t>(mesh)];
  if (found.empty()) {
    throw util::InputError({file.name, label(file, node)}, "its mesh has no triangles");
  }
  const GltfMorph& morph = file.morphs[static_cast<std::size_t>(mesh)];
  geometry::TriMesh shape = found;
  if (is_skinned(owner)) {
    const MorphTargets start = skinned(file, node);
    const Weights none = Weights::Zero(static_cast<Eigen::Index>(start.displacements.size()));
    mix(start.base, start.displacements,
        start.weights.empty() ? none : start.weights.values.front(), shape.vertices);
    follow_joints(start.skin->weights, joint_matrices(*start.skin, first_links(*start.skin)),
                  shape.vertices);
    return shape;
  }
  const Weights& weights = owner.weights.empty() ? morph.weights : owner.weights.values.front();
  mix(found.vertices, morph.displacements, weights, shape.vertices);
  return shape;
}

std::shared_ptr<const MorphTargets> morph_of(const GltfFile& file, int node) {
  const GltfNode& owner = file.nodes[static_cast<std::size_t>(node)];
  if (owner.mesh < 0) return nullptr;
  if (is_skinned(owner)) {
    const auto shape = std::make_shared<MorphTargets>(skinned(file, node));
    return shape->weights.empty() && never_changes(*shape->skin) ? nullptr : shape;
  }
  if (never_changes(owner.weights)) return nullptr;
  refuse_conflict(file, node);
  const auto mesh = static_cast<std::size_t>(owner.mesh);
  return std::make_shared<MorphTargets>(
      MorphTargets{file.meshes[mesh].vertices, file.morphs[mesh].displacements, owner.weights, {}});
}

MorphTargets shifted(MorphTargets morph, double dt) {
  shift(morph.weights, dt);
  if (morph.skin) {
    for (Skin::Link& link : morph.skin->links) shift(link.transform, dt);
  }
  return morph;
}

MotionPath shifted(MotionPath path, double dt) {
  for (AnimatedTransform& link : path.chain) shift(link, dt);
  return path;
}

double last_key(const MotionPath& path) {
  double last = 0.0;
  const auto look = [&last](const auto& track) {
    if (!track.is_constant()) last = std::max(last, track.times.back());
  };
  for (const AnimatedTransform& link : path.chain) {
    look(link.translation);
    look(link.rotation);
    look(link.scale);
  }
  return last;
}

}  // namespace peal::scene

#include "inspect_nodes.h"

#include <peal/scene/gltf.h>
#include <peal/scene/gltf_source.h>
#include <peal/util/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

/// Whether the node or one above it is keyed.
bool node_moves(const scene::GltfFile& file, int node) try {
  return std::ranges::any_of(scene::motion_of(file, node).chain,
                             [](const scene::AnimatedTransform& link) {
                               return !link.translation.is_constant() ||
                                      !link.rotation.is_constant() || !link.scale.is_constant();
                             });
} catch (const util::InputError&) {
  return true;  // two animations contradict each other
}

Json describe_node(const scene::GltfFile& file, std::size_t number) {
  const scene::GltfNode& node = file.nodes[number];
  const auto& extras = node.extras;
  Json json{{"name", node.name},
            {"moves", node_moves(file, static_cast<int>(number))},
            {"camera", node.camera},
            {"peal", extras.is_object() && extras.contains("peal")}};
  if (node.mesh >= 0) {
    const geometry::TriMesh& mesh = file.meshes[static_cast<std::size_t>(node.mesh)];
    json["triangles"] = mesh.triangles.size();
    json["materials"] = mesh.groups;
  }
  return json;
}

}  // namespace

Json describe_nodes(const std::filesystem::path& file) {
  Json nodes = Json::array();
  if (!scene::is_gltf_name(file.filename().string())) return nodes;
  const scene::GltfFile gltf = scene::read_gltf(file);
  for (std::size_t i = 0; i < gltf.nodes.size(); ++i) {
    if (gltf.nodes[i].in_scene) nodes.push_back(describe_node(gltf, i));
  }
  return nodes;
}

void print_nodes(const Console& console, const Json& nodes) {
  for (const Json& node : nodes) {
    std::vector<std::string> facts;
    if (node.contains("triangles")) {
      facts.push_back(fmt::format("mesh of {} triangles", node["triangles"].dump()));
      const auto materials = node["materials"].get<std::vector<std::string>>();
      if (!materials.empty())
        facts.push_back(fmt::format("material \"{}\"", fmt::join(materials, "\", \"")));
    }
    if (node["camera"].get<bool>()) facts.emplace_back("camera");
    if (node["moves"].get<bool>()) facts.emplace_back("moves");
    if (!node["peal"].get<bool>() && node.contains("triangles"))
      facts.emplace_back("no extras.peal");
    console.line(fmt::format("node \"{}\"{}{}", node["name"].get<std::string>(),
                             facts.empty() ? "" : ": ", fmt::join(facts, ", ")));
  }
}

}  // namespace peal::apps

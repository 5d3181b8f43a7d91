#include <peal/scene/gltf_accessor.h>
#include <peal/scene/gltf_nodes.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::scene::gltf {

namespace {

std::vector<int> read_joint_nodes(const Value& skin, std::size_t nodes) {
  const Value list = skin.at("joints");
  if (list.array_size() == 0) list.fail("a skin needs at least one joint");
  std::vector<int> joints;
  for (std::size_t i = 0; i < list.array_size(); ++i)
    joints.push_back(list.at(i).index(nodes, "nodes"));
  return joints;
}

/// One matrix for each joint; the identity where the file gives none.
std::vector<geometry::Affine> read_inverse_bind(Document& document, const Value& skin,
                                                std::size_t joints) {
  document.charge(joints * sizeof(geometry::Affine), skin);
  std::vector<geometry::Affine> matrices(joints, geometry::Affine::Identity());
  const auto accessor = skin.find("inverseBindMatrices");
  if (!accessor) return matrices;
  const std::vector<double> numbers = read_numbers(document, *accessor, 16, Integers::refused);
  if (numbers.size() / 16 < joints) {
    accessor->fail(
        fmt::format("has {} matrices, but the skin has {} joints", numbers.size() / 16, joints));
  }
  for (std::size_t i = 0; i < joints; ++i) {
    const Eigen::Map<const Eigen::Matrix4d> matrix(numbers.data() + 16 * i);
    if (!matrix.row(3).isApprox(Eigen::RowVector4d(0, 0, 0, 1), 1e-5)) {
      accessor->fail(fmt::format("the last row of matrix {} is not 0 0 0 1", i),
                     "Export the skin again; the matrices must be affine and stored by columns.");
    }
    matrices[i].matrix().topRows<3>() = matrix.topRows<3>();
  }
  return matrices;
}

/// Every vertex of the node's mesh must follow joints that the skin has.
void check_joints(const Value& node, const GltfFile& file, int mesh, const GltfSkin& skin) {
  const JointWeights& weights = file.joint_weights[static_cast<std::size_t>(mesh)];
  for (std::size_t v = 0; v < weights.vertices(); ++v) {
    const auto joints = weights.of(v);
    if (joints.empty()) {
      const geometry::Vec3& at = file.meshes[static_cast<std::size_t>(mesh)].vertices[v];
      node.fail(fmt::format("the vertex of meshes[{}] at ({}, {}, {}) follows no joint: it has no "
                            "JOINTS_0 and WEIGHTS_0, or its weights are all 0",
                            mesh, at.x(), at.y(), at.z()),
                "Give every vertex a weight (in Blender: Weights > Normalize All), or remove the "
                "skin.");
    }
    for (const JointWeight& joint : joints) {
      if (joint.joint < skin.joints.size()) continue;
      node.fail(fmt::format("meshes[{}] names joint {}, but the skin has {}, counted from 0", mesh,
                            joint.joint, skin.joints.size()),
                "Export the mesh together with its own armature.");
    }
  }
}

}  // namespace

void read_skins(Document& document, GltfFile& file) {
  for (std::size_t i = 0; i < document.count("skins"); ++i) {
    const Value value = document.item("skins", i);
    GltfSkin skin{read_joint_nodes(value, file.nodes.size()), {}};
    skin.inverse_bind = read_inverse_bind(document, value, skin.joints.size());
    if (const auto root = value.find("skeleton")) root->index(file.nodes.size(), "nodes");
    file.skins.push_back(std::move(skin));
  }
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    const auto [mesh, skin] = std::pair(file.nodes[i].mesh, file.nodes[i].skin);
    if (mesh < 0 || skin < 0) continue;
    check_joints(document.item("nodes", i).at("skin"), file, mesh,
                 file.skins[static_cast<std::size_t>(skin)]);
  }
}

}  // namespace peal::scene::gltf

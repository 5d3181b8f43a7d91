#include <peal/scene/gltf_mesh.h>
#include <peal/scene/gltf_nodes.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <array>
#include <cmath>

namespace peal::scene::gltf {

namespace {

using geometry::Vec3;

template <std::size_t N>
std::array<double, N> numbers(const Value& value) {
  if (value.array_size() != N) {
    value.fail(fmt::format("has {} numbers, but must have {}", value.array_size(), N));
  }
  std::array<double, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = value.at(i).number();
  return result;
}

template <class T>
Track<T> constant(const T& value) {
  Track<T> track;
  track.times = {0.0};
  track.values = {value};
  return track;
}

/// Takes translate * rotate * scale apart. A mirror goes into the scale of x.
AnimatedTransform decomposed(const Value& value) {
  const auto entries = numbers<16>(value);
  const Eigen::Matrix4d matrix = Eigen::Map<const Eigen::Matrix4d>(entries.data());
  Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
  Vec3 scale = linear.colwise().norm();
  if (!(scale.minCoeff() > 1e-12 * scale.maxCoeff()) || !std::isfinite(scale.sum())) {
    value.fail("flattens the node: its first three columns must be axes of some length");
  }
  if (linear.determinant() < 0.0) scale.x() = -scale.x();
  linear = linear * scale.cwiseInverse().asDiagonal();
  if (!(linear.transpose() * linear).isApprox(Eigen::Matrix3d::Identity(), 1e-4)) {
    value.fail("shears: it is not a translation, rotation and scale",
               "Apply the object's transform in the modelling tool before exporting.");
  }
  if (!matrix.row(3).isApprox(Eigen::RowVector4d(0, 0, 0, 1), 1e-6)) {
    value.fail("its last row must be 0 0 0 1");
  }
  AnimatedTransform transform;
  transform.translation = constant<Vec3>(matrix.topRightCorner<3, 1>());
  transform.rotation = constant(geometry::Quat(linear).normalized().coeffs().eval());
  transform.scale = constant(scale);
  return transform;
}

AnimatedTransform fixed_transform(const Value& node) {
  if (const auto matrix = node.find("matrix")) return decomposed(*matrix);
  AnimatedTransform transform;
  if (const auto value = node.find("translation")) {
    const auto [x, y, z] = numbers<3>(*value);
    transform.translation = constant(Vec3(x, y, z));
  }
  if (const auto value = node.find("rotation")) {
    const auto [x, y, z, w] = numbers<4>(*value);
    const Eigen::Vector4d rotation(x, y, z, w);
    const double length = rotation.stableNorm();
    if (!(length > 1e-6) || !std::isfinite(length)) {
      value->fail("must be a quaternion x, y, z, w of length 1");
    }
    transform.rotation = constant<Eigen::Vector4d>(rotation / length);
  }
  if (const auto value = node.find("scale")) {
    const auto [x, y, z] = numbers<3>(*value);
    transform.scale = constant(Vec3(x, y, z));
  }
  return transform;
}

void read_children(const Document& document, std::size_t i, GltfFile& file) {
  const auto children = document.item("nodes", i).find("children");
  if (!children) return;
  for (std::size_t c = 0; c < children->array_size(); ++c) {
    const int child = children->at(c).index(file.nodes.size(), "nodes");
    GltfNode& node = file.nodes[static_cast<std::size_t>(child)];
    if (node.parent >= 0) {
      children->at(c).fail(
          fmt::format("nodes[{}] has two parents: nodes[{}] and nodes[{}]", child, node.parent, i));
    }
    node.parent = static_cast<int>(i);
    file.nodes[i].children.push_back(child);
  }
}

/// With one parent each, a node is in a cycle if and only if no root reaches it.
void mark_reached(GltfFile& file, std::vector<int> open, std::vector<bool>& reached) {
  while (!open.empty()) {
    const auto i = static_cast<std::size_t>(open.back());
    open.pop_back();
    reached[i] = true;
    const auto& children = file.nodes[i].children;
    open.insert(open.end(), children.begin(), children.end());
  }
}

void refuse_cycles(const Document& document, GltfFile& file) {
  std::vector<int> roots;
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    if (file.nodes[i].parent < 0) roots.push_back(static_cast<int>(i));
  }
  std::vector<bool> reached(file.nodes.size(), false);
  mark_reached(file, roots, reached);
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    if (!reached[i]) document.item("nodes", i).fail("is its own ancestor: the nodes form a cycle");
  }
}

}  // namespace

void read_nodes(const Document& document, GltfFile& file) {
  file.nodes.resize(document.count("nodes"));
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    const Value value = document.item("nodes", i);
    GltfNode& node = file.nodes[i];
    if (const auto name = value.find("name")) node.name = name->text();
    if (const auto mesh = value.find("mesh")) node.mesh = mesh->index(file.meshes.size(), "meshes");
    if (const auto weights = value.find("weights"); weights && node.mesh >= 0) {
      const auto& targets = file.morphs[static_cast<std::size_t>(node.mesh)].displacements;
      if (!targets.empty()) node.weights = constant(read_weights(*weights, targets.size()));
    }
    node.camera = value.find("camera").has_value();
    node.transform = fixed_transform(value);
    node.extras = value.extras();
    if (const auto skin = value.find("skin"))
      node.skin = skin->index(document.count("skins"), "skins");
    read_children(document, i, file);
  }
  refuse_cycles(document, file);
}

void read_default_scene(const Document& document, GltfFile& file) {
  std::vector<bool> reached(file.nodes.size(), false);
  const std::size_t scenes = document.count("scenes");
  if (scenes == 0) {
    reached.assign(file.nodes.size(), true);
  } else {
    const auto chosen = document.root().find("scene");
    const Value scene = document.item(
        "scenes", chosen ? static_cast<std::size_t>(chosen->index(scenes, "scenes")) : 0);
    file.scene_extras = scene.extras();
    std::vector<int> roots;
    if (const auto nodes = scene.find("nodes")) {
      for (std::size_t i = 0; i < nodes->array_size(); ++i) {
        const int root = nodes->at(i).index(file.nodes.size(), "nodes");
        if (file.nodes[static_cast<std::size_t>(root)].parent >= 0) {
          nodes->at(i).fail(fmt::format("nodes[{}] is not a root: it has a parent", root));
        }
        if (reached[static_cast<std::size_t>(root)]) nodes->at(i).fail("is named twice");
        reached[static_cast<std::size_t>(root)] = true;
        roots.push_back(root);
      }
    }
    mark_reached(file, std::move(roots), reached);
  }
  for (std::size_t i = 0; i < file.nodes.size(); ++i) file.nodes[i].in_scene = reached[i];
}

}  // namespace peal::scene::gltf

#include <peal/scene/gltf_accessor.h>
#include <peal/scene/gltf_mesh.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace peal::scene::gltf {

namespace {

using geometry::TriMesh;
using geometry::Vec3;

enum Mode { points = 0, lines = 1, line_loop = 2, line_strip = 3, triangles, strip, fan };

using Displacements = std::vector<std::vector<Vec3>>;

/// Vertices by exact position, displacements and joints. Exporters split a vertex where normals or
/// texture coordinates jump; the surface is one all the same. Lips that only meet while a mouth is
/// closed are not.
class Welder {
 public:
  Welder(std::vector<Vec3>& vertices, Displacements& displacements, JointWeights& joints)
      : vertices_(vertices),
        displacements_(displacements),
        joints_(joints),
        slots_(64, empty_slot) {}

  /// `moved`: the vertex's displacement in each morph target; `joints`: those that it follows.
  std::uint32_t vertex(const Vec3& position, std::span<const Vec3> moved,
                       std::span<const JointWeight> joints) {
    if (2 * vertices_.size() >= slots_.size()) grow();
    std::size_t slot = home(position);
    while (slots_[slot] != empty_slot && !is_vertex(slots_[slot], position, moved, joints))
      slot = next(slot);
    if (slots_[slot] == empty_slot) {
      slots_[slot] = static_cast<std::uint32_t>(vertices_.size());
      vertices_.push_back(position);
      for (std::size_t k = 0; k < moved.size(); ++k) displacements_[k].push_back(moved[k]);
      joints_.add(joints);
    }
    return slots_[slot];
  }

 private:
  static constexpr std::uint32_t empty_slot = 0xFFFFFFFF;

  bool is_vertex(std::uint32_t v, const Vec3& position, std::span<const Vec3> moved,
                 std::span<const JointWeight> joints) const {
    if (vertices_[v] != position || !std::ranges::equal(joints_.of(v), joints)) return false;
    for (std::size_t k = 0; k < moved.size(); ++k) {
      if (displacements_[k][v] != moved[k]) return false;
    }
    return true;
  }

  std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  std::size_t home(const Vec3& position) const {
    std::uint64_t hash = 0;
    for (const double x : position) {
      hash ^= std::bit_cast<std::uint64_t>(x + 0.0);  // -0 and 0 are one place
      hash *= 0x9E3779B97F4A7C15;
      hash ^= hash >> 32;
    }
    return hash & (slots_.size() - 1);
  }

  void grow() {
    slots_.assign(2 * slots_.size(), empty_slot);
    for (std::uint32_t v = 0; v < vertices_.size(); ++v) {
      std::size_t slot = home(vertices_[v]);
      while (slots_[slot] != empty_slot) slot = next(slot);
      slots_[slot] = v;
    }
  }

  std::vector<Vec3>& vertices_;
  Displacements& displacements_;
  JointWeights& joints_;
  std::vector<std::uint32_t> slots_;
};

/// Corners of triangle `t`, as positions in the list of indices (glTF 2.0, section 3.7.2.1).
std::array<std::size_t, 3> corners(Mode mode, std::size_t t) {
  if (mode == fan) return {t + 1, t + 2, 0};
  if (mode == strip) return {t, t + 1 + t % 2, t + 2 - t % 2};
  return {3 * t, 3 * t + 1, 3 * t + 2};
}

/// A mesh being put together.
struct Building {
  TriMesh mesh;
  Displacements displacements;
  JointWeights joints;
  std::optional<Welder> welder;  ///< from the first primitive on
  std::map<std::string, std::uint32_t> groups;
  std::map<std::string, std::vector<double>> values;  ///< by attribute, of each vertex
  std::size_t flat = 0;                               ///< triangles left out

  std::uint32_t group(const std::string& name) {
    const auto [entry, is_new] = groups.try_emplace(name, mesh.groups.size());
    if (is_new) mesh.groups.push_back(name);
    return entry->second;
  }

  /// All primitives of a mesh have the same number of morph targets.
  void expect_targets(const Value& primitive, std::size_t targets) {
    if (!welder) {
      displacements.resize(targets);
      welder.emplace(mesh.vertices, displacements, joints);
    } else if (targets != displacements.size()) {
      primitive.fail(fmt::format("has {} morph targets, but the mesh's first primitive has {}",
                                 targets, displacements.size()));
    }
  }

  /// What a vertex has that was just made, or one that was there already.
  void set_values(std::uint32_t vertex,
                  const std::map<std::string, std::vector<double>>& of_primitive,
                  std::size_t number) {
    for (const auto& [name, list] : of_primitive) {
      std::vector<double>& all = values[name];
      if (vertex < all.size()) continue;
      all.resize(vertex, std::numeric_limits<double>::quiet_NaN());
      all.push_back(list[number]);
    }
  }

  void add(const geometry::Triangle& triangle, std::uint32_t group, bool count_if_flat) {
    const auto& [a, b, c] = triangle;
    if (a == b || b == c || c == a) {
      flat += count_if_flat;
      return;
    }
    mesh.triangles.push_back(triangle);
    mesh.triangle_group.push_back(group);
  }
};

class MeshReader {
 public:
  MeshReader(Document& document, std::vector<std::string>& notices)
      : document_(document), notices_(notices) {}

  /// Appends the mesh to the file.
  void read(const Value& mesh, GltfFile& file) {
    Building building;
    const Value primitives = mesh.at("primitives");
    for (std::size_t i = 0; i < primitives.array_size(); ++i) {
      add_primitive(primitives.at(i), building);
    }
    if (building.flat > 0) {
      notices_.push_back(
          fmt::format("{}: {} triangles with two corners at the same point are left out",
                      mesh.path(), building.flat));
    }
    // A single group without a name says nothing.
    if (building.mesh.groups == std::vector<std::string>{""}) {
      building.mesh.groups.clear();
      building.mesh.triangle_group.clear();
    }
    GltfMorph morph{std::move(building.displacements), {}};
    const std::size_t targets = morph.displacements.size();
    const auto weights = mesh.find("weights");
    morph.weights = weights && targets > 0
                        ? read_weights(*weights, targets)
                        : Weights::Zero(static_cast<Eigen::Index>(targets)).eval();
    file.meshes.push_back(std::move(building.mesh));
    file.morphs.push_back(std::move(morph));
    file.joint_weights.push_back(std::move(building.joints));
    for (auto& one : building.values)
      one.second.resize(file.meshes.back().vertices.size(),
                        std::numeric_limits<double>::quiet_NaN());
    file.vertex_values.push_back(std::move(building.values));
  }

 private:
  void add_primitive(const Value& primitive, Building& building) {
    const auto mode_value = primitive.find("mode");
    const Mode mode = mode_value ? static_cast<Mode>(mode_value->integer(points, fan)) : triangles;
    if (mode < triangles) {
      notices_.push_back(primitive.path() + ": points and lines have no surface and are left out");
      return;
    }
    const Value accessor = primitive.at("attributes").at("POSITION");
    const std::vector<Vec3>& positions = positions_of(accessor);
    const auto targets = targets_of(primitive, positions.size());
    const JointWeights joints = joints_of(primitive.at("attributes"), positions.size());
    const auto values = values_of(primitive.at("attributes"), positions.size());
    building.expect_targets(primitive, targets.size());
    const auto index_accessor = primitive.find("indices");
    std::vector<std::uint32_t> indices;
    if (index_accessor) indices = read_indices(document_, *index_accessor);
    const std::size_t count = index_accessor ? indices.size() : positions.size();
    const Value& counted = index_accessor ? *index_accessor : accessor;
    if (mode == triangles && count % 3 != 0) {
      counted.fail(fmt::format("{} corners do not make whole triangles", count));
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] >= positions.size()) {
        counted.fail(fmt::format("entry {} names vertex {}, but there are {}", i, indices[i],
                                 positions.size()));
      }
    }
    const std::size_t many = mode == triangles ? count / 3 : count < 3 ? 0 : count - 2;
    document_.charge(many * (sizeof(geometry::Triangle) + sizeof(std::uint32_t)), counted);
    document_.charge(std::min(positions.size(), 3 * many) * targets.size() * sizeof(Vec3), counted);
    const std::uint32_t group = building.group(material_name(primitive));
    std::vector<Vec3> moved(targets.size(), Vec3::Zero());
    for (std::size_t t = 0; t < many; ++t) {
      geometry::Triangle triangle;
      const auto at = corners(mode, t);
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t vertex = index_accessor ? indices[at[c]] : at[c];
        for (std::size_t k = 0; k < targets.size(); ++k) {
          if (targets[k] != nullptr) moved[k] = (*targets[k])[vertex];
        }
        triangle[c] = building.welder->vertex(positions[vertex], moved, joints.of(vertex));
        building.set_values(triangle[c], values, vertex);
      }
      // Strips are joined by flat triangles on purpose.
      building.add(triangle, group, mode == triangles);
    }
  }

  /// Attributes of the user, one number a vertex.
  std::map<std::string, std::vector<double>> values_of(const Value& attributes,
                                                       std::size_t vertices) {
    std::map<std::string, std::vector<double>> values;
    if (!attributes.json().is_object()) return values;
    for (const auto& one : attributes.json().items()) {
      if (!one.key().starts_with('_')) continue;
      const Value accessor = attributes.at(one.key().c_str());
      const auto number =
          static_cast<std::size_t>(accessor.index(document_.count("accessors"), "accessors"));
      const auto type = document_.item("accessors", number).find("type");
      if (!type || !type->json().is_string() || type->text() != "SCALAR") continue;
      std::vector<double> list = read_numbers(document_, accessor, 1, Integers::any);
      if (list.size() != vertices) {
        accessor.fail(fmt::format("is for {} vertices, but there are {}", list.size(), vertices));
      }
      document_.charge(vertices * sizeof(double), accessor);
      values.emplace(one.key(), std::move(list));
    }
    return values;
  }

  /// Displacements of each morph target; null for one that moves no positions (only normals).
  std::vector<const std::vector<Vec3>*> targets_of(const Value& primitive, std::size_t vertices) {
    std::vector<const std::vector<Vec3>*> targets;
    const auto list = primitive.find("targets");
    for (std::size_t k = 0; list && k < list->array_size(); ++k) {
      const auto accessor = list->at(k).find("POSITION");
      targets.push_back(accessor ? &positions_of(*accessor) : nullptr);
      if (accessor && targets.back()->size() != vertices) {
        accessor->fail(
            fmt::format("moves {} vertices, but there are {}", targets.back()->size(), vertices));
      }
    }
    return targets;
  }

  /// The joints of each vertex from all sets JOINTS_n, WEIGHTS_n; weights of 0 are left out and the
  /// others scaled to a sum of 1, which 8 bits do not give exactly.
  JointWeights joints_of(const Value& attributes, std::size_t vertices) {
    std::vector<std::vector<JointWeight>> of_vertex(vertices);
    for (int set = 0;; ++set) {
      const std::string joint_key = fmt::format("JOINTS_{}", set);
      const std::string weight_key = fmt::format("WEIGHTS_{}", set);
      if (!attributes.find(joint_key.c_str()) && !attributes.find(weight_key.c_str())) break;
      const Value joint_accessor = attributes.at(joint_key.c_str());
      const Value weight_accessor = attributes.at(weight_key.c_str());
      const auto joints = read_joints(document_, joint_accessor);
      const auto weights = read_numbers(document_, weight_accessor, 4, Integers::normalized);
      for (const auto& [accessor, numbers] :
           {std::pair(joint_accessor, joints.size()), std::pair(weight_accessor, weights.size())}) {
        if (numbers == 4 * vertices) continue;
        accessor.fail(fmt::format("is for {} vertices, but there are {}", numbers / 4, vertices));
      }
      document_.charge(vertices * 4 * sizeof(JointWeight), joint_accessor);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] < 0.0) {
          weight_accessor.fail(fmt::format("a weight of vertex {} is negative", i / 4),
                               "Weights of joints must be from 0 to 1.");
        }
        if (weights[i] > 0.0) of_vertex[i / 4].push_back({joints[i], weights[i]});
      }
    }
    JointWeights all;
    all.first.reserve(vertices + 1);
    for (std::vector<JointWeight>& vertex : of_vertex) {
      double sum = 0.0;
      for (const JointWeight& joint : vertex) sum += joint.weight;
      for (JointWeight& joint : vertex) joint.weight /= sum;
      all.add(vertex);
    }
    return all;
  }

  /// Decoded once, as primitives of one mesh often share their vertices.
  const std::vector<Vec3>& positions_of(const Value& accessor) {
    const int index = accessor.index(document_.count("accessors"), "accessors");
    const auto known = positions_.find(index);
    if (known != positions_.end()) return known->second;
    const std::vector<double> numbers = read_numbers(document_, accessor, 3, Integers::any);
    std::vector<Vec3>& positions = positions_[index];
    positions.reserve(numbers.size() / 3);
    for (std::size_t i = 0; i < numbers.size(); i += 3) {
      positions.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    }
    return positions;
  }

  std::string material_name(const Value& primitive) const {
    const auto material = primitive.find("material");
    if (!material) return "";
    const int index = material->index(document_.count("materials"), "materials");
    const auto name = document_.item("materials", static_cast<std::size_t>(index)).find("name");
    return name ? name->text() : fmt::format("material {}", index);
  }

  Document& document_;
  std::vector<std::string>& notices_;
  std::map<int, std::vector<Vec3>> positions_;
};

}  // namespace

void read_meshes(Document& document, GltfFile& file) {
  MeshReader reader(document, file.notices);
  for (std::size_t i = 0; i < document.count("meshes"); ++i) {
    reader.read(document.item("meshes", i), file);
  }
}

Weights read_weights(const Value& value, std::size_t targets) {
  if (value.array_size() != targets) {
    value.fail(fmt::format("has {} weights, but the mesh has {} morph targets", value.array_size(),
                           targets));
  }
  Weights weights(static_cast<Eigen::Index>(targets));
  for (std::size_t k = 0; k < targets; ++k) {
    const double weight = value.at(k).number();
    if (std::abs(weight) > 1e6) value.at(k).fail("must be between -1e6 and 1e6");
    weights[static_cast<Eigen::Index>(k)] = weight;
  }
  return weights;
}

}  // namespace peal::scene::gltf

#include <peal/scene/gltf_accessor.h>
#include <peal/scene/gltf_mesh.h>

#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>

namespace peal::scene::gltf {

namespace {

using geometry::TriMesh;
using geometry::Vec3;

enum Mode { points = 0, lines = 1, line_loop = 2, line_strip = 3, triangles, strip, fan };

/// Vertices by exact position. Exporters split a vertex where normals or texture coordinates
/// jump; the surface is one all the same.
class Welder {
 public:
  explicit Welder(std::vector<Vec3>& vertices) : vertices_(vertices), slots_(64, kEmpty) {}

  std::uint32_t vertex(const Vec3& position) {
    if (2 * vertices_.size() >= slots_.size()) grow();
    std::size_t slot = home(position);
    while (slots_[slot] != kEmpty && vertices_[slots_[slot]] != position) slot = next(slot);
    if (slots_[slot] == kEmpty) {
      slots_[slot] = static_cast<std::uint32_t>(vertices_.size());
      vertices_.push_back(position);
    }
    return slots_[slot];
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

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
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::uint32_t v = 0; v < vertices_.size(); ++v) {
      std::size_t slot = home(vertices_[v]);
      while (slots_[slot] != kEmpty) slot = next(slot);
      slots_[slot] = v;
    }
  }

  std::vector<Vec3>& vertices_;
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
  Welder welder{mesh.vertices};
  std::map<std::string, std::uint32_t> groups;
  std::size_t flat = 0;  ///< triangles left out

  std::uint32_t group(const std::string& name) {
    const auto [entry, is_new] = groups.try_emplace(name, mesh.groups.size());
    if (is_new) mesh.groups.push_back(name);
    return entry->second;
  }

  void add(const std::array<Vec3, 3>& corner, std::uint32_t group, bool count_if_flat) {
    const geometry::Triangle triangle = {welder.vertex(corner[0]), welder.vertex(corner[1]),
                                         welder.vertex(corner[2])};
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

  TriMesh read(const Value& mesh) {
    Building building;
    const Value primitives = mesh.at("primitives");
    for (std::size_t i = 0; i < primitives.array_size(); ++i) {
      add_primitive(primitives.at(i), building);
    }
    if (building.flat > 0) {
      notices_.push_back(
          fmt::format("{}: {} triangles with two corners at the same place are left out",
                      mesh.path(), building.flat));
    }
    // A single group without a name tells nothing.
    if (building.mesh.groups == std::vector<std::string>{""}) {
      building.mesh.groups.clear();
      building.mesh.triangle_group.clear();
    }
    return std::move(building.mesh);
  }

 private:
  void add_primitive(const Value& primitive, Building& building) {
    const auto mode_value = primitive.find("mode");
    const Mode mode = mode_value ? static_cast<Mode>(mode_value->integer(points, fan)) : triangles;
    if (mode < triangles) {
      notices_.push_back(primitive.path() + ": points and lines have no surface and are left out");
      return;
    }
    if (primitive.find("targets")) {
      notices_.push_back(primitive.path() + ": morph targets are left out");
    }
    const Value accessor = primitive.at("attributes").at("POSITION");
    const std::vector<Vec3>& positions = positions_of(accessor);
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
    const std::uint32_t group = building.group(material_name(primitive));
    for (std::size_t t = 0; t < many; ++t) {
      std::array<Vec3, 3> corner;
      const auto at = corners(mode, t);
      for (std::size_t c = 0; c < 3; ++c) {
        corner[c] = positions[index_accessor ? indices[at[c]] : at[c]];
      }
      // Strips are joined by flat triangles on purpose.
      building.add(corner, group, mode == triangles);
    }
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

std::vector<TriMesh> read_meshes(Document& document, std::vector<std::string>& notices) {
  MeshReader reader(document, notices);
  std::vector<TriMesh> meshes;
  for (std::size_t i = 0; i < document.count("meshes"); ++i) {
    meshes.push_back(reader.read(document.item("meshes", i)));
  }
  return meshes;
}

}  // namespace peal::scene::gltf

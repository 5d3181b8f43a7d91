#include <peal/geometry/io/inflate.h>
#include <peal/geometry/io/read_bobj.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace peal::geometry {

namespace {

static_assert(std::endian::native == std::endian::little, "values are used as they are stored");

/// The bytes of a file, compressed or not.
class BobjBytes {
 public:
  BobjBytes(std::string_view bytes, const std::string& name) : plain_(bytes), name_(name) {
    if (is_gzip(bytes)) gzip_.emplace(bytes, name);
  }

  template <class Value>
  std::vector<Value> values(std::size_t count, std::string_view what) {
    const std::size_t most = gzip_ ? gzip_->most_left() : plain_.size();
    if (count > most / sizeof(Value)) fail(fmt::format("is too short for its {}", what));
    std::vector<Value> list(count);
    read(reinterpret_cast<char*>(list.data()), count * sizeof(Value), what);
    return list;
  }
  /// A count of items of three values.
  std::size_t count(std::string_view what) {
    const std::int32_t found = values<std::int32_t>(1, what)[0];
    if (found < 0) fail(fmt::format("has {} {}", found, what));
    return static_cast<std::size_t>(found);
  }
  bool at_end() { return gzip_ ? gzip_->at_end() : plain_.empty(); }

  [[noreturn]] void fail(const std::string& problem) const {
    throw util::InputError(
        {name_, ""}, fmt::format("the fluid mesh {}", problem),
        "Bake the frame again in Blender, or leave it out of the sequence. Meshes of other "
        "programs need the ending of their own format.");
  }

 private:
  void read(char* into, std::size_t size, std::string_view what) {
    if (gzip_) return gzip_->read(into, size);
    if (size > plain_.size()) fail(fmt::format("is too short for its {}", what));
    if (size > 0) std::memcpy(into, plain_.data(), size);
    plain_.remove_prefix(size);
  }

  std::string_view plain_;
  const std::string& name_;
  std::optional<GzipStream> gzip_;
};

}  // namespace

TriMesh parse_bobj(std::string_view bytes, const std::string& name) {
  BobjBytes file(bytes, name);
  TriMesh mesh;
  const std::vector<float> positions = file.values<float>(3 * file.count("vertices"), "vertices");
  mesh.vertices.reserve(positions.size() / 3);
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    const Vec3 vertex(positions[i], positions[i + 1], positions[i + 2]);
    if (!vertex.allFinite())
      file.fail(
          fmt::format("has a vertex {} with a coordinate that is not a finite number", i / 3));
    mesh.vertices.push_back(vertex);
  }
  const std::size_t normals = file.count("normals");
  if (normals != 0 && normals != mesh.vertices.size())
    file.fail(fmt::format("has {} normals for {} vertices", normals, mesh.vertices.size()));
  file.values<float>(3 * normals, "normals");
  const auto corners = file.values<std::int32_t>(3 * file.count("triangles"), "triangles");
  mesh.triangles.reserve(corners.size() / 3);
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    Triangle triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t corner = corners[i + k];
      if (corner < 0 || static_cast<std::size_t>(corner) >= mesh.vertices.size())
        file.fail(fmt::format("has a triangle {} with the vertex {} of {}", i / 3, corner,
                              mesh.vertices.size()));
      triangle[k] = static_cast<std::uint32_t>(corner);
    }
    mesh.triangles.push_back(triangle);
  }
  if (!file.at_end()) file.fail("goes on after its triangles");
  if (mesh.triangles.empty()) file.fail("has no triangles: there is no liquid in this frame");
  return mesh;
}

}  // namespace peal::geometry

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/wave/boundary/creases.h>

namespace peal::wave {

std::vector<std::uint32_t> parted_at_creases(const geometry::TriMesh& mesh,
                                             std::span<const std::uint32_t> part) {
  constexpr std::uint32_t none = geometry::MeshTopology::none;
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  std::vector<geometry::Vec3> normal;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    normal.push_back(geometry::area_vector(mesh, t).normalized());
  std::vector<std::uint32_t> parts(mesh.triangles.size(), none), open;
  std::uint32_t count = 0;
  for (std::uint32_t first = 0; first < parts.size(); ++first) {
    if (parts[first] != none) continue;
    parts[first] = count++;
    open = {first};
    while (!open.empty()) {
      const std::uint32_t t = open.back();
      open.pop_back();
      for (const std::uint32_t next : topology.triangle_neighbours[t]) {
        if (next == none || parts[next] != none) continue;
        if (!part.empty() && part[next] != part[t]) continue;
        if (normal[next].dot(normal[t]) < smooth_turn) continue;
        parts[next] = parts[t];
        open.push_back(next);
      }
    }
  }
  return parts;
}

}  // namespace peal::wave

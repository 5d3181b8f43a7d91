#include <peal/geometry/volume/hex_mesh.h>
#include <peal/geometry/volume/hex_neighbours.h>

#include <algorithm>

namespace peal::geometry {
namespace {

using FaceCorners = std::array<std::uint32_t, 4>;

/// Corners of the sides in the order of HexSide, counter-clockwise from outside.
constexpr int hex_faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/// Colours vertices like a chess board, so that every side of a quadrangle joins an even and an odd
/// one: cells cut along the diagonals of one colour look the same in mirrors. Where that cannot be,
/// around an odd number of quadrangles for instance, colours are as they come.
std::vector<bool> odd_vertices(const std::vector<FaceCorners>& quads, std::size_t count) {
  std::vector<std::vector<std::uint32_t>> beside(count);
  for (const FaceCorners& quad : quads) {
    for (std::size_t k = 0; k < 4; ++k) {
      beside[quad[k]].push_back(quad[(k + 1) % 4]);
      beside[quad[(k + 1) % 4]].push_back(quad[k]);
    }
  }
  std::vector<bool> is_odd(count), is_known(count);
  for (std::uint32_t first = 0; first < count; ++first) {
    if (is_known[first]) continue;
    is_known[first] = true;
    for (std::vector<std::uint32_t> next = {first}; !next.empty();) {
      const std::uint32_t v = next.back();
      next.pop_back();
      for (const std::uint32_t neighbour : beside[v]) {
        if (is_known[neighbour]) continue;
        is_known[neighbour] = true;
        is_odd[neighbour] = !is_odd[v];
        next.push_back(neighbour);
      }
    }
  }
  return is_odd;
}

}  // namespace

std::array<double, 3> mean_sides(const HexMesh& mesh, const Hex& hex) {
  std::array<double, 3> sides{};
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (c >> axis & 1) continue;
      const Vec3 side = mesh.vertices[hex[c | std::size_t{1} << axis]] - mesh.vertices[hex[c]];
      sides[axis] += 0.25 * side.norm();
    }
  }
  return sides;
}

bool is_thin(const HexMesh& mesh, const Hex& hex) {
  const auto [r, s, t] = mean_sides(mesh, hex);
  return t < std::min(r, s);
}

SolidSurface surface_of(const HexMesh& mesh) {
  const HexNeighbours neighbours(mesh);
  std::vector<FaceCorners> quads;
  for (std::uint32_t cell = 0; cell < mesh.hexes.size(); ++cell) {
    const Hex& hex = mesh.hexes[cell];
    for (int side = 0; side < 6; ++side) {
      const auto& [a, b, c, d] = hex_faces[side];
      if (neighbours.is_free({cell, side})) quads.push_back({hex[a], hex[b], hex[c], hex[d]});
    }
  }
  const std::vector<bool> is_odd = odd_vertices(quads, mesh.vertices.size());
  std::vector<Triangle> triangles;
  for (const FaceCorners& quad : quads) {
    const std::size_t k = is_odd[quad[0]] ? 1 : 0;  // diagonals join even vertices
    triangles.push_back({quad[k], quad[k + 1], quad[k + 2]});
    triangles.push_back({quad[k], quad[k + 2], quad[(k + 3) % 4]});
  }
  return solid_surface(mesh.vertices, triangles);
}

}  // namespace peal::geometry

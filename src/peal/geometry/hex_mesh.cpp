#include <peal/geometry/hex_mesh.h>

#include <algorithm>
#include <map>

namespace peal::geometry {
namespace {

using FaceCorners = std::array<std::uint32_t, 4>;

/// Corners of the faces, counter-clockwise from outside.
constexpr int hex_faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

FaceCorners sorted_quad(FaceCorners quad) {
  std::sort(quad.begin(), quad.end());
  return quad;
}

/// Of cells that have these corners as a face.
std::map<FaceCorners, int> face_owners(const HexMesh& mesh) {
  std::map<FaceCorners, int> owners;
  for (const Hex& hex : mesh.hexes) {
    for (const auto& face : hex_faces) {
      ++owners[sorted_quad({hex[face[0]], hex[face[1]], hex[face[2]], hex[face[3]]})];
    }
  }
  return owners;
}

/// Sums of the four sides along r, s, t [m].
std::array<double, 3> sides_of(const HexMesh& mesh, const Hex& hex) {
  std::array<double, 3> sides{};
  for (int c = 0; c < 8; ++c) {
    for (int axis = 0; axis < 3; ++axis) {
      if (c >> axis & 1) continue;
      sides[axis] += (mesh.vertices[hex[c | 1 << axis]] - mesh.vertices[hex[c]]).norm();
    }
  }
  return sides;
}

}  // namespace

double flatness(const HexMesh& mesh) {
  double sum = 0.0;
  for (const Hex& hex : mesh.hexes) {
    const auto [r, s, t] = sides_of(mesh, hex);
    sum += t / std::min(r, s);
  }
  return sum / static_cast<double>(mesh.hexes.size());
}

bool is_thin_layer(const HexMesh& mesh) {
  const auto owners = face_owners(mesh);
  for (const Hex& hex : mesh.hexes) {
    for (const int face : {4, 5}) {
      const auto& f = hex_faces[face];
      if (owners.at(sorted_quad({hex[f[0]], hex[f[1]], hex[f[2]], hex[f[3]]})) > 1) return false;
    }
    const auto [r, s, t] = sides_of(mesh, hex);
    if (t >= std::min(r, s)) return false;
  }
  return true;
}

SolidSurface surface_of(const HexMesh& mesh) {
  const std::map<FaceCorners, int> owners = face_owners(mesh);
  std::vector<Triangle> triangles;
  for (const Hex& hex : mesh.hexes) {
    for (const auto& face : hex_faces) {
      const FaceCorners quad = {hex[face[0]], hex[face[1]], hex[face[2]], hex[face[3]]};
      if (owners.at(sorted_quad(quad)) > 1) continue;
      triangles.push_back({quad[0], quad[1], quad[2]});
      triangles.push_back({quad[0], quad[2], quad[3]});
    }
  }
  return solid_surface(mesh.vertices, triangles);
}

}  // namespace peal::geometry

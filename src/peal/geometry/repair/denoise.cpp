#include <peal/geometry/repair/denoise.h>

#include <cstddef>
#include <vector>

namespace peal::geometry {

namespace {

/// Taubin's lambda and mu: features with 1 / lambda + 1 / mu = 0.1 keep their size.
constexpr double smoothing = 0.5, inflation = -0.5 / 0.95;

/// Moves each vertex by a part of the way to the mean of its neighbours.
void move_to_neighbours(TriMesh& mesh, double part) {
  std::vector<Vec3> sum(mesh.vertices.size(), Vec3::Zero());
  std::vector<double> count(mesh.vertices.size(), 0.0);
  for (const Triangle& corners : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      sum[corners[k]] += mesh.vertices[corners[(k + 1) % 3]];
      count[corners[k]] += 1.0;
    }
  }
  for (std::size_t v = 0; v < sum.size(); ++v) {
    if (count[v] > 0.0) mesh.vertices[v] += part * (sum[v] / count[v] - mesh.vertices[v]);
  }
}

}  // namespace

TriMesh denoised(TriMesh mesh, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    move_to_neighbours(mesh, smoothing);
    move_to_neighbours(mesh, inflation);
  }
  return mesh;
}

}  // namespace peal::geometry

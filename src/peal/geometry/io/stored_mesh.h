#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/util/archive.h>
#include <peal/util/error.h>
#include <peal/util/fingerprint.h>

#include <span>
#include <vector>

namespace peal::geometry {

/// The components of vectors as one list: x, y, z of each vector in turn.
inline std::span<double> components(std::vector<Vec3>& vectors) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return {vectors.empty() ? nullptr : vectors.front().data(), 3 * vectors.size()};
}
inline std::span<const double> components(const std::vector<Vec3>& vectors) {
  return {vectors.empty() ? nullptr : vectors.front().data(), 3 * vectors.size()};
}

/// Adds all vertices and triangles; groups are ignored.
inline void hash(const TriMesh& mesh, util::Fingerprint& print) {
  print.add(components(mesh.vertices));
  const std::uint32_t* corners = mesh.triangles.empty() ? nullptr : mesh.triangles.front().data();
  print.add(std::span<const std::uint32_t>(corners, 3 * mesh.triangles.size()));
}

/// Writes or reads vertices and triangles, without groups. Throws InputError for a corner index out
/// of range.
inline void serialize(util::Archive& archive, TriMesh& mesh) {
  mesh.vertices.resize(archive.count(mesh.vertices.size(), sizeof(Vec3)));
  archive.numbers(components(mesh.vertices));
  archive.list(mesh.triangles);
  for (const Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      if (corner >= mesh.vertices.size())
        throw util::InputError({}, "a corner that does not exist");
    }
  }
}

}  // namespace peal::geometry

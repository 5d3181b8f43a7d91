#include <peal/radiation/surface_patches.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace peal::radiation {

namespace {

using geometry::Vec3;

/// The smallest cosine between the normals of the first triangle of a patch and of its others.
const double least_cosine = std::cos(10.0 * std::numbers::pi / 180.0);

}  // namespace

void vector_areas(const geometry::TriMesh& mesh, std::span<const Vec3> vertices,
                  std::vector<Vec3>& out) {
  out.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < out.size(); ++t) {
    const geometry::Triangle& triangle = mesh.triangles[t];
    const Vec3& a = vertices[triangle[0]];
    out[t] = 0.5 * (vertices[triangle[1]] - a).cross(vertices[triangle[2]] - a);
  }
}

void Lengths::take(std::span<const Vec3> vectors) {
  lengths.resize(static_cast<Eigen::Index>(vectors.size()));
  for (std::size_t i = 0; i < vectors.size(); ++i)
    lengths[static_cast<Eigen::Index>(i)] = vectors[i].squaredNorm();
  lengths = lengths.sqrt();
  inverse = (lengths > 0.0).select(lengths.inverse(), 0.0);
}

SurfacePatches::SurfacePatches(const geometry::TriMesh& mesh) : corners_(mesh.triangles.size()) {
  struct Begun {
    std::uint32_t patch;
    Vec3 normal;
  };
  std::vector<std::vector<Begun>> around(mesh.vertices.size());
  std::vector<Vec3> areas;
  vector_areas(mesh, mesh.vertices, areas);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 normal = areas[t].stableNormalized();
    for (std::size_t k = 0; k < 3; ++k) {
      auto& begun = around[mesh.triangles[t][k]];
      std::size_t i = 0;
      while (i < begun.size() && begun[i].normal.dot(normal) < least_cosine) ++i;
      if (i == begun.size()) {
        begun.push_back({static_cast<std::uint32_t>(vertex_.size()), normal});
        vertex_.push_back(mesh.triangles[t][k]);
      }
      corners_[t][k] = begun[i].patch;
    }
  }
  take_around();
}

/// Computes around_ and first_, the inverse of corners_.
void SurfacePatches::take_around() {
  first_.assign(size() + 1, 0);
  for (const auto& corners : corners_) {
    for (const std::uint32_t patch : corners) ++first_[patch + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint32_t> next = first_;
  around_.resize(first_.back());
  for (std::uint32_t t = 0; t < corners_.size(); ++t) {
    for (std::uint32_t k = 0; k < 3; ++k) around_[next[corners_[t][k]]++] = {t, k};
  }
}

void SurfacePatches::normals(std::span<const Vec3> areas, std::vector<Vec3>& out) const {
  out.resize(size());
  for (std::size_t patch = 0; patch < size(); ++patch) {
    Vec3 sum = Vec3::Zero();
    for (const Corner& corner : around(patch)) sum += areas[corner.triangle];
    out[patch] = sum;
  }
  Lengths lengths;
  lengths.take(out);
  for (std::size_t patch = 0; patch < size(); ++patch)
    out[patch] *= lengths.inverse[static_cast<Eigen::Index>(patch)];
}

}  // namespace peal::radiation

#include <peal/wave/sources/area_means.h>

#include <algorithm>
#include <utility>

namespace peal::wave {

base::SurfaceBasis AreaMeanSource::basis(std::span<const base::SurfacePoint>) const {
  return is_by_vertex_ ? of_vertices() : of_functions();
}

/// Column 3 v + i is component i of the acceleration of vertex v, which is linear on a triangle:
/// its mean over a piece is that at the centre.
base::SurfaceBasis AreaMeanSource::of_vertices() const {
  const WallPieces& all = *pieces_;
  std::vector<Eigen::Triplet<float>> entries;
  entries.reserve(9 * all.points.size());
  for (std::size_t wall = 0; wall + 1 < all.begin.size(); ++wall) {
    for (std::size_t i = all.begin[wall]; i < all.begin[wall + 1]; ++i) {
      const base::SurfacePoint& point = all.points[i];
      const geometry::Triangle& corners = all.corners[i];
      for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k) {
          entries.emplace_back(
              static_cast<int>(wall),
              static_cast<int>(3 * corners[static_cast<std::size_t>(c)]) + k,
              all.part[i] * static_cast<float>(point.barycentric[c] * point.normal[k]));
        }
      }
    }
  }
  base::SurfaceBasis::Sparse means(static_cast<Eigen::Index>(all.begin.size() - 1), columns());
  means.setFromTriplets(entries.begin(), entries.end());
  return base::SurfaceBasis(std::move(means));
}

/// Some walls at a time: all pieces of a fine mesh have far more rows than its walls.
base::SurfaceBasis AreaMeanSource::of_functions() const {
  constexpr std::size_t walls_at_once = 256;
  const WallPieces& all = *pieces_;
  const std::size_t walls = all.begin.size() - 1;
  base::SurfaceBasis::Dense means =
      base::SurfaceBasis::Dense::Zero(static_cast<Eigen::Index>(walls), columns());
  for (std::size_t first = 0; first < walls; first += walls_at_once) {
    const std::size_t end = std::min(walls, first + walls_at_once);
    const std::size_t begin = all.begin[first];
    const base::SurfaceBasis some =
        source_->basis(std::span(all.points).subspan(begin, all.begin[end] - begin));
    for (Eigen::Index k = 0; k < columns(); ++k) {
      for (std::size_t wall = first; wall < end; ++wall) {
        float sum = 0.0f;
        for (std::size_t i = all.begin[wall]; i < all.begin[wall + 1]; ++i)
          sum += all.part[i] * static_cast<float>(some.at(static_cast<Eigen::Index>(i - begin), k));
        means(static_cast<Eigen::Index>(wall), k) = sum;
      }
    }
  }
  return base::SurfaceBasis(std::move(means));
}

}  // namespace peal::wave

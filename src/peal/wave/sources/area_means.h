#pragma once

#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace peal::wave {

/// The walls of a body in cells, each divided into pieces of triangles.
struct WallPieces {
  std::vector<base::SurfacePoint> points;   ///< centres of pieces, wall by wall
  std::vector<geometry::Triangle> corners;  ///< of the triangle of each piece
  std::vector<float> part;                  ///< of each piece, of the area of its wall [1]
  std::vector<std::size_t> begin;           ///< first piece of each wall, and the number of all
};

/// Whether waves may run along the surface: a rigid motion has six coefficients and a speaker one.
inline bool has_waves(const base::SurfaceSource& source) {
  return source.columns() > 6;
}

/// A source in the means over the areas of walls: row i of its basis is the mean over the pieces of
/// wall i, whatever the points. The pieces may change before each call of basis(). If
/// `is_by_vertex`, column 3 v + i is component i of the acceleration of vertex v
/// (SurfaceSource::vertex_rate()).
class AreaMeanSource : public base::SurfaceSource {
 public:
  AreaMeanSource(std::shared_ptr<const base::SurfaceSource> source,
                 std::shared_ptr<const WallPieces> pieces, bool is_by_vertex)
      : source_(std::move(source)), pieces_(std::move(pieces)), is_by_vertex_(is_by_vertex) {}

  Eigen::Index columns() const override { return source_->columns(); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override {
    source_->coefficients(rate, range, out);
  }
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override {
    source_->hash(rate, range, fingerprint);
  }

 private:
  base::SurfaceBasis of_vertices() const;
  base::SurfaceBasis of_functions() const;

  std::shared_ptr<const base::SurfaceSource> source_;
  std::shared_ptr<const WallPieces> pieces_;
  bool is_by_vertex_;
};

}  // namespace peal::wave

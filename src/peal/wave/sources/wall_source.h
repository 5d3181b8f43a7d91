#pragma once

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/wave/boundary/cut_clip.h>
#include <peal/wave/boundary/rasteriser.h>
#include <peal/wave/scheme/cut_cells.h>
#include <peal/wave/sources/area_means.h>
#include <peal/wave/sources/chunk.h>
#include <peal/wave/sources/source_decimator.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

class FluxWalls;

/// Computes how the surfaces of sounding bodies drive the cells at their walls: h rho Q of each
/// cell, from the sum of all sources of a body (Wang et al. 2018, equation 14).
///
/// Where waves run along a surface and its triangles are smaller than cells, a wall is driven by
/// the mean of the normal acceleration over its area: a single point would hear waves shorter than
/// a cell as longer ones. The two faces of a thin wall then have the same mean with opposite signs.
template <class Real>
class WallSource {
 public:
  WallSource(const base::World& world, const Rasteriser& rasteriser, const Grid& grid,
             const SourceDecimator& decimator, const Chunk& chunk);

  ~WallSource();

  bool is_silent() const;

  /// Sets the walls until the next key; `t` and `t_next` are the times of both keys [s].
  void enter(const CutInterval& interval, double t, double t_next);

  /// The cells that anything may drive until the next key, ascending: all others get 0.
  std::span<const std::uint32_t> driven() const { return cells_; }

  /// h rho Q [Pa] at a time, for the walls at `along`, from 0 at the first key to 1 at the next.
  std::span<const Real> source(base::SampleTime time, double along);
  /// h rho Q [Pa] at another time, in a second buffer.
  std::span<const Real> source_before(base::SampleTime time, double along);

 private:
  struct DrivenWall {
    std::uint32_t cell;
    double from, change;  ///< driving area, negative behind a sheet [cell face]
  };
  /// The surface of a body at a key.
  struct DrivenSurface {
    double time = 0.0;                  ///< [s]
    std::optional<std::size_t> number;  ///< index of the mesh in the sequence
    std::shared_ptr<const geometry::TriMesh> mesh;
    geometry::MeshTopology topology;
    std::vector<std::uint32_t> parts;  ///< by triangle, as in Wall
    std::vector<Vec3> vertices;        ///< in the body's frame [m]

    void take(const BodyShape& shape, double t);
    base::SurfacePoint point_at(const BodyShape& shape, const Wall& wall) const;
    /// The surface cut into the cells, by cell and part; nothing if its triangles are larger.
    void cut(const BodyShape& shape, const Grid& grid);
    base::SurfacePoint point_of(const BodyShape& shape, const Grid& grid,
                                const SurfacePiece& piece) const;
    std::span<const SurfacePiece> pieces_in(const Grid& grid, const Cell& cell,
                                            std::uint32_t part) const;
    std::vector<SurfacePiece> pieces;
  };
  struct DrivenBody {
    const BodyShape* shape;
    std::uint32_t number;
    std::shared_ptr<WallPieces> means;  ///< null: walls are evaluated at points
    std::array<DrivenSurface, 2> keys;  ///< the surface at each key
    std::vector<DrivenWall> walls;
    std::vector<base::SurfacePoint> points;  ///< one for each wall, unless there are means
    std::vector<std::shared_ptr<const base::SurfaceSource>> sources;
    base::SourceEvaluator evaluator;
  };

  void drop_silent_walls(DrivenBody& body) const;
  void fill(base::SampleTime time, double along, std::vector<Real>& out);
  /// Adds the points that stand for a wall at a key, and their weights.
  void add_points(DrivenBody& body, const DrivenSurface& surface, const CutInterval& interval,
                  const Wall& at, const Vec3& area_vector, double area);

  Grid grid_;
  double density_;
  Chunk chunk_;
  std::vector<DrivenBody> driven_;
  std::unique_ptr<FluxWalls> flux_;   ///< of sources that depend on the whole surface
  std::vector<std::uint32_t> cells_;  ///< that are driven
  std::vector<Real> now_, before_;
};

extern template class WallSource<float>;
extern template class WallSource<double>;

}  // namespace peal::wave

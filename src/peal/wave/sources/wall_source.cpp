#include <peal/geometry/mesh/triangle.h>
#include <peal/wave/boundary/creases.h>
#include <peal/wave/sources/flux_walls.h>
#include <peal/wave/sources/wall_source.h>

#include <algorithm>
#include <utility>

namespace peal::wave {

template <class Real>
void WallSource<Real>::DrivenSurface::take(const BodyShape& shape, double t) {
  time = t;
  const std::size_t now = shape.mesh_number(t);
  if (number != now) {
    number = now;
    mesh = shape.mesh(t);
    topology = geometry::mesh_topology(*mesh);
    parts = parted_at_creases(
        *mesh, now == 0 ? shape.body().triangle_part : std::span<const std::uint32_t>());
  }
  shape.body_vertices(t, vertices);
}

/// The point of a body at which the acceleration of its wall in a cell is evaluated. Starting from
/// the largest triangle of the wall, it moves to neighbours of the same part while these are nearer
/// to the centre of the wall. Triangles may be much smaller than cells, and if the two faces of a
/// thin wall were evaluated at points that do not face each other, together they would displace air
/// although the wall does not. Where the edge of a speaker is ragged, the nearest triangle may lie
/// beyond it, and the wall would fall silent or not as it moves through the grid.
template <class Real>
base::SurfacePoint WallSource<Real>::DrivenSurface::point_at(const BodyShape& shape,
                                                             const Wall& wall) const {
  const Vec3 middle = shape.to_body(time, wall.centre);
  const auto corners = [&](std::uint32_t triangle) -> geometry::Corners {
    const auto [a, b, c] = mesh->triangles[triangle];
    return {vertices[a], vertices[b], vertices[c]};
  };
  const auto at = [&](std::uint32_t triangle) {
    const geometry::Corners c = corners(triangle);
    return base::SurfacePoint{.triangle = triangle,
                              .barycentric = geometry::closest_barycentrics(c, middle),
                              .position = middle,
                              .normal = (c[1] - c[0]).cross(c[2] - c[0]).normalized()};
  };
  const auto away = [&](const base::SurfacePoint& point) {
    return (geometry::interpolate(corners(point.triangle), point.barycentric) - middle)
        .squaredNorm();
  };
  base::SurfacePoint point = at(wall.triangle);
  double distance = away(point);
  for (bool is_nearer = true; is_nearer;) {
    is_nearer = false;
    const std::uint32_t from = point.triangle;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t next = topology.triangle_neighbours[from][k];
      if (next == geometry::MeshTopology::none || parts[next] != wall.part) continue;
      const base::SurfacePoint other = at(next);
      // Do not move around an edge, beyond which is another face of the body.
      if (other.normal.dot(point.normal) < smooth_turn || away(other) >= distance) continue;
      point = other;
      distance = away(other);
      is_nearer = true;
    }
  }
  return point;
}

template <class Real>
base::SurfacePoint WallSource<Real>::DrivenSurface::point_of(const BodyShape& shape,
                                                             const Grid& grid,
                                                             const SurfacePiece& piece) const {
  const auto [a, b, c] = mesh->triangles[piece.triangle];
  const geometry::Corners corners = {vertices[a], vertices[b], vertices[c]};
  const Vec3 at = shape.to_body(time, grid.origin + grid.cell_size * piece.centre);
  return {.triangle = piece.triangle,
          .barycentric = geometry::closest_barycentrics(corners, at),
          .position = at,
          .normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized()};
}

template <class Real>
void WallSource<Real>::DrivenSurface::cut(const BodyShape& shape, const Grid& grid) {
  pieces.clear();
  double area = 0.0;
  for (const geometry::Triangle& t : mesh->triangles)
    area += 0.5 * (vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).norm();
  const double cell = grid.cell_size * grid.cell_size;
  if (area > cell * static_cast<double>(mesh->triangles.size())) return;
  std::vector<Vec3> in_world;
  shape.vertices(time, in_world);
  clip_surface(grid, in_world, mesh->triangles, parts, &pieces);
  std::erase_if(pieces, [&](const SurfacePiece& piece) { return !grid.contains(piece.cell); });
  std::ranges::stable_sort(pieces, {}, [&](const SurfacePiece& piece) {
    return std::pair(grid.index(piece.cell), piece.part);
  });
}

template <class Real>
std::span<const SurfacePiece> WallSource<Real>::DrivenSurface::pieces_in(const Grid& grid,
                                                                         const Cell& cell,
                                                                         std::uint32_t part) const {
  const auto key = [&](const SurfacePiece& piece) {
    return std::pair(grid.index(piece.cell), piece.part);
  };
  const std::pair wanted(grid.index(cell), part);
  return {std::ranges::lower_bound(pieces, wanted, {}, key),
          std::ranges::upper_bound(pieces, wanted, {}, key)};
}

template <class Real>
WallSource<Real>::WallSource(const base::World& world, const Rasteriser& rasteriser,
                             const Grid& grid, const SourceDecimator& decimator, const Chunk& chunk)
    : grid_(grid),
      density_(world.medium.density),
      chunk_(chunk),
      flux_(std::make_unique<FluxWalls>(rasteriser, grid.cell_size, decimator)) {
  for (std::size_t i = 0; i < rasteriser.shapes().size(); ++i) {
    const BodyShape& shape = rasteriser.shapes()[i];
    std::vector<std::shared_ptr<const base::SurfaceSource>> sources;
    std::vector<bool> is_by_vertex;  // a decimated source no longer says so itself
    for (const auto& source : shape.body().sources) {
      if (dynamic_cast<const base::FluxSource*>(source.get()) != nullptr) continue;
      sources.push_back(decimator.decimated(source));
      is_by_vertex.push_back(source->vertex_rate().has_value());
    }
    if (sources.empty()) continue;
    std::shared_ptr<WallPieces> means;
    if (std::ranges::any_of(sources, [](const auto& source) { return has_waves(*source); })) {
      means = std::make_shared<WallPieces>();
      for (std::size_t k = 0; k < sources.size(); ++k)
        sources[k] = std::make_shared<AreaMeanSource>(sources[k], means, is_by_vertex[k]);
    }
    driven_.push_back({.shape = &shape,
                       .number = static_cast<std::uint32_t>(i),
                       .means = std::move(means),
                       .keys = {},
                       .walls = {},
                       .points = {},
                       .sources = sources,
                       .evaluator = base::SourceEvaluator(sources)});
  }
}

template <class Real>
WallSource<Real>::~WallSource() = default;

template <class Real>
bool WallSource<Real>::is_silent() const {
  return driven_.empty() && flux_->empty();
}

template <class Real>
void WallSource<Real>::enter(const CutInterval& interval, double t, double t_next) {
  now_.assign(interval.from.size(), Real(0));
  before_.assign(interval.from.size(), Real(0));
  flux_->enter(interval, t, t_next);
  for (DrivenBody& body : driven_) {
    body.walls.clear();
    body.points.clear();
    if (body.means) *body.means = {.points = {}, .corners = {}, .part = {}, .begin = {0}};
    DrivenSurface& here = body.keys[0];
    here.take(*body.shape, t);
    // Walls of triangles that do not exist yet are evaluated where they will be.
    const bool changes = body.shape->mesh_number(t_next) != body.shape->mesh_number(t);
    if (changes) body.keys[1].take(*body.shape, t_next);
    if (body.means) {
      here.cut(*body.shape, grid_);
      if (changes) body.keys[1].cut(*body.shape, grid_);
    }
    const DrivenSurface& there = changes ? body.keys[1] : here;
    for (std::size_t i = 0; i < interval.walls_from.size(); ++i) {
      const Wall &from = interval.walls_from[i], &to = interval.walls_to[i];
      if (from.body != body.number) continue;
      const bool is_there = !(from.area > 0);
      const auto add = [&](const Wall& wall, double start, double end) {
        const double drives = wall.front * wall.driving_area();
        add_points(body, is_there ? there : here, interval, is_there ? to : from,
                   wall.front * wall.area_vector, wall.area);
        body.walls.push_back({wall.cell, start * drives, (end - start) * drives});
      };
      if (from.area_vector == to.area_vector) {
        add(from, 1, 1);
      } else {
        if (from.area > 0) add(from, 1, 0);
        if (to.area > 0) add(to, 0, 1);
      }
    }
    drop_silent_walls(body);
    body.evaluator.set_points(body.points);
  }
  cells_.clear();
  for (const DrivenBody& body : driven_)
    for (const DrivenWall& wall : body.walls) cells_.push_back(wall.cell);
  flux_->add_cells(cells_);
  std::ranges::sort(cells_);
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
}

/// Forgets the walls beyond the faces of a speaker, which are most of its body. Waves are
/// everywhere.
template <class Real>
void WallSource<Real>::drop_silent_walls(DrivenBody& body) const {
  if (body.means) return;
  std::vector<bool> sounds(body.points.size(), false);
  for (const auto& source : body.sources) {
    const base::SurfaceBasis basis = source->basis(body.points);
    for (std::size_t i = 0; i < sounds.size(); ++i)
      for (Eigen::Index k = 0; k < basis.columns() && !sounds[i]; ++k)
        sounds[i] = basis.at(static_cast<Eigen::Index>(i), k) != 0.0;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sounds.size(); ++i) {
    if (!sounds[i]) continue;
    body.walls[kept] = body.walls[i];
    body.points[kept++] = body.points[i];
  }
  body.walls.resize(kept);
  body.points.resize(kept);
}

/// A wall drives air along its area vector, so the acceleration is evaluated along that vector, at
/// each key. With the normal of a triangle, a shaking sphere would change its volume.
template <class Real>
void WallSource<Real>::add_points(DrivenBody& body, const DrivenSurface& surface,
                                  const CutInterval& interval, const Wall& at,
                                  const Vec3& area_vector, double area) {
  std::optional<Vec3> normal;
  if (area_vector.norm() > smooth_turn * area)  // it faces one way
    normal = body.shape->turned_to_body(body.keys[0].time, area_vector.normalized());
  const std::span<const SurfacePiece> pieces =
      body.means ? surface.pieces_in(grid_, interval.from[at.cell].cell, at.part)
                 : std::span<const SurfacePiece>();
  body.points.push_back(pieces.empty() ? surface.point_at(*body.shape, at)
                                       : surface.point_of(*body.shape, grid_, pieces.front()));
  if (normal) body.points.back().normal = *normal;
  if (!body.means) return;
  WallPieces& means = *body.means;
  double sum = 0.0;
  for (const SurfacePiece& piece : pieces) sum += piece.area;
  const auto add = [&](const base::SurfacePoint& point, double part) {
    means.points.push_back(point);
    if (normal) means.points.back().normal = *normal;
    means.corners.push_back(surface.mesh->triangles[point.triangle]);
    means.part.push_back(static_cast<float>(part));
  };
  for (const SurfacePiece& piece : pieces)
    add(surface.point_of(*body.shape, grid_, piece), piece.area / sum);
  if (pieces.empty()) add(body.points.back(), 1.0);
  means.begin.push_back(means.points.size());
}

template <class Real>
void WallSource<Real>::fill(base::SampleTime time, double along, std::vector<Real>& out) {
  const double weight = chunk_.weight(time.seconds());
  for (const std::uint32_t cell : cells_) out[cell] = 0;
  if (weight == 0.0 || time.seconds() > chunk_.last_source()) return;
  for (DrivenBody& body : driven_) {
    const std::span<const float> acceleration = body.evaluator.accelerations(time);
    const double scale = weight * grid_.cell_size * density_;
    for (std::size_t i = 0; i < body.walls.size(); ++i) {
      const DrivenWall& wall = body.walls[i];
      const double q = static_cast<double>(acceleration[i]) * (wall.from + along * wall.change);
      out[wall.cell] += static_cast<Real>(scale * q);
    }
  }
  const double scale = weight * grid_.cell_size * density_;
  flux_->drive(time, along,
               [&](std::uint32_t cell, double q) { out[cell] += static_cast<Real>(scale * q); });
}

template <class Real>
std::span<const Real> WallSource<Real>::source(base::SampleTime time, double along) {
  fill(time, along, now_);
  return now_;
}

template <class Real>
std::span<const Real> WallSource<Real>::source_before(base::SampleTime time, double along) {
  fill(time, along, before_);
  return before_;
}

template class WallSource<float>;
template class WallSource<double>;

}  // namespace peal::wave

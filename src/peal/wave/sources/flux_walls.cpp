#include <peal/wave/boundary/creases.h>
#include <peal/wave/sources/flux_walls.h>

#include <cmath>
#include <memory>
#include <utility>

namespace peal::wave {

FluxWalls::FluxWalls(const Rasteriser& rasteriser, double cell_size,
                     const SourceDecimator& decimator)
    : cell_size_(cell_size) {
  for (std::size_t i = 0; i < rasteriser.shapes().size(); ++i) {
    const BodyShape& shape = rasteriser.shapes()[i];
    std::vector<std::shared_ptr<const base::FluxSource>> sources;
    for (const auto& source : shape.body().sources) {
      if (auto flux =
              std::dynamic_pointer_cast<const base::FluxSource>(decimator.decimated(source)))
        sources.push_back(std::move(flux));
    }
    if (sources.empty()) continue;
    DrivenBody& body =
        bodies_.emplace_back(DrivenBody{.shape = &shape,
                                        .number = static_cast<std::uint32_t>(i),
                                        .covers = {},
                                        .walls = {},
                                        .sources = base::FluxEvaluator(std::move(sources))});
    for (const BodyShape& other : rasteriser.shapes()) {
      if (&other != &shape && !other.body().is_sheet && !other.body().changes_shape())
        body.covers.emplace_back(other);
    }
  }
}

/// The surface that the walls of a body at a key make. Where another solid covers it, as a glass
/// its water, it has no area.
base::SampledSurface FluxWalls::take(DrivenBody& body, std::span<const Wall> walls,
                                     double t) const {
  constexpr double outward = 0.1;  // of the size of a wall, from its centre
  for (BodySurface& solid : body.covers) solid.set_time(t);
  base::SampledSurface surface;
  for (const Wall& wall : walls) {
    if (wall.body != body.number || !(wall.area > 0)) continue;
    const double drives = wall.driving_area(), size = std::sqrt(drives) * cell_size_;
    const Vec3 normal = wall.front * wall.area_vector.stableNormalized();
    const Vec3 air = wall.centre + outward * size * normal;
    bool is_covered = false;
    for (const BodySurface& solid : body.covers) is_covered = is_covered || solid.contains(air);
    body.walls.push_back({wall.cell, wall.front * drives});
    surface.points.push_back({.triangle = wall.triangle,
                              .position = body.shape->to_body(t, wall.centre),
                              .normal = body.shape->turned_to_body(t, normal)});
    surface.areas.push_back(is_covered ? 0.0 : size * size);
  }
  return surface;
}

void FluxWalls::enter(const CutInterval& interval, double t, double t_next) {
  for (DrivenBody& body : bodies_) {
    body.walls.clear();
    body.moves = t_next > t;
    base::SampledSurface first = take(body, interval.walls_from, t);
    body.first = body.walls.size();
    base::SampledSurface second;
    if (body.moves) second = take(body, interval.walls_to, t_next);
    body.sources.set_surfaces(std::move(first), std::move(second));
  }
}

void FluxWalls::add_cells(std::vector<std::uint32_t>& cells) const {
  for (const DrivenBody& body : bodies_)
    for (const DrivenWall& wall : body.walls) cells.push_back(wall.cell);
}

void FluxWalls::drive(base::SampleTime time, double along,
                      const std::function<void(std::uint32_t cell, double)>& add) {
  for (DrivenBody& body : bodies_) {
    const std::span<const float> acceleration = body.sources.accelerations(time);
    for (std::size_t i = 0; i < body.walls.size(); ++i) {
      const double weight = !body.moves ? 1.0 : i < body.first ? 1.0 - along : along;
      add(body.walls[i].cell, static_cast<double>(acceleration[i]) * weight * body.walls[i].area);
    }
  }
}

}  // namespace peal::wave

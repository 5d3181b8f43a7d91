#include <peal/wave/cut_geometry.h>

#include <algorithm>
#include <tuple>

namespace peal::wave {
namespace {

std::vector<SolidRun> union_of_runs(std::span<const CutFractions> bodies) {
  std::vector<SolidRun> all, merged;
  for (const CutFractions& body : bodies)
    all.insert(all.end(), body.solid.begin(), body.solid.end());
  std::ranges::sort(all, {},
                    [](const SolidRun& r) { return std::tuple(r.z, r.y, r.begin, r.end); });
  for (const SolidRun& run : all) {
    const bool joins = !merged.empty() && merged.back().z == run.z && merged.back().y == run.y &&
                       run.begin <= merged.back().end;
    if (joins)
      merged.back().end = std::max(merged.back().end, run.end);
    else
      merged.push_back(run);
  }
  return merged;
}

struct Part {
  std::size_t index;  ///< of the cell in the grid
  std::uint32_t body;
  const CutCell* cut;
};

std::vector<Part> parts_by_cell(const Grid& grid, std::span<const CutFractions> bodies) {
  std::vector<Part> parts;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const CutCell& cut : bodies[b].cells)
      parts.push_back({grid.index(cut.cell), static_cast<std::uint32_t>(b), &cut});
  if (bodies.size() > 1)
    std::ranges::sort(parts, {}, [](const Part& p) { return std::tuple(p.index, p.body); });
  return parts;
}

}  // namespace

double Wall::driving_area() const {
  const double facing = area_vector.norm();
  if (!(area > 0)) return 0;
  const double t = std::clamp((0.75 - facing / area) / 0.25, 0.0, 1.0);
  return facing + (area - facing) * t * t * (3 - 2 * t);
}

CutGeometry combined(const Grid& grid, std::span<const CutFractions> bodies) {
  CutGeometry all{.solid = union_of_runs(bodies)};
  const std::vector<Part> parts = parts_by_cell(grid, bodies);
  for (std::size_t begin = 0; begin < parts.size();) {
    OpenCell open{.cell = parts[begin].cut->cell, .volume = 0, .area = {}};
    std::size_t end = begin;
    for (; end < parts.size() && parts[end].index == parts[begin].index; ++end) {
      open.volume += 1 - parts[end].cut->volume;
      for (int f = 0; f < kFaces; ++f) open.area[f] += 1 - parts[end].cut->area[f];
    }
    if (!is_solid(all.solid, open.cell)) {
      open.volume = std::max(0.0, 1 - open.volume);
      for (double& area : open.area) area = std::max(0.0, 1 - area);
      for (std::size_t i = begin; i < end; ++i) {
        const CutCell& cut = *parts[i].cut;
        all.walls.push_back({static_cast<std::uint32_t>(all.cells.size()), parts[i].body, cut.wall,
                             cut.wall_area, cut.wall_centre});
      }
      all.cells.push_back(open);
    }
    begin = end;
  }
  return all;
}

}  // namespace peal::wave

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

/// One body in one cell.
struct Presence {
  std::size_t index;  ///< of the cell in the grid
  std::uint32_t body;
  const CutCell* cut;
  std::span<const WallPiece> pieces;
};

std::vector<Presence> presences_by_cell(const Grid& grid, std::span<const CutFractions> bodies) {
  std::vector<Presence> all;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::span<const WallPiece> pieces = bodies[b].pieces;
    for (std::size_t i = 0; i < bodies[b].cells.size(); ++i) {
      const CutCell& cut = bodies[b].cells[i];
      std::size_t count = 0;
      while (count < pieces.size() && pieces[count].cell == i) ++count;
      all.push_back(
          {grid.index(cut.cell), static_cast<std::uint32_t>(b), &cut, pieces.first(count)});
      pieces = pieces.subspan(count);
    }
  }
  if (bodies.size() > 1)
    std::ranges::sort(all, {}, [](const Presence& p) { return std::tuple(p.index, p.body); });
  return all;
}

double driving_area(const Vec3& area_vector, double area) {
  const double facing = area_vector.norm();
  if (!(area > 0)) return 0;
  const double t = std::clamp((0.75 - facing / area) / 0.25, 0.0, 1.0);
  return facing + (area - facing) * t * t * (3 - 2 * t);
}

void add_walls(const Presence& presence, std::uint32_t cell, std::vector<Wall>& walls) {
  const std::size_t first = walls.size();
  double sum = 0;
  for (const WallPiece& piece : presence.pieces) {
    walls.push_back({cell, presence.body, piece.part, piece.triangle, piece.area_vector, piece.area,
                     piece.centre});
    sum += walls.back().driving_area();
  }
  if (presence.pieces.size() < 2 || !(sum > 0)) return;
  const double whole = driving_area(presence.cut->wall, presence.cut->wall_area);
  for (std::size_t i = first; i < walls.size(); ++i) walls[i].share = whole / sum;
}

}  // namespace

double Wall::driving_area() const {
  return share * wave::driving_area(area_vector, area);
}

CutGeometry combined(const Grid& grid, std::span<const CutFractions> bodies) {
  CutGeometry all{.solid = union_of_runs(bodies)};
  const std::vector<Presence> present = presences_by_cell(grid, bodies);
  for (std::size_t begin = 0; begin < present.size();) {
    OpenCell open{.cell = present[begin].cut->cell, .volume = 0, .area = {}};
    std::size_t end = begin;
    for (; end < present.size() && present[end].index == present[begin].index; ++end) {
      open.volume += 1 - present[end].cut->volume;
      for (int f = 0; f < kFaces; ++f) open.area[f] += 1 - present[end].cut->area[f];
    }
    if (!is_solid(all.solid, open.cell)) {
      open.volume = std::max(0.0, 1 - open.volume);
      for (double& area : open.area) area = std::max(0.0, 1 - area);
      for (std::size_t i = begin; i < end; ++i)
        add_walls(present[i], static_cast<std::uint32_t>(all.cells.size()), all.walls);
      all.cells.push_back(open);
    }
    begin = end;
  }
  return all;
}

}  // namespace peal::wave

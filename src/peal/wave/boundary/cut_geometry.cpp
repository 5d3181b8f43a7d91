#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/boundary/cut_sides.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace peal::wave {
namespace {

std::vector<SolidRun> union_of_runs(std::span<const CutFractions> bodies) {
  std::vector<SolidRun> all;
  for (const CutFractions& body : bodies)
    all.insert(all.end(), body.solid.begin(), body.solid.end());
  return merged(std::move(all));
}

/// The presence of one body in one cell.
struct Presence {
  std::size_t index;  ///< index of the cell in the grid
  std::uint32_t body;
  bool sheet;
  const CutCell* cut;
  std::span<const WallPatch> patches;
};

std::vector<Presence> presences_by_cell(const Grid& grid, std::span<const CutFractions> bodies) {
  std::vector<Presence> all;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::span<const WallPatch> patches = bodies[b].patches;
    for (std::size_t i = 0; i < bodies[b].cells.size(); ++i) {
      const CutCell& cut = bodies[b].cells[i];
      std::size_t count = 0;
      while (count < patches.size() && patches[count].cell == i) ++count;
      all.push_back({grid.index(cut.cell), static_cast<std::uint32_t>(b), bodies[b].is_sheet, &cut,
                     patches.first(count)});
      patches = patches.subspan(count);
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

/// Scales the driving areas of parts that face alike and form one smooth wall, so that they add up
/// to that of the whole wall.
void share_smooth_walls(std::span<Wall> walls) {
  constexpr double alike = 0.7;  // cosine of the angle between them, 45 degrees
  std::vector<double> share(walls.size(), 1);
  for (std::size_t i = 0; i < walls.size(); ++i) {
    Vec3 wall = Vec3::Zero();
    double area = 0, sum = 0;
    for (const Wall& other : walls) {
      const double both = walls[i].area_vector.norm() * other.area_vector.norm();
      if (&other != &walls[i] && !(walls[i].area_vector.dot(other.area_vector) > alike * both))
        continue;
      wall += other.area_vector;
      area += other.area;
      sum += other.driving_area();
    }
    if (sum > 0) share[i] = driving_area(wall, area) / sum;
  }
  for (std::size_t i = 0; i < walls.size(); ++i) walls[i].share = share[i];
}

void add_walls(const Presence& presence, std::uint32_t cell, std::vector<Wall>& walls) {
  const std::size_t first = walls.size();
  for (const WallPatch& patch : presence.patches)
    walls.push_back({cell, presence.body, patch.part, patch.triangle, patch.area_vector, patch.area,
                     patch.centre});
  if (presence.patches.size() > 1) share_smooth_walls(std::span(walls).subspan(first));
}

/// Whether the walls of all bodies in a cell face each other.
bool has_thin_wall(std::span<const Presence> present) {
  Vec3 wall = Vec3::Zero();
  double area = 0;
  for (const Presence& p : present) {
    if (p.sheet) return true;
    wall += p.cut->wall;
    area += p.cut->wall_area;
  }
  return wall.norm() < 0.7 * area;
}

/// Sets the area of one side of the walls in the cell of each lattice.
void set_wall_areas(const Grid& grid, std::span<const CutFractions> bodies,
                    std::vector<LatticeCell>& lattices) {
  for (const CutFractions& body : bodies) {
    auto lattice = lattices.begin();
    for (const CutCell& cut : body.cells) {
      while (lattice != lattices.end() && grid.index(lattice->cell) < grid.index(cut.cell))
        ++lattice;
      if (lattice == lattices.end()) break;
      if (lattice->cell != cut.cell) continue;
      lattice->wall_area += (body.is_sheet ? 1 : 0.5) * cut.wall_area;
    }
  }
}

std::vector<LatticeCell> lattices_of(const Grid& grid, std::span<const CutFractions> bodies,
                                     std::span<const Cell> thin) {
  std::vector<LatticeSurface> surfaces;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    surfaces.push_back({static_cast<std::uint32_t>(b), bodies[b].is_sheet, bodies[b].vertices,
                        bodies[b].triangles, bodies[b].part});
  std::vector<LatticeCell> lattices = lattices_around_divided(grid, thin, surfaces);
  set_wall_areas(grid, bodies, lattices);
  return lattices;
}

}  // namespace

double Wall::driving_area() const {
  return share * wave::driving_area(area_vector, area);
}

CutGeometry combined(const Grid& grid, std::span<const CutFractions> bodies) {
  CutGeometry geometry = key_of(grid, bodies);
  if (!geometry.lattices.empty()) divide_cells(grid, geometry);
  return geometry;
}

CutGeometry key_of(const Grid& grid, std::span<const CutFractions> bodies) {
  CutGeometry all{.solid = union_of_runs(bodies)};
  const std::vector<Presence> presences = presences_by_cell(grid, bodies);
  std::vector<Cell> thin;
  for (std::span<const Presence> rest = presences; !rest.empty();) {
    std::size_t count = 0;
    OpenCell open{.cell = rest[0].cut->cell, .volume = 0, .area = {}};
    for (; count < rest.size() && rest[count].index == rest[0].index; ++count) {
      open.volume += 1 - rest[count].cut->volume;
      for (int f = 0; f < cell_faces; ++f) open.area[f] += 1 - rest[count].cut->area[f];
    }
    const std::span<const Presence> present = rest.first(count);
    rest = rest.subspan(count);
    if (is_solid(all.solid, open.cell)) continue;
    open.volume = std::max(0.0, 1 - open.volume);
    for (double& area : open.area) area = std::max(0.0, 1 - area);
    for (const Presence& presence : present)
      if (!presence.sheet)
        add_walls(presence, static_cast<std::uint32_t>(all.cells.size()), all.walls);
    all.cells.push_back(open);
    if (has_thin_wall(present)) thin.push_back(open.cell);
  }
  if (thin.empty()) return all;
  std::vector<LatticeCell> lattices = lattices_of(grid, bodies, thin);
  std::erase_if(lattices, [&](const LatticeCell& c) { return is_solid(all.solid, c.cell); });
  if (lattices.empty()) return all;
  all.lattices = std::move(lattices);
  all.whole = std::move(all.cells);
  all.whole_walls = std::move(all.walls);
  all.cells.clear();
  all.walls.clear();
  return all;
}

}  // namespace peal::wave

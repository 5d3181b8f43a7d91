#include <peal/wave/boundary/staircase.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace peal::wave {
namespace {

/// The normal of a face, out of the cell.
Vec3 face_normal(int face) {
  Vec3 normal = Vec3::Zero();
  normal[face / 2] = face % 2 ? 1 : -1;
  return normal;
}

/// The walls of one part, as projected on closed faces.
struct Caught {
  double area = 0, weight = 0;  ///< [cell face]
  Vec3 normal = Vec3::Zero(), centre = Vec3::Zero();
  double largest = -1;  ///< largest weight, that of `triangle`
  std::uint32_t triangle = 0;

  void add(const Wall& wall, const Vec3& n, double projection, double w) {
    area += projection;
    weight += w;
    normal += w * n;
    centre += w * wall.centre;
    if (w > largest) largest = w, triangle = wall.triangle;
  }
};

class Stairs {
 public:
  Stairs(const Grid& grid, const CutGeometry& cut, const IsFilled& is_filled)
      : grid_(grid), cut_(cut) {
    for (const OpenCell& open : cut.cells) open_[grid.index(open.cell)] += open.volume;
    for (const OpenCell& open : cut.cells) {
      const double volume = open_[grid.index(open.cell)];
      if (is_filled ? is_filled(open.cell, volume) : volume < 0.5)
        filled_.emplace(grid.index(open.cell), open.cell);
    }
    for (const Wall& wall : cut.walls)
      walls_[grid.index(cut.cells[wall.cell].cell)].push_back(&wall);
  }

  CutGeometry make() const {
    CutGeometry stairs{.solid = solid_runs()};
    for (const auto& [index, cell] : cells_beside_walls()) add_cell(cell, stairs);
    return stairs;
  }

 private:
  using Cells = std::map<std::size_t, Cell>;  ///< in the order of the grid's index

  bool is_air(const Cell& cell) const {
    return !filled_.contains(grid_.index(cell)) && !is_solid(cut_.solid, cell);
  }

  std::vector<SolidRun> solid_runs() const {
    std::vector<SolidRun> all = cut_.solid;
    for (const auto& [index, c] : filled_) all.push_back({c[1], c[2], c[0], c[0] + 1});
    return merged(std::move(all));
  }

  Cells cells_beside_walls() const {
    Cells cells;
    for (const OpenCell& open : cut_.cells) {
      if (is_air(open.cell)) {
        cells.emplace(grid_.index(open.cell), open.cell);
        continue;
      }
      for (int f = 0; f < cell_faces; ++f) {
        const Cell next = beyond(open.cell, f);
        if (grid_.contains(next) && is_air(next)) cells.emplace(grid_.index(next), next);
      }
    }
    return cells;
  }

  void add_cell(const Cell& cell, CutGeometry& stairs) const {
    OpenCell open{.cell = cell, .volume = 1, .area = {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, Caught> parts;
    bool whole = true;
    for (int f = 0; f < cell_faces; ++f) {
      const Cell next = beyond(cell, f);
      open.area[f] = !grid_.contains(next) || is_air(next) ? 1 : 0;
      if (open.area[f] == 1) continue;
      whole = false;
      catch_walls(cell, next, -face_normal(f), parts);
    }
    if (whole) return;
    const auto number = static_cast<std::uint32_t>(stairs.cells.size());
    stairs.cells.push_back(open);
    for (const auto& [name, part] : parts) {
      stairs.walls.push_back({.cell = number,
                              .body = name.first,
                              .part = name.second,
                              .triangle = part.triangle,
                              .area_vector = part.area * part.normal.normalized(),
                              .area = part.area,
                              .centre = part.centre / part.weight});
    }
  }

  /// Distributes the face between a cell of air and a solid one, with its normal into the air, to
  /// the walls in both by how much of them faces it.
  void catch_walls(const Cell& air, const Cell& solid, const Vec3& into_air,
                   std::map<std::pair<std::uint32_t, std::uint32_t>, Caught>& parts) const {
    struct Facing {
      const Wall* wall;
      Vec3 normal;
      double area;
    };
    std::vector<Facing> facing;
    double sum = 0;
    for (const Cell& cell : {air, solid}) {
      const auto found = walls_.find(grid_.index(cell));
      if (found == walls_.end()) continue;
      for (const Wall* wall : found->second) {
        // The two sides of a plate in one cell cancel; the face itself then decides which side
        // applies.
        const bool two_sided = wall->area_vector.norm() < 0.5 * wall->area;
        const Vec3 n = two_sided ? into_air : wall->area_vector.normalized();
        const double area = wall->area * n.dot(into_air);
        if (area <= 0) continue;
        facing.push_back({wall, n, area});
        sum += area;
      }
    }
    for (const Facing& f : facing) {
      const double w = f.area / sum;
      parts[{f.wall->body, f.wall->part}].add(*f.wall, f.normal, w * f.normal.dot(into_air), w);
    }
  }

  const Grid& grid_;
  const CutGeometry& cut_;
  std::unordered_map<std::size_t, double> open_;  ///< open fraction of the touched cells
  Cells filled_;
  std::unordered_map<std::size_t, std::vector<const Wall*>> walls_;
};

}  // namespace

CutGeometry staircase(const Grid& grid, const CutGeometry& cut, const IsFilled& is_filled) {
  return Stairs(grid, cut, is_filled).make();
}

}  // namespace peal::wave

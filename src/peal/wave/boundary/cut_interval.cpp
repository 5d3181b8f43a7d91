#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/cut_sides.h>
#include <peal/wave/boundary/parallel_cells.h>

#include <algorithm>
#include <deque>
#include <tuple>

namespace peal::wave {
namespace {

/// The same wall with zero area, for the key at which its body does not touch the cell.
Wall vanished(Wall wall) {
  wall.area_vector.setZero();
  wall.area = 0;
  return wall;
}

/// Pairs the walls of one cell at the two keys by body, part and front.
void pair_walls(std::span<const Wall> a, std::span<const Wall> b, std::uint32_t cell,
                CutInterval& out) {
  const auto name = [](const Wall& wall) { return std::tuple(wall.body, wall.part, wall.front); };
  while (!a.empty() || !b.empty()) {
    const bool in_a = !a.empty() && (b.empty() || name(a.front()) <= name(b.front()));
    const bool in_b = !b.empty() && (a.empty() || name(b.front()) <= name(a.front()));
    out.walls_from.push_back(in_a ? a.front() : vanished(b.front()));
    out.walls_to.push_back(in_b ? b.front() : vanished(a.front()));
    out.walls_from.back().cell = out.walls_to.back().cell = cell;
    if (in_a) a = a.subspan(1);
    if (in_b) b = b.subspan(1);
  }
}

/// Iterates over the cells of one geometry together with their walls.
struct Cursor {
  const Grid& grid;
  const CutGeometry& geometry;
  std::size_t cell = 0, wall = 0;

  bool done() const { return cell == geometry.cells.size(); }
  std::size_t index() const { return done() ? ~std::size_t{0} : grid.index(now().cell); }
  const OpenCell& now() const { return geometry.cells[cell]; }
  /// The walls of the current cell; moves on to the next cell.
  std::span<const Wall> advance() {
    const std::size_t begin = wall;
    while (wall < geometry.walls.size() && geometry.walls[wall].cell == cell) ++wall;
    ++cell;
    return std::span(geometry.walls).subspan(begin, wall - begin);
  }
};

std::vector<SolidRun> solid_in_both(std::span<const SolidRun> a, std::span<const SolidRun> b) {
  std::vector<SolidRun> both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const auto row_a = std::tuple(a[i].z, a[i].y), row_b = std::tuple(b[j].z, b[j].y);
    if (row_a == row_b) {
      const int begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end, b[j].end);
      if (begin < end) both.push_back({a[i].y, a[i].z, begin, end});
    }
    const bool a_ends_first = std::tuple(row_a, a[i].end) < std::tuple(row_b, b[j].end);
    ++(a_ends_first ? i : j);
  }
  return both;
}

/// Pairs the cells of both keys, and their walls, without thin walls.
void pair_cells(const Grid& grid, const CutGeometry& from, const CutGeometry& to,
                CutInterval& out) {
  Cursor a{grid, from}, b{grid, to};
  while (!a.done() || !b.done()) {
    const bool in_a = a.index() <= b.index(), in_b = b.index() <= a.index();
    out.from.push_back(in_a ? a.now() : uncut(from, b.now().cell));
    out.to.push_back(in_b ? b.now() : uncut(to, out.from.back().cell));
    const auto walls_a = in_a ? a.advance() : std::span<const Wall>();
    const auto walls_b = in_b ? b.advance() : std::span<const Wall>();
    pair_walls(walls_a, walls_b, static_cast<std::uint32_t>(out.from.size() - 1), out);
  }
}

/// The largest volume of a subcell that its wall has swept away if it does not exist at the other
/// key. A larger one has been joined with another subcell, because the wall between them ended or
/// left. Keys are 0.3 cells apart.
constexpr double largest_swept_volume = 0.3;

constexpr int most_sides_and_solid = 16;  ///< largest number of subcells of a cell, plus the solid

/// Numbers the subcells of a cell consistently at both keys.
class SideMatch {
 public:
  /// The renumbered subcells of both are stored in `renamed`.
  SideMatch(Subcells& from, Subcells& to, std::array<PointSubcells, 2>& renamed)
      : key_{&from, &to}, renamed_(renamed) {
    for (int p = 0; p < all_lattice_points; ++p) ++overlap_[(*from.side)[p]][(*to.side)[p]];
    for (int k = 0; k < 2; ++k) add_faced_walls(k);
  }

  void run() {
    match_by_overlap();
    add_unmatched(0);
    add_unmatched(1);
    const std::array<const PointSubcells*, 2> before = {key_[0]->side, key_[1]->side};
    for (int k = 0; k < 2; ++k) rename(k, before);
    key_[0]->sides = key_[1]->sides = names_;
  }

 private:
  /// The wall of a body that a subcell faces.
  struct FacedWall {
    std::uint32_t body;
    Vec3 area_vector = Vec3::Zero();  ///< into the fluid
    double area = 0;
  };

  void add_faced_walls(int k) {
    if (!key_[k]->lattice) return;
    for (const Facing& f : facing_sides(*key_[k]->lattice, *key_[k]->side)) {
      const Crossing& c = *f.crossing;
      std::vector<FacedWall>& walls = faced_[k][f.side];
      auto wall = std::ranges::find(walls, c.body, &FacedWall::body);
      if (wall == walls.end()) wall = walls.insert(walls.end(), {.body = c.body});
      wall->area_vector += (c.up == f.above ? c.facing : -c.facing) * c.normal;
      wall->area += c.facing;
    }
  }
  /// Whether subcells a and b of the two keys are on opposite sides of a wall. Then both contain
  /// the points that the wall has swept, but share no air.
  bool are_opposite(int a, int b) const {
    for (const FacedWall& one : faced_[0][a])
      for (const FacedWall& other : faced_[1][b])
        if (one.body == other.body &&
            one.area_vector.dot(other.area_vector) < -0.5 * one.area * other.area)
          return true;
    return false;
  }
  int shared_air(int a, int b) const { return are_opposite(a, b) ? 0 : overlap_[a][b]; }

  void match_by_overlap() {
    while (true) {
      int best = 0, best_a = 0, best_b = 0;
      for (int a = 1; a < most_sides_and_solid; ++a)
        for (int b = 1; b < most_sides_and_solid; ++b)
          if (name_[0][a] == 0 && name_[1][b] == 0 && overlap_[a][b] > best && !are_opposite(a, b))
            best = overlap_[a][b], best_a = a, best_b = b;
      if (best == 0) return;
      name_[0][best_a] = name_[1][best_b] = ++names_;
    }
  }
  void add_unmatched(int k) {
    static const LatticeCell none{};
    const Subcells& cell = *key_[k];
    const int sides = std::max(cell.sides, 1);
    if (std::all_of(name_[k] + 1, name_[k] + sides + 1, [](int name) { return name != 0; })) return;
    const std::vector<double> volume =
        side_volumes(cell.lattice ? *cell.lattice : none, *cell.side, most_sides_and_solid);
    for (int s = 1; s <= sides && names_ + 1 < most_sides_and_solid; ++s) {
      if (name_[k][s] != 0 || volume[s] == 0) continue;
      name_[k][s] = ++names_;
      if (volume[s] > largest_swept_volume) joined_[k][s] = side_around(k, s);
    }
  }
  /// The subcell at the other key that subcell s is part of, or 0.
  int side_around(int k, int s) const {
    int best = 0, around = 0;
    for (int other = 1; other < most_sides_and_solid; ++other) {
      const int shared = k == 0 ? shared_air(s, other) : shared_air(other, s);
      if (shared > best) best = shared, around = other;
    }
    return around;
  }
  /// Applies the new numbers. A joined subcell keeps its points at the key where it is part of
  /// another.
  void rename(int k, const std::array<const PointSubcells*, 2>& before) {
    for (int p = 0; p < all_lattice_points; ++p) {
      const std::uint8_t here = (*before[k])[p], there = (*before[1 - k])[p];
      const bool joined = here != 0 && joined_[1 - k][there] == here;
      const int name = joined ? name_[1 - k][there] : name_[k][here];
      renamed_[k][p] = static_cast<std::uint8_t>(name);
    }
    key_[k]->side = &renamed_[k];
  }

  std::array<Subcells*, 2> key_;
  std::array<PointSubcells, 2>& renamed_;
  int overlap_[most_sides_and_solid][most_sides_and_solid] = {};
  int name_[2][most_sides_and_solid] = {};
  int joined_[2][most_sides_and_solid] =
      {};  ///< side of the other key that a side is part of; 0: none
  std::array<std::vector<FacedWall>, most_sides_and_solid> faced_[2];
  int names_ = 0;
};

/// Pairs the links of both keys; a link that exists at one key only has no area at the other.
void pair_links(const std::vector<Link>& from, const std::vector<Link>& to, CutInterval& out) {
  std::vector<std::pair<Link, int>> all;
  for (const Link& link : from) all.emplace_back(link, 0);
  for (const Link& link : to) all.emplace_back(link, 1);
  const auto name = [](const Link& link) { return std::tuple(link.a, link.b, link.inner); };
  std::ranges::stable_sort(all, {}, [&](const auto& one) { return name(one.first); });
  for (const auto& [link, key] : all) {
    if (out.links_from.empty() || name(out.links_from.back()) != name(link)) {
      out.links_from.push_back({link.a, link.b, 0, link.inner, 0, 0});
      out.links_to.push_back(out.links_from.back());
    }
    Link& own = (key == 0 ? out.links_from : out.links_to).back();
    own.area = link.area;
    own.pull = link.pull;
    own.area_at_rest = link.area_at_rest;
  }
}

/// The approximate fraction of the plane dividing a cell with a rim that is wall.
double part_walled(const LatticeCell& cell) {
  double wall = 0, all = 0;
  for (const Crossing& c : cell.crossings) {
    const double share = c.facing * (c.rim || c.sheet ? 1 : 0.5);
    all += share;
    if (!c.rim) wall += share;
  }
  return all > 0 ? wall / all : 1;
}

/// The covered fraction below which a rim has entered or left a cell between the keys.
constexpr double rim_passes = 0.5;

/// Whether a point is above the plane through the rim crossings of a lattice.
bool is_above(const Crossing& on_plane, int point) {
  const auto index = [](int p, int axis) {
    for (int d = 0; d < axis; ++d) p /= lattice_points;
    return lattice_offsets[p % lattice_points];
  };
  Vec3 from;
  from[on_plane.axis] = on_plane.at;
  from[(on_plane.axis + 1) % 3] = lattice_offsets[on_plane.u];
  from[(on_plane.axis + 2) % 3] = lattice_offsets[on_plane.v];
  const Vec3 at(index(point, 0), index(point, 1), index(point, 2));
  return on_plane.normal.dot(at - from) > 0;
}

/// The subcells of a cell with a rim for the air that is there at the other key. Points that are
/// within the wall at the key with the rim belong to the subcell on their side of the plane.
PointSubcells sides_of_air(const LatticeCell& with_rim, const PointSubcells& air) {
  const auto plane = std::ranges::find(with_rim.crossings, true, &Crossing::rim);
  int count[2][most_sides_and_solid] = {};
  for (int p = 0; p < all_lattice_points; ++p) ++count[is_above(*plane, p)][with_rim.side[p]];
  int most[2] = {1, 1};
  for (int half = 0; half < 2; ++half)
    for (int s = 1; s <= with_rim.sides; ++s)
      if (count[half][s] > count[half][most[half]]) most[half] = s;
  PointSubcells sides = with_rim.side;
  for (int p = 0; p < all_lattice_points; ++p) {
    if (sides[p] == 0) sides[p] = static_cast<std::uint8_t>(most[is_above(*plane, p)]);
    if (air[p] == 0) sides[p] = 0;
  }
  return sides;
}

/// Splits the cell at the key without the rim, where the rim of a thin wall comes or goes. It then
/// has the same subcells at both keys, open to each other, so the air in them is split or joined
/// and not swept by a wall.
void split_alike(const Subcells& with_rim, Subcells& other, std::deque<LatticeCell>& split) {
  if (!with_rim.lattice || !with_rim.lattice->rim || other.sides > 1) return;
  if (part_walled(*with_rim.lattice) > rim_passes) return;
  LatticeCell& open = split.emplace_back(*with_rim.lattice);
  for (Crossing& c : open.crossings) c.rim = true;
  open.wall_area = 0;
  open.side = sides_of_air(*with_rim.lattice, *other.side);
  other.lattice = &open;
  other.sides = open.sides;
  other.side = &open.side;
}

/// Pairs all subcells of both keys, with thin walls.
void pair_sides(const Grid& grid, const CutGeometry& from, const CutGeometry& to,
                CutInterval& out) {
  const std::array<const CutGeometry*, 2> keys = {&from, &to};
  const std::vector<Cell> cells = cells_around(grid, keys);
  std::vector<Subcells> a = sided_cells(grid, from, cells), b = sided_cells(grid, to, cells);
  std::deque<LatticeCell> split;  // referenced by both keys
  for (std::size_t i = 0; i < cells.size(); ++i) {
    split_alike(a[i], b[i], split);
    split_alike(b[i], a[i], split);
  }
  std::vector<std::size_t> divided;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (a[i].sides > 1 || b[i].sides > 1) divided.push_back(i);
  std::vector<std::array<PointSubcells, 2>> renamed(divided.size());
  for_each_cell(divided.size(),
                [&](std::size_t k) { SideMatch(a[divided[k]], b[divided[k]], renamed[k]).run(); });
  SubcellGeometry start = with_sides(grid, a), end = with_sides(grid, b);
  out.from = std::move(start.cells);
  out.to = std::move(end.cells);
  pair_links(start.links, end.links, out);
  out.split_from = std::move(start.split);
  out.split_to = std::move(end.split);
  std::span<const Wall> walls_a = start.walls, walls_b = end.walls;
  for (std::uint32_t i = 0; i < out.from.size(); ++i) {
    const auto take = [&](std::span<const Wall>& walls) {
      std::size_t count = 0;
      while (count < walls.size() && walls[count].cell == i) ++count;
      const auto own = walls.first(count);
      walls = walls.subspan(count);
      return own;
    };
    const auto own_a = take(walls_a), own_b = take(walls_b);
    pair_walls(own_a, own_b, i, out);
  }
}

/// The same geometry with the data that thin walls need, if it has none.
CutGeometry with_whole(const CutGeometry& geometry) {
  CutGeometry copy = geometry;
  if (copy.lattices.empty()) {
    copy.whole = copy.cells;
    copy.whole_walls = copy.walls;
  }
  return copy;
}

}  // namespace

CutInterval interval(const Grid& grid, const CutGeometry& from, const CutGeometry& to) {
  CutInterval out{.solid = solid_in_both(from.solid, to.solid)};
  if (from.lattices.empty() && to.lattices.empty())
    pair_cells(grid, from, to, out);
  else if (!from.lattices.empty() && !to.lattices.empty())
    pair_sides(grid, from, to, out);
  else
    pair_sides(grid, with_whole(from), with_whole(to), out);
  return out;
}

std::vector<Wall> CutInterval::walls_at(double t) const {
  std::vector<Wall> walls = walls_from;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Wall& end = walls_to[i];
    walls[i].area_vector += t * (end.area_vector - walls[i].area_vector);
    walls[i].area = between(walls[i].area, end.area, t);
    walls[i].centre += t * (end.centre - walls[i].centre);
    walls[i].share = between(walls[i].share, end.share, t);
  }
  return walls;
}

CutGeometry CutInterval::at(double t) const {
  CutGeometry geometry{.cells = from,
                       .walls = walls_at(t),
                       .solid = solid,
                       .links = links_from,
                       .split = t < 0.5 ? split_from : split_to};
  for (std::size_t i = 0; i < links_from.size(); ++i) {
    geometry.links[i].area = between(links_from[i].area, links_to[i].area, t);
    geometry.links[i].pull = between(links_from[i].pull, links_to[i].pull, t);
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    geometry.cells[i].volume = between(from[i].volume, to[i].volume, t);
    for (int f = 0; f < cell_faces; ++f)
      geometry.cells[i].area[f] = between(from[i].area[f], to[i].area[f], t);
  }
  return geometry;
}

}  // namespace peal::wave

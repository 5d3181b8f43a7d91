#include <peal/util/sort_unique.h>
#include <peal/wave/boundary/cut_sides.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace peal::wave {
namespace {

/// The conductance of the open part of a plane between two subcells that no wall divides, where
/// nothing else is known.
constexpr double inner_conductance = 2;

/// The factor k of the conductance between the subcells of a cell in which a thin wall ends: k (1 -
/// w) / w of the plane between them, where w is the fraction that is wall. With this law alone, the
/// effective position of the rim moves evenly as the wall moves through a cell (k = 0.33 in the
/// plane, from 0.31 to 0.34 for w from 0.95 to 0.05). A larger k moves the rim closer to its true
/// position, which a wall on this grid otherwise overshoots by 0.15 of a cell
/// (docs/decisions/thin-walls.md).
constexpr double rim_conductance = 0.6;
/// The largest conductance that is a link while the wall moves. The excess (w < 0.5) relaxes the
/// subcells towards each other, which is quieter.
constexpr double largest_rim_link = 0.6;
/// The largest conductance that is a link at rest, where nothing relaxes them (w < 0.23).
constexpr double largest_rim_link_at_rest = 2;
/// (c dt / h)^2 at the stability limit, at which the solver runs.
constexpr double courant_squared = 1.0 / 3;

class SideBuilder {
 public:
  SideBuilder(const Grid& grid, std::span<const Subcells> cells) : grid_(grid), cells_(cells) {
    for (const Subcells& c : cells) {
      index_.push_back(grid.index(c.open.cell));
      first_.push_back(static_cast<std::uint32_t>(out_.cells.size()));
      add_nodes(c);
    }
    closure_.assign(out_.cells.size(), Vec3::Zero());
  }

  SubcellGeometry build() {
    for (std::size_t i = 0; i < cells_.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) join(i, axis);
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (cells_[i].sides > 1) join_sides(i);
    for (std::size_t i = 0; i < cells_.size(); ++i) add_walls(i);
    return std::move(out_);
  }

 private:
  void add_nodes(const Subcells& c) {
    if (c.sides <= 1) {
      out_.cells.push_back(c.open);
      return;
    }
    static const LatticeCell none{};
    const std::vector<double> volume = side_volumes(c.lattice ? *c.lattice : none, c.side, c.sides);
    double total = 0;
    for (int s = 1; s <= c.sides; ++s) total += volume[s];
    out_.split.push_back(
        {c.open.cell, static_cast<std::uint32_t>(out_.cells.size()), c.sides, c.side});
    for (int s = 1; s <= c.sides; ++s)
      out_.cells.push_back({.cell = c.open.cell,
                            .volume = total > 0 ? volume[s] * c.open.volume / total : 0,
                            .area = {}});
  }
  std::optional<std::size_t> number_of(const Cell& cell) const {
    if (!grid_.contains(cell)) return std::nullopt;
    const auto found = std::ranges::lower_bound(index_, grid_.index(cell));
    if (found == index_.end() || *found != grid_.index(cell)) return std::nullopt;
    return static_cast<std::size_t>(found - index_.begin());
  }

  /// Connects the face to the next cell along an axis.
  void join(std::size_t i, int axis) {
    const auto j = number_of(beyond(cells_[i].open.cell, 2 * axis + 1));
    if (!j) return;
    const Subcells &low = cells_[i], &high = cells_[*j];
    const bool split = low.sides > 1 || high.sides > 1;
    if (!split && !(low.lattice && high.lattice)) return;
    const std::vector<SharedArea> shared =
        face_areas(seen_from(high, low), seen_from(low, high), axis, low.side, high.side);
    double total = 0;
    for (const SharedArea& s : shared) total += s.area;
    if (!split) {
      // The two cells are on different sides of a wall, with slivers of open face between them.
      if (total == 0) set_area(i, *j, axis, 0);
      return;
    }
    const double exact = std::min(low.open.area[2 * axis + 1], high.open.area[2 * axis]);
    const double scale = total > 0 ? std::min(exact / total, 2.0) : 0;
    set_area(i, *j, axis, 0);
    for (const SharedArea& s : shared)
      add_link(first_[i] + s.a - 1, first_[*j] + s.b - 1, axis, scale * s.area);
  }
  /// The lattice of a cell whose walls divide a face to another cell, or null. A cell that is split
  /// because a rim will enter it, or has left it, has no wall yet; if the other cell has one at
  /// this time, that wall alone divides the face.
  static const LatticeCell* seen_from(const Subcells& other, const Subcells& cell) {
    const bool open = is_open(cell) && other.lattice && other.lattice->sides > 1 && !is_open(other);
    return open ? nullptr : cell.lattice;
  }
  static bool is_open(const Subcells& c) {
    return c.lattice && c.lattice->rim && c.lattice->wall_area == 0;
  }
  void set_area(std::size_t i, std::size_t j, int axis, double area) {
    if (cells_[i].sides <= 1) out_.cells[first_[i]].area[2 * axis + 1] = area;
    if (cells_[j].sides <= 1) out_.cells[first_[j]].area[2 * axis] = area;
  }
  void add_link(std::uint32_t a, std::uint32_t b, int axis, double area) {
    if (area <= 0) return;
    out_.links.push_back({a, b, area});
    closure_[a][axis] += area;
    closure_[b][axis] -= area;
  }
  void join_sides(std::size_t i) {
    const Subcells& c = cells_[i];
    if (c.lattice && c.lattice->rim) return join_around_rim(i);
    static const LatticeCell none{};
    for (const SharedArea& s : inner_areas(c.lattice ? *c.lattice : none, c.side))
      out_.links.push_back(
          {first_[i] + s.a - 1, first_[i] + s.b - 1, inner_conductance * s.area, true, 1});
  }
  /// The fraction of the plane between a subcell and the others that is wall.
  double coverage(std::size_t i, std::uint32_t node) const {
    const double whole = closure_[node].norm();
    return whole > 0 ? std::min(1.0, cells_[i].lattice->wall_area / whole) : 1;
  }
  /// Links the subcells around a rim. The conductance has no bound where the wall has left, since
  /// there the subcells are one. The excess over a link is a fraction t of their difference that
  /// they lose in each step; a steady flow F leaves a difference of F (1 - t) / t times lambda^2
  /// over the volume, so that this acts as a further conductance of that volume / lambda^2 times t
  /// / (1 - t).
  void join_around_rim(std::size_t i) {
    const Subcells& c = cells_[i];
    for (int a = 0; a < c.sides; ++a)
      for (int b = a + 1; b < c.sides; ++b) {
        const std::uint32_t na = first_[i] + static_cast<std::uint32_t>(a);
        const std::uint32_t nb = first_[i] + static_cast<std::uint32_t>(b);
        const double w = std::max(coverage(i, na), coverage(i, nb));
        const double whole = std::min(closure_[na].norm(), closure_[nb].norm());
        if (!(w < 1 && whole > 0)) continue;
        const double conductance = rim_conductance * (1 - w) / std::max(w, 1e-9);
        const double link = std::min(conductance, largest_rim_link);
        const double va = out_.cells[na].volume, vb = out_.cells[nb].volume;
        const double inertia = va + vb > 0 ? va * vb / (va + vb) / courant_squared : 0;
        const double rest = (conductance - link) * whole;
        out_.links.push_back(
            {.a = na,
             .b = nb,
             .area = link * whole,
             .inner = true,
             .pull = rest > 0 ? rest / (rest + inertia) : 0.0,
             .area_at_rest = std::min(conductance, largest_rim_link_at_rest) * whole});
      }
  }

  void add_walls(std::size_t i) {
    const Subcells& c = cells_[i];
    if (const auto side = only_side(c)) {
      for (Wall wall : c.walls) {
        wall.cell = first_[i] + *side - 1u;
        out_.walls.push_back(wall);
      }
      return;
    }
    const std::size_t begin = out_.walls.size();
    add_crossed_walls(i);
    if (c.lattice->rim && has_flat_walls(c)) return share_flat_walls(i, begin);
    for (int s = 0; s < c.sides; ++s) close(i, first_[i] + static_cast<std::uint32_t>(s), begin);
  }

  /// The subcell that has all air of the cell at this time, if any; the others do not exist yet, or
  /// no longer.
  static std::optional<std::uint32_t> only_side(const Subcells& c) {
    if (c.sides <= 1 || !c.lattice)
      return std::max<std::uint32_t>(1, *std::ranges::max_element(c.side));
    std::uint32_t found = 0;
    for (const std::uint8_t side : c.side) {
      if (side == 0 || side == found) continue;
      if (found != 0) return std::nullopt;
      found = side;
    }
    return found == 0 ? std::optional<std::uint32_t>() : found;
  }

  /// Adds walls according to the crossings that face each subcell.
  void add_crossed_walls(std::size_t i) {
    constexpr double sample_area = 1.0 / (lattice_samples * lattice_samples);
    struct Sum {
      Vec3 area_vector = Vec3::Zero(), moment = Vec3::Zero();
      double area = 0, largest = 0;
      std::uint32_t triangle = 0;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>, Sum> sums;
    const Subcells& c = cells_[i];
    for (const auto& [crossing, side, above] : facing_sides(*c.lattice, c.side)) {
      const Crossing& x = *crossing;
      Sum& sum = sums[{first_[i] + side - 1u, x.body, x.part, x.up != above}];
      sum.area_vector[x.axis] += above ? sample_area : -sample_area;
      const double area = sample_area * x.facing;
      Vec3 at;
      at[x.axis] = x.at;
      at[(x.axis + 1) % 3] = lattice_offsets[x.u];
      at[(x.axis + 2) % 3] = lattice_offsets[x.v];
      for (int d = 0; d < 3; ++d) at[d] += c.open.cell[d];
      sum.moment += area * at;
      sum.area += area;
      if (x.facing > sum.largest) sum.largest = x.facing, sum.triangle = x.triangle;
    }
    for (const auto& [name, sum] : sums) {
      const auto& [node, body, part, back] = name;
      out_.walls.push_back({.cell = node,
                            .body = body,
                            .part = part,
                            .triangle = sum.triangle,
                            .area_vector = sum.area_vector,
                            .area = sum.area,
                            .centre = grid_.origin + grid_.cell_size * sum.moment / sum.area,
                            .front = back ? -1.0 : 1.0});
    }
  }

  /// Whether every wall in the cell faces one way only, so that it is known which subcell it faces.
  static bool has_flat_walls(const Subcells& c) {
    constexpr double flat = 0.9;
    return !c.walls.empty() && std::ranges::all_of(c.walls, [](const Wall& wall) {
      return wall.area_vector.norm() > flat * wall.area;
    });
  }
  /// Distributes the exact walls of each part to the subcells of a cell in which the walls end, in
  /// place of the sums over lines, which only tell which subcells a wall faces. The walls of the
  /// body then add up to zero, so a shaking body is not a monopole.
  void share_flat_walls(std::size_t i, std::size_t begin) {
    const Subcells& c = cells_[i];
    const std::vector<Wall> seen(out_.walls.begin() + static_cast<std::ptrdiff_t>(begin),
                                 out_.walls.end());
    out_.walls.resize(begin);
    for (const Wall& wall : c.walls) {
      const auto same = [&](const Wall& w) { return w.body == wall.body && w.part == wall.part; };
      double area = 0;
      for (const Wall& w : seen) area += same(w) ? w.area : 0;
      const auto add = [&](std::uint32_t node, double share) {
        Wall& own = out_.walls.emplace_back(wall);
        own.cell = node;
        own.area_vector *= share;
        own.area *= share;
      };
      for (const Wall& w : seen)
        if (same(w)) add(w.cell, w.area / area);
      if (area == 0) add(facing_side(i, wall), 1);
    }
    std::ranges::stable_sort(std::span(out_.walls).subspan(begin), {},
                             [](const Wall& w) { return std::tuple(w.cell, w.body, w.part); });
  }
  /// The subcell that faces a wall which no line crosses, according to its dividing plane.
  std::uint32_t facing_side(std::size_t i, const Wall& wall) const {
    std::uint32_t best = first_[i];
    for (int s = 1; s < cells_[i].sides; ++s) {
      const std::uint32_t node = first_[i] + static_cast<std::uint32_t>(s);
      if (closure_[node].dot(wall.area_vector) > closure_[best].dot(wall.area_vector)) best = node;
    }
    return best;
  }

  /// Makes the closure S = difference of A exact: the error of the lines is distributed by area.
  /// For a wall that ends in the cell, only the covered fraction counts.
  void close(std::size_t i, std::uint32_t node, std::size_t begin) {
    const Cell& cell = out_.cells[node].cell;
    for (int d = 0; d < 3; ++d)
      if (cell[d] == 0 || cell[d] == grid_.size[d] - 1) return;
    Vec3 sum = Vec3::Zero();
    double area = 0;
    for (std::size_t w = begin; w < out_.walls.size(); ++w) {
      if (out_.walls[w].cell != node) continue;
      sum += out_.walls[w].area_vector;
      area += out_.walls[w].area;
    }
    const bool rim = cells_[i].lattice->rim;
    const Vec3 right = rim ? Vec3(coverage(i, node) * closure_[node]) : closure_[node];
    for (std::size_t w = begin; w < out_.walls.size(); ++w) {
      Wall& wall = out_.walls[w];
      if (wall.cell != node) continue;
      const double share = wall.area / area;
      wall.area_vector = rim ? Vec3(share * right) : wall.area_vector + share * (right - sum);
      if (rim) wall.area = share * right.norm();
    }
  }

  const Grid& grid_;
  std::span<const Subcells> cells_;
  std::vector<std::size_t> index_;
  std::vector<std::uint32_t> first_;  ///< node by cell
  std::vector<Vec3> closure_;         ///< signed sum of the areas of links along each axis, by node
  SubcellGeometry out_;
};

/// The walls of a cell; walls are sorted by cell.
std::span<const Wall> walls_of(std::span<const Wall> walls, std::size_t cell) {
  return {std::ranges::lower_bound(walls, cell, {}, &Wall::cell),
          std::ranges::upper_bound(walls, cell, {}, &Wall::cell)};
}

}  // namespace

std::vector<Cell> cells_around(const Grid& grid, std::span<const CutGeometry* const> geometries) {
  std::vector<std::pair<std::size_t, Cell>> keys;
  const auto add = [&](const Cell& cell) { keys.emplace_back(grid.index(cell), cell); };
  for (const CutGeometry* g : geometries) {
    for (const OpenCell& open : g->whole) add(open.cell);
    for (const LatticeCell& lattice : g->lattices) {
      if (lattice.sides < 2) continue;
      add(lattice.cell);
      for (int f = 0; f < cell_faces; ++f) {
        const Cell next = beyond(lattice.cell, f);
        const bool solid = std::ranges::all_of(
            geometries, [&](const CutGeometry* one) { return is_solid(one->solid, next); });
        if (grid.contains(next) && !solid) add(next);
      }
    }
  }
  util::sort_unique(keys);
  std::vector<Cell> cells(keys.size());
  std::ranges::transform(keys, cells.begin(), [](const auto& key) { return key.second; });
  return cells;
}

std::vector<Subcells> sided_cells(const Grid& grid, const CutGeometry& geometry,
                                  std::span<const Cell> cells) {
  std::vector<Subcells> sided;
  std::size_t open = 0, lattice = 0;
  for (const Cell& cell : cells) {
    const std::size_t index = grid.index(cell);
    while (open < geometry.whole.size() && grid.index(geometry.whole[open].cell) < index) ++open;
    while (lattice < geometry.lattices.size() &&
           grid.index(geometry.lattices[lattice].cell) < index)
      ++lattice;
    Subcells& one = sided.emplace_back();
    if (open < geometry.whole.size() && geometry.whole[open].cell == cell) {
      one.open = geometry.whole[open];
      one.walls = walls_of(geometry.whole_walls, open);
    } else {
      one.open = uncut(geometry, cell);
    }
    if (lattice < geometry.lattices.size() && geometry.lattices[lattice].cell == cell) {
      one.lattice = &geometry.lattices[lattice];
      one.sides = one.lattice->sides;
      one.side = one.lattice->side;
    } else {
      one.side = undivided(one.open.volume == 0);
    }
  }
  return sided;
}

void divide_cells(const Grid& grid, std::vector<LatticeCell> lattices, CutGeometry& geometry) {
  std::erase_if(lattices, [&](const LatticeCell& c) { return is_solid(geometry.solid, c.cell); });
  geometry.lattices = std::move(lattices);
  geometry.whole = std::move(geometry.cells);
  geometry.whole_walls = std::move(geometry.walls);
  const CutGeometry* const one = &geometry;
  const std::vector<Cell> cells = cells_around(grid, std::span(&one, 1));
  SubcellGeometry sided = with_sides(grid, sided_cells(grid, geometry, cells));
  geometry.cells = std::move(sided.cells);
  geometry.walls = std::move(sided.walls);
  geometry.links = std::move(sided.links);
  geometry.split = std::move(sided.split);
}

PointSubcells undivided(bool solid) {
  PointSubcells side;
  side.fill(solid ? 0 : 1);
  return side;
}

OpenCell uncut(const CutGeometry& geometry, const Cell& cell) {
  OpenCell open{.cell = cell, .volume = is_solid(geometry.solid, cell) ? 0.0 : 1.0, .area = {}};
  open.area.fill(open.volume);
  return open;
}

SubcellGeometry with_sides(const Grid& grid, std::span<const Subcells> cells) {
  return SideBuilder(grid, cells).build();
}

}  // namespace peal::wave

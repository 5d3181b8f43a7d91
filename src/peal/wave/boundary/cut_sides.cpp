#include <peal/wave/boundary/cut_sides.h>
#include <peal/wave/boundary/parallel_cells.h>

#include <algorithm>
#include <array>
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
/// (docs/decisions/thin-walls.md). While the wall moves, it also makes more noise.
constexpr double rim_conductance = 0.6;
/// The largest conductance that is a link while the wall moves. The excess (w < 0.5) relaxes the
/// subcells towards each other, which is quieter.
constexpr double largest_rim_link = 0.6;
/// k at rest, where there is no noise: discs of 5 to 20 cells in radius, anywhere in the grid, have
/// their exact dipole within 0.4 dB as sheets. The rims of solids have faces of their own, and with
/// 1.5 a plate of 0.2 cells would shadow 0.3 dB less than on a fine grid.
constexpr double sheet_conductance_at_rest = 1.5, solid_conductance_at_rest = 1.0;
/// The largest conductance that is a link at rest, where nothing relaxes them.
constexpr double largest_rim_link_at_rest = 4;
/// (c dt / h)^2 at the stability limit, at which the solver runs.
constexpr double courant_squared = 1.0 / 3;

/// A face of a cell and the next one along an axis, by their numbers.
struct JoinedFace {
  std::size_t low, high;
  int axis;
  bool is_split;  ///< whether either cell is split
  std::vector<SharedArea> shared = {};
};

class SideBuilder {
 public:
  SideBuilder(const Grid& grid, std::span<const Subcells> cells) : grid_(grid), cells_(cells) {
    index_.reserve(cells.size());
    first_.reserve(cells.size());
    out_.cells.reserve(cells.size() + cells.size() / 4);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      index_.push_back(grid.index(cells[i].open.cell));
      first_.push_back(static_cast<std::uint32_t>(out_.cells.size()));
      if (cells[i].sides > 1) split_.push_back(i);
      out_.cells.insert(out_.cells.end(), static_cast<std::size_t>(std::max(1, cells[i].sides)),
                        cells[i].open);
    }
    closure_.assign(out_.cells.size(), Vec3::Zero());
  }

  SubcellGeometry build() {
    for_each(split_, [&](std::size_t i) { set_volumes(i); });
    for (const std::size_t i : split_)
      out_.split.push_back({cells_[i].open.cell, first_[i], cells_[i].sides, *cells_[i].side});
    std::vector<JoinedFace> faces = joined_faces();
    for_each(faces, [&](JoinedFace& face) { face.shared = shared_areas(face); });
    for (const JoinedFace& face : faces) join(face);
    for (const std::size_t i : split_) join_sides(i);
    add_walls();
    return std::move(out_);
  }

 private:
  /// Calls task(element) for each element, on all threads.
  template <class List, class Task>
  static void for_each(List& list, const Task& task) {
    for_each_cell(list.size(), [&](std::size_t i) { task(list[i]); });
  }

  /// Distributes the volume of a split cell to its nodes.
  void set_volumes(std::size_t i) {
    static const LatticeCell none{};
    const Subcells& c = cells_[i];
    const std::vector<double> volume =
        side_volumes(c.lattice ? *c.lattice : none, *c.side, c.sides);
    double total = 0;
    for (int s = 1; s <= c.sides; ++s) total += volume[s];
    for (int s = 1; s <= c.sides; ++s) {
      OpenCell& node = out_.cells[first_[i] + static_cast<std::uint32_t>(s) - 1u];
      node.volume = total > 0 ? volume[s] * c.open.volume / total : 0;
      node.area = {};
    }
  }

  /// The faces that are open to links, or that walls may close: all faces of split cells, and those
  /// between two lattices.
  std::vector<JoinedFace> joined_faces() const {
    std::vector<JoinedFace> faces;
    std::array<std::size_t, 3> next{};  // cells go up, so their neighbours do
    for (std::size_t i = 0; i < cells_.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const Cell beside = beyond(cells_[i].open.cell, 2 * axis + 1);
        if (!grid_.contains(beside)) continue;
        const std::size_t index = grid_.index(beside);
        std::size_t& j = next[axis];
        while (j < cells_.size() && index_[j] < index) ++j;
        if (j == cells_.size() || index_[j] != index) continue;
        const bool split = cells_[i].sides > 1 || cells_[j].sides > 1;
        if (split || (cells_[i].lattice && cells_[j].lattice))
          faces.push_back({.low = i, .high = j, .axis = axis, .is_split = split});
      }
    return faces;
  }
  std::vector<SharedArea> shared_areas(const JoinedFace& face) const {
    const Subcells &low = cells_[face.low], &high = cells_[face.high];
    return face_areas(seen_from(high, low), seen_from(low, high), face.axis, *low.side, *high.side);
  }
  void join(const JoinedFace& face) {
    const auto [i, j, axis, split, shared] =
        std::tie(face.low, face.high, face.axis, face.is_split, face.shared);
    double total = 0;
    for (const SharedArea& s : shared) total += s.area;
    if (!split) {
      // The two cells are on different sides of a wall, with slivers of open face between them.
      if (total == 0) set_area(i, j, axis, 0);
      return;
    }
    const double exact = std::min(cells_[i].open.area[2 * axis + 1], cells_[j].open.area[2 * axis]);
    const double scale = total > 0 ? std::min(exact / total, 2.0) : 0;
    set_area(i, j, axis, 0);
    for (const SharedArea& s : shared)
      add_link(first_[i] + s.a - 1, first_[j] + s.b - 1, axis, scale * s.area);
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
    for (const SharedArea& s : inner_areas(c.lattice ? *c.lattice : none, *c.side))
      out_.links.push_back(
          {first_[i] + s.a - 1, first_[i] + s.b - 1, inner_conductance * s.area, true, 1});
  }
  /// The fraction of the plane between a subcell and the others that is wall.
  double coverage(std::size_t i, std::uint32_t node) const {
    const double whole = closure_[node].norm();
    return whole > 0 ? std::min(1.0, cells_[i].lattice->wall_area / whole) : 1;
  }
  /// The conductance around the rim of a wall that covers a fraction w, if nothing moves.
  static double conductance_at_rest(const LatticeCell& lattice, double w) {
    const bool is_sheet =
        lattice.wall_area > 0 &&
        std::ranges::all_of(lattice.crossings, [](const Crossing& c) { return c.sheet || c.rim; });
    const double k = is_sheet ? sheet_conductance_at_rest : solid_conductance_at_rest;
    return std::min(k * (1 - w) / std::max(w, 1e-9), largest_rim_link_at_rest);
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
        out_.links.push_back({.a = na,
                              .b = nb,
                              .area = link * whole,
                              .inner = true,
                              .pull = rest > 0 ? rest / (rest + inertia) : 0.0,
                              .area_at_rest = conductance_at_rest(*c.lattice, w) * whole});
      }
  }

  /// Adds the walls of all cells, in their order.
  void add_walls() {
    std::vector<std::vector<Wall>> walls(split_.size());
    for_each_cell(split_.size(), [&](std::size_t k) { walls[k] = walls_of_split(split_[k]); });
    std::size_t k = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].sides > 1) {
        out_.walls.insert(out_.walls.end(), walls[k].begin(), walls[k].end());
        ++k;
      } else {
        add_whole_walls(cells_[i], first_[i], out_.walls);
      }
    }
  }
  static void add_whole_walls(const Subcells& c, std::uint32_t node, std::vector<Wall>& walls) {
    for (const Wall& wall : c.walls) walls.emplace_back(wall).cell = node;
  }
  std::vector<Wall> walls_of_split(std::size_t i) const {
    const Subcells& c = cells_[i];
    std::vector<Wall> walls;
    if (const auto side = only_side(c)) {
      add_whole_walls(c, first_[i] + *side - 1u, walls);
      return walls;
    }
    walls = crossed_walls(i);
    if (c.lattice->rim && has_flat_walls(c)) return share_flat_walls(i, walls);
    for (int s = 0; s < c.sides; ++s) close(i, first_[i] + static_cast<std::uint32_t>(s), walls);
    return walls;
  }

  /// The subcell that has all air of the cell at this time, if any; the others do not exist yet, or
  /// no longer.
  static std::optional<std::uint32_t> only_side(const Subcells& c) {
    if (!c.lattice) return std::max<std::uint32_t>(1, *std::ranges::max_element(*c.side));
    std::uint32_t found = 0;
    for (const std::uint8_t side : *c.side) {
      if (side == 0 || side == found) continue;
      if (found != 0) return std::nullopt;
      found = side;
    }
    return found == 0 ? std::optional<std::uint32_t>() : found;
  }

  /// The walls of a split cell according to the crossings that face each subcell.
  std::vector<Wall> crossed_walls(std::size_t i) const {
    constexpr double sample_area = 1.0 / (lattice_samples * lattice_samples);
    struct Sum {
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>
          name;  ///< node, body, part, back
      Vec3 area_vector = Vec3::Zero(), moment = Vec3::Zero();
      double area = 0, largest = 0;
      std::uint32_t triangle = 0;
    };
    std::vector<Sum> sums;
    const Subcells& c = cells_[i];
    for (const auto& [crossing, side, above] : facing_sides(*c.lattice, *c.side)) {
      const Crossing& x = *crossing;
      const std::tuple name(first_[i] + side - 1u, x.body, x.part, x.up != above);
      auto found = std::ranges::find(sums, name, &Sum::name);
      if (found == sums.end()) found = sums.insert(sums.end(), {.name = name});
      Sum& sum = *found;
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
    std::ranges::sort(sums, {}, &Sum::name);
    std::vector<Wall> walls;
    for (const Sum& sum : sums) {
      const auto& [node, body, part, back] = sum.name;
      walls.push_back({.cell = node,
                       .body = body,
                       .part = part,
                       .triangle = sum.triangle,
                       .area_vector = sum.area_vector,
                       .area = sum.area,
                       .centre = grid_.origin + grid_.cell_size * sum.moment / sum.area,
                       .front = back ? -1.0 : 1.0});
    }
    return walls;
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
  std::vector<Wall> share_flat_walls(std::size_t i, std::span<const Wall> seen) const {
    const Subcells& c = cells_[i];
    std::vector<Wall> walls;
    for (const Wall& wall : c.walls) {
      const auto same = [&](const Wall& w) { return w.body == wall.body && w.part == wall.part; };
      double area = 0;
      for (const Wall& w : seen) area += same(w) ? w.area : 0;
      const auto add = [&](std::uint32_t node, double share) {
        Wall& own = walls.emplace_back(wall);
        own.cell = node;
        own.area_vector *= share;
        own.area *= share;
      };
      for (const Wall& w : seen)
        if (same(w)) add(w.cell, w.area / area);
      if (area == 0) add(facing_side(i, wall), 1);
    }
    std::ranges::stable_sort(walls, {},
                             [](const Wall& w) { return std::tuple(w.cell, w.body, w.part); });
    return walls;
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
  void close(std::size_t i, std::uint32_t node, std::span<Wall> walls) const {
    const Cell& cell = out_.cells[node].cell;
    for (int d = 0; d < 3; ++d)
      if (cell[d] == 0 || cell[d] == grid_.size[d] - 1) return;
    Vec3 sum = Vec3::Zero();
    double area = 0;
    for (const Wall& wall : walls) {
      if (wall.cell != node) continue;
      sum += wall.area_vector;
      area += wall.area;
    }
    const bool rim = cells_[i].lattice->rim;
    const Vec3 right = rim ? Vec3(coverage(i, node) * closure_[node]) : closure_[node];
    for (Wall& wall : walls) {
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
  std::vector<std::size_t> split_;    ///< numbers of the split cells
  std::vector<Vec3> closure_;         ///< signed sum of the areas of links along each axis, by node
  SubcellGeometry out_;
};

}  // namespace

SubcellGeometry with_sides(const Grid& grid, std::span<const Subcells> cells) {
  return SideBuilder(grid, cells).build();
}

}  // namespace peal::wave

#include <peal/util/sort_unique.h>
#include <peal/wave/boundary/cut_lattice.h>
#include <peal/wave/boundary/lattice_raster.h>
#include <peal/wave/boundary/lattice_sets.h>
#include <peal/wave/boundary/parallel_cells.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace peal::wave {
namespace {

/// The smallest fraction of the walls in a cell that face along one line if they are the two faces
/// of one wall.
constexpr double one_wall_facing = 0.6;
/// A cosine just above that of 45 degrees.
constexpr double one_way = 0.7072;

Vec3 index_of(const Crossing& c) {
  Vec3 at;
  at[c.axis] = c.at;
  at[(c.axis + 1) % 3] = lattice_offsets[c.u];
  at[(c.axis + 2) % 3] = lattice_offsets[c.v];
  return at;
}

/// The plane midway between the two faces of a thin wall.
struct MiddlePlane {
  Vec3 normal;
  double distance;  ///< from the cell's low corner to the plane, along the normal
};

/// Whether all crossings face within 45 degrees of the first one, so that no wall has two faces.
bool face_one_way(const LatticeCell& cell) {
  const Vec3& first = cell.crossings.front().normal;
  return std::ranges::all_of(
      cell.crossings, [&](const Crossing& c) { return !c.sheet && c.normal.dot(first) > one_way; });
}

std::optional<MiddlePlane> middle_plane(const LatticeCell& cell) {
  if (face_one_way(cell)) return std::nullopt;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Crossing& c : cell.crossings) spread += c.facing * c.normal * c.normal.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread);
  // Where the walls face many directions, as in the corner of a box, none of them ends.
  if (axes.eigenvalues()[2] < one_wall_facing * axes.eigenvalues().sum()) return std::nullopt;
  const Vec3 normal = axes.eigenvectors().col(2);
  double area[2] = {}, moment[2] = {};
  for (const Crossing& c : cell.crossings) {
    const double along = c.normal.dot(normal), weight = c.facing * along * along;
    const double index = weight * normal.dot(index_of(c));
    for (int side = 0; side < 2; ++side)
      if (c.sheet || (along > 0) == (side == 1)) area[side] += weight, moment[side] += index;
  }
  if (!(area[0] > 0 && area[1] > 0)) return std::nullopt;
  const double back = moment[0] / area[0], front = moment[1] / area[1];
  if (front - back < 0 || front - back > 1) return std::nullopt;
  return MiddlePlane{normal, 0.5 * (back + front)};
}

/// Continues a thin wall that ends in the cell through the fluid around its rim.
void continue_wall(LatticeCell& cell, const PointSets& sets, const MiddlePlane& plane) {
  std::array<std::array<bool, all_lattice_points>, 3> crossed{};
  for (const CrossedSegment& s : cell.crossed) crossed[s.axis][s.low] = true;
  for (int axis = 0; axis < 3; ++axis)
    for (int u = 0; u < lattice_points; ++u)
      for (int v = 0; v < lattice_points; ++v) {
        if (on_face(u) && on_face(v)) continue;
        if (std::abs(plane.normal[axis]) < 1e-9) continue;
        Crossing c{.axis = static_cast<std::uint8_t>(axis),
                   .u = static_cast<std::uint8_t>(u),
                   .v = static_cast<std::uint8_t>(v),
                   .rim = true,
                   .facing = std::abs(plane.normal[axis]),
                   .normal = plane.normal};
        Vec3 at = index_of(c);
        at[axis] = 0;
        c.at = (plane.distance - plane.normal.dot(at)) / plane.normal[axis];
        if (!(c.at >= 0 && c.at < 1)) continue;
        while (c.segment + 1 < lattice_segments && c.at >= lattice_offsets[c.segment + 1])
          ++c.segment;
        const int low = point_on(axis, u, v, c.segment);
        if (crossed[axis][low] || sets.set[low] != sets.fluid[0]) continue;
        cell.crossings.push_back(c);
        cell.extent[axis] += c.facing;
      }
}

/// The bodies whose sheet has an edge with a single triangle, ascending. Around a vertex inside a
/// sheet, each neighbour is in two triangles; where the triangles do not close, two neighbours are
/// in one.
std::vector<std::uint32_t> open_sheets(std::span<const LatticeSurface> surfaces) {
  std::vector<std::uint32_t> bodies;
  for (const LatticeSurface& surface : surfaces) {
    if (!surface.sheet) continue;
    std::vector<std::uint32_t> unpaired(surface.vertices.size());
    for (const geometry::Triangle& t : surface.triangles)
      for (int k = 0; k < 3; ++k) unpaired[t[k]] ^= t[(k + 1) % 3] ^ t[(k + 2) % 3];
    if (std::ranges::any_of(unpaired, [](std::uint32_t rest) { return rest != 0; }))
      bodies.push_back(surface.body);
  }
  util::sort_unique(bodies);
  return bodies;
}

void set_sides(LatticeCell& cell, const PointSets& sets) {
  std::array<std::uint8_t, all_lattice_points> number{};
  for (std::size_t i = 0; i < sets.fluid.size(); ++i)
    number[sets.fluid[i]] = static_cast<std::uint8_t>(i + 1);
  for (int p = 0; p < all_lattice_points; ++p) cell.side[p] = number[sets.set[p]];
  cell.sides = static_cast<int>(sets.fluid.size());
}

/// Finds the subcells of lattices.
class SideFinder {
 public:
  explicit SideFinder(std::span<const LatticeSurface> surfaces) : open_(open_sheets(surfaces)) {}

  void run(LatticeCell& cell) const { find_sides(cell, may_end(cell)); }

 private:
  /// The wall of a solid ends where its two faces meet, and that of a sheet at its edge. A closed
  /// sheet has no edge: it does not end where it bends within a cell so that the lattice sees one
  /// side only.
  bool may_end(const LatticeCell& cell) const {
    return std::ranges::all_of(cell.crossings, [&](const Crossing& crossing) {
      return !crossing.sheet || std::ranges::binary_search(open_, crossing.body);
    });
  }
  static void find_sides(LatticeCell& cell, bool may_end);

  std::vector<std::uint32_t> open_;
};

void SideFinder::find_sides(LatticeCell& cell, bool may_end) {
  index_crossings(cell);
  const PointSets sets(cell);
  set_sides(cell, sets);
  if (cell.sides != 1 || !may_end) return;
  const auto plane = middle_plane(cell);
  if (!plane) return;
  LatticeCell continued = cell;
  continue_wall(continued, sets, *plane);
  index_crossings(continued);
  const PointSets split(continued);
  set_sides(continued, split);
  // A wall that only cuts off a corner between the lines does not end there.
  if (continued.sides < 2 || split.volume[split.fluid[1]] < 0.005) return;
  continued.rim = true;
  cell = std::move(continued);
}

/// Marks of cells within one layer around some cells.
class CellMarks {
 public:
  CellMarks(const Grid& grid, std::span<const Cell> cells) {
    low_ = grid.size;
    Cell high{};
    for (const Cell& c : cells)
      for (int d = 0; d < 3; ++d) {
        low_[d] = std::max(std::min(low_[d], c[d] - 1), 0);
        high[d] = std::min(std::max(high[d], c[d] + 2), grid.size[d]);
      }
    box_.size = {high[0] - low_[0], high[1] - low_[1], high[2] - low_[2]};
    set(cells);
  }

  bool has(const Cell& cell) const { return marks_[box_.index(in_box(cell))]; }
  void set(std::span<const Cell> cells) {
    marks_.assign(box_.cells(), false);
    for (const Cell& c : cells) marks_[box_.index(in_box(c))] = true;
  }
  /// The cells and all cells around them, in the order of the grid's index.
  std::vector<Cell> around(std::span<const Cell> cells) const {
    std::vector<bool> near(box_.cells());
    for (const Cell& c : cells) {
      const Cell at = in_box(c);
      for (int z = std::max(at[2] - 1, 0); z < std::min(at[2] + 2, box_.size[2]); ++z)
        for (int y = std::max(at[1] - 1, 0); y < std::min(at[1] + 2, box_.size[1]); ++y)
          for (int x = std::max(at[0] - 1, 0); x < std::min(at[0] + 2, box_.size[0]); ++x)
            near[box_.index({x, y, z})] = true;
    }
    std::vector<Cell> all;
    for (std::size_t i = 0; i < near.size(); ++i) {
      if (!near[i]) continue;
      const Cell at = box_.cell(i);
      all.push_back({at[0] + low_[0], at[1] + low_[1], at[2] + low_[2]});
    }
    return all;
  }

 private:
  Cell in_box(const Cell& cell) const {
    return {cell[0] - low_[0], cell[1] - low_[1], cell[2] - low_[2]};
  }

  Cell low_;
  Grid box_;
  std::vector<bool> marks_;
};

/// Sums by pair of subcells; there are few pairs.
class PairSums {
 public:
  void add(std::uint8_t a, std::uint8_t b, double area) {
    if (a == 0 || b == 0 || area <= 0) return;
    for (SharedArea& sum : sums_)
      if (sum.a == a && sum.b == b) {
        sum.area += area;
        return;
      }
    sums_.push_back({a, b, area});
  }
  std::vector<SharedArea> take() {
    std::ranges::sort(sums_, {}, [](const SharedArea& s) { return std::pair(s.a, s.b); });
    return std::move(sums_);
  }

 private:
  std::vector<SharedArea> sums_;
};

/// The parts that crossings leave of the segments of the sample lines in a face. The lines run
/// along the two axes after that of the face.
class FaceSegments {
 public:
  explicit FaceSegments(int axis) : axis_(axis) {}

  void add(const LatticeCell& cell, int face) {
    if (cell.face_begin[face] == cell.face_begin[face + 1]) return;
    if (std::exchange(is_open_, false))
      for (auto& lines : part_)
        for (auto& line : lines) line.fill({2, -1});
    for (std::size_t i = cell.face_begin[face]; i < cell.face_begin[face + 1]; ++i) {
      const CrossedSegment& s = cell.crossed[i];
      const bool along_first = s.axis == (axis_ + 1) % 3;
      Part& part = part_[along_first ? 0 : 1][along_first ? s.u : s.v][s.segment];
      part.first = std::min(part.first, s.first);
      part.last = std::max(part.last, s.last);
    }
  }
  /// Whether no segment is crossed.
  bool is_open() const { return is_open_; }
  /// The lengths of a line that belong to its points.
  std::array<double, lattice_points> lengths(int line_axis, int line) const {
    constexpr double end = 0.5 * lattice_offsets[1], inner = 0.5 * lattice_offsets[2];
    if (is_open_) return {end, inner, 4 * end, 4 * end, inner, end};
    std::array<double, lattice_points> length{};
    for (int s = 0; s < lattice_segments; ++s) {
      const Part& part = part_[line_axis][line][s];
      const double from = lattice_offsets[s], to = lattice_offsets[s + 1],
                   middle = 0.5 * (from + to);
      const bool open = part.first > part.last;
      length[s] += (open ? middle : part.first) - from;
      length[s + 1] += to - (open ? middle : part.last);
    }
    return length;
  }

 private:
  struct Part {
    double first, last;  ///< as in CrossedSegment; first > last: not crossed
  };

  int axis_;
  bool is_open_ = true;
  std::array<std::array<Part, lattice_segments>, lattice_points> part_[2];
};

/// The subcells on both sides of a face, if all of it lies between the same two.
std::optional<std::pair<std::uint8_t, std::uint8_t>> only_pair(int axis,
                                                               const PointSubcells& low_side,
                                                               const PointSubcells& high_side) {
  const int across = (lattice_points - 1) * lattice_stride[axis];
  const std::pair pair(low_side[point_on(axis, 1, 1, 0) + across],
                       high_side[point_on(axis, 1, 1, 0)]);
  if (pair.first == 0 || pair.second == 0) return std::nullopt;
  for (int u = 0; u < lattice_points; ++u)
    for (int v = 0; v < lattice_points; ++v) {
      const int point = point_on(axis, u, v, 0);
      const bool in_edges = on_face(u) && on_face(v);
      if (!in_edges && std::pair(low_side[point + across], high_side[point]) != pair)
        return std::nullopt;
    }
  return pair;
}

}  // namespace

std::vector<LatticeCell> lattices_around_divided(const Grid& grid, std::span<const Cell> cells,
                                                 std::span<const LatticeSurface> surfaces) {
  CellMarks wanted(grid, cells);
  std::vector<LatticeCell> lattices = with_crossings(grid, wanted.around(cells), surfaces);
  const SideFinder finder(surfaces);
  const auto find_sides = [&](const auto& is_in) {
    for_each_cell(lattices.size(), [&](std::size_t i) {
      if (lattices[i].crossed.empty() && is_in(lattices[i].cell)) finder.run(lattices[i]);
    });
  };
  find_sides([&](const Cell& cell) { return wanted.has(cell); });
  std::vector<Cell> divided;
  for (const LatticeCell& lattice : lattices)
    if (lattice.sides > 1 && wanted.has(lattice.cell)) divided.push_back(lattice.cell);
  if (divided.empty()) return {};
  wanted.set(wanted.around(divided));
  std::erase_if(lattices, [&](const LatticeCell& one) { return !wanted.has(one.cell); });
  find_sides([](const Cell&) { return true; });
  return lattices;
}

std::vector<double> side_volumes(const LatticeCell& cell, const PointSubcells& side, int sides) {
  std::vector<double> volume(static_cast<std::size_t>(sides) + 1);
  const auto by_point = point_volumes(cell);
  for (int p = 0; p < all_lattice_points; ++p) volume[side[p]] += by_point[p];
  return volume;
}

std::vector<SharedArea> face_areas(const LatticeCell* low, const LatticeCell* high, int axis,
                                   const PointSubcells& low_side, const PointSubcells& high_side) {
  const std::array<int, 2> lines = {(axis + 1) % 3, (axis + 2) % 3};
  const int across = (lattice_points - 1) * lattice_stride[axis];
  FaceSegments segments(axis);
  Vec3 extent = Vec3::Zero();
  if (low) {
    segments.add(*low, 2 * axis + 1);
    extent += low->extent;
  }
  if (high) {
    segments.add(*high, 2 * axis);
    extent += high->extent;
  }
  if (segments.is_open()) {
    if (const auto pair = only_pair(axis, low_side, high_side))
      return {{pair->first, pair->second, 1}};
  }
  const auto weight = axis_weights<2>(extent, lines);
  PairSums sums;
  for (int i = 0; i < 2; ++i)
    for (int k = 1; k <= lattice_samples; ++k) {
      const std::array<double, lattice_points> length = segments.lengths(i, k);
      // Along axis + 1 the face is the second coordinate of the line, along axis + 2 the first.
      const int first = i == 0 ? point_on(lines[0], k, 0, 0) : point_on(lines[1], 0, k, 0);
      for (int s = 0; s < lattice_points; ++s) {
        const int point = first + s * lattice_stride[lines[i]];
        sums.add(low_side[point + across], high_side[point],
                 weight[i] * length[s] / lattice_samples);
      }
    }
  return sums.take();
}

std::vector<Facing> facing_sides(const LatticeCell& cell, const PointSubcells& side) {
  std::vector<Facing> all;
  for (const Crossing& c : cell.crossings) {
    if (c.rim || on_face(c.u) || on_face(c.v)) continue;
    const int point = point_on(c.axis, c.u, c.v, c.segment);
    const std::uint8_t low = side[point], high = side[point + lattice_stride[c.axis]];
    if (c.is_lowest && low != 0 && (c.sheet || !c.up)) all.push_back({&c, low, false});
    if (c.is_highest && high != 0 && (c.sheet || c.up)) all.push_back({&c, high, true});
  }
  return all;
}

std::vector<SharedArea> inner_areas(const LatticeCell& cell, const PointSubcells& side) {
  std::array<std::array<bool, all_lattice_points>, 3> crossed{};
  for (const CrossedSegment& s : inner_segments(cell)) crossed[s.axis][s.low] = true;
  PairSums sums;
  for (int axis = 0; axis < 3; ++axis)
    for (int u = 1; u <= lattice_samples; ++u)
      for (int v = 1; v <= lattice_samples; ++v)
        for (int s = 1; s + 1 < lattice_segments; ++s) {
          const int low = point_on(axis, u, v, s);
          const std::uint8_t a = side[low], b = side[low + lattice_stride[axis]];
          if (a != b && !crossed[axis][low])
            sums.add(std::min(a, b), std::max(a, b), 1.0 / (lattice_samples * lattice_samples));
        }
  return sums.take();
}

}  // namespace peal::wave

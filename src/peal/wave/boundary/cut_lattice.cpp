#include <peal/util/sort_unique.h>
#include <peal/wave/boundary/cut_lattice.h>
#include <peal/wave/boundary/lattice_raster.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bitset>
#include <cmath>
#include <optional>

namespace peal::wave {
namespace {

constexpr int lattice_segments = lattice_points - 1;
constexpr int lattice_resolution = lattice_points - 2;
constexpr int most_sides = 15;
/// The smallest volume of a subcell that counts; walls in grid planes leave slivers of a millionth
/// of a cell.
constexpr double smallest_volume = 1e-4;
/// The smallest fraction of the walls in a cell that face along one line if they are the two faces
/// of one wall.
constexpr double one_wall_facing = 0.6;

bool on_face(int point) {
  return point == 0 || point == lattice_points - 1;
}

/// The index of the point at `along` on the line (u, v) of an axis.
int point_on(int axis, int u, int v, int along) {
  std::array<int, 3> at;
  at[axis] = along;
  at[(axis + 1) % 3] = u;
  at[(axis + 2) % 3] = v;
  return lattice_point(at[0], at[1], at[2]);
}

/// The crossings of every segment, as the parts that are left at either end.
class Segments {
 public:
  struct Segment {
    double first = 2, last = -1;  ///< nearest crossings to the low and high end; first > last: none
    bool open() const { return first > last; }
  };
  struct Crossed {
    int axis, u, v, segment;
    Segment left;
  };

  explicit Segments(std::span<const Crossing> crossings) {
    for (const Crossing& c : crossings) {
      std::uint16_t& slot = slot_[number(c.axis, c.u, c.v, c.segment)];
      if (slot == 0) {
        crossed_.push_back({c.axis, c.u, c.v, c.segment, {}});
        slot = static_cast<std::uint16_t>(crossed_.size());
      }
      Segment& s = crossed_[slot - 1u].left;
      s.first = std::min(s.first, c.at);
      s.last = std::max(s.last, c.at);
    }
  }
  Segment at(int axis, int u, int v, int segment) const {
    const std::uint16_t slot = slot_[number(axis, u, v, segment)];
    return slot == 0 ? Segment{} : crossed_[slot - 1u].left;
  }
  const std::vector<Crossed>& crossed() const { return crossed_; }

 private:
  static std::size_t number(int axis, int u, int v, int segment) {
    return static_cast<std::size_t>(
        ((axis * lattice_points + u) * lattice_points + v) * lattice_segments + segment);
  }

  std::vector<Crossed> crossed_;
  std::array<std::uint16_t, 3 * lattice_points * lattice_points * lattice_segments>
      slot_{};  ///< index in crossed_ plus 1; 0 if uncrossed
};

/// The weights of two or three axes; lines that graze a wall say little about it.
template <std::size_t N>
std::array<double, N> axis_weights(const Vec3& extent, const std::array<int, N>& axes) {
  std::array<double, N> weight;
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += weight[i] = extent[axes[i]] * extent[axes[i]];
  for (double& w : weight) w = sum > 0 ? w / sum : 1.0 / N;
  return weight;
}

using Points = std::bitset<all_lattice_points>;

/// The distance of neighbouring points along an axis, in indices.
constexpr std::array<int, 3> lattice_stride = {1, lattice_points, lattice_points* lattice_points};

/// The low points of all segments of an axis that connect points; those in the edges of a cell do
/// not.
Points joining_segments(int axis) {
  Points low;
  for (int u = 0; u < lattice_points; ++u)
    for (int v = 0; v < lattice_points; ++v)
      if (!on_face(u) || !on_face(v))
        for (int s = 0; s < lattice_segments; ++s) low.set(point_on(axis, u, v, s));
  return low;
}

/// The connected set that each point belongs to, from 0.
std::array<std::uint8_t, all_lattice_points> joined_points(const Segments& segments) {
  static const std::array<Points, 3> all = {joining_segments(0), joining_segments(1),
                                            joining_segments(2)};
  std::array<Points, 3> open = all;
  for (const Segments::Crossed& c : segments.crossed())
    open[c.axis].reset(point_on(c.axis, c.u, c.v, c.segment));
  std::array<std::uint8_t, all_lattice_points> set;
  Points left;
  left.set();
  for (std::uint8_t name = 0; left.any(); ++name) {
    Points flooded, before;
    flooded.set(left._Find_first());
    while (flooded != before) {
      before = flooded;
      for (int axis = 0; axis < 3; ++axis) {
        flooded |= (flooded & open[axis]) << lattice_stride[axis];
        flooded |= (flooded >> lattice_stride[axis]) & open[axis];
      }
    }
    left &= ~flooded;
    for (std::size_t p = flooded._Find_first(); p < all_lattice_points; p = flooded._Find_next(p))
      set[p] = name;
  }
  return set;
}

/// Adds the points within one body. These are the sets between its own walls for which more of
/// these walls say solid than fluid. Other surfaces are ignored: one that continues inside the body
/// would leave sets there that no wall of the body touches.
void add_solid_points(const LatticeCell& cell, std::uint32_t body, Points& solid) {
  std::vector<Crossing> walls;
  for (const Crossing& c : cell.crossings)
    if (c.body == body && !c.sheet && !c.rim) walls.push_back(c);
  const Segments segments(walls);
  const std::array<std::uint8_t, all_lattice_points> set = joined_points(segments);
  std::array<int, all_lattice_points> votes{};
  for (const Crossing& c : walls) {
    const Segments::Segment segment = segments.at(c.axis, c.u, c.v, c.segment);
    const int low = point_on(c.axis, c.u, c.v, c.segment);
    if (c.at == segment.first) votes[set[low]] += c.up ? 1 : -1;
    if (c.at == segment.last) votes[set[low + lattice_stride[c.axis]]] += c.up ? -1 : 1;
  }
  for (int p = 0; p < all_lattice_points; ++p)
    if (votes[set[p]] > 0) solid.set(p);
}

Points solid_points(const LatticeCell& cell) {
  std::vector<std::uint32_t> bodies;
  for (const Crossing& c : cell.crossings)
    if (!c.sheet && !c.rim && std::ranges::find(bodies, c.body) == bodies.end())
      bodies.push_back(c.body);
  Points solid;
  for (const std::uint32_t body : bodies) add_solid_points(cell, body, solid);
  return solid;
}

/// The length that each point has of the sample lines of an axis if nothing crosses them.
std::array<double, all_lattice_points> uncrossed_volumes(int axis) {
  std::array<double, all_lattice_points> volume{};
  for (int u = 1; u <= lattice_resolution; ++u)
    for (int v = 1; v <= lattice_resolution; ++v)
      for (int s = 0; s < lattice_segments; ++s) {
        const double half = 0.5 * (lattice_offsets[s + 1] - lattice_offsets[s]) /
                            (lattice_resolution * lattice_resolution);
        volume[point_on(axis, u, v, s)] += half;
        volume[point_on(axis, u, v, s + 1)] += half;
      }
  return volume;
}

/// The volumes of points. Each point has half of every segment between it and the next, or all of
/// it up to a crossing.
std::array<double, all_lattice_points> point_volumes(const LatticeCell& cell,
                                                     const Segments& segments) {
  static const std::array<std::array<double, all_lattice_points>, 3> uncrossed = {
      uncrossed_volumes(0), uncrossed_volumes(1), uncrossed_volumes(2)};
  const auto weight = axis_weights<3>(cell.extent, {0, 1, 2});
  std::array<double, all_lattice_points> volume;
  for (int p = 0; p < all_lattice_points; ++p)
    volume[p] =
        weight[0] * uncrossed[0][p] + weight[1] * uncrossed[1][p] + weight[2] * uncrossed[2][p];
  for (const Segments::Crossed& c : segments.crossed()) {
    if (on_face(c.u) || on_face(c.v)) continue;
    const double middle = 0.5 * (lattice_offsets[c.segment] + lattice_offsets[c.segment + 1]);
    const double scale = weight[c.axis] / (lattice_resolution * lattice_resolution);
    const int low = point_on(c.axis, c.u, c.v, c.segment), high = low + lattice_stride[c.axis];
    volume[low] += scale * (c.left.first - middle);
    volume[high] += scale * (middle - c.left.last);
  }
  for (double& v : volume)
    if (v < 1e-14) v = 0;  // a rounding error
  return volume;
}

/// The connected sets of points, and those of them that are fluid, largest first.
struct PointSets {
  explicit PointSets(const LatticeCell& cell)
      : segments(cell.crossings), set(joined_points(segments)) {
    const Points solid = solid_points(cell);
    const std::array<double, all_lattice_points> by_point = point_volumes(cell, segments);
    for (int p = 0; p < all_lattice_points; ++p)
      if (!solid[p]) volume[set[p]] += by_point[p];
    for (int name = 0; name < all_lattice_points; ++name)
      if (volume[name] > smallest_volume) fluid.push_back(name);
    std::ranges::stable_sort(fluid, std::greater{}, [&](int name) { return volume[name]; });
    if (fluid.size() > most_sides) fluid.resize(most_sides);
  }

  Segments segments;
  std::array<std::uint8_t, all_lattice_points> set;
  std::array<double, all_lattice_points> volume{};  ///< by set
  std::vector<int> fluid;                           ///< sets
};

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

std::optional<MiddlePlane> middle_plane(const LatticeCell& cell) {
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
        if (!sets.segments.at(axis, u, v, c.segment).open()) continue;
        if (sets.set[point_on(axis, u, v, c.segment)] != sets.fluid[0]) continue;
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

void find_sides(LatticeCell& cell, bool may_end) {
  const PointSets sets(cell);
  set_sides(cell, sets);
  if (cell.sides != 1 || !may_end) return;
  const auto plane = middle_plane(cell);
  if (!plane) return;
  LatticeCell continued = cell;
  continue_wall(continued, sets, *plane);
  const PointSets split(continued);
  set_sides(continued, split);
  // A wall that only cuts off a corner between the lines does not end there.
  if (continued.sides < 2 || split.volume[split.fluid[1]] < 0.005) return;
  continued.rim = true;
  cell = std::move(continued);
}

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

}  // namespace

std::vector<LatticeCell> crossed_lattices(const Grid& grid, std::span<const Cell> cells,
                                          std::span<const LatticeSurface> surfaces) {
  std::vector<LatticeCell> crossed = with_crossings(grid, cells, surfaces);
  // The wall of a solid ends where its two faces meet, and that of a sheet at its edge. A closed
  // sheet has no edge: it does not end where it bends within a cell so that the lattice sees one
  // side only.
  const std::vector<std::uint32_t> open = open_sheets(surfaces);
  for (LatticeCell& cell : crossed) {
    const bool may_end = std::ranges::all_of(cell.crossings, [&](const Crossing& crossing) {
      return !crossing.sheet || std::ranges::binary_search(open, crossing.body);
    });
    find_sides(cell, may_end);
  }
  return crossed;
}

std::vector<double> side_volumes(const LatticeCell& cell, const PointSubcells& side, int sides) {
  std::vector<double> volume(static_cast<std::size_t>(sides) + 1);
  const auto by_point = point_volumes(cell, Segments(cell.crossings));
  for (int p = 0; p < all_lattice_points; ++p) volume[side[p]] += by_point[p];
  return volume;
}

std::vector<SharedArea> face_areas(const LatticeCell* low, const LatticeCell* high, int axis,
                                   const PointSubcells& low_side, const PointSubcells& high_side) {
  constexpr int last_lattice_point = lattice_points - 1;
  const std::array<int, 2> lines = {(axis + 1) % 3, (axis + 2) % 3};
  // Segments by axis of the line, sample and segment. Along axis + 1 the face is the second
  // coordinate of the line, along axis + 2 the first.
  Segments::Segment segments[2][lattice_points][lattice_segments];
  Vec3 extent = Vec3::Zero();
  const auto add = [&](const LatticeCell& cell, int here) {
    for (const Crossing& c : cell.crossings) {
      if (c.axis == axis) continue;
      const int i = c.axis == lines[0] ? 0 : 1, across = i == 0 ? c.v : c.u;
      if (across != here) continue;
      Segments::Segment& s = segments[i][i == 0 ? c.u : c.v][c.segment];
      s.first = std::min(s.first, c.at);
      s.last = std::max(s.last, c.at);
    }
    extent += cell.extent;
  };
  if (low) add(*low, last_lattice_point);
  if (high) add(*high, 0);
  const auto weight = axis_weights<2>(extent, lines);
  PairSums sums;
  for (int i = 0; i < 2; ++i)
    for (int k = 1; k <= lattice_resolution; ++k)
      for (int s = 0; s < lattice_segments; ++s) {
        const Segments::Segment& segment = segments[i][k][s];
        const double from = lattice_offsets[s], to = lattice_offsets[s + 1],
                     middle = 0.5 * (from + to);
        const int u = i == 0 ? k : 0, v = i == 0 ? 0 : k;
        const auto patch = [&](int along, double length) {
          const int point = point_on(lines[i], u, v, along);
          sums.add(low_side[point + last_lattice_point * lattice_stride[axis]], high_side[point],
                   weight[i] * length / lattice_resolution);
        };
        patch(s, (segment.open() ? middle : segment.first) - from);
        patch(s + 1, to - (segment.open() ? middle : segment.last));
      }
  return sums.take();
}

std::vector<Facing> facing_sides(const LatticeCell& cell, const PointSubcells& side) {
  const Segments segments(cell.crossings);
  std::vector<Facing> all;
  for (const Crossing& c : cell.crossings) {
    if (c.rim || on_face(c.u) || on_face(c.v)) continue;
    const Segments::Segment segment = segments.at(c.axis, c.u, c.v, c.segment);
    const std::uint8_t low = side[point_on(c.axis, c.u, c.v, c.segment)];
    const std::uint8_t high = side[point_on(c.axis, c.u, c.v, c.segment + 1)];
    if (c.at == segment.first && low != 0 && (c.sheet || !c.up)) all.push_back({&c, low, false});
    if (c.at == segment.last && high != 0 && (c.sheet || c.up)) all.push_back({&c, high, true});
  }
  return all;
}

std::vector<SharedArea> inner_areas(const LatticeCell& cell, const PointSubcells& side) {
  const Segments segments(cell.crossings);
  PairSums sums;
  for (int axis = 0; axis < 3; ++axis)
    for (int u = 1; u <= lattice_resolution; ++u)
      for (int v = 1; v <= lattice_resolution; ++v)
        for (int s = 1; s + 1 < lattice_segments; ++s) {
          const std::uint8_t a = side[point_on(axis, u, v, s)];
          const std::uint8_t b = side[point_on(axis, u, v, s + 1)];
          if (a != b && segments.at(axis, u, v, s).open())
            sums.add(std::min(a, b), std::max(a, b),
                     1.0 / (lattice_resolution * lattice_resolution));
        }
  return sums.take();
}

}  // namespace peal::wave

#include <peal/wave/boundary/lattice_sets.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace peal::wave {
namespace {

constexpr int most_sides = 15;
/// The smallest volume of a subcell that counts; walls in grid planes leave slivers of a millionth
/// of a cell.
constexpr double smallest_volume = 1e-4;

constexpr int all_segments = 3 * lattice_points * lattice_points * lattice_segments;
constexpr int points_in_plane = lattice_points * lattice_points;

/// A bit for each point, by plane across z.
using Points = std::array<std::uint64_t, lattice_points>;

constexpr std::uint64_t bit_in_plane(int point) {
  return std::uint64_t{1} << (point % points_in_plane);
}
bool has(const Points& points, int p) {
  return (points[p / points_in_plane] & bit_in_plane(p)) != 0;
}

/// The face in which the line (u, v) of an axis lies, or -1.
int face_of_line(int axis, int u, int v) {
  if (on_face(u)) return 2 * ((axis + 1) % 3) + (u != 0 ? 1 : 0);
  if (on_face(v)) return 2 * ((axis + 2) % 3) + (v != 0 ? 1 : 0);
  return -1;
}

/// The crossed segments in the order of first crossing; sets which crossings are nearest to the
/// ends of theirs.
class SegmentList {
 public:
  explicit SegmentList(std::span<Crossing> crossings) {
    for (const Crossing& c : crossings) {
      std::uint16_t& slot = slot_[number(c)];
      if (slot == 0) {
        all_[count_++] = {c.axis,
                          c.u,
                          c.v,
                          c.segment,
                          static_cast<std::uint8_t>(point_on(c.axis, c.u, c.v, c.segment)),
                          c.at,
                          c.at};
        slot = static_cast<std::uint16_t>(count_);
        continue;
      }
      CrossedSegment& s = all_[slot - 1u];
      s.first = std::min(s.first, c.at);
      s.last = std::max(s.last, c.at);
    }
    for (Crossing& c : crossings) {
      const CrossedSegment& s = all_[slot_[number(c)] - 1u];
      c.is_lowest = c.at == s.first;
      c.is_highest = c.at == s.last;
    }
  }
  std::span<const CrossedSegment> all() const { return std::span(all_).first(count_); }

 private:
  static std::size_t number(const Crossing& c) {
    return static_cast<std::size_t>(
        ((c.axis * lattice_points + c.u) * lattice_points + c.v) * lattice_segments + c.segment);
  }

  std::array<std::uint16_t, all_segments> slot_{};  ///< index in all_ plus 1; 0 if uncrossed
  std::array<CrossedSegment, all_segments> all_;
  std::size_t count_ = 0;
};

/// The low points of all segments of an axis that connect points; those in the edges of a cell do
/// not.
constexpr Points joining_segments(int axis) {
  Points low{};
  for (int u = 0; u < lattice_points; ++u)
    for (int v = 0; v < lattice_points; ++v)
      for (int s = 0; s < lattice_segments; ++s) {
        const bool in_edge =
            (u == 0 || u == lattice_points - 1) && (v == 0 || v == lattice_points - 1);
        const int point = point_on(axis, u, v, s);
        if (!in_edge) low[point / points_in_plane] |= bit_in_plane(point);
      }
  return low;
}
constexpr std::array<Points, 3> all_joining = {joining_segments(0), joining_segments(1),
                                               joining_segments(2)};

constexpr Points all_but_corners() {
  Points points{};
  for (std::uint64_t& plane : points) plane = (std::uint64_t{1} << points_in_plane) - 1;
  for (const int z : {0, lattice_points - 1})
    for (const int y : {0, lattice_points - 1})
      for (const int x : {0, lattice_points - 1})
        points[z] &= ~bit_in_plane(x + lattice_points * y);
  return points;
}

/// Adds all points that segments join with the given ones.
void flood(const std::array<Points, 3>& open, Points& flooded) {
  const auto fill_plane = [&](int z, std::uint64_t more) {
    std::uint64_t now = flooded[z] | more, before = 0;
    while (now != before) {
      before = now;
      now |= (now & open[0][z]) << lattice_stride[0];
      now |= (now >> lattice_stride[0]) & open[0][z];
      now |= (now & open[1][z]) << lattice_stride[1];
      now |= (now >> lattice_stride[1]) & open[1][z];
    }
    const bool grows = now != flooded[z];
    flooded[z] = now;
    return grows;
  };
  for (bool grows = true; grows;) {
    grows = fill_plane(0, 0);
    for (int z = 1; z < lattice_points; ++z)
      grows |= fill_plane(z, flooded[z - 1] & open[2][z - 1]);
    for (int z = lattice_points - 1; z-- > 0;) grows |= fill_plane(z, flooded[z + 1] & open[2][z]);
  }
}

/// Calls visit(point) for each of some points.
template <class Visit>
void for_each_point(const Points& points, const Visit& visit) {
  for (int z = 0; z < lattice_points; ++z)
    for (std::uint64_t left = points[z]; left != 0; left &= left - 1)
      visit(points_in_plane * z + std::countr_zero(left));
}

/// The connected set that each point belongs to, from 1; 0 for the corners.
std::array<std::uint8_t, all_lattice_points> joined_points(
    std::span<const CrossedSegment> crossed) {
  std::array<Points, 3> open = all_joining;
  for (const CrossedSegment& c : crossed)
    open[c.axis][c.low / points_in_plane] &= ~bit_in_plane(c.low);
  std::array<std::uint8_t, all_lattice_points> set{};
  Points left = all_but_corners();
  std::uint8_t name = 0;
  for (int z = 0; z < lattice_points; ++z)
    while (left[z] != 0) {
      Points flooded{};
      flooded[z] = left[z] & (~left[z] + 1);
      flood(open, flooded);
      ++name;
      for_each_point(flooded, [&](int p) { set[p] = name; });
      for (int k = 0; k < lattice_points; ++k) left[k] &= ~flooded[k];
    }
  return set;
}

/// Adds the points within one body. These are the sets between its own walls for which more of
/// these walls say solid than fluid.
void add_solid_points(std::span<const Crossing> walls,
                      const std::array<std::uint8_t, all_lattice_points>& set, Points& solid) {
  std::array<int, all_lattice_points> votes{};
  for (const Crossing& c : walls) {
    const int low = point_on(c.axis, c.u, c.v, c.segment);
    if (c.is_lowest) votes[set[low]] += c.up ? 1 : -1;
    if (c.is_highest) votes[set[low + lattice_stride[c.axis]]] += c.up ? -1 : 1;
  }
  for (int p = 0; p < all_lattice_points; ++p)
    if (votes[set[p]] > 0) solid[p / points_in_plane] |= bit_in_plane(p);
}

/// The points within bodies. Other surfaces are ignored for each: one that continues inside the
/// body would leave sets there that no wall of the body touches.
Points solid_points(const LatticeCell& cell,
                    const std::array<std::uint8_t, all_lattice_points>& set) {
  std::vector<std::uint32_t> bodies;
  bool other = false;
  for (const Crossing& c : cell.crossings) {
    if (c.sheet || c.rim)
      other = true;
    else if (std::ranges::find(bodies, c.body) == bodies.end())
      bodies.push_back(c.body);
  }
  Points solid{};
  if (bodies.size() == 1 && !other) {
    add_solid_points(cell.crossings, set, solid);
    return solid;
  }
  for (const std::uint32_t body : bodies) {
    std::vector<Crossing> walls;
    for (const Crossing& c : cell.crossings)
      if (c.body == body && !c.sheet && !c.rim) walls.push_back(c);
    const SegmentList segments(walls);
    add_solid_points(walls, joined_points(segments.all()), solid);
  }
  return solid;
}

/// The length that each point has of the sample lines of an axis if nothing crosses them.
std::array<double, all_lattice_points> uncrossed_volumes(int axis) {
  std::array<double, all_lattice_points> volume{};
  for (int u = 1; u <= lattice_samples; ++u)
    for (int v = 1; v <= lattice_samples; ++v)
      for (int s = 0; s < lattice_segments; ++s) {
        const double half = 0.5 * (lattice_offsets[s + 1] - lattice_offsets[s]) /
                            (lattice_samples * lattice_samples);
        volume[point_on(axis, u, v, s)] += half;
        volume[point_on(axis, u, v, s + 1)] += half;
      }
  return volume;
}

}  // namespace

void index_crossings(LatticeCell& cell) {
  const SegmentList segments(cell.crossings);
  const auto group = [](const CrossedSegment& s) {
    return static_cast<std::size_t>(face_of_line(s.axis, s.u, s.v) + 1);
  };
  std::array<std::uint16_t, 8> end{};
  for (const CrossedSegment& s : segments.all()) ++end[group(s) + 1];
  for (std::size_t g = 1; g < end.size(); ++g) {
    end[g] = static_cast<std::uint16_t>(end[g] + end[g - 1]);
    cell.face_begin[g - 1] = end[g];
  }
  cell.crossed.resize(segments.all().size());
  for (const CrossedSegment& s : segments.all()) cell.crossed[end[group(s)]++] = s;
}

std::array<double, all_lattice_points> point_volumes(const LatticeCell& cell) {
  static const std::array<std::array<double, all_lattice_points>, 3> uncrossed = {
      uncrossed_volumes(0), uncrossed_volumes(1), uncrossed_volumes(2)};
  const auto weight = axis_weights<3>(cell.extent, {0, 1, 2});
  std::array<double, all_lattice_points> volume;
  for (int p = 0; p < all_lattice_points; ++p)
    volume[p] =
        weight[0] * uncrossed[0][p] + weight[1] * uncrossed[1][p] + weight[2] * uncrossed[2][p];
  for (const CrossedSegment& c : inner_segments(cell)) {
    const double middle = 0.5 * (lattice_offsets[c.segment] + lattice_offsets[c.segment + 1]);
    const double scale = weight[c.axis] / (lattice_samples * lattice_samples);
    volume[c.low] += scale * (c.first - middle);
    volume[c.low + lattice_stride[c.axis]] += scale * (middle - c.last);
  }
  for (double& v : volume) v = v < 1e-14 ? 0 : v;  // a rounding error
  return volume;
}

PointSets::PointSets(const LatticeCell& cell) : set(joined_points(cell.crossed)) {
  const Points solid = solid_points(cell, set);
  const std::array<double, all_lattice_points> by_point = point_volumes(cell);
  int names = 0;
  for (int p = 0; p < all_lattice_points; ++p) {
    names = std::max<int>(names, set[p]);
    if (!has(solid, p)) volume[set[p]] += by_point[p];
  }
  for (int name = 1; name <= names; ++name)
    if (volume[name] > smallest_volume) fluid.push_back(name);
  std::ranges::stable_sort(fluid, std::greater{}, [&](int name) { return volume[name]; });
  if (fluid.size() > most_sides) fluid.resize(most_sides);
}

}  // namespace peal::wave

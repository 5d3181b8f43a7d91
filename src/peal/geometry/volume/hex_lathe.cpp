#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/hex_cuts.h>
#include <peal/geometry/volume/hex_shapes.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// A place on a line of points: between point `segment` and the next.
struct LinePlace {
  std::size_t segment = 0;
  double part = 0.0;  ///< 0 to 1

  Vec2 on(const std::vector<Vec2>& line) const {
    return (1.0 - part) * line[segment] + part * line[segment + 1];
  }
};

LinePlace index_at(const std::vector<Vec2>& line, double length) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const double piece = (line[i + 1] - line[i]).norm();
    if (length <= piece || i + 2 == line.size()) return {i, std::clamp(length / piece, 0.0, 1.0)};
    length -= piece;
  }
  return {};
}

/// By how much a line turns at each of its points, half a turn at its ends [rad].
std::vector<double> turns_along(const std::vector<Vec2>& line) {
  std::vector<double> turns(line.size(), std::numbers::pi);
  for (std::size_t i = 1; i + 1 < line.size(); ++i)
    turns[i] = std::abs(turn_between(line[i] - line[i - 1], line[i + 1] - line[i]));
  return turns;
}

/// Lengths along a line at which it begins, turns by more than 20 degrees, and ends.
std::vector<double> corners_along(const std::vector<Vec2>& line) {
  const std::vector<double> turns = turns_along(line);
  std::vector<double> corners;
  double at = 0.0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) at += (line[i] - line[i - 1]).norm();
    if (turns[i] > corner_turn) corners.push_back(at);
  }
  return corners;
}

/// A place along a line [m] at which it turns by so much [rad].
struct Kink {
  double at, turn;
};

/// Corners, and between them kinks of more than 5 degrees that are about a piece or more away from
/// others. A kink within a cell would be cut off by it, and kinks are what makes a wall stiff: with
/// cells of a sixth of its radius across the kinks, a dish of four straight pieces rings 3 to 5 %
/// too low, and 1 % too high with rings of nodes on them. Profiles drawn finer are round to cells.
std::vector<Kink> kinks_along(const std::vector<Vec2>& line, double piece) {
  constexpr double kink_turn = std::numbers::pi / 36.0;  // 5 degrees
  constexpr double nearest = 0.75;                       // of a piece
  const std::vector<double> turns = turns_along(line), corners = corners_along(line);
  std::vector<Kink> kinks;
  double at = 0.0;
  auto corner = corners.begin();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) at += (line[i] - line[i - 1]).norm();
    if (turns[i] > corner_turn) {
      kinks.push_back({*corner++, turns[i]});
    } else if (turns[i] > kink_turn && at - kinks.back().at >= nearest * piece &&
               *corner - at >= nearest * piece) {
      kinks.push_back({at, turns[i]});
    }
  }
  return kinks;
}

/// A line through a wall, from its outer to its inner side.
struct Across {
  Vec2 outer, inner;
};

/// Where a wall turns by about a right angle: a block of its thickness, which has one side in
/// common with the wall before it and another with the wall behind it.
struct WallCorner {
  double before, behind;  ///< where these sides are along the profile [m]
  Across first, facing;   ///< the first of them, and the one that faces it
  /// Whether the outer side of the wall goes around the block.
  bool is_outside_around() const { return behind > before; }
};

/// A wall that is turned around Y: both sides by the length along its profile.
class TurnedWall {
 public:
  TurnedWall(const std::vector<Vec2>& profile, double wall) : outer_(profile) {
    const Polygon section = wall_section(profile, wall);
    inner_.assign(section.rbegin(), section.rbegin() + static_cast<std::ptrdiff_t>(profile.size()));
    is_block_.assign(profile.size(), false);
    double at = 0.0;
    for (std::size_t i = 1; i + 1 < profile.size(); ++i) {
      at += (outer_[i] - outer_[i - 1]).norm();
      add_corner(i, at, wall);
    }
  }

  const std::vector<Vec2>& profile() const { return outer_; }
  const std::vector<WallCorner>& corners() const { return corners_; }

  /// How long cells beside a kink may be [m]. A corner bends the wall on both sides within sqrt(R
  /// t): longer cells make it too stiff, up to 3 % in the modes of a bell.
  double cells_beside(const Kink& kink) const {
    return kink.turn > corner_turn ? cells_at_edge(across(kink.at)) : length_of(outer_);
  }

  /// The same beside a corner. A flange, that is a wall that goes out from the axis to a free end,
  /// bends, and bends the wall that it stands on (a tube with a flange rang 3 % too high). Floors
  /// of cups need no shorter ones.
  double cells_beside(const WallCorner& corner) const {
    const Across begin = across(corner.behind);
    const auto is_flange = [&](const Vec2& end) {
      const Vec2 out = (end - begin.outer).cwiseAbs();
      return end.x() > 0.0 && out.x() > out.y();
    };
    const bool is_flanged = (&corner == &corners_.front() && is_flange(outer_.front())) ||
                            (&corner == &corners_.back() && is_flange(outer_.back()));
    return is_flanged ? cells_at_edge(begin) : length_of(outer_);
  }

  Across across(double length) const {
    // Rounding might take it for a place behind the block.
    const double near = 1e-9 * length_of(outer_);
    for (const WallCorner& corner : corners_)
      if (std::abs(length - corner.before) < near) return corner.first;
    const LinePlace place = index_at(outer_, length);
    return {place.on(outer_), facing(place).on(inner_)};
  }

 private:
  static double cells_at_edge(const Across& at) {
    const double t = (at.inner - at.outer).norm();
    return std::max(t, 0.4 * std::sqrt(at.outer.x() * t));
  }

  /// Straight sides of a block and of the wall beside it are at least as long as it is.
  void add_corner(std::size_t i, double at, double wall) {
    constexpr double least = 60.0 * std::numbers::pi / 180.0, most = 2.0 * least;
    const Vec2 along = (outer_[i] - outer_[i - 1]).normalized();
    const Vec2 on = (outer_[i + 1] - outer_[i]).normalized();
    const double turn = turn_between(along, on);
    if (std::abs(turn) < least || std::abs(turn) > most) return;
    const double length = wall * std::tan(0.5 * std::abs(turn));
    for (const auto* side : {&outer_, &inner_}) {
      for (const std::size_t k : {i, i + 1})
        if (((*side)[k] - (*side)[k - 1]).norm() < 2.0 * length) return;
    }
    is_block_[i] = true;
    if ((inner_[i] - outer_[i]).dot(on) > 0.0) {
      corners_.push_back({at - length,
                          at + length,
                          {outer_[i] - length * along, inner_[i]},
                          {outer_[i], outer_[i] + length * on}});
    } else {
      corners_.push_back(
          {at, at, {outer_[i], inner_[i] - length * along}, {inner_[i] + length * on, inner_[i]}});
    }
  }

  /// Where on the inner side: straight across the wall, but at corners, where both sides have one.
  /// Cells beside those are at most twice as long on one side.
  LinePlace facing(const LinePlace& place) const {
    const Vec2 &begin = inner_[place.segment], &end = inner_[place.segment + 1];
    const double straight =
        (place.on(outer_) - begin).dot(end - begin) / (end - begin).squaredNorm();
    const double low = is_block_[place.segment] ? 1.0 : place.part;
    const double high = is_block_[place.segment + 1] ? 1.0 : 1.0 - place.part;
    const double most = 0.5 * std::min(low, high);
    return {place.segment, std::clamp(straight, place.part - most, place.part + most)};
  }

  std::vector<Vec2> outer_, inner_;
  std::vector<bool> is_block_;  ///< by points of the profile
  std::vector<WallCorner> corners_;
};

/// Where the nodes of the square patch at a pole are, in lengths from it: a square of `m` cells a
/// side that is half way to a disc of radius 1.
Vec2 patch_place(int i, int j, int m) {
  const Vec2 p(2.0 * i / m - 1.0, 2.0 * j / m - 1.0);
  const double ring = p.cwiseAbs().maxCoeff();
  if (ring == 0.0) return Vec2::Zero();
  // The same ring as a circle with even angles.
  const bool sideways = std::abs(p.x()) >= std::abs(p.y());
  const double turn = 0.25 * std::numbers::pi * (sideways ? p.y() / p.x() : p.x() / p.y());
  const double sign = sideways ? std::copysign(1.0, p.x()) : std::copysign(1.0, p.y());
  const Vec2 round =
      sideways ? Vec2(std::cos(turn), std::sin(turn)) : Vec2(std::sin(turn), std::cos(turn));
  const double mix = 0.5 * ring;
  return (1.0 - mix) * 0.8 * p + mix * ring * sign * round;
}

/// Cells (r, s, t) between columns across the wall; inside nodes follow outside ones.
class WallCells {
 public:
  explicit WallCells(const TurnedWall& wall) : wall_(wall) {}

  std::uint32_t column(double length, double angle) { return column(wall_.across(length), angle); }
  std::uint32_t column(const Across& across, double angle) {
    const auto node = [angle](std::vector<Vec3>& side, const Vec2& p, bool is_inside) {
      side.emplace_back(p.x() * std::cos(angle), p.y(), -p.x() * std::sin(angle));
      return Node{static_cast<std::uint32_t>(side.size() - 1), is_inside};
    };
    columns_.push_back({node(outside_, across.outer, false), node(inside_, across.inner, true)});
    return last();
  }
  /// The column at the second side of a block, between two that it has already.
  std::uint32_t turned_column(std::uint32_t first, std::uint32_t beyond, bool is_outside_around) {
    const Column a = columns_[first], b = columns_[beyond];
    columns_.push_back(is_outside_around ? Column{b.inside, a.inside}
                                         : Column{a.outside, b.outside});
    return last();
  }
  /// Columns counter-clockwise seen from inside.
  void cell(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    quads_.push_back({a, b, c, d});
  }

  HexMesh mesh() const {
    HexMesh mesh{outside_, {}};
    mesh.vertices.insert(mesh.vertices.end(), inside_.begin(), inside_.end());
    const auto n = static_cast<std::uint32_t>(outside_.size());
    const auto number = [n](const Node& node) { return node.at + (node.is_inside ? n : 0); };
    for (const auto& [a, b, c, d] : quads_) {
      Hex& hex = mesh.hexes.emplace_back();
      std::size_t k = 0;
      for (const std::uint32_t at : {a, b, d, c}) {
        hex[k] = number(columns_[at].outside);
        hex[k++ + 4] = number(columns_[at].inside);
      }
    }
    return mesh;
  }

 private:
  struct Node {
    std::uint32_t at;
    bool is_inside;
  };
  struct Column {
    Node outside, inside;
  };

  std::uint32_t last() const { return static_cast<std::uint32_t>(columns_.size() - 1); }

  const TurnedWall& wall_;
  std::vector<Vec3> outside_, inside_;
  std::vector<Column> columns_;
  std::vector<std::array<std::uint32_t, 4>> quads_;
};

using ColumnRing = std::vector<std::uint32_t>;  ///< columns around the axis

void join(WallCells& cells, const ColumnRing& from, const ColumnRing& to) {
  const std::size_t around = from.size();
  for (std::size_t k = 0; k < around; ++k) {
    const std::size_t l = (k + 1) % around;
    cells.cell(from[k], to[k], to[l], from[l]);
  }
}

/// The patch at the pole where the profile begins; returns its outermost ring, at `length`.
ColumnRing add_patch(WallCells& cells, double length, int around) {
  const int m = around / 4, rings = std::max(1, m / 4);
  const double inner = length * 0.5 * m / (0.5 * m + rings);
  std::vector<std::uint32_t> square;
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i <= m; ++i) {
      const Vec2 p = inner * patch_place(i, j, m);
      square.push_back(cells.column(p.norm(), std::atan2(p.y(), p.x())));
    }
  }
  const auto at = [&](int i, int j) { return square[i + j * (m + 1)]; };
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) cells.cell(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  }
  // The square's edge, counter-clockwise from its lower right corner (-45 degrees).
  ColumnRing ring;
  std::vector<Vec2> places;
  const auto add = [&](int i, int j) {
    ring.push_back(at(i, j));
    places.push_back(inner * patch_place(i, j, m));
  };
  for (int k = 0; k < m; ++k) add(m, k);
  for (int k = m; k > 0; --k) add(k, m);
  for (int k = m; k > 0; --k) add(0, k);
  for (int k = 0; k < m; ++k) add(k, 0);
  for (int r = 1; r <= rings; ++r) {
    ColumnRing next;
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / around - 0.25 * std::numbers::pi;
      const double part = static_cast<double>(r) / rings;
      const Vec2 end = length * Vec2(std::cos(angle), std::sin(angle));
      const Vec2 p = (1.0 - part) * places[k] + part * end;
      next.push_back(cells.column(r == rings ? length : p.norm(), std::atan2(p.y(), p.x())));
    }
    join(cells, ring, next);
    ring = next;
  }
  return ring;
}

/// Where cells end along a wall: the first is `finest` long, the others grow up to `piece` [m].
std::vector<double> growing_cells(double finest, double piece) {
  constexpr double growth = 1.4;
  std::vector<double> ends = {0.0};
  for (double cell = finest; cell < piece; cell *= growth) ends.push_back(ends.back() + cell);
  return ends;
}

/// A ring of columns that stays, and how long the cells beside it may be [m].
struct Station {
  double at, cells;
};

/// The longest cells up to `piece` between two stations [m] for which there is room: at a free end
/// three cells are alike (elastic/hex_mass.cpp), and cells grow from those at the stations. Without
/// room, cells are as small as those all over. Longer pieces never give shorter cells.
double longest_between(const Station& from, const Station& to, double piece) {
  const double room = to.at - from.at, least = std::min(from.cells, to.cells);
  const auto fits = [&](double cell) {
    return growing_cells(from.cells, cell).back() + growing_cells(to.cells, cell).back() +
               3.0 * cell <=
           room;
  };
  if (piece <= least || fits(piece)) return piece;
  if (!fits(least)) return least;
  double low = least, high = piece;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// Adds where cells end between two stations: pieces, and smaller ones towards the stations.
void cut_between(const Station& from, const Station& to, double piece,
                 std::vector<double>& places) {
  const double cell = longest_between(from, to, piece);
  std::vector<double> ends = {from.at, to.at};
  const std::vector<double> after = growing_cells(from.cells, cell),
                            before = growing_cells(to.cells, cell);
  if (to.at - from.at >= after.back() + before.back() + 3.0 * cell) {
    for (std::size_t i = 1; i < after.size(); ++i) ends.push_back(from.at + after[i]);
    for (std::size_t i = 1; i < before.size(); ++i) ends.push_back(to.at - before[i]);
    std::ranges::sort(ends);
  }
  const std::vector<double> cut = cut_places(ends, cell);
  places.insert(places.end(), cut.begin() + 1, cut.end());
}

std::vector<double> cut_part(const std::vector<Station>& stations, double piece) {
  std::vector<double> places = {stations.front().at};
  for (std::size_t i = 1; i < stations.size(); ++i)
    cut_between(stations[i - 1], stations[i], piece, places);
  return places;
}

/// Where rings of columns are along the profile, in parts between blocks [m].
std::vector<std::vector<double>> parts_of(const TurnedWall& wall, double piece) {
  const double end = length_of(wall.profile());
  std::vector<std::vector<double>> parts;
  std::vector<Station> stations;
  auto corner = wall.corners().begin();
  for (const Kink& kink : kinks_along(wall.profile(), piece)) {
    const bool is_block = corner != wall.corners().end() && kink.at >= corner->before;
    if (!is_block) {
      const bool is_end = stations.empty() ? parts.empty() : kink.at >= end * (1.0 - 1e-9);
      stations.push_back({kink.at, is_end ? piece : std::min(piece, wall.cells_beside(kink))});
      continue;
    }
    const double beside = std::min(piece, wall.cells_beside(*corner));
    stations.push_back({corner->before, beside});
    parts.push_back(cut_part(stations, piece));
    stations = {{corner++->behind, beside}};
  }
  parts.push_back(cut_part(stations, piece));
  return parts;
}

/// The blocks of a corner, and the ring with which the wall goes on.
ColumnRing add_blocks(WallCells& cells, const WallCorner& corner, const ColumnRing& ring,
                      double turn) {
  const auto around = static_cast<double>(ring.size());
  ColumnRing beyond, next;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const double angle = turn + 2.0 * std::numbers::pi * static_cast<double>(k) / around;
    beyond.push_back(cells.column(corner.facing, angle));
    next.push_back(cells.turned_column(ring[k], beyond.back(), corner.is_outside_around()));
  }
  join(cells, ring, beyond);
  return next;
}

}  // namespace

HexMesh lathe_hexes(const std::vector<Vec2>& profile, double wall, int around, int along) {
  if (around < 8 || around % 4 != 0 || along < 1) {
    throw std::invalid_argument("a turned wall needs 8, 12, 16, ... cells around and one along it");
  }
  require_hex_budget(static_cast<double>(around) * (along + around / 16.0));
  const TurnedWall turned(profile, wall);
  const double piece = length_of(profile) / along;
  if (profile.back().x() == 0.0) {
    throw std::invalid_argument(
        "the profile of a wall of hexahedra may begin on the axis, not end there; draw it the "
        "other "
        "way round, or as one from the axis outward");
  }
  WallCells cells(turned);
  // Rings of the patch begin at -45 degrees: the angles of a ring are those of the first.
  const double turn = profile.front().x() == 0.0 ? -0.25 * std::numbers::pi : 0.0;
  const auto ring_at = [&](double length) {
    ColumnRing ring;
    for (int k = 0; k < around; ++k)
      ring.push_back(cells.column(length, turn + 2.0 * std::numbers::pi * k / around));
    return ring;
  };
  const std::vector<std::vector<double>> parts = parts_of(turned, piece);
  std::size_t next = 1;
  ColumnRing ring;
  if (profile.front().x() == 0.0) {
    // The patch reaches as far as its cells are as large as the others, but not over a corner, nor
    // more than half of the way.
    const std::vector<double>& places = parts[0];
    const double end =
        std::min({corners_along(profile)[1], piece * around / 8.0, 0.5 * length_of(profile)});
    while (next + 1 < places.size() && places[next + 1] <= end) ++next;
    ring = add_patch(cells, places[next++], around);
  } else {
    ring = ring_at(0.0);
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (part > 0) {
      ring = add_blocks(cells, turned.corners()[part - 1], ring, turn);
      next = 1;
    }
    for (; next < parts[part].size(); ++next) {
      const ColumnRing outer = ring_at(parts[part][next]);
      join(cells, ring, outer);
      ring = outer;
    }
  }
  return cells.mesh();
}

}  // namespace peal::geometry

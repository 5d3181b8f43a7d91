#include <peal/geometry/hex_cuts.h>
#include <peal/geometry/hex_shapes.h>
#include <peal/geometry/shapes.h>

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

LinePlace place_at(const std::vector<Vec2>& line, double length) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const double piece = (line[i + 1] - line[i]).norm();
    if (length <= piece || i + 2 == line.size()) return {i, std::clamp(length / piece, 0.0, 1.0)};
    length -= piece;
  }
  return {};
}

/// The cosine of the turn of a line at each of its points, -1 at its ends.
std::vector<double> turns_along(const std::vector<Vec2>& line) {
  std::vector<double> cosines(line.size(), -1.0);
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const Vec2 before = line[i] - line[i - 1], after = line[i + 1] - line[i];
    cosines[i] = before.normalized().dot(after.normalized());
  }
  return cosines;
}

/// Lengths along a line at which it begins, turns by more than 20 degrees, and ends.
std::vector<double> corners_along(const std::vector<Vec2>& line) {
  const std::vector<double> turns = turns_along(line);
  std::vector<double> corners;
  double at = 0.0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) at += (line[i] - line[i - 1]).norm();
    if (turns[i] < corner_cosine) corners.push_back(at);
  }
  return corners;
}

/// Corners, and between them kinks of more than 5 degrees that are about a piece or more away from
/// others. A kink within a cell would be cut off by it, and kinks are what makes a wall stiff: with
/// cells of a sixth of its radius across the kinks, a dish of four straight pieces rings 3 to 5 %
/// too low, and 1 % too high with rings of nodes on them. Profiles drawn finer are round to cells.
std::vector<double> kinks_along(const std::vector<Vec2>& line, double piece) {
  constexpr double kink_cosine = 0.9961947;  // of 5 degrees
  constexpr double nearest = 0.75;           // of a piece
  const std::vector<double> turns = turns_along(line), corners = corners_along(line);
  std::vector<double> kinks;
  double at = 0.0;
  auto corner = corners.begin();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) at += (line[i] - line[i - 1]).norm();
    if (turns[i] < corner_cosine) {
      kinks.push_back(*corner++);
    } else if (turns[i] < kink_cosine && at - kinks.back() >= nearest * piece &&
               *corner - at >= nearest * piece) {
      kinks.push_back(at);
    }
  }
  return kinks;
}

/// A wall that is turned around Y: both sides by the length along its profile.
class TurnedWall {
 public:
  TurnedWall(const std::vector<Vec2>& profile, double wall) : outer_(profile) {
    const Polygon section = wall_section(profile, wall);
    inner_.assign(section.rbegin(), section.rbegin() + static_cast<std::ptrdiff_t>(profile.size()));
  }

  const std::vector<Vec2>& profile() const { return outer_; }

  Vec3 point(double length, double angle, bool inside) const {
    const LinePlace place = place_at(outer_, length);
    const Vec2 p = inside ? facing(place).on(inner_) : place.on(outer_);
    return {p.x() * std::cos(angle), p.y(), -p.x() * std::sin(angle)};
  }

 private:
  /// Where on the inner side: straight across the wall, but at corners, where both sides have one.
  /// Cells beside those are at most twice as long on one side.
  LinePlace facing(const LinePlace& place) const {
    const Vec2 &begin = inner_[place.segment], &end = inner_[place.segment + 1];
    const double straight =
        (place.on(outer_) - begin).dot(end - begin) / (end - begin).squaredNorm();
    const double most = 0.5 * std::min(place.part, 1.0 - place.part);
    return {place.segment, std::clamp(straight, place.part - most, place.part + most)};
  }

  std::vector<Vec2> outer_, inner_;
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

/// Cells (r, s, t) from nodes that are numbered by both directions on the wall; inside nodes follow
/// outside ones.
class WallCells {
 public:
  explicit WallCells(const TurnedWall& wall) : wall_(wall) {}

  std::uint32_t node(double length, double angle) {
    columns_.push_back({length, angle});
    return static_cast<std::uint32_t>(columns_.size() - 1);
  }
  /// Columns counter-clockwise seen from inside.
  void cell(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    quads_.push_back({a, b, c, d});
  }

  HexMesh mesh() const {
    HexMesh mesh;
    for (const bool inside : {false, true}) {
      for (const auto& [length, angle] : columns_) {
        mesh.vertices.push_back(wall_.point(length, angle, inside));
      }
    }
    const auto n = static_cast<std::uint32_t>(columns_.size());
    for (const auto& [a, b, c, d] : quads_) {
      mesh.hexes.push_back({a, b, d, c, a + n, b + n, d + n, c + n});
    }
    return mesh;
  }

 private:
  const TurnedWall& wall_;
  std::vector<std::array<double, 2>> columns_;  ///< length along the profile, angle
  std::vector<std::array<std::uint32_t, 4>> quads_;
};

using ColumnRing = std::vector<std::uint32_t>;  ///< columns around the axis

/// The patch at the pole where the profile begins; returns its outermost ring, at `length`.
ColumnRing add_patch(WallCells& cells, double length, int around) {
  const int m = around / 4, rings = std::max(1, m / 4);
  const double inner = length * 0.5 * m / (0.5 * m + rings);
  std::vector<std::uint32_t> square;
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i <= m; ++i) {
      const Vec2 p = inner * patch_place(i, j, m);
      square.push_back(cells.node(p.norm(), std::atan2(p.y(), p.x())));
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
      next.push_back(cells.node(r == rings ? length : p.norm(), std::atan2(p.y(), p.x())));
    }
    for (int k = 0; k < around; ++k) {
      const int l = (k + 1) % around;
      cells.cell(ring[k], next[k], next[l], ring[l]);
    }
    ring = next;
  }
  return ring;
}

}  // namespace

HexMesh lathe_hexes(const std::vector<Vec2>& profile, double wall, int around, int along) {
  if (around < 8 || around % 4 != 0 || along < 1) {
    throw std::invalid_argument("a turned wall needs 8, 12, 16, ... cells around and one along it");
  }
  require_hex_budget(static_cast<double>(around) * (along + around / 16.0));
  const TurnedWall turned(profile, wall);
  const double piece = length_of(profile) / along;
  const std::vector<double> corners = corners_along(profile);
  const std::vector<double> places = cut_places(kinks_along(profile, piece), piece);
  if (profile.back().x() == 0.0) {
    throw std::invalid_argument(
        "the profile of a wall of hexahedra may begin on the axis, not end there; draw it the "
        "other "
        "way round, or as one from the axis outward");
  }
  WallCells cells(turned);
  ColumnRing ring;
  std::size_t next = 1;
  if (profile.front().x() == 0.0) {
    // The patch reaches as far as its cells are as large as the others, but not over a corner, nor
    // more than half of the way.
    const double end = std::min({corners[1], piece * around / 8.0, 0.5 * places.back()});
    while (next + 1 < places.size() && places[next + 1] <= end) ++next;
    ring = add_patch(cells, places[next++], around);
  } else {
    for (int k = 0; k < around; ++k) {
      ring.push_back(cells.node(0.0, 2.0 * std::numbers::pi * k / around));
    }
  }
  // Rings of the patch begin at -45 degrees: the angles of a ring are those of the first.
  const double turn = profile.front().x() == 0.0 ? -0.25 * std::numbers::pi : 0.0;
  for (; next < places.size(); ++next) {
    ColumnRing outer;
    for (int k = 0; k < around; ++k) {
      outer.push_back(cells.node(places[next], turn + 2.0 * std::numbers::pi * k / around));
    }
    for (int k = 0; k < around; ++k) {
      const int l = (k + 1) % around;
      cells.cell(ring[k], outer[k], outer[l], ring[l]);
    }
    ring = outer;
  }
  return cells.mesh();
}

}  // namespace peal::geometry

#include <peal/geometry/mesh/polygon.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace peal::geometry {
namespace {

__extension__ typedef __float128 Quad;

/// True if p, known to be in line with a and b, lies between them (ends included).
bool between(const Vec2& a, const Vec2& b, const Vec2& p) {
  return std::min(a.x(), b.x()) <= p.x() && p.x() <= std::max(a.x(), b.x()) &&
         std::min(a.y(), b.y()) <= p.y() && p.y() <= std::max(a.y(), b.y());
}

bool segments_touch(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const int abc = orientation(a, b, c), abd = orientation(a, b, d);
  const int cda = orientation(c, d, a), cdb = orientation(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) ||
         (cda == 0 && between(c, d, a)) || (cdb == 0 && between(c, d, b));
}

struct Side {
  Vec2 a, b;
  std::size_t polygon, index, count;

  bool follows(const Side& other) const {
    return polygon == other.polygon && index == (other.index + 1) % count;
  }
};

/// Neighbouring sides share a corner; they clash only if one folds back over the other.
bool clash(const Side& s, const Side& t) {
  if (t.follows(s) && s.follows(t)) return true;
  if (t.follows(s)) return orientation(s.a, s.b, t.b) == 0 && (t.b - t.a).dot(s.b - s.a) <= 0.0;
  if (s.follows(t)) return clash(t, s);
  return segments_touch(s.a, s.b, t.a, t.b);
}

class EarClipper {
 public:
  EarClipper(const Polygon& outline, const std::vector<Polygon>& holes) : points_(outline) {
    for (const Polygon& hole : holes) points_.insert(points_.end(), hole.begin(), hole.end());
    ring_.resize(outline.size());
    std::iota(ring_.begin(), ring_.end(), 0u);
    auto first = static_cast<std::uint32_t>(outline.size());
    for (const Polygon& hole : holes) {
      rings_.push_back({});
      for (std::size_t i = 0; i < hole.size(); ++i) rings_.back().push_back(first++);
    }
  }

  std::vector<std::array<std::uint32_t, 3>> run() {
    join_holes();
    clip();
    return std::move(triangles_);
  }

 private:
  using Ring = std::vector<std::uint32_t>;

  std::size_t rightmost(const Ring& ring) const {
    return static_cast<std::size_t>(
        std::max_element(ring.begin(), ring.end(),
                         [&](auto a, auto b) { return points_[a].x() < points_[b].x(); }) -
        ring.begin());
  }

  /// From the rightmost hole to the leftmost, so that nothing stands between a hole's rightmost
  /// corner and the outline to the right of it.
  void join_holes() {
    std::vector<std::size_t> sequence(rings_.size());
    std::iota(sequence.begin(), sequence.end(), 0u);
    const auto reach = [&](std::size_t h) { return points_[rings_[h][rightmost(rings_[h])]].x(); };
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](auto a, auto b) { return reach(a) > reach(b); });
    for (std::size_t n = 0; n < sequence.size(); ++n) {
      const Ring& hole = rings_[sequence[n]];
      const std::size_t start = rightmost(hole);
      const std::size_t position = bridge_end(hole[start], {sequence.begin() + n, sequence.end()});
      Ring bridged(ring_.begin(), ring_.begin() + position + 1);
      for (std::size_t i = 0; i <= hole.size(); ++i)
        bridged.push_back(hole[(start + i) % hole.size()]);
      bridged.insert(bridged.end(), ring_.begin() + position, ring_.end());
      ring_ = std::move(bridged);
    }
  }

  /// Position in the ring of the nearest corner that `from` sees across the inside.
  std::size_t bridge_end(std::uint32_t from, const std::vector<std::size_t>& open_holes) const {
    std::vector<std::size_t> candidates(ring_.size());
    std::iota(candidates.begin(), candidates.end(), 0u);
    const auto distance2 = [&](std::size_t i) {
      return (points_[ring_[i]] - points_[from]).squaredNorm();
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](auto a, auto b) { return distance2(a) < distance2(b); });
    for (const std::size_t i : candidates) {
      if (!in_cone(i, points_[from])) continue;
      bool clear = visible(ring_, from, ring_[i]);
      for (std::size_t n = 0; clear && n < open_holes.size(); ++n)
        clear = visible(rings_[open_holes[n]], from, ring_[i]);
      if (clear) return i;
    }
    throw std::invalid_argument("a hole cannot be joined to its outline; do they touch?");
  }

  bool visible(const Ring& ring, std::uint32_t from, std::uint32_t to) const {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const std::uint32_t a = ring[i], b = ring[(i + 1) % ring.size()];
      if (a == from || a == to || b == from || b == to) continue;
      if (segments_touch(points_[from], points_[to], points_[a], points_[b])) return false;
    }
    return true;
  }

  /// True if p is strictly between the two sides at a corner of the ring, seen from inside.
  bool in_cone(std::size_t i, const Vec2& p) const {
    const Vec2& last = points_[ring_[(i + ring_.size() - 1) % ring_.size()]];
    const Vec2& here = points_[ring_[i]];
    const Vec2& next = points_[ring_[(i + 1) % ring_.size()]];
    const bool left_of_in = orientation(last, here, p) > 0;
    const bool left_of_out = orientation(here, next, p) > 0;
    return orientation(last, here, next) > 0 ? left_of_in && left_of_out
                                             : left_of_in || left_of_out;
  }

  bool is_ear(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const Vec2 &pa = points_[a], &pb = points_[b], &pc = points_[c];
    if (orientation(pa, pb, pc) <= 0) return false;
    const Vec2 low = pa.cwiseMin(pb).cwiseMin(pc), high = pa.cwiseMax(pb).cwiseMax(pc);
    for (const std::uint32_t i : ring_) {
      if (i == a || i == b || i == c) continue;
      const Vec2& p = points_[i];
      if ((p.array() < low.array()).any() || (p.array() > high.array()).any()) continue;
      if (orientation(pa, pb, p) >= 0 && orientation(pb, pc, p) >= 0 && orientation(pc, pa, p) >= 0)
        return false;
    }
    return true;
  }

  void clip() {
    std::size_t i = 0, failures = 0;
    while (ring_.size() > 3) {
      const std::size_t n = ring_.size();
      i %= n;
      const std::uint32_t a = ring_[(i + n - 1) % n], b = ring_[i], c = ring_[(i + 1) % n];
      if (a != c && is_ear(a, b, c)) {
        triangles_.push_back({a, b, c});
        ring_.erase(ring_.begin() + i);
        failures = 0;
      } else if (++failures > n) {
        throw std::invalid_argument("a polygon cannot be triangulated; do its sides cross?");
      }
      ++i;  // past the neighbour of a clipped ear, so that ears do not fan out of one corner
    }
    triangles_.push_back({ring_[0], ring_[1], ring_[2]});
  }

  Polygon points_;
  Ring ring_;
  std::vector<Ring> rings_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

}  // namespace

int orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double left = (a.x() - c.x()) * (b.y() - c.y());
  const double right = (a.y() - c.y()) * (b.x() - c.x());
  const double area = left - right;
  // Rounding bound of Shewchuk 1997, section 4.1.
  const double bound = 3.3306690738754716e-16 * (std::abs(left) + std::abs(right));
  if (std::abs(area) > bound) return area > 0.0 ? 1 : -1;
  const Quad ax = Quad(a.x()) - c.x(), ay = Quad(a.y()) - c.y();
  const Quad bx = Quad(b.x()) - c.x(), by = Quad(b.y()) - c.y();
  const Quad exact = ax * by - ay * bx;
  return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}

double turn_between(const Vec2& before, const Vec2& after) {
  return std::atan2(before.x() * after.y() - before.y() * after.x(), before.dot(after));
}

double signed_area(const Polygon& polygon) {
  double twice = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i] - polygon[0], b = polygon[(i + 1) % polygon.size()] - polygon[0];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return 0.5 * twice;
}

bool contains(const Polygon& polygon, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    if ((a.y() > p.y()) == (b.y() > p.y())) continue;
    const bool left = orientation(a, b, p) > 0;
    if (left == (b.y() > a.y())) inside = !inside;
  }
  return inside;
}

std::optional<Vec2> first_crossing(const std::vector<Polygon>& polygons) {
  std::vector<Side> sides;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const std::size_t n = polygons[p].size();
    for (std::size_t i = 0; i < n; ++i)
      sides.push_back({polygons[p][i], polygons[p][(i + 1) % n], p, i, n});
  }
  // Sweep along x: only sides whose x-ranges overlap are compared.
  const auto low = [](const Side& s) { return std::min(s.a.x(), s.b.x()); };
  const auto high = [](const Side& s) { return std::max(s.a.x(), s.b.x()); };
  std::stable_sort(sides.begin(), sides.end(),
                   [&](const Side& s, const Side& t) { return low(s) < low(t); });
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t j = i + 1; j < sides.size() && low(sides[j]) <= high(sides[i]); ++j) {
      if (clash(sides[i], sides[j])) return 0.5 * (sides[j].a + sides[j].b);
    }
  }
  return std::nullopt;
}

std::vector<std::array<std::uint32_t, 3>> ear_clipping(const Polygon& outline,
                                                       const std::vector<Polygon>& holes) {
  return EarClipper(outline, holes).run();
}

}  // namespace peal::geometry

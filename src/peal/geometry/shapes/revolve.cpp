#include <peal/geometry/shapes/revolve.h>
#include <peal/geometry/shapes/shape_limits.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace peal::geometry {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;
constexpr int fewest_around = 8;  ///< vertices of the widest ring of the coarsest mesh

struct Ring {
  std::uint32_t first;  ///< vertex
  std::uint32_t count;  ///< 1 on the axis
};

/// How many vertices a ring gets: base 2^k, so that rings of like radius have equal counts.
class RingCounts {
 public:
  RingCounts(double widest_radius, double edge_length) {
    const int needed = std::max(fewest_around, pieces(two_pi * widest_radius, edge_length));
    double best = std::numeric_limits<double>::infinity();
    for (int base = 4; base <= 7; ++base) {
      double count = base;
      while (count < needed) count *= 2.0;
      if (count < best) {
        best = count;
        base_ = static_cast<std::uint32_t>(base);
      }
    }
    share_ = widest_radius / best;
  }

  std::uint32_t at(double radius) const {
    std::uint32_t count = base_;
    while (count * share_ < radius * (1.0 - 1e-9)) count *= 2;
    return count;
  }

 private:
  double share_;  ///< radius per vertex of the widest ring [m]
  std::uint32_t base_ = 4;
};

/// A point of the axis between two others of the axis is on no triangle.
std::vector<Vec2> without_idle_points(const std::vector<Vec2>& line) {
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Vec2 &last = line[(i + line.size() - 1) % line.size()],
               &next = line[(i + 1) % line.size()];
    if (line[i].x() != 0.0 || last.x() != 0.0 || next.x() != 0.0) points.push_back(line[i]);
  }
  return points;
}

std::vector<Vec2> subdivided(const std::vector<Vec2>& line, bool closed, double edge_length) {
  std::vector<Vec2> points;
  const std::size_t sides = closed ? line.size() : line.size() - 1;
  for (std::size_t i = 0; i < sides; ++i) {
    const Vec2 &a = line[i], &b = line[(i + 1) % line.size()];
    const bool on_axis = a.x() == 0.0 && b.x() == 0.0;
    const int n = on_axis ? 1 : pieces((b - a).norm(), edge_length);
    for (int j = 0; j < n; ++j) points.push_back(a + (b - a) * (static_cast<double>(j) / n));
  }
  if (!closed) points.push_back(line.back());
  return points;
}

/// A lower bound is enough to refuse before anything large is allocated.
void check_budget(const std::vector<Vec2>& line, bool closed, double edge_length) {
  double area = 0.0;
  const std::size_t sides = closed ? line.size() : line.size() - 1;
  for (std::size_t i = 0; i < sides; ++i) {
    const Vec2 &a = line[i], &b = line[(i + 1) % line.size()];
    area += std::numbers::pi * (a.x() + b.x()) * (b - a).norm();
  }
  require_triangle_budget(2.0 * area / (edge_length * edge_length), edge_length);
}

Ring add_ring(const Vec2& p, const RingCounts& counts, TriMesh& mesh) {
  Ring ring{static_cast<std::uint32_t>(mesh.vertices.size()), p.x() == 0.0 ? 1 : counts.at(p.x())};
  for (std::uint32_t i = 0; i < ring.count; ++i) {
    const double angle = two_pi * i / ring.count;
    mesh.vertices.push_back({p.x() * std::cos(angle), p.y(), p.x() * std::sin(angle)});
  }
  return ring;
}

/// Joins two rings by a closed strip, advancing on the ring whose next side has its middle
/// first around the axis: of the two possible diagonals that is the shorter one.
void stitch(const Ring& a, const Ring& b, TriMesh& mesh) {
  if (a.count == 1 && b.count == 1) return;
  const std::uint64_t na = a.count == 1 ? 0 : a.count, nb = b.count == 1 ? 0 : b.count;
  std::uint64_t i = 0, j = 0;
  while (i < na || j < nb) {
    const std::uint32_t va = a.first + static_cast<std::uint32_t>(i % a.count);
    const std::uint32_t vb = b.first + static_cast<std::uint32_t>(j % b.count);
    const bool advance_b = i == na || (j < nb && (2 * j + 1) * na <= (2 * i + 1) * nb);
    if (advance_b) {
      ++j;
      mesh.triangles.push_back({va, vb, b.first + static_cast<std::uint32_t>(j % b.count)});
    } else {
      ++i;
      mesh.triangles.push_back({va, vb, a.first + static_cast<std::uint32_t>(i % a.count)});
    }
  }
}

}  // namespace

TriMesh revolved(const std::vector<Vec2>& line, bool closed, double edge_length) {
  check_budget(line, closed, edge_length);
  double widest = 0.0;
  for (const Vec2& p : line) widest = std::max(widest, p.x());
  const RingCounts counts(widest, edge_length);

  TriMesh mesh;
  std::optional<Ring> first, last;
  for (const Vec2& p : subdivided(without_idle_points(line), closed, edge_length)) {
    const Ring ring = add_ring(p, counts, mesh);
    if (last) stitch(*last, ring, mesh);
    if (!first) first = ring;
    last = ring;
  }
  if (closed) stitch(*last, *first, mesh);
  return mesh;
}

}  // namespace peal::geometry

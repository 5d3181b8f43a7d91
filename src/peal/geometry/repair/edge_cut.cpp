#include <peal/geometry/repair/edge_cut.h>

#include <algorithm>

namespace peal::geometry {
namespace {

/// More faces than this on one line are a heap: the change is found by halving, and others in
/// between are not looked for.
constexpr std::size_t most_hits = 32;

/// Normals of walls that face each other, and not at a crease, which a line may just clip.
constexpr double facing_cosine = -0.5;

/// Cuts keep this part of the line's length from its ends, so that they are not at a corner.
constexpr double margin = 1e-3;

}  // namespace

EdgeCut SoupSolid::cut(const Vec3& a, bool a_inside, const Vec3& b, bool b_inside) const {
  const Ray line{.origin = a, .direction = b - a, .t_min = 0.0, .t_max = 1.0};
  const std::vector<RayHit> hits = surface_.all_hits(line);
  const bool differ = a_inside != b_inside;
  if (hits.empty() || hits.size() > most_hits) {
    if (!differ) return {};
    return a_inside ? cut_in_hole(a, b) : cut_in_hole(b, a);
  }
  if (hits.size() == 1) return differ ? cut_at(line, hits[0]) : EdgeCut{};

  // Which side the line is on after each face.
  EdgeCut first, latest;
  const double length = line.direction.norm();
  double latest_t = 0.0;
  bool now = a_inside;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const bool last = i + 1 == hits.size();
    const double middle = last ? 1.0 : 0.5 * (hits[i].t + hits[i + 1].t);
    const bool next = last ? b_inside : contains(a + middle * line.direction);
    if (next == now) continue;
    now = next;
    const EdgeCut change = cut_at(line, hits[i]);
    if (first.triangle == EdgeCut::no_triangle) first = change;
    if (latest.triangle != EdgeCut::no_triangle) {
      first.unseen = std::max(first.unseen, (hits[i].t - latest_t) * length);
      first.facing = first.facing || change.normal.dot(latest.normal) < facing_cosine;
    }
    latest = change;
    latest_t = hits[i].t;
  }
  return first;
}

EdgeCut SoupSolid::cut_at(const Ray& line, const RayHit& hit) const {
  return {.point = line.origin + std::clamp(hit.t, margin, 1.0 - margin) * line.direction,
          .normal = area_vector(surface_.mesh(), hit.triangle).normalized(),
          .triangle = hit.triangle};
}

EdgeCut SoupSolid::cut_in_hole(Vec3 inside, Vec3 outside) const {
  constexpr int halvings = 9;  // down to `margin`
  for (int i = 0; i < halvings; ++i) {
    const Vec3 middle = 0.5 * (inside + outside);
    (contains(middle) ? inside : outside) = middle;
  }
  return {.point = 0.5 * (inside + outside)};
}

}  // namespace peal::geometry

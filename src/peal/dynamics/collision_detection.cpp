#include <peal/dynamics/collision_detection.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace peal::dynamics {

namespace {

/// Reduces the contact points of two convex bodies, from `first` on, to four that support as well
/// as all: the deepest, and those farthest from the ones that are selected already.
void thin_out(std::vector<ContactPoint>& contact_points, std::size_t first) {
  constexpr std::size_t enough = 4;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (contact_points.size() - first <= enough) return;
  const auto begin = contact_points.begin() + static_cast<std::ptrdiff_t>(first);
  std::iter_swap(begin, std::min_element(begin, contact_points.end(),
                                         [](const ContactPoint& x, const ContactPoint& y) {
                                           return x.gap < y.gap;
                                         }));
  for (std::size_t n = 1; n < enough; ++n) {
    const auto kept = begin + static_cast<std::ptrdiff_t>(n);
    const auto lonely = [&](const ContactPoint& contact_point) {
      double nearest = infinity;
      for (auto it = begin; it != kept; ++it) {
        nearest = std::min(nearest, (it->point - contact_point.point).norm());
      }
      return nearest - 10.0 * std::max(contact_point.gap, 0.0);
    };
    auto best = kept;
    double most = -infinity;
    for (auto it = kept; it != contact_points.end(); ++it) {
      if (const double value = lonely(*it); value > most) {
        most = value;
        best = it;
      }
    }
    std::iter_swap(kept, best);
  }
  contact_points.resize(first + enough);
}

}  // namespace

std::vector<BodyPair> candidate_pairs(const RigidBodies& bodies, double step) {
  struct Span {
    double low, high, margin;
    std::uint32_t body;
  };
  std::vector<PosedShape> shapes;
  std::vector<Span> spans;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const RigidBody& body = bodies[i];
    shapes.push_back(body.placed());
    if (!body.is_there) continue;
    const double margin = together + step * (2.0 * body.speed_bound(bodies.gravity(), step) +
                                             (body.is_free ? unforeseen_gain : 0.0));
    const double middle = std::isfinite(body.shape->reach()) ? shapes.back().middle().x() : 0.0;
    const double reach = body.shape->reach() + margin;
    spans.push_back({middle - reach, middle + reach, margin, i});
  }
  std::ranges::sort(spans, [](const Span& a, const Span& b) {
    return a.low < b.low || (a.low == b.low && a.body < b.body);
  });
  std::vector<BodyPair> pairs;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (std::size_t j = i + 1; j < spans.size() && spans[j].low <= spans[i].high; ++j) {
      const auto [a, b] = std::minmax(spans[i].body, spans[j].body);
      if (!bodies[a].is_free && !bodies[b].is_free) continue;
      if (are_apart(shapes[a], shapes[b], spans[i].margin + spans[j].margin)) continue;
      pairs.push_back({a, b});
    }
  }
  std::ranges::sort(pairs, [](const BodyPair& x, const BodyPair& y) {
    return x.a < y.a || (x.a == y.a && x.b < y.b);
  });
  return pairs;
}

std::vector<ContactPoint> detect_contacts(const RigidBodies& bodies,
                                          std::span<const BodyPair> pairs, double within,
                                          bool is_crowd) {
  assert(within > 0.0 && "contacts are looked for over a time");
  std::vector<ContactPoint> contact_points;
  for (const auto& [i, j] : pairs) {
    assert(i < j && "a pair has its bodies in ascending order");
    const RigidBody &a = bodies[i], &b = bodies[j];
    const double margin = together + 1.5 * within *
                                         (a.speed_bound(bodies.gravity(), within) +
                                          b.speed_bound(bodies.gravity(), within));
    const PosedShape shape_a = a.placed(), shape_b = b.placed();
    if (are_apart(shape_a, shape_b, margin)) continue;
    const std::size_t first = contact_points.size();
    find_contact_points(shape_a, shape_b, i, j, margin, contact_points);
    if (is_crowd && a.shape->is_convex() && b.shape->is_convex()) thin_out(contact_points, first);
  }
  return contact_points;
}

}  // namespace peal::dynamics

#include <peal/dynamics/rigid_world.h>
#include <peal/util/disjoint_sets.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// Which bodies could meet in a step, and which need not be looked at.

namespace peal::dynamics {

namespace {

/// Of the touches of two convex bodies, from `first` on, four hold as well as all: the deepest, and
/// those farthest from the ones that are kept already.
void thin_out(std::vector<Touch>& touches, std::size_t first) {
  constexpr std::size_t enough = 4;
  constexpr double never = std::numeric_limits<double>::infinity();
  if (touches.size() - first <= enough) return;
  const auto begin = touches.begin() + static_cast<std::ptrdiff_t>(first);
  std::iter_swap(begin, std::min_element(begin, touches.end(), [](const Touch& x, const Touch& y) {
                   return x.gap < y.gap;
                 }));
  for (std::size_t n = 1; n < enough; ++n) {
    const auto kept = begin + static_cast<std::ptrdiff_t>(n);
    const auto lonely = [&](const Touch& touch) {
      double nearest = never;
      for (auto it = begin; it != kept; ++it) {
        nearest = std::min(nearest, (it->point - touch.point).norm());
      }
      return nearest - 10.0 * std::max(touch.gap, 0.0);
    };
    auto best = kept;
    double most = -never;
    for (auto it = kept; it != touches.end(); ++it) {
      if (const double value = lonely(*it); value > most) {
        most = value;
        best = it;
      }
    }
    std::iter_swap(kept, best);
  }
  touches.resize(first + enough);
}

}  // namespace

void RigidWorld::fall_asleep(const std::vector<Island>& islands) {
  if (static_cast<double>(steps_ - looked_at_) * settings_.step < time_to_sleep) return;
  for (const std::uint32_t i : free_) {
    Body& body = bodies_[i];
    body.is_calm = body.pushed == 0.0 && body.seen &&
                   has_hardly_moved(*body.seen, body.pose, body.state.velocity.norm(),
                                    angular_velocity(i).norm() * body.shape->reach(), settings_);
    body.seen = body.pose;
  }
  for (const Island& island : islands) {
    const bool calm =
        std::ranges::all_of(island.bodies, [&](std::uint32_t i) { return bodies_[i].is_calm; });
    for (const std::uint32_t i : island.bodies) {
      Body& body = bodies_[i];
      if (calm && !island.is_driven) {
        body.is_asleep = true;
        body.rest_rate = (body.rest - body.rest_seen) / static_cast<double>(steps_ - looked_at_);
        body.state.velocity.setZero();
        body.state.angular_momentum.setZero();
      }
      body.rest_seen = body.rest;
    }
  }
  looked_at_ = steps_;
}

void RigidWorld::wake(Body& body) {
  if (!body.is_asleep) return;
  body.is_asleep = body.is_calm = false;
  body.rest_seen = body.rest;
  body.seen.reset();
}

bool RigidWorld::acts(const RigidJoint& joint) const {
  return bodies_[joint.body].is_there && (!joint.other || bodies_[*joint.other].is_there);
}

void RigidWorld::refuse_overlaps_of(std::uint32_t body) const {
  for (std::uint32_t other = 0; other < bodies_.size(); ++other) {
    const Body &a = bodies_[body], &b = bodies_[other];
    if (other == body || !b.is_there || (!a.is_free && !b.is_free)) continue;
    const PlacedShape shape_a = placed(a), shape_b = placed(b);
    if (are_apart(shape_a, shape_b, 0.0)) continue;
    std::vector<Touch> touches;
    find_touches(shape_a, shape_b, body, other, 0.0, touches);
    const auto deepest = std::ranges::min_element(touches, {}, &Touch::gap);
    if (deepest == touches.end() || deepest->gap > -overlap_allowed) continue;
    throw util::InputError({"", a.settings.name},
                           fmt::format("\"{}\" begins to exist at {:g} s, where it overlaps \"{}\" "
                                       "by {:.3g} mm",
                                       a.settings.name, a.settings.exists->begin, b.settings.name,
                                       -1e3 * deepest->gap),
                           "Move them apart, or let it begin at another time.");
  }
}

bool RigidWorld::begin_and_end() {
  // Times are sums of steps: a body begins with the step that is nearest.
  const double now = time() + 0.5 * settings_.step;
  std::vector<std::uint32_t> begun;
  bool is_changed = false;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const bool is_there = !body.settings.exists || body.settings.exists->contains(now);
    if (is_there == body.is_there) continue;
    is_changed = true;
    body.is_there = is_there;
    if (is_there && steps_ > 0) begun.push_back(i);
  }
  if (!is_changed) return false;
  // What rested on a body that has ended falls.
  for (const std::uint32_t i : free_) wake(bodies_[i]);
  place_scripted();
  for (const std::uint32_t i : begun) refuse_overlaps_of(i);
  return true;
}

/// How fast any point of it moves at most within a time [s], if nothing hits it [m/s].
double RigidWorld::speed_bound(const Body& body, double within) const {
  if (!body.is_free) {
    const double reach =
        std::isfinite(body.shape->reach())
            ? body.shape->reach() + body.shape->frame().to_world(body.shape->middle()).norm()
            : 0.0;
    return body.velocity.norm() + body.angular_velocity.norm() * reach;
  }
  return body.state.velocity.norm() + settings_.gravity.norm() * within +
         (body.turning * body.state.angular_momentum).norm() *
             (body.shape->reach() +
              (body.shape->frame().to_world(body.shape->middle()) - body.frame.centre).norm());
}

std::vector<RigidWorld::Pair> RigidWorld::near_pairs() const {
  struct Span {
    double low, high, margin;
    std::uint32_t body;
  };
  std::vector<PlacedShape> shapes;
  std::vector<Span> spans;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    shapes.push_back(placed(body));
    if (!body.is_there) continue;
    const double margin = together + settings_.step * (2.0 * speed_bound(body, settings_.step) +
                                                       (body.is_free ? unforeseen : 0.0));
    const double middle = std::isfinite(body.shape->reach()) ? shapes.back().middle().x() : 0.0;
    const double reach = body.shape->reach() + margin;
    spans.push_back({middle - reach, middle + reach, margin, i});
  }
  std::ranges::sort(spans, [](const Span& a, const Span& b) {
    return a.low < b.low || (a.low == b.low && a.body < b.body);
  });
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (std::size_t j = i + 1; j < spans.size() && spans[j].low <= spans[i].high; ++j) {
      const auto [a, b] = std::minmax(spans[i].body, spans[j].body);
      if (!bodies_[a].is_free && !bodies_[b].is_free) continue;
      if (are_apart(shapes[a], shapes[b], spans[i].margin + spans[j].margin)) continue;
      pairs.push_back({a, b});
    }
  }
  std::ranges::sort(
      pairs, [](const Pair& x, const Pair& y) { return x.a < y.a || (x.a == y.a && x.b < y.b); });
  return pairs;
}

std::vector<RigidWorld::Island> RigidWorld::find_islands() {
  const std::vector<Pair> pairs = near_pairs();
  util::DisjointSets sets(bodies_.size());
  for (const Pair& pair : pairs) {
    if (bodies_[pair.a].is_free && bodies_[pair.b].is_free) sets.join(pair.a, pair.b);
  }
  for (const RigidJoint& joint : settings_.joints) {
    if (acts(joint) && joint.other && bodies_[joint.body].is_free && bodies_[*joint.other].is_free)
      sets.join(joint.body, *joint.other);
  }
  std::vector<Island> islands;
  std::vector<std::size_t> island_of(bodies_.size());
  for (const std::uint32_t i : free_) {
    const std::uint32_t root = sets.root(i);
    if (root == i) {
      island_of[i] = islands.size();
      islands.emplace_back();
    } else {
      island_of[i] = island_of[root];
    }
    islands[island_of[i]].bodies.push_back(i);
  }
  for (const Pair& pair : pairs) {
    Island& island = islands[island_of[bodies_[pair.a].is_free ? pair.a : pair.b]];
    island.pairs.push_back(pair);
    island.is_driven = island.is_driven || bodies_[pair.a].is_moving || bodies_[pair.b].is_moving;
  }
  for (std::uint32_t k = 0; k < settings_.joints.size(); ++k) {
    const RigidJoint& joint = settings_.joints[k];
    if (!acts(joint)) continue;
    Island& island = islands[island_of[bodies_[joint.body].is_free ? joint.body : *joint.other]];
    island.joints.push_back(k);
    island.is_driven = island.is_driven || bodies_[joint.body].is_moving ||
                       (joint.other && bodies_[*joint.other].is_moving);
  }
  // What is not there is alone.
  std::erase_if(islands, [&](const Island& island) { return !bodies_[island.bodies[0]].is_there; });
  // Sleepers go on sleeping unless something in their island is awake.
  std::erase_if(islands, [&](const Island& island) {
    return !island.is_driven && std::ranges::all_of(island.bodies, [&](std::uint32_t i) {
      return bodies_[i].is_asleep;
    });
  });
  for (const Island& island : islands) {
    for (const std::uint32_t i : island.bodies) wake(bodies_[i]);
  }
  return islands;
}

/// Where pairs could meet within a time [s].
std::vector<Touch> RigidWorld::detect(std::span<const Pair> pairs, double within,
                                      bool is_crowd) const {
  std::vector<Touch> touches;
  for (const auto& [i, j] : pairs) {
    const Body &a = bodies_[i], &b = bodies_[j];
    const double margin =
        together + 1.5 * within * (speed_bound(a, within) + speed_bound(b, within));
    const PlacedShape shape_a = placed(a), shape_b = placed(b);
    if (are_apart(shape_a, shape_b, margin)) continue;
    const std::size_t first = touches.size();
    find_touches(shape_a, shape_b, i, j, margin, touches);
    if (is_crowd && a.shape->is_convex() && b.shape->is_convex()) thin_out(touches, first);
  }
  return touches;
}

}  // namespace peal::dynamics

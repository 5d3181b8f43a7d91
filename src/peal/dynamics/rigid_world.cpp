#include <peal/base/motion_survey.h>
#include <peal/dynamics/rigid_world.h>
#include <peal/util/disjoint_sets.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace peal::dynamics {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double touching = 2e-8;         ///< gap at which an approach is an impact [m]
constexpr double together = 1e-6;         ///< gap up to which contacts are struck as one [m]
constexpr double overlap_allowed = 1e-5;  ///< at the start: rounding of a scene's numbers [m]
constexpr double moving = 0.01;           ///< slower contacts are at rest [m/s]
constexpr double slowest_turn = 0.001;    ///< of a body that rolls, at its ends [m/s]
/// Overlaps are pushed out by half in a step, with a speed up to this [m/s]; deeper ones are moved
/// apart, which gives them no speed.
constexpr double fastest_recovery = 5e-4;
constexpr double deep = 2e-7;  ///< [m]
/// A rebound of 5 mm/s rises about a micrometre, less than surfaces are rough; a contact that
/// lasts gathers up to g dt in a step.
constexpr double slowest_bounce = 0.005;
constexpr double time_to_sleep = 0.1;  ///< [s]
constexpr double no_movement = 1e-5;   ///< in that time [m]
constexpr double no_turn = 1e-3;       ///< in that time [rad]
/// Impacts of an island in a step that are found one by one: a few bodies may chatter, of more than
/// a few all impacts are struck at once if they are many, of many always.
constexpr int most_impacts = 100, few_impacts = 2;
constexpr std::size_t few_bodies = 4, many_bodies = 16;
constexpr double unforeseen = 0.5;  ///< speed that a body may get from others in a step [m/s]

/// Of the touches of two convex bodies, from `first` on, four hold as well as all: the deepest, and
/// those farthest from the ones that are kept already.
void thin_out(std::vector<Touch>& touches, std::size_t first) {
  constexpr std::size_t enough = 4;
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

/// Bodies of the same mesh share its shape.
using KnownMeshes =
    std::map<std::pair<const geometry::TriMesh*, double>, std::shared_ptr<const SmoothShape>>;

std::shared_ptr<const SmoothShape> shape_of(const RigidBodySettings& body,
                                            const std::optional<std::filesystem::path>& cache,
                                            KnownMeshes& meshes) try {
  const auto* mesh = std::get_if<scene::MeshShape>(&body.shape);
  if (mesh == nullptr) return make_smooth_shape(body.shape);
  auto& known = meshes[{mesh->mesh.get(), mesh->fillet}];
  if (!known) known = make_smooth_shape(body.shape, cache);
  return known;
} catch (const std::invalid_argument& error) {
  throw util::InputError(
      {"", body.name}, fmt::format("\"{}\" cannot collide: {}", body.name, error.what()),
      "Close or thicken its mesh (peal inspect tells more), or give it a built-in shape.");
}

}  // namespace

RigidWorld::RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : settings_(settings),
      contact_speed_(std::max(slowest_bounce, 4.0 * settings.gravity.norm() * settings.step)) {
  if (!(settings.step > 0.0)) throw std::invalid_argument("a simulation needs a step");
  log_.step = settings.step;
  KnownMeshes meshes;
  for (RigidBodySettings& one : bodies) {
    Body body;
    body.settings = std::move(one);
    body.shape = shape_of(body.settings, settings.cache, meshes);
    body.is_free = body.settings.motion == nullptr;
    body.is_moving = !body.is_free && !body.settings.motion->is_still();
    log_.bodies.push_back(body.settings.name);
    if (body.is_free) {
      const geometry::MassProperties& mass = body.settings.mass;
      if (!(mass.mass > 0.0) || !(mass.inertia.diagonal().minCoeff() > 0.0)) {
        throw util::InputError({"", body.settings.name},
                               fmt::format("\"{}\" has no mass", body.settings.name),
                               "A body that moves freely needs a mass above zero.");
      }
      if (body.shape->is_floor()) {
        throw util::InputError({"", body.settings.name},
                               fmt::format("\"{}\" is a floor and cannot fall", body.settings.name),
                               "Fix it, or give it the shape of a box.");
      }
      body.frame = mass_frame(mass);
      const base::Pose& pose = body.settings.pose;
      body.state.position = pose.to_world(body.frame.centre);
      body.state.orientation = pose.orientation * body.frame.axes;
      body.state.velocity = body.settings.velocity;
      const Vec3 own = body.state.orientation.conjugate() * body.settings.angular_velocity;
      body.state.angular_momentum = body.state.orientation * own.cwiseProduct(body.frame.moments);
      body.pose = pose;
      body.turning = inverse_inertia(body.frame, body.state);
      free_.push_back(static_cast<std::uint32_t>(bodies_.size()));
    }
    bodies_.push_back(std::move(body));
  }
  place_scripted();
  refuse_overlaps();
}

double RigidWorld::time() const {
  return static_cast<double>(steps_) * settings_.step + since_;
}

Vec3 RigidWorld::angular_velocity(std::size_t body) const {
  const Body& one = bodies_[body];
  return one.is_free ? Vec3(one.turning * one.state.angular_momentum) : one.angular_velocity;
}

double RigidWorld::energy() const {
  double sum = kinetic(free_, momenta());
  for (const Body& body : bodies_) {
    if (body.is_free) sum -= body.frame.mass * settings_.gravity.dot(body.state.position);
  }
  return sum;
}

void RigidWorld::step(const Moved& moved) {
  const std::size_t first = log_.records.size();
  const bool all_asleep = std::ranges::all_of(
      bodies_, [](const Body& body) { return body.is_free ? body.is_asleep : !body.is_moving; });
  if (!all_asleep) {
    place_scripted();
    const std::vector<Island> islands = find_islands();
    for (const Island& island : islands) run(island, moved);
    place_moving(time() + settings_.step);
    std::stable_sort(log_.records.begin() + static_cast<std::ptrdiff_t>(first), log_.records.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    ++steps_;
    fall_asleep(islands);
  } else {
    ++steps_;
  }
  for (const Body& body : bodies_) {
    if (body.is_asleep) rest_impulse_ += body.rest_rate;
  }
  moved(free_);
}

void RigidWorld::run(const Island& island, const Moved& moved) {
  place_moving(time());
  const auto was_crowded = [&](std::uint32_t i) { return bodies_[i].was_crowded; };
  bool crowd =
      island.bodies.size() > many_bodies ||
      (island.bodies.size() > few_bodies && std::ranges::any_of(island.bodies, was_crowded));
  const int limit = island.bodies.size() > few_bodies ? few_impacts : most_impacts;
  int impacts = 0;
  while (since_ < settings_.step) {
    const double left = settings_.step - since_;
    const std::vector<Touch> touches = detect(island.pairs, crowd ? 2.0 * left : left, crowd);
    if (crowd) {
      const std::size_t struck = strike_ahead(island, touches, left);
      for (const std::uint32_t i : island.bodies) bodies_[i].was_crowded = struck > few_impacts;
      push_apart(island, touches, left, true);
      fly_on(island, left);
      since_ = settings_.step;
      continue;
    }
    if (strike(island, touches, false)) {
      crowd = ++impacts >= limit;
      continue;
    }
    const double dt = std::max(until_impact(touches, left), 1e-12);
    // So near that no time passes: it is there.
    if (dt <= 1e-12 && strike(island, touches, true)) {
      crowd = ++impacts >= limit;
      continue;
    }
    push_apart(island, touches, dt, false);
    fly_on(island, dt);
    since_ = dt >= left ? settings_.step : since_ + dt;
    if (since_ < settings_.step) moved(island.bodies);
  }
  since_ = 0.0;
}

/// Gravity does nothing new to what has not moved by ten micrometres in a tenth of a second.
void RigidWorld::fall_asleep(const std::vector<Island>& islands) {
  if (static_cast<double>(steps_ - looked_at_) * settings_.step < time_to_sleep) return;
  for (const std::uint32_t i : free_) {
    Body& body = bodies_[i];
    body.is_calm = body.seen && (body.pose.position - body.seen->position).norm() < no_movement &&
                   body.pose.orientation.angularDistance(body.seen->orientation) < no_turn &&
                   angular_velocity(i).norm() < 0.01;
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

void RigidWorld::wake(const Island& island) {
  for (const std::uint32_t i : island.bodies) {
    Body& body = bodies_[i];
    if (!body.is_asleep) continue;
    body.is_asleep = body.is_calm = false;
    body.rest_seen = body.rest;
    body.seen.reset();
  }
}

Vec3 RigidWorld::centre_of(const Body& body) const {
  return body.pose.to_world(body.shape->middle());
}

/// How fast any point of it moves at most within a time [s], if nothing hits it [m/s].
double RigidWorld::speed_bound(const Body& body, double within) const {
  if (!body.is_free) {
    const double reach = std::isfinite(body.shape->reach())
                             ? body.shape->reach() + body.shape->middle().norm()
                             : 0.0;
    return body.velocity.norm() + body.angular_velocity.norm() * reach;
  }
  return body.state.velocity.norm() + settings_.gravity.norm() * within +
         (body.turning * body.state.angular_momentum).norm() *
             (body.shape->reach() + (body.shape->middle() - body.frame.centre).norm());
}

/// Quickly, if not always: distance from a convex body is convex, so that the plane at the middle
/// of the other lies below it.
bool RigidWorld::are_apart(const Body& a, const Body& b, double margin) const {
  if (std::isfinite(a.shape->reach()) && std::isfinite(b.shape->reach())) {
    const double reach = a.shape->reach() + b.shape->reach() + margin;
    if ((centre_of(a) - centre_of(b)).squaredNorm() > reach * reach) return true;
  }
  const auto is_off = [&](const Body& one, const Body& convex) {
    if (!convex.shape->is_convex() || one.shape->is_floor()) return false;
    Vec3 normal;
    const double d = convex.shape->distance(
        convex.pose.orientation.conjugate() * (centre_of(one) - convex.pose.position), normal);
    const Vec3 own = one.pose.orientation.conjugate() * (convex.pose.orientation * normal);
    return d - one.shape->extent(own) > margin;
  };
  return is_off(a, b) || is_off(b, a);
}

std::vector<RigidWorld::Pair> RigidWorld::near_pairs() const {
  struct Span {
    double low, high, margin;
    std::uint32_t body;
  };
  std::vector<Span> spans;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const double margin = together + settings_.step * (2.0 * speed_bound(body, settings_.step) +
                                                       (body.is_free ? unforeseen : 0.0));
    const double middle = std::isfinite(body.shape->reach()) ? centre_of(body).x() : 0.0;
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
      if (are_apart(bodies_[a], bodies_[b], spans[i].margin + spans[j].margin)) continue;
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
    if (joint.other && bodies_[joint.body].is_free && bodies_[*joint.other].is_free)
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
    Island& island = islands[island_of[bodies_[joint.body].is_free ? joint.body : *joint.other]];
    island.joints.push_back(k);
    island.is_driven = island.is_driven || bodies_[joint.body].is_moving ||
                       (joint.other && bodies_[*joint.other].is_moving);
  }
  // Sleepers go on sleeping unless something in their island is awake.
  std::erase_if(islands, [&](const Island& island) {
    return !island.is_driven && std::ranges::all_of(island.bodies, [&](std::uint32_t i) {
      return bodies_[i].is_asleep;
    });
  });
  for (const Island& island : islands) wake(island);
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
    if (are_apart(a, b, margin)) continue;
    const std::size_t first = touches.size();
    find_touches({a.shape.get(), a.pose}, {b.shape.get(), b.pose}, i, j, margin, touches);
    if (is_crowd && a.shape->is_convex() && b.shape->is_convex()) thin_out(touches, first);
  }
  return touches;
}

std::vector<BodyMomentum> RigidWorld::momenta() const {
  std::vector<BodyMomentum> result;
  for (const Body& body : bodies_) {
    if (body.is_free) {
      result.push_back({.inverse_mass = 1.0 / body.frame.mass,
                        .velocity = body.state.velocity,
                        .angular_momentum = body.state.angular_momentum});
    } else {
      result.push_back({.velocity = body.velocity, .angular_velocity = body.angular_velocity});
    }
  }
  result.emplace_back();  // the world
  return result;
}

void RigidWorld::take(const Island& island, std::span<const BodyMomentum> momenta) {
  for (const std::uint32_t i : island.bodies) {
    bodies_[i].state.velocity = momenta[i].velocity;
    bodies_[i].state.angular_momentum = momenta[i].angular_momentum;
  }
}

double RigidWorld::kinetic(std::span<const std::uint32_t> bodies,
                           std::span<const BodyMomentum> momenta) const {
  double sum = 0.0;
  for (const std::uint32_t i : bodies) {
    const BodyMomentum& one = momenta[i];
    sum += 0.5 * one.velocity.squaredNorm() / one.inverse_mass +
           0.5 * one.angular_momentum.dot(bodies_[i].turning * one.angular_momentum);
  }
  return sum;
}

ContactRow RigidWorld::row_of(const Touch& touch) const {
  const Body &a = bodies_[touch.body_a], &b = bodies_[touch.body_b];
  ContactRow row{.body_a = touch.body_a, .body_b = touch.body_b, .normal = touch.normal};
  const auto centre = [](const Body& body) {
    return body.is_free ? body.state.position : body.pose.position;
  };
  row.arm_a = row.push_a = touch.on_a() - centre(a);
  row.arm_b = row.push_b = touch.on_b() - centre(b);
  row.inverse_inertia_a = a.turning;
  row.inverse_inertia_b = b.turning;
  row.friction = 0.5 * (a.settings.friction + b.settings.friction);
  return row;
}

/// By how much a falls faster than b [m/s^2].
Vec3 RigidWorld::gravity_between(const Touch& touch) const {
  const double a = bodies_[touch.body_a].is_free ? 1.0 : 0.0;
  const double b = bodies_[touch.body_b].is_free ? 1.0 : 0.0;
  return (a - b) * settings_.gravity;
}

/// Time until the gap closes fast, or a little before [s]: turning bodies may close it by more
/// than their velocity says, by w^2 r t^2 / 2 at most.
double RigidWorld::time_of_impact(const Touch& touch, const Vec3& velocity) const {
  const auto sway = [&](std::uint32_t i) {
    const Body& body = bodies_[i];
    const Vec3 from = body.is_free ? body.state.position : body.pose.position;
    return angular_velocity(i).squaredNorm() * (touch.point - from).norm();
  };
  const double speed = -touch.normal.dot(velocity);
  const double growth = std::max(0.0, -touch.normal.dot(gravity_between(touch))) +
                        sway(touch.body_a) + sway(touch.body_b);
  const double gap = std::max(touch.gap, 0.0);
  const double root = std::sqrt(speed * speed + 2.0 * growth * gap);
  if (root <= contact_speed_) return never;
  if (speed > 0.0) return 2.0 * gap / (speed + root);
  return growth > 0.0 ? (root - speed) / growth : never;
}

double RigidWorld::until_impact(const std::vector<Touch>& touches, double left) const {
  const std::vector<BodyMomentum> now = momenta();
  double dt = left;
  for (const Touch& touch : touches) {
    // What leaves from a touch comes back by gravity alone, slowly: push_apart() keeps it.
    const Vec3 velocity = row_of(touch).velocity(now);
    if (touch.gap <= touching && -touch.normal.dot(velocity) <= contact_speed_) continue;
    dt = std::min(dt, time_of_impact(touch, velocity));
  }
  return dt;
}

std::vector<ContactRow> RigidWorld::bounced(const Island& island, const std::vector<Touch>& touches,
                                            double restitution,
                                            std::span<BodyMomentum> momenta) const {
  std::vector<ContactRow> rows;
  for (const Touch& touch : touches) {
    ContactRow row = row_of(touch);
    const double speed = -row.normal.dot(row.velocity(momenta));
    const double e = 0.5 * (bodies_[touch.body_a].settings.restitution +
                            bodies_[touch.body_b].settings.restitution);
    if (speed > contact_speed_) row.target = restitution * e * speed;
    rows.push_back(row);
  }
  add_joints(island, 0.0, rows);
  solve_rows(rows, momenta);
  return rows;
}

/// All touches at once, each recorded after its delay [s].
void RigidWorld::bounce(const Island& island, const std::vector<Touch>& touches,
                        const std::vector<double>& delays, bool is_crowd) {
  const std::vector<BodyMomentum> before = momenta();
  // Newton's restitution can add energy where friction turns a body around; then it bounces less.
  const double energy = kinetic(island.bodies, before);
  std::vector<BodyMomentum> after;
  std::vector<ContactRow> rows;
  for (int attempt = 0; attempt <= 12; ++attempt) {
    after = before;
    rows = bounced(island, touches, attempt == 12 ? 0.0 : std::pow(0.7, attempt), after);
    if (island.is_driven || kinetic(island.bodies, after) <= energy * (1.0 + 1e-12)) break;
  }
  for (std::size_t i = 0; i < touches.size(); ++i) {
    if (rows[i].impulse.isZero()) continue;
    const Vec3 velocity = rows[i].velocity(before);
    if (is_crowd && rows[i].normal.dot(velocity) > -contact_speed_) {
      rest_on(touches[i], rows[i].impulse.norm());  // it only passes on what others got
    } else {
      record(time() + delays[i], touches[i], rows[i].impulse, velocity, 0.0, 0.0);
    }
  }
  take(island, after);
}

bool RigidWorld::strike(const Island& island, const std::vector<Touch>& all, bool at_once) {
  const std::vector<BodyMomentum> before = momenta();
  std::vector<Touch> touches;
  bool is_fast = false;
  for (const Touch& touch : all) {
    const Vec3 velocity = row_of(touch).velocity(before);
    const double speed = -touch.normal.dot(velocity);
    const bool near = at_once ? time_of_impact(touch, velocity) < 1e-12 : touch.gap < touching;
    is_fast = is_fast || (speed > contact_speed_ && near);
    if (touch.gap < together) touches.push_back(touch);
  }
  if (is_fast)
    bounce(island, touches, std::vector<double>(touches.size(), 0.0),
           island.bodies.size() > few_bodies);
  return is_fast;
}

/// What is struck may strike the next: a few times over.
std::size_t RigidWorld::strike_ahead(const Island& island, const std::vector<Touch>& all,
                                     double left) {
  std::size_t struck = 0;
  for (int pass = 0; pass < 4; ++pass) {
    const std::vector<BodyMomentum> before = momenta();
    std::vector<Touch> touches;
    std::vector<double> delays;
    std::size_t fast = 0;
    for (const Touch& touch : all) {
      const double speed = -touch.normal.dot(row_of(touch).velocity(before));
      const double gap = std::max(touch.gap, 0.0);
      const bool meets = speed > contact_speed_ && gap < speed * left;
      if (!meets && touch.gap >= together) continue;
      fast += meets ? 1 : 0;
      touches.push_back(touch);
      delays.push_back(meets ? gap / speed : 0.0);
    }
    if (fast == 0) break;
    struck += fast;
    bounce(island, touches, delays, true);
  }
  return struck;
}

/// Rolling on one point: the velocity is that of the contact in the middle of the step, so that the
/// point of contact moves on as the body turns. The impulse keeps the arm of the start.
void RigidWorld::take_to_middle(const Touch& touch, double dt, ContactRow& row, double& gap) const {
  std::array<Body const*, 2> pair = {&bodies_[touch.body_a], &bodies_[touch.body_b]};
  std::array<RigidState, 2> states;
  std::array<PlacedShape, 2> placed;
  for (int k = 0; k < 2; ++k) {
    const Body& body = *pair[k];
    placed[k] = {body.shape.get(), body.pose};
    if (!body.is_free) {
      placed[k].pose = body.settings.motion->pose(time() + 0.5 * dt);
      continue;
    }
    states[k] = body.state;
    fly(body.frame, settings_.gravity, 0.5 * dt, states[k]);
    placed[k].pose = body_pose(body.frame, states[k]);
  }
  std::vector<Touch> touches;
  const double reach = std::min(pair[0]->shape->reach(), pair[1]->shape->reach());
  find_touches(placed[0], placed[1], touch.body_a, touch.body_b,
               std::max(2.0 * std::abs(touch.gap), 0.1 * reach), touches);
  // The same feature, or what is nearest now.
  auto same =
      std::ranges::find_if(touches, [&](const Touch& other) { return other.key == touch.key; });
  if (same == touches.end()) {
    same = std::ranges::min_element(
        touches, {}, [&](const Touch& other) { return (other.point - touch.point).squaredNorm(); });
  }
  if (same == touches.end()) return;
  const double size = std::min(pair[0]->shape->reach(), pair[1]->shape->reach());
  if ((same->point - touch.point).norm() > 0.25 * size) return;

  row.normal = same->normal;
  if (pair[0]->is_free) {
    row.arm_a = same->on_a() - states[0].position;
    row.inverse_inertia_a = inverse_inertia(pair[0]->frame, states[0]);
  } else {
    row.arm_a = same->on_a() - placed[0].pose.position;
  }
  if (pair[1]->is_free) {
    row.arm_b = same->on_b() - states[1].position;
    row.inverse_inertia_b = inverse_inertia(pair[1]->frame, states[1]);
  } else {
    row.arm_b = same->on_b() - placed[1].pose.position;
  }
  const double way = 0.5 * dt * row.normal.dot(row.velocity(momenta())) +
                     0.125 * dt * dt * row.normal.dot(gravity_between(touch));
  gap = same->gap - way;
}

const RigidWorld::Held* RigidWorld::held_at(const Touch& touch) const {
  const auto pair = held_.find(pair_key(touch.body_a, touch.body_b));
  if (pair == held_.end()) return nullptr;
  const Held* nearest = nullptr;
  double least =
      0.05 * std::min(bodies_[touch.body_a].shape->reach(), bodies_[touch.body_b].shape->reach());
  for (const Held& one : pair->second) {
    if (std::abs(one.until - time()) > 1e-9) continue;  // of another time
    if (one.key == touch.key) return &one;
    const double apart = (one.point - touch.point).norm();
    if (apart < least && one.normal.dot(touch.normal) > 0.9) {
      nearest = &one;
      least = apart;
    }
  }
  return nearest;
}

/// Joints as rows that pull. Over a time `dt` [s] they are taken to the middle of the step as
/// rolling contacts are; if it is zero, they only stop what pulls them apart now.
void RigidWorld::add_joints(const Island& island, double dt, std::vector<ContactRow>& rows) const {
  const auto world = static_cast<std::uint32_t>(bodies_.size());
  struct End {
    Vec3 now, then;             ///< where it is at the start and in the middle [m]
    Vec3 push, arm;             ///< from the centre of mass [m]
    Mat3 turning;               ///< in the middle [1/(kg m^2)]
    Vec3 falls = Vec3::Zero();  ///< [m/s^2]
  };
  const auto end_of = [&](const Body& body, const Vec3& local) {
    End end{.now = body.pose.to_world(local), .turning = body.turning};
    if (body.is_free) {
      RigidState state = body.state;
      if (dt > 0.0) {
        fly(body.frame, settings_.gravity, 0.5 * dt, state);
        end.turning = inverse_inertia(body.frame, state);
      }
      end.then = body_pose(body.frame, state).to_world(local);
      end.push = end.now - body.state.position;
      end.arm = end.then - state.position;
      end.falls = settings_.gravity;
    } else {
      const base::Pose pose =
          body.is_moving && dt > 0.0 ? body.settings.motion->pose(time() + 0.5 * dt) : body.pose;
      end.then = pose.to_world(local);
      end.push = end.arm = end.then - pose.position;
    }
    return end;
  };
  for (const std::uint32_t k : island.joints) {
    const RigidJoint& joint = settings_.joints[k];
    const End a = end_of(bodies_[joint.body], joint.at);
    const End b = joint.other ? end_of(bodies_[*joint.other], joint.to)
                              : End{.now = joint.to,
                                    .then = joint.to,
                                    .push = Vec3::Zero(),
                                    .arm = Vec3::Zero(),
                                    .turning = Mat3::Zero()};
    const Vec3 between = a.then - b.then;
    ContactRow row{.body_a = joint.body, .body_b = joint.other.value_or(world)};
    row.arm_a = a.arm;
    row.push_a = a.push;
    row.inverse_inertia_a = a.turning;
    row.arm_b = b.arm;
    row.push_b = b.push;
    row.inverse_inertia_b = b.turning;
    row.drift = 0.5 * dt * (a.falls - b.falls);
    row.pulls = !joint.is_string;
    const std::vector<BodyMomentum> now = momenta();
    const auto add = [&](const Vec3& normal, const Vec3& force, double gap) {
      row.normal = normal;
      row.force = force;
      const double way = 0.5 * dt * normal.dot(row.velocity(now) - row.drift) +
                         0.5 * (0.5 * dt) * normal.dot(row.drift);
      row.target = dt > 0.0 ? -(gap - way) / dt : 0.0;
      if (joint.is_string && dt == 0.0 && gap > together) return;  // it hangs loose
      rows.push_back(row);
    };
    if (joint.length > 0.0) {
      // It pulls along where it is at the start, and keeps its length at the end: twice the middle
      // is the sum of both, so that the way across the middle changes no length (SHAKE).
      const double length = between.norm();
      const Vec3 along = between / length, now_along = (a.now - b.now).normalized();
      const double sign = joint.is_string ? -1.0 : 1.0;
      add(sign * along, sign * now_along, sign * (length - joint.length));
    } else {
      for (int axis = 0; axis < 3; ++axis) add(Vec3::Unit(axis), Vec3::Unit(axis), between[axis]);
    }
  }
}

/// Whether two bodies turn against each other. The lowest point of a rim that lies flat is
/// anywhere: that it moves does not mean that the rim rolls.
bool RigidWorld::is_turning(const Touch& touch) const {
  const double size =
      std::min(bodies_[touch.body_a].shape->reach(), bodies_[touch.body_b].shape->reach());
  return (angular_velocity(touch.body_a) - angular_velocity(touch.body_b)).norm() * size >
         slowest_turn;
}

void RigidWorld::push_apart(const Island& island, const std::vector<Touch>& touches, double dt,
                            bool all) {
  std::vector<BodyMomentum> now = momenta();
  std::vector<ContactRow> rows;
  std::vector<const Touch*> sources;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i];
    ContactRow row = row_of(touch);
    const double speed = -touch.normal.dot(row.velocity(now));
    if (speed > contact_speed_ && !all) continue;  // until its impact
    if (touch.gap > dt * (std::max(speed, 0.0) + unforeseen)) continue;
    // Touches of a pair follow each other.
    const auto same_pair = [&](const Touch& other) {
      return other.body_a == touch.body_a && other.body_b == touch.body_b;
    };
    const bool alone = !(i > 0 && same_pair(touches[i - 1])) &&
                       !(i + 1 < touches.size() && same_pair(touches[i + 1]));
    double gap = touch.gap;
    if (alone && !all) take_to_middle(touch, dt, row, gap);
    row.drift = 0.5 * dt * gravity_between(touch);
    row.target = gap >= 0.0 ? -gap / dt : std::min(-0.5 * gap / dt, fastest_recovery);
    // Most contacts go on as they were.
    if (const Held* last = held_at(touch)) {
      const Vec3 likely = dt / last->duration * last->impulse;
      if (likely.dot(row.normal) > 0.0) row.impulse = likely;
    }
    rows.push_back(row);
    sources.push_back(&touch);
  }
  const std::size_t contacts = rows.size();
  add_joints(island, dt, rows);
  const std::vector<BodyMomentum> before = now;
  for (const ContactRow& row : rows) apply_impulse(row, row.impulse, now);
  solve_rows(rows, now);
  // Impulses of before may have been too much, and the sweeps too few to take them back. From none,
  // each row only takes energy.
  if (rows.size() > 1 && energy_under_way(island, now, dt) > energy_under_way(island, before, dt)) {
    now = before;
    for (ContactRow& row : rows) row.impulse.setZero();
    solve_rows(rows, now);
  }
  take(island, now);
  if (std::ranges::any_of(touches, [](const Touch& touch) { return touch.gap < -deep; }))
    move_apart(island, touches, dt);

  std::vector<Held> holds;
  for (std::size_t i = 0; i < contacts; ++i) {
    const ContactRow& row = rows[i];
    const double push = row.impulse.dot(row.normal);
    if (push <= 0.0) continue;
    const Touch& touch = *sources[i];
    holds.push_back({touch.key, touch.point, touch.normal, row.impulse, dt, time() + dt});
    const Vec3 slip = row.velocity(now);
    const double approach = -row.normal.dot(row.velocity(before) - row.drift);
    const Vec3 velocity = slip - row.normal * (row.normal.dot(slip) + approach);
    // How fast the point of contact moves over the surface of a.
    double rolling = 0.0;
    if (const Held* last = held_at(touch); last != nullptr && is_turning(touch)) {
      const Body& a = bodies_[touch.body_a];
      const Vec3 carried = now[touch.body_a].velocity +
                           angular_velocity(touch.body_a).cross(row.push_a) +
                           (a.is_free ? Vec3(0.5 * dt * settings_.gravity) : Vec3(Vec3::Zero()));
      const Vec3 over = (touch.point - last->point) / last->duration - carried;
      rolling = (over - row.normal * row.normal.dot(over)).norm();
      resist_rolling(touch, push, rolling);
    }
    const double across = (velocity + approach * row.normal).norm();
    if (across > moving || rolling > moving || approach > moving) {
      record(time(), touch, row.impulse, velocity, dt, rolling);
    } else {
      rest_on(touch, row.impulse.norm());
    }
  }
  for (const Pair& pair : island.pairs) {
    if (const auto old = held_.find(pair_key(pair.a, pair.b)); old != held_.end())
      old->second.clear();
  }
  for (const Held& one : holds) held_[one.key & ~std::uint64_t{0xffffffff}].push_back(one);
}

/// Of motion in the middle of a step [J].
double RigidWorld::energy_under_way(const Island& island, std::vector<BodyMomentum> momenta,
                                    double dt) const {
  for (const std::uint32_t i : island.bodies) {
    momenta[i].velocity += 0.5 * dt * settings_.gravity;
  }
  return kinetic(island.bodies, momenta);
}

/// Takes bodies out of each other by half, as velocities of their own would that end with the step.
void RigidWorld::move_apart(const Island& island, const std::vector<Touch>& touches, double dt) {
  std::vector<BodyMomentum> shifts = momenta();
  for (BodyMomentum& shift : shifts) shift = {.inverse_mass = shift.inverse_mass};
  std::vector<ContactRow> rows;
  for (const Touch& touch : touches) {
    ContactRow row = row_of(touch);
    row.friction = 0.0;
    row.target = touch.gap < 0.0 ? -0.5 * touch.gap / dt : -touch.gap / dt;
    rows.push_back(row);
  }
  const std::size_t contacts = rows.size();
  add_joints(island, 0.0, rows);
  for (std::size_t i = contacts; i < rows.size(); ++i) rows[i].target = 0.0;
  solve_rows(rows, shifts);
  for (const std::uint32_t i : island.bodies) {
    Body& body = bodies_[i];
    body.state.position += dt * shifts[i].velocity;
    const Vec3 turn = dt * (body.turning * shifts[i].angular_momentum);
    const double angle = turn.norm();
    if (angle > 0.0) {
      body.state.orientation =
          (Quat(Eigen::AngleAxisd(angle, turn / angle)) * body.state.orientation).normalized();
    }
  }
}

void RigidWorld::rest_on(const Touch& touch, double impulse) {
  rest_impulse_ += impulse;
  Body& a = bodies_[touch.body_a];
  (a.is_free ? a : bodies_[touch.body_b]).rest += impulse;
}

/// Takes c_r N u per second from the turning of free bodies: a moment c_r N u / |w| against it,
/// with the speed u of the point of contact; on a wheel of radius R that is c_r N R.
void RigidWorld::resist_rolling(const Touch& touch, double push, double speed) {
  const double coefficient = std::max(bodies_[touch.body_a].settings.rolling_resistance,
                                      bodies_[touch.body_b].settings.rolling_resistance);
  if (!(coefficient > 0.0)) return;
  for (const std::uint32_t i : {touch.body_a, touch.body_b}) {
    Body& body = bodies_[i];
    if (!body.is_free) continue;
    const Vec3 w = dynamics::angular_velocity(body.frame, body.state);
    const double turning = w.norm();
    if (!(turning > 1e-9)) continue;
    const double along = body.state.angular_momentum.dot(w) / turning;
    const double loss = std::min(coefficient * push * speed / turning, 0.5 * along);
    body.state.angular_momentum -= loss * w / turning;
  }
}

void RigidWorld::fly_on(const Island& island, double dt) {
  for (const std::uint32_t i : island.bodies) {
    Body& body = bodies_[i];
    fly(body.frame, settings_.gravity, dt, body.state);
    body.pose = body_pose(body.frame, body.state);
    body.turning = inverse_inertia(body.frame, body.state);
  }
  if (island.is_driven) place_moving(time() + dt);
}

void RigidWorld::place_moving(double t) {
  for (Body& body : bodies_) {
    if (body.is_moving) body.pose = body.settings.motion->pose(t);
  }
}

void RigidWorld::place_scripted() {
  for (Body& body : bodies_) {
    if (body.is_free) continue;
    const base::Motion& motion = *body.settings.motion;
    body.pose = motion.pose(time());
    if (motion.is_still()) continue;
    // A cut moves nothing: the body is there, then elsewhere.
    body.velocity.setZero();
    body.angular_velocity.setZero();
    if (base::jumps_between(motion, time(), time() + settings_.step)) continue;
    const base::Pose next = motion.pose(time() + settings_.step);
    body.velocity = (next.position - body.pose.position) / settings_.step;
    const Eigen::AngleAxisd turn(next.orientation * body.pose.orientation.conjugate());
    body.angular_velocity = turn.angle() / settings_.step * turn.axis();
  }
}

void RigidWorld::refuse_overlaps() const {
  for (const Touch& touch : detect(near_pairs(), 0.0, false)) {
    if (touch.gap > -overlap_allowed) continue;
    const std::string &a = bodies_[touch.body_a].settings.name,
                      &b = bodies_[touch.body_b].settings.name;
    throw util::InputError(
        {"", a},
        fmt::format("\"{}\" and \"{}\" overlap by {:.3g} mm at the start", a, b, -1e3 * touch.gap),
        "Move them apart; bodies may touch.");
  }
}

void RigidWorld::record(double t, const Touch& touch, const Vec3& impulse, const Vec3& velocity,
                        double duration, double rolling) {
  log_.records.push_back({.time = t,
                          .body_a = touch.body_a,
                          .body_b = touch.body_b,
                          .point = touch.point,
                          .normal = touch.normal,
                          .impulse = impulse,
                          .velocity = velocity,
                          .duration = duration,
                          .rolling = rolling});
}

}  // namespace peal::dynamics

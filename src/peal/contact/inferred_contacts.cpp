#include <peal/contact/inferred_contacts.h>
#include <peal/contact/keyed_flight.h>
#include <peal/contact/nearest_points.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace peal::contact {

using base::ContactRecord;
using base::Pose;
using base::Vec3;

namespace {

constexpr double touching = 0.001;        ///< gaps up to this are none: models are that exact [m]
constexpr double closed_gap = 1e-4;       ///< bodies this near touch [m]
constexpr double longest_frame = 0.05;    ///< of an animation that was baked [s]
constexpr double longest_overlap = 0.25;  ///< before a key at which bodies part again [s]
constexpr double longest_parting = 0.1;   ///< for which bodies that were keyed into each other
                                          ///< approach; others pass through each other [s]
constexpr double near_key = 0.2;          ///< of a frame: too short a time to tell a speed
constexpr double look = 1e-4;             ///< before and after an instant, for velocities [s]

/// Looks at one pair of bodies.
class PairOfPaths {
 public:
  PairOfPaths(const ContactBody& a, const SampledSurface& surface_a, const ContactBody& b,
              const SampledSurface& surface_b, double duration)
      : a_(a), b_(b), surface_a_(surface_a), surface_b_(surface_b) {
    for (const ContactBody* body : {&a, &b}) {
      for (const double t : body->motion->kinks()) {
        if (t >= 0.0 && t <= duration + longest_frame) times_.push_back(t);
      }
      jumps_.insert(jumps_.end(), body->motion->jumps().begin(), body->motion->jumps().end());
    }
    util::sort_unique(times_);
    util::sort_unique(jumps_);
    add_hidden_frames();
  }

  /// At keys that are far from others, and between those that are frames of an animation.
  std::vector<ContactRecord> impacts(double duration, double min_speed) const {
    std::vector<ContactRecord> records;
    std::optional<Meeting> last;
    double until = -std::numeric_limits<double>::infinity();  // the last key of the last impact
    const auto take = [&](const std::optional<Meeting>& found, double end) {
      if (!found || found->touch.time > duration) return;
      // It approached, and does so no more.
      if (-found->before < min_speed || found->after < 0.5 * found->before ||
          found->after - found->before < min_speed) {
        return;
      }
      records.push_back(impact(*found));
      last = found;
      until = std::max(end, found->parted);
    };
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const bool follows = i > 0 && times_[i] - times_[i - 1] <= longest_frame;
      const bool precedes = i + 1 < times_.size() && times_[i + 1] - times_[i] <= longest_frame;
      if (!(follows && precedes) && times_[i] > until) {
        const double before = i > 0 ? times_[i - 1] : -std::numeric_limits<double>::infinity();
        take(at_key(before, times_[i]), times_[i]);
      }
      if (precedes && !(last && times_[i] < last->parted)) {
        take(between(times_[i], times_[i + 1], last), times_[i + 1]);
      }
    }
    return records;
  }

 private:
  /// Where the pieces on both sides of a frame happen to have one slope, as beside a bounce, there
  /// is a key, but no kink.
  void add_hidden_frames() {
    std::vector<double> hidden;
    for (std::size_t i = 0; i + 1 < times_.size(); ++i) {
      double frame = longest_frame;
      if (i > 0) frame = std::min(frame, times_[i] - times_[i - 1]);
      if (i + 2 < times_.size()) frame = std::min(frame, times_[i + 2] - times_[i + 1]);
      const double length = times_[i + 1] - times_[i], count = std::round(length / frame);
      if (count > 3.0 || std::abs(length - count * frame) > 0.1 * frame) continue;
      for (double k = 1.0; k < count; ++k) hidden.push_back(times_[i] + k * length / count);
    }
    times_.insert(times_.end(), hidden.begin(), hidden.end());
    util::sort_unique(times_);
  }

  Poses keyed(double t) const { return {a_.motion->pose(t), b_.motion->pose(t)}; }

  /// That no points of the two exceed against each other on a path in eight pieces [m/s].
  template <class Path>
  double fastest(const Path& path, double t0, double t1) const {
    constexpr int pieces = 8;
    double speed = 0.0;
    Poses from = path(t0);
    for (int k = 1; k <= pieces; ++k) {
      const Poses to = path(t0 + k * (t1 - t0) / pieces);
      const Vec3 moved = (to.a.position - from.a.position) - (to.b.position - from.b.position);
      const double turned =
          surface_a_.radius() * from.a.orientation.angularDistance(to.a.orientation) +
          surface_b_.radius() * from.b.orientation.angularDistance(to.b.orientation);
      speed = std::max(speed, (moved.norm() + turned) * pieces / (t1 - t0));
      from = to;
    }
    return speed;
  }

  std::optional<NearestPoints> nearest(const Poses& poses, double reach) const {
    return nearest_points(surface_a_, poses.a, surface_b_, poses.b, reach);
  }

  /// When bodies that were apart begin to touch on a path. As they cannot meet sooner than their
  /// speed allows, it steps by that time.
  template <class Path>
  std::optional<FirstTouch> first_touch(const Path& path, double t0, double t1) const {
    if (!(t1 > t0)) return {};
    const double speed = 1.1 * fastest(path, t0, t1);
    if (!(speed > 0.0)) return {};
    const double least = std::max(0.25 * touching, speed * (t1 - t0) / 200.0);
    std::optional<double> apart;  // the last time at which they were
    for (double t = t0;; t = std::min(t1, t)) {
      const Poses poses = path(t);
      const auto where = nearest(poses, speed * (t1 - t) + closed_gap);
      if (!where) return {};
      if (where->gap <= closed_gap && apart) return closing(path, *apart, t);
      if (where->gap > closed_gap) apart = t;
      if (t >= t1) return {};
      t += (apart ? std::max(where->gap - 0.5 * closed_gap, least) : least) / speed;
    }
  }

  /// The instant at which the gap closes between two times.
  template <class Path>
  FirstTouch closing(const Path& path, double apart, double together) const {
    constexpr int halvings = 12;
    FirstTouch touch{together, path(together), {}};
    const double reach = 10.0 * touching + fastest(path, apart, together) * (together - apart);
    if (const auto where = nearest(touch.poses, reach)) touch.where = *where;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (apart + touch.time);
      const Poses poses = path(middle);
      const auto where = nearest(poses, reach);
      if (where && where->gap <= closed_gap) {
        touch = {middle, poses, *where};
      } else {
        apart = middle;
      }
    }
    return touch;
  }

  /// The last cut in (t0, t1].
  std::optional<double> cut(double t0, double t1) const {
    const auto after = std::ranges::upper_bound(jumps_, t1);
    if (after == jumps_.begin() || *(after - 1) <= t0) return {};
    return *(after - 1);
  }

  /// How far apart bodies may be that are keyed to touch: modelled and posed by eye [m].
  double tolerance() const {
    return touching + 0.02 * std::min(surface_a_.size(), surface_b_.size());
  }

  /// An impact at a key whose neighbours are far: the slopes are those of the curves. Bodies that
  /// are keyed into each other touch before it.
  std::optional<Meeting> at_key(double previous, double t) const {
    if (cut(t - look, t + look)) return {};
    double from = std::max({previous, t - longest_overlap, 0.0});
    if (const auto jump = cut(from, t)) from = *jump;
    const auto path = [&](double time) { return keyed(time); };
    std::optional<FirstTouch> touch = first_touch(path, from, t);
    const std::optional<NearestPoints> there = nearest(keyed(t), tolerance());
    if (!touch && !(there && there->gap > 0.0)) return {};
    if (!touch || (there && there->gap > -touching)) {
      if (!there) return {};
      touch = FirstTouch{t, keyed(t), *there};
    }
    const GapOverTime gap(a_, b_, *touch);
    const double before = (gap(touch->time) - gap(touch->time - look)) / look;
    return Meeting{*touch, slip(path, *touch), before, (gap(t + look) - gap(t)) / look,
                   t,      from_key(t, look)};
  }

  /// Motion from a key on, given by the next one.
  Flights from_key(double t, double frame) const {
    const Poses here = keyed(t), next = keyed(t + frame);
    const auto flight = [&](const Pose& from, const Pose& to) {
      return Flight{.time = t,
                    .pose = from,
                    .velocity = (to.position - from.position) / frame,
                    .spin = spin_between(from, to, frame)};
    };
    return {flight(here.a, next.a), flight(here.b, next.b)};
  }

  /// An impact between two frames of an animation. Frames only sample a flight, so that the
  /// straight piece across an impact is not the path of the body: those before it and after it are
  /// parabolas. Bodies that keys overlap part some frames later.
  std::optional<Meeting> between(double t0, double t1, const std::optional<Meeting>& last) const {
    const double frame = t1 - t0;
    if (cut(t0, t1)) return {};
    const std::optional<Flights> down = flights_before(t0, frame, last);
    if (!down) return {};
    const auto flown = [&](double t) { return down->at(t); };
    std::optional<FirstTouch> touch = first_touch(flown, t0, t1);
    const bool is_flown = touch.has_value();
    if (!touch) touch = first_touch([&](double t) { return keyed(t); }, t0, t1);
    if (!touch) return {};
    const GapOverTime gap(a_, b_, *touch);
    const double before = is_flown ? gap.slope(*down) : (gap(t1) - gap(t0)) / frame;
    if (!(before < 0.0)) return {};
    touch->time = std::min(t1, touch->time + std::max(touch->where.gap, 0.0) / -before);
    // What is still above the surface and comes on has slowed down, and meets it later.
    const double next = (gap(t1 + frame) - gap(t1)) / frame;
    if (gap(t1) > touching && next < 0.35 * before) return {};
    if (const auto parting = parting_at_key(gap, before, t1, frame)) {
      return Meeting{*touch,         slip(flown, *touch), before,
                     parting->slope, parting->key,        from_key(parting->key, frame)};
    }
    return parted_between(*down, *touch, gap, before, t1, frame);
  }

  /// The key from which bodies that still touch at t1 approach no more.
  struct Parting {
    double key, slope;  ///< [s], [m/s]
  };
  static std::optional<Parting> parting_at_key(const GapOverTime& gap, double before, double t1,
                                               double frame) {
    const auto slope = [&](double t) { return (gap(t + frame) - gap(t)) / frame; };
    // The frame that a turn lies in shows less than the speed after it.
    const auto turns_after = [&](double t) {
      return slope(t) < 0.5 * before || slope(t + frame) > slope(t) - 0.1 * before;
    };
    if (gap(t1) > touching || (gap(t1) > -touching && !turns_after(t1))) return {};
    for (double t = t1; t <= t1 + longest_parting; t += frame) {
      if (slope(t) < 0.5 * before) continue;
      return turns_after(t) ? Parting{t + frame, slope(t + frame)} : Parting{t, slope(t)};
    }
    return Parting{t1, before};
  }

  /// Bodies that parted before t1.
  std::optional<Meeting> parted_between(const Flights& down, const FirstTouch& touch,
                                        const GapOverTime& gap, double before, double t1,
                                        double frame) const {
    const double bend = touch.where.normal.dot(down.a.acceleration - down.b.acceleration);
    const GapPath up = way_after(gap, {touch.time, 0.0, 0.0, bend}, t1, frame);
    // What stops or turns before it is there meets nothing: see where it came from.
    const double slope = (gap(t1 + frame) - gap(t1)) / frame - 0.5 * up.bend * frame;
    const GapPath back{t1, gap(t1), slope, up.bend};
    const double after = std::min(up.slope, back.slope_at(touch.time));
    if (back.at(touch.time) > touching + std::min(0.25 * frame * (after - before), tolerance()))
      return {};
    // The way from the touch to the next key gives the speed if it is long against the error of its
    // instant, and if the bodies did not overlap on it.
    const double passed = t1 - touch.time;
    const bool is_short = passed < 0.5 * frame || back.at(touch.time) < -touching;
    const bool by_frame = passed < near_key * frame || (is_short && slope > up.slope);
    const double part = bend != 0.0 ? up.bend / bend : 0.0;
    const auto flown = [&](double t) { return down.at(t); };
    return Meeting{touch,      slip(flown, touch),
                   before,     by_frame ? std::max(slope, up.slope) : up.slope,
                   touch.time, flights_after(down, touch, part, by_frame, t1, frame)};
  }

  /// After an impact, bent by a part of what they were before it.
  Flights flights_after(const Flights& down, const FirstTouch& touch, double part, bool by_frame,
                        double t1, double frame) const {
    const double passed = t1 - touch.time;
    const Poses first = keyed(t1), second = keyed(t1 + frame);
    const auto flight = [&](const Flight& before, const Pose& pose, const Pose& next,
                            const Pose& one_more) {
      Flight after{.time = touch.time, .pose = pose, .acceleration = part * before.acceleration};
      const Vec3& bend = after.acceleration;
      if (by_frame) {
        after.velocity =
            (one_more.position - next.position) / frame - (0.5 * frame + passed) * bend;
      } else {
        after.velocity = (next.position - pose.position) / passed - 0.5 * passed * bend;
      }
      after.spin = spin_between(next, one_more, frame);
      return after;
    };
    return {flight(down.a, touch.poses.a, first.a, second.a),
            flight(down.b, touch.poses.b, first.b, second.b)};
  }

  /// Through the last three keys of a flight, or as many as there are since it began.
  std::optional<Flights> flights_before(double t0, double frame,
                                        const std::optional<Meeting>& last) const {
    double began = last ? last->parted : -std::numeric_limits<double>::infinity();
    const std::optional<double> jump = cut(began, t0);
    if (jump) began = *jump;
    const bool bounced = last && !jump;
    if (t0 < began || (t0 - frame < began && !bounced)) return {};
    const auto flight = [&](const base::Motion& motion, const Flight* after) {
      Flight result{.time = t0, .pose = motion.pose(t0)};
      if (t0 - frame < began) {
        result.velocity = after->velocity_at(t0);
        result.acceleration = after->acceleration;
        result.spin = after->spin;
        return result;
      }
      const Pose earlier = motion.pose(t0 - frame);
      const Vec3 way = result.pose.position - earlier.position;
      if (t0 - 2.0 * frame >= began) {
        const Vec3 first = earlier.position - motion.pose(t0 - 2.0 * frame).position;
        result.acceleration = (way - first) / (frame * frame);
      } else if (after != nullptr) {
        result.acceleration = after->acceleration;
      }
      result.velocity = way / frame + 0.5 * frame * result.acceleration;
      result.spin = spin_between(earlier, result.pose, frame);
      return result;
    };
    return Flights{flight(*a_.motion, bounced ? &last->flights.a : nullptr),
                   flight(*b_.motion, bounced ? &last->flights.b : nullptr)};
  }

  /// From an impact on, either bent as before it (a flight) or straight (what rests, or is guided):
  /// whichever fits the keys better. A flight may end before the second key.
  static GapPath way_after(const GapOverTime& gap, const GapPath& blow, double t1, double frame) {
    const double x1 = gap(t1), x2 = gap(t1 + frame), x3 = gap(t1 + 2.0 * frame);
    const double passed = t1 - blow.time;
    const bool key_is_near = passed < near_key * frame;
    const auto way = [&](double bend) {
      GapPath path{blow.time, blow.gap, 0.0, bend};
      path.slope = key_is_near ? (x2 - x1) / frame - bend * (0.5 * frame + passed)
                               : (x1 - blow.gap) / passed - 0.5 * bend * passed;
      return path;
    };
    const auto error = [&](const GapPath& path) {
      const double t = t1 + (key_is_near ? 2.0 : 1.0) * frame;
      const double predicted = path.at(t);
      if (predicted < -touching) return 0.1 * std::abs(path.bend) * frame * frame;
      return std::abs(predicted - (key_is_near ? x3 : x2));
    };
    const GapPath flight = way(blow.bend), straight = way(0.0);
    return error(straight) < error(flight) ? straight : flight;
  }

  ContactRecord impact(const Meeting& meeting) const {
    const FirstTouch& touch = meeting.touch;
    ContactRecord record;
    record.time = touch.time;
    record.normal = touch.where.normal;
    record.point = touch.where.point + shift(touch);
    record.velocity = meeting.slip + meeting.before * record.normal;
    const double inverse = inverse_mass(a_, record) + inverse_mass(b_, record);
    record.impulse = (meeting.after - meeting.before) / inverse * record.normal;
    return record;
  }

  /// Between frames bodies are not quite where they touch. The point stays on one that is still,
  /// unless that is a floor or a wall, on which points are all alike; otherwise it goes along with
  /// the smaller body [m].
  Vec3 shift(const FirstTouch& touch) const {
    const bool a_is_smaller = surface_a_.size() < surface_b_.size();
    const double ratio = surface_a_.size() / surface_b_.size();
    const base::Motion &smaller = a_is_smaller ? *a_.motion : *b_.motion,
                       &larger = a_is_smaller ? *b_.motion : *a_.motion;
    constexpr double wide = 3.0;
    if (larger.is_still() && ratio < wide && ratio > 1.0 / wide) return Vec3::Zero();
    const Pose& at_touch = a_is_smaller ? touch.poses.a : touch.poses.b;
    const Vec3 way =
        smaller.pose(touch.time).to_world(at_touch.to_local(touch.where.point)) - touch.where.point;
    return way - way.dot(touch.where.normal) * touch.where.normal;
  }

  /// Velocity of a's point along b's surface just before a touch on a path [m/s].
  template <class Path>
  static Vec3 slip(const Path& path, const FirstTouch& touch) {
    const Vec3 &point = touch.where.point, &normal = touch.where.normal;
    const Poses before = path(touch.time - look), then = path(touch.time);
    const Vec3 velocity =
        (before.b.to_world(then.b.to_local(point)) - before.a.to_world(then.a.to_local(point))) /
        look;
    return velocity - velocity.dot(normal) * normal;
  }

  static double inverse_mass(const ContactBody& body, const ContactRecord& record) {
    if (!body.is_free) return 0.0;
    const Pose pose = body.motion->pose(record.time);
    return 1.0 / geometry::effective_mass(body.mass, pose.to_local(record.point),
                                          pose.orientation.conjugate() * record.normal);
  }

  const ContactBody &a_, &b_;
  const SampledSurface &surface_a_, &surface_b_;
  std::vector<double> times_;  ///< at which one of them is pushed, or just animated [s]
  std::vector<double> jumps_;  ///< cuts of either [s]
};

}  // namespace

std::vector<ContactRecord> infer_contacts(std::span<const ContactBody> bodies,
                                          const std::vector<bool>& heard, double duration,
                                          double min_speed) {
  std::vector<ContactRecord> all;
  std::vector<SampledSurface> surfaces;
  for (const ContactBody& body : bodies) surfaces.emplace_back(*body.shape);
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
      if (!(heard[a] || heard[b]) || !(bodies[a].is_free || bodies[b].is_free)) continue;
      const PairOfPaths pair(bodies[a], surfaces[a], bodies[b], surfaces[b], duration);
      for (ContactRecord& record : pair.impacts(duration, min_speed)) {
        record.body_a = a;
        record.body_b = b;
        all.push_back(record);
      }
    }
  }
  std::ranges::sort(all, {}, [](const ContactRecord& record) {
    return std::tuple(record.time, record.body_a, record.body_b);
  });
  return all;
}

}  // namespace peal::contact

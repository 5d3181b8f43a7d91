#include <peal/contact/inferred_contacts.h>
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

constexpr double touching = 0.001;      ///< gaps up to this are none: models are that exact [m]
constexpr double longest_frame = 0.05;  ///< of an animation that was baked [s]
constexpr double look = 1e-4;           ///< before and after an instant, for velocities [s]
constexpr double same_patch = 2e-4;     ///< points this much farther away touch as well [m]

/// Where two bodies are nearest.
struct Nearest {
  double gap = std::numeric_limits<double>::infinity();  ///< negative inside [m]
  Vec3 point = Vec3::Zero();                             ///< world [m]
  Vec3 normal = Vec3::Zero();                            ///< world, out of b towards a
};

struct Candidate {
  Vec3 point, normal;
  double gap;
  const geometry::SurfaceQuery* surface;
  Vec3 closest;  ///< on the surface

  /// Its normal is that of all triangles there: none of an edge, where it is one of many.
  bool is_on_face() const {
    const std::vector<geometry::SurfacePoint> around = surface->all_within(closest, 1e-6);
    const auto normal_of = [&](const geometry::SurfacePoint& one) -> Vec3 {
      return geometry::area_vector(surface->mesh(), one.triangle).normalized();
    };
    return std::ranges::all_of(around, [&](const geometry::SurfacePoint& one) {
      return normal_of(one).dot(normal_of(around.front())) > 0.99;
    });
  }
};

/// Corners of `one` near the surface of `other`; `sign` -1 if `one` is b.
void add_candidates(const ContactBody& one, const Pose& pose, const ContactBody& other,
                    const Pose& other_pose, double reach, double sign,
                    std::vector<Candidate>& found) {
  const geometry::SurfaceQuery& surface = other.shape->surface();
  for (const Vec3& vertex : one.shape->surface().mesh().vertices) {
    const Vec3 world = pose.to_world(vertex);
    const Vec3 local = other_pose.to_local(world);
    const auto near = surface.closest_point_within(local, reach);
    if (!near) continue;
    Vec3 normal = geometry::area_vector(surface.mesh(), near->triangle).normalized();
    const Vec3 away = local - near->point;
    const double distance = away.norm();
    double gap = away.dot(normal);
    // Nearest to an edge or a corner, the planes of the triangles there are not what is near.
    if (distance > 1e-6 && std::abs(gap) < 0.999 * distance) {
      const double side = gap > -1e-6 * distance ? 1.0 : -1.0;
      gap = side * distance;
      normal = side / distance * away;
    }
    found.push_back({.point = world,
                     .normal = sign * (other_pose.orientation * normal),
                     .gap = gap,
                     .surface = &surface,
                     .closest = near->point});
  }
}

std::optional<Nearest> nearest(const ContactBody& a, const Pose& at, const ContactBody& b,
                               const Pose& bt, double reach) {
  std::vector<Candidate> found;
  add_candidates(a, at, b, bt, reach, 1.0, found);
  add_candidates(b, bt, a, at, reach, -1.0, found);
  if (found.empty()) return {};
  Nearest result;
  for (const Candidate& one : found) result.gap = std::min(result.gap, one.gap);
  std::erase_if(found, [&](const Candidate& one) { return one.gap > result.gap + same_patch; });
  const auto others = std::stable_partition(found.begin(), found.end(),
                                            [](const Candidate& one) { return one.is_on_face(); });
  if (others != found.begin()) found.erase(others, found.end());
  double count = 0.0;
  for (const Candidate& one : found) {
    result.point += one.point;
    result.normal += one.normal;
    count += 1.0;
  }
  result.point /= count;
  if (!(result.normal.norm() > 0.1 * count)) return {};  // on both sides of something thin
  result.normal.normalize();
  return result;
}

/// Velocity [m/s] from t0 to t1 of the point of a body that is at `world` at `t`.
Vec3 velocity(const base::Motion& motion, const Vec3& world, double t, double t0, double t1) {
  const Vec3 local = motion.pose(t).to_local(world);
  return (motion.pose(t1).to_world(local) - motion.pose(t0).to_world(local)) / (t1 - t0);
}

/// How the gap opens or closes from `time` on: its value, slope and bend.
struct GapPath {
  double time, gap, slope, bend;  ///< [s], [m], [m/s], [m/s^2]

  double at(double t) const { return gap + (t - time) * (slope + 0.5 * bend * (t - time)); }
  double slope_at(double t) const { return slope + bend * (t - time); }

  /// When it is closed, if that happens [s].
  std::optional<double> closed() const {
    if (gap <= 0.0) return time;
    const double square = slope * slope - 2.0 * bend * gap;
    if (square < 0.0) return {};
    const double rate = std::sqrt(square) - slope;
    if (!(rate > 0.0)) return {};
    return time + 2.0 * gap / rate;
  }
};

/// The gap between the places of two bodies that are nearest at some key, at any time.
class GapOverTime {
 public:
  GapOverTime(const ContactBody& a, const ContactBody& b, double t, const Nearest& where)
      : a_(*a.motion), b_(*b.motion), where_(where), place_a_(place(a, t)), place_b_(place(b, t)) {
    offset_ = where.gap - distance(t);
  }

  double operator()(double t) const { return offset_ + distance(t); }

 private:
  /// In the body's frame. What is hit towards its centre does not turn in or out of the contact,
  /// and the centre tells its way better: another place of a spinning ball is always the lowest.
  Vec3 place(const ContactBody& body, double t) const {
    const Pose pose = body.motion->pose(t);
    const Vec3 local = pose.to_local(where_.point);
    const Vec3 arm = local - body.mass.centre;
    const Vec3 normal = pose.orientation.conjugate() * where_.normal;
    return arm.cross(normal).norm() < 0.1 * arm.norm() ? body.mass.centre : local;
  }

  double distance(double t) const {
    return where_.normal.dot(a_.pose(t).to_world(place_a_) - b_.pose(t).to_world(place_b_));
  }

  const base::Motion &a_, &b_;
  const Nearest& where_;
  Vec3 place_a_, place_b_;
  double offset_ = 0.0;
};

/// Where the way before an impact and that after it meet.
struct Meeting {
  double time;           ///< [s]
  double before, after;  ///< slopes of the gap there [m/s]
  double bend;           ///< of the gap after it [m/s^2]
  double key;            ///< the time of the key that tells where [s]
  double frame;          ///< [s]
};

/// Looks at one pair of bodies.
class PairOfPaths {
 public:
  PairOfPaths(const ContactBody& a, const ContactBody& b, double duration)
      : a_(a), b_(b), radius_a_(radius(a)), radius_b_(radius(b)) {
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
    const auto take = [&](const std::optional<Found>& found, double end) {
      if (!found || found->meeting.time > duration) return;
      const Meeting& meeting = found->meeting;
      // It approached, and does so no more.
      if (-meeting.before < min_speed || meeting.after < 0.5 * meeting.before ||
          meeting.after - meeting.before < min_speed) {
        return;
      }
      records.push_back(impact(*found));
      last = meeting;
      until = end;
    };
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const bool follows = i > 0 && times_[i] - times_[i - 1] <= longest_frame;
      const bool precedes = i + 1 < times_.size() && times_[i + 1] - times_[i] <= longest_frame;
      if (!(follows && precedes) && times_[i] > until) take(at_key(times_[i]), times_[i]);
      if (precedes) take(between(times_[i], times_[i + 1], last), times_[i + 1]);
    }
    return records;
  }

 private:
  struct Found {
    Meeting meeting;
    Nearest where;
  };

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

  /// Of a ball around the origin that holds the body [m].
  static double radius(const ContactBody& body) {
    double square = 0.0;
    for (const Vec3& v : body.shape->surface().mesh().vertices) {
      square = std::max(square, v.squaredNorm());
    }
    return std::sqrt(square);
  }

  /// That no place of the two exceeds against each other [m/s].
  double fastest(double t0, double t1) const {
    const Pose a0 = a_.motion->pose(t0), a1 = a_.motion->pose(t1);
    const Pose b0 = b_.motion->pose(t0), b1 = b_.motion->pose(t1);
    const double way = ((a1.position - a0.position) - (b1.position - b0.position)).norm();
    const double turned = radius_a_ * a0.orientation.angularDistance(a1.orientation) +
                          radius_b_ * b0.orientation.angularDistance(b1.orientation);
    return (way + turned) / (t1 - t0);
  }

  std::optional<Nearest> nearest_at(double t, double near) const {
    const Pose at = a_.motion->pose(t), bt = b_.motion->pose(t);
    if ((at.position - bt.position).norm() > radius_a_ + radius_b_ + near) return {};
    return nearest(a_, at, b_, bt, near);
  }

  /// The last cut in (t0, t1].
  std::optional<double> cut(double t0, double t1) const {
    const auto after = std::ranges::upper_bound(jumps_, t1);
    if (after == jumps_.begin() || *(after - 1) <= t0) return {};
    return *(after - 1);
  }

  /// An impact at a key whose neighbours are far: the slopes are those of the curves.
  std::optional<Found> at_key(double t) const {
    if (cut(t - look, t + look)) return {};
    const double near =
        touching + 0.25 * longest_frame * (fastest(t - look, t) + fastest(t, t + look));
    const std::optional<Nearest> where = nearest_at(t, near);
    if (!where) return {};
    const GapOverTime gap(a_, b_, t, *where);
    const double before = (gap(t) - gap(t - look)) / look;
    const double after = (gap(t + look) - gap(t)) / look;
    if (where->gap > touching + 0.25 * longest_frame * (after - before)) return {};
    return Found{{t, before, after, 0.0, t, longest_frame}, *where};
  }

  /// An impact between two frames of an animation. Frames only sample a flight, so that the
  /// straight piece across an impact is no way of the body: that before it and that after it are
  /// parabolas.
  std::optional<Found> between(double t0, double t1, const std::optional<Meeting>& last) const {
    const double frame = t1 - t0;
    if (cut(t0, t1)) return {};
    double speed = 0.0;
    for (int k = -2; k <= 2; ++k) {
      const double from = t0 + k * frame, to = from + frame;
      if (!cut(from, to)) speed = std::max(speed, fastest(from, to));
    }
    const double near = touching + 1.5 * frame * speed;
    const std::optional<Nearest> first = nearest_at(t0, near), second = nearest_at(t1, near);
    if (!first && !second) return {};
    const bool take_first = first && (!second || first->gap < second->gap);
    const Nearest& where = take_first ? *first : *second;
    const double key = take_first ? t0 : t1;
    const GapOverTime gap(a_, b_, key, where);

    const std::optional<GapPath> down = way_before(gap, t0, frame, last);
    if (!down) return {};
    const std::optional<double> closed = down->closed();
    if (!closed || *closed > t1 + 1e-9) return {};
    const double time = std::min(*closed, t1);
    const GapPath up = way_after(gap, {time, down->at(time), 0.0, down->bend}, t1, frame);
    const double before = down->slope_at(time);
    // What stops or turns before it is there meets nothing: see where it came from.
    const double slope = (gap(t1 + frame) - gap(t1)) / frame - 0.5 * up.bend * frame;
    const GapPath back{t1, gap(t1), slope, up.bend};
    const double after = std::min(up.slope, back.slope_at(time));
    if (back.at(time) > touching + 0.25 * frame * (after - before)) return {};
    return Found{{time, before, up.slope, up.bend, key, frame}, where};
  }

  /// Through the last three keys of a flight, or as many as there are since it began.
  std::optional<GapPath> way_before(const GapOverTime& gap, double t0, double frame,
                                    const std::optional<Meeting>& last) const {
    double began = last ? last->time : -std::numeric_limits<double>::infinity();
    const std::optional<double> jump = cut(began, t0);
    if (jump) began = *jump;
    const bool bounced = last && !jump;
    const double now = gap(t0);
    if (t0 < began) return {};
    if (t0 - frame < began) {
      if (!bounced) return {};
      return GapPath{t0, now, last->after + last->bend * (t0 - began), last->bend};
    }
    const double earlier = gap(t0 - frame);
    double bend = bounced ? last->bend : 0.0;
    if (t0 - 2.0 * frame >= began) {
      bend = (now - 2.0 * earlier + gap(t0 - 2.0 * frame)) / (frame * frame);
    }
    return GapPath{t0, now, (now - earlier) / frame + 0.5 * bend * frame, bend};
  }

  /// From an impact on, either bent as before it (a flight) or straight (what rests, or is guided):
  /// whichever tells the keys better. A flight may end before the second key.
  static GapPath way_after(const GapOverTime& gap, const GapPath& blow, double t1, double frame) {
    const double x1 = gap(t1), x2 = gap(t1 + frame), x3 = gap(t1 + 2.0 * frame);
    const double passed = t1 - blow.time;
    const bool key_is_near = passed < 0.2 * frame;
    const auto way = [&](double bend) {
      GapPath path{blow.time, blow.gap, 0.0, bend};
      path.slope = key_is_near ? (x2 - x1) / frame - bend * (0.5 * frame + passed)
                               : (x1 - blow.gap) / passed - 0.5 * bend * passed;
      return path;
    };
    const auto error = [&](const GapPath& path) {
      const double t = t1 + (key_is_near ? 2.0 : 1.0) * frame;
      const double told = path.at(t);
      if (told < -touching) return 0.1 * std::abs(path.bend) * frame * frame;
      return std::abs(told - (key_is_near ? x3 : x2));
    };
    const GapPath flight = way(blow.bend), straight = way(0.0);
    return error(straight) < error(flight) ? straight : flight;
  }

  ContactRecord impact(const Found& found) const {
    const auto& [meeting, where] = found;
    // The place goes on with what moves there.
    const base::Motion& moved = a_.motion->is_still() ? *b_.motion : *a_.motion;
    ContactRecord record;
    record.time = meeting.time;
    record.normal = where.normal;
    const Vec3 way = moved.pose(meeting.time).position - moved.pose(meeting.key).position;
    record.point = where.point + way - way.dot(record.normal) * record.normal;
    const double t = meeting.key, frame = std::min(meeting.frame, look);
    const Vec3 velocity_before = velocity(*a_.motion, where.point, t, t - frame, t) -
                                 velocity(*b_.motion, where.point, t, t - frame, t);
    record.velocity =
        velocity_before + (meeting.before - record.normal.dot(velocity_before)) * record.normal;
    const double inverse = inverse_mass(a_, record) + inverse_mass(b_, record);
    record.impulse = (meeting.after - meeting.before) / inverse * record.normal;
    return record;
  }

  static double inverse_mass(const ContactBody& body, const ContactRecord& record) {
    if (!body.is_free) return 0.0;
    const Pose pose = body.motion->pose(record.time);
    return 1.0 / geometry::effective_mass(body.mass, pose.to_local(record.point),
                                          pose.orientation.conjugate() * record.normal);
  }

  const ContactBody &a_, &b_;
  double radius_a_, radius_b_;
  std::vector<double> times_;  ///< at which one of them is pushed, or just animated [s]
  std::vector<double> jumps_;  ///< cuts of either [s]
};

}  // namespace

std::vector<ContactRecord> infer_contacts(std::span<const ContactBody> bodies,
                                          const std::vector<bool>& heard, double duration,
                                          double min_speed) {
  std::vector<ContactRecord> all;
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
      if (!(heard[a] || heard[b]) || !(bodies[a].is_free || bodies[b].is_free)) continue;
      const PairOfPaths pair(bodies[a], bodies[b], duration);
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

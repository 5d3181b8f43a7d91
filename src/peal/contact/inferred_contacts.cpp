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
    const Vec3 normal = geometry::area_vector(surface.mesh(), near->triangle).normalized();
    found.push_back({.point = world,
                     .normal = sign * (other_pose.orientation * normal),
                     .gap = (local - near->point).dot(normal)});
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
  double count = 0.0;
  for (const Candidate& one : found) {
    if (one.gap > result.gap + same_patch) continue;
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

/// A velocity that jumps away from something near.
struct Push {
  double time;
  Nearest where;
  Vec3 before, after;  ///< velocity of a's point less that of b's [m/s]
  double frame;        ///< to the nearest other key [s]
  /// Acceleration of the flight before and after it that keys at frames only sample [m/s^2].
  Vec3 bend_before = Vec3::Zero(), bend_after = Vec3::Zero();

  double jump() const { return where.normal.dot(after - before); }
};

/// The gap near a key: that of the key, its slope and its bend.
struct GapPath {
  double time, gap, slope, bend;

  double at(double t) const {
    const double s = t - time;
    return gap + s * (slope + 0.5 * bend * s);
  }
  double slope_at(double t) const { return slope + bend * (t - time); }
};

/// Looks at one pair of bodies.
class PairOfPaths {
 public:
  PairOfPaths(const ContactBody& a, const ContactBody& b, double duration)
      : a_(a), b_(b), reach_(radius(a) + radius(b)) {
    for (const ContactBody* body : {&a, &b}) {
      for (const double t : body->motion->kinks()) {
        if (t > 0.0 && t <= duration) times_.push_back(t);
      }
    }
    util::sort_unique(times_);
  }

  /// One impact for each blow, which a baked animation spreads over two keys.
  std::vector<ContactRecord> impacts(double min_speed) const {
    std::vector<ContactRecord> records;
    std::optional<Push> previous;
    double until = -std::numeric_limits<double>::infinity();  // the last key of the last impact
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const std::optional<Push> now = look_at(i);
      if (now && now->jump() > 0.0 && now->time > until) {
        // At this key, between it and the next, or between it and the one before: whichever has
        // the smallest gap at its time.
        const std::optional<Push> next = i + 1 < times_.size() ? look_at(i + 1) : std::nullopt;
        std::optional<Meeting> best = meeting(*now, *now);
        double end = now->time;
        const auto consider = [&](const Push& first, const Push& last) {
          if (last.time - first.time > longest_frame || last.time - first.time > 1.2 * now->frame ||
              last.where.normal.dot(first.where.normal) < 0.9) {
            return;
          }
          const std::optional<Meeting> one = meeting(first, last);
          if (one && (!best || std::abs(one->gap) < std::abs(best->gap))) {
            best = one;
            end = last.time;
          }
        };
        if (next) consider(*now, *next);
        if (previous && previous->time >= until) consider(*previous, *now);
        if (best) {
          if (const auto record = impact(*now, *best, min_speed)) {
            records.push_back(*record);
            until = end;
          }
        }
      }
      previous = now;
    }
    return records;
  }

 private:
  /// Of a ball around the origin that holds the body [m].
  static double radius(const ContactBody& body) {
    double square = 0.0;
    for (const Vec3& v : body.shape->surface().mesh().vertices) {
      square = std::max(square, v.squaredNorm());
    }
    return std::sqrt(square);
  }

  /// What a key shows, if the bodies are near each other there.
  std::optional<Push> look_at(std::size_t i) const {
    const double t = times_[i], frame = frame_at(i);
    const Pose at = a_.motion->pose(t), bt = b_.motion->pose(t);
    const double h = std::min(look, 0.5 * frame);
    // A blow between two keys is at most a frame's way from either; slopes lag behind the speed.
    const auto speed = [&](double t0, double t1) {
      return (velocity(*a_.motion, at.position, t, t0, t1) -
              velocity(*b_.motion, bt.position, t, t0, t1))
          .norm();
    };
    const double near = touching + 1.5 * frame * std::max(speed(t - h, t), speed(t, t + h));
    if ((at.position - bt.position).norm() > reach_ + near) return {};
    const std::optional<Nearest> where = nearest(a_, at, b_, bt, near);
    if (!where) return {};
    const auto relative = [&](double t0, double t1) -> Vec3 {
      return velocity(*a_.motion, where->point, t, t0, t1) -
             velocity(*b_.motion, where->point, t, t0, t1);
    };
    Push result{t, *where, relative(t - h, t), relative(t, t + h), frame};
    // Straight pieces of one length are frames of a flight: their slopes are those of their
    // middles.
    const auto is_frame = [&](std::size_t k) {
      return std::abs(times_[k + 1] - times_[k] - frame) < 0.2 * frame;
    };
    if (i >= 2 && is_frame(i - 1) && is_frame(i - 2)) {
      result.bend_before =
          (result.before - relative(times_[i - 2], times_[i - 1])) / (t - times_[i - 1]);
    }
    if (i + 2 < times_.size() && is_frame(i) && is_frame(i + 1)) {
      result.bend_after =
          (relative(times_[i + 1], times_[i + 2]) - result.after) / (times_[i + 1] - t);
    }
    return result;
  }

  /// From a key to the next, or to the one before if that is nearer [s].
  double frame_at(std::size_t i) const {
    const double t = times_[i];
    return std::min({i > 0 ? t - times_[i - 1] : longest_frame,
                     i + 1 < times_.size() ? times_[i + 1] - t : longest_frame, longest_frame});
  }

  /// Where the path before one key and that after the same or the next one meet.
  struct Meeting {
    double time, gap;      ///< [s], [m]
    double before, after;  ///< slopes of the gap there [m/s]
  };

  static std::optional<Meeting> meeting(const Push& first, const Push& last) {
    const Vec3 normal = first.where.normal;
    // What flies in an arc is, at a key, faster or slower than in the middle of the piece.
    const double falls = normal.dot(first.bend_before), rises = normal.dot(last.bend_after);
    const GapPath down{first.time, first.where.gap,
                       normal.dot(first.before) + 0.5 * falls * first.frame, falls};
    const GapPath up{last.time, last.where.gap, normal.dot(last.after) - 0.5 * rises * last.frame,
                     rises};
    double t = first.time;
    for (int k = 0; k < 8; ++k) {  // Newton's steps
      const double closing = up.slope_at(t) - down.slope_at(t);
      if (!(closing > 0.0)) return {};
      t = std::clamp(t - (up.at(t) - down.at(t)) / closing, first.time, last.time);
    }
    return Meeting{t, down.at(t), down.slope_at(t), up.slope_at(t)};
  }

  std::optional<ContactRecord> impact(const Push& key, const Meeting& meeting,
                                      double min_speed) const {
    const auto [time, gap, before, after] = meeting;
    // It approached, and does so no more, and there was something.
    if (-before < min_speed || after < 0.5 * before || after - before < min_speed) return {};
    if (gap > touching + 0.25 * key.frame * (after - before)) return {};
    ContactRecord record;
    record.time = time;
    record.point = key.where.point;
    record.normal = key.where.normal;
    record.velocity = key.before + (before - record.normal.dot(key.before)) * record.normal;
    const double inverse = inverse_mass(a_, record) + inverse_mass(b_, record);
    record.impulse = (after - before) / inverse * record.normal;
    return record;
  }

  static double inverse_mass(const ContactBody& body, const ContactRecord& record) {
    if (!body.is_free) return 0.0;
    const Pose pose = body.motion->pose(record.time);
    return 1.0 / geometry::effective_mass(body.mass, pose.to_local(record.point),
                                          pose.orientation.conjugate() * record.normal);
  }

  const ContactBody &a_, &b_;
  double reach_;               ///< of both together from their origins [m]
  std::vector<double> times_;  ///< at which one of them is pushed, or just animated [s]
};

}  // namespace

std::vector<ContactRecord> infer_contacts(std::span<const ContactBody> bodies,
                                          const std::vector<bool>& heard, double duration,
                                          double min_speed) {
  std::vector<ContactRecord> all;
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
      if (!(heard[a] || heard[b]) || !(bodies[a].is_free || bodies[b].is_free)) continue;
      for (ContactRecord& record : PairOfPaths(bodies[a], bodies[b], duration).impacts(min_speed)) {
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

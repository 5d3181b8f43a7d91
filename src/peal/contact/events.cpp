#include <peal/contact/events.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

namespace peal::contact {

using base::ContactRecord;
using base::Impact;
using base::Vec3;

namespace {

/// The same contact with body_a < body_b.
ContactRecord ordered(ContactRecord record) {
  if (record.body_a < record.body_b) return record;
  std::swap(record.body_a, record.body_b);
  record.normal = -record.normal;
  record.impulse = -record.impulse;
  record.velocity = -record.velocity;
  if (record.force)
    record.force = std::make_shared<const base::ForceHistory>(
        record.force->rotated(geometry::Quat::Identity(), -1.0));
  return record;
}

auto vector_key(const Vec3& v) {
  return std::tuple(v.x(), v.y(), v.z());
}

/// What records are sorted by: pair, then time; of the rest only where these are equal.
struct SortKey {
  std::uint64_t pair;
  double time;  ///< [s]
  std::size_t record;
};

auto rest_of(const ContactRecord& r) {
  return std::tuple(vector_key(r.point), vector_key(r.impulse), vector_key(r.velocity),
                    vector_key(r.normal), r.duration, r.rolling);
}

/// With body_a < body_b, by pair, then time, then everything else: equal records are the same.
std::vector<ContactRecord> sorted(const std::vector<ContactRecord>& given) {
  std::vector<ContactRecord> records;
  std::vector<SortKey> keys;
  records.reserve(given.size());
  keys.reserve(given.size());
  for (const ContactRecord& record : given) {
    records.push_back(ordered(record));
    const auto [a, b] = std::pair(records.back().body_a, records.back().body_b);
    keys.push_back({(std::uint64_t{a} << 32) | b, record.time, keys.size()});
  }
  std::ranges::sort(keys, [&](const SortKey& a, const SortKey& b) {
    if (a.pair != b.pair) return a.pair < b.pair;
    if (a.time != b.time) return a.time < b.time;
    return rest_of(records[a.record]) < rest_of(records[b.record]);
  });
  std::vector<ContactRecord> result;
  result.reserve(keys.size());
  for (const SortKey& key : keys) result.push_back(records[key.record]);
  return result;
}

bool same_pair(const ContactRecord& one, const ContactRecord& other) {
  return one.body_a == other.body_a && one.body_b == other.body_b;
}

/// Records of one contact are in consecutive steps if they are at most this many steps apart: half
/// a step is left to times that are rounded or taken from a clock.
constexpr double next_step = 1.5;

bool has_durations(const std::vector<ContactRecord>& records) {
  return std::ranges::any_of(records, [](const ContactRecord& one) { return one.duration > 0.0; });
}

constexpr double slowest_step = 1.0 / 20 * (1 + 1e-6);  ///< no engine steps by more [s]

/// Times between two records of a pair that both show rest, [s]: engines add gravity to the
/// velocity before they solve contacts, so that it approaches by what gravity gives in that time.
/// What has flown for as long approaches by half of it.
std::vector<double> times_at_rest(const std::vector<ContactRecord>& records, double gravity) {
  std::vector<double> times;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const double time = records[i].time - records[i - 1].time;
    if (!same_pair(records[i - 1], records[i]) || !(time > 0.0) || time > slowest_step) continue;
    const auto rests = [&](const ContactRecord& one) {
      const double ratio = -one.normal.dot(one.velocity) / (gravity * time);
      return ratio > 0.7 && ratio < 1.3;
    };
    if (rests(records[i - 1]) && rests(records[i])) times.push_back(time);
  }
  return times;
}

/// The step that sorted records show [s], 0 if they show none: the durations they tell, or the
/// times between those of a pair. Engines step regularly, bounces do not: half of these times have
/// to agree within 30 % (what is left of 240 Hz by times in whole milliseconds). Of bounces of
/// any restitution, each of whose flights is a fixed part of the one before, at most
/// log(1.3 / 0.7) / log(50 / 10) = 38 % do so among flights of 10 (5 cm/s) to 50 ms. Fewer times
/// than four may agree by chance: then those of rest are taken.
double step_of(const std::vector<ContactRecord>& records, double gravity) {
  constexpr std::size_t fewest = 4;
  const bool durations_known = has_durations(records);
  std::vector<double> times;
  for (std::size_t i = 0; i < records.size(); ++i) {
    double time = records[i].duration;
    if (!durations_known) {
      const bool follows = i > 0 && same_pair(records[i - 1], records[i]);
      time = follows ? records[i].time - records[i - 1].time : 0.0;
    }
    if (time > 0.0 && time <= slowest_step) times.push_back(time);
  }
  if (!durations_known && times.size() < fewest) times = times_at_rest(records, gravity);
  if (times.empty()) return 0.0;
  std::ranges::sort(times);
  const double median = times[times.size() / 2];
  const auto first = std::ranges::lower_bound(times, 0.7 * median);
  const auto last = std::ranges::upper_bound(times, 1.3 * median);
  const auto agreeing = static_cast<std::size_t>(last - first);
  if (2 * agreeing < times.size()) return 0.0;
  // The mean: times may be rounded.
  return std::accumulate(first, last, 0.0) / static_cast<double>(agreeing);
}

/// Gives records that follow each other step by step the time to the next one as duration: in a log
/// without durations these are one contact that lasts.
void add_durations(std::vector<ContactRecord>& records, double step) {
  // From the last to the first, with the times at which the pair touches after a record.
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = records.size(); i-- > 0;) {
    ContactRecord& record = records[i];
    const bool is_last = i + 1 == records.size() || !same_pair(record, records[i + 1]);
    if (is_last) {
      next = std::numeric_limits<double>::infinity();
    } else if (records[i + 1].time > record.time) {
      next = records[i + 1].time;
    }
    if (next - record.time <= next_step * step) record.duration = next - record.time;
  }
  // The last step of a contact is as long as the others.
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records.size(); ++i) {
    ContactRecord& record = records[i];
    const bool is_first = i == 0 || !same_pair(record, records[i - 1]);
    if (is_first) {
      before = -std::numeric_limits<double>::infinity();
    } else if (records[i - 1].time < record.time) {
      before = records[i - 1].time;
    }
    if (record.duration == 0.0 && record.time - before <= next_step * step) record.duration = step;
  }
}

/// An impact that is being put together.
struct OpenImpact {
  double begin;
  Vec3 first_point;
  double first_impulse;  ///< [N s]
  double first_speed;    ///< of the approach [m/s]
  double weight = 0.0;   ///< sum of the impulses' sizes [N s]
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero(), impulse = Vec3::Zero();
  double speed = 0.0;

  void add(const ContactRecord& record) {
    // A record without an impulse still has a place.
    const double part = std::max(record.impulse.norm(), 1e-12);
    weight += part;
    point += part * record.point;
    normal += part * record.normal;
    impulse += record.impulse;
    speed = std::max(speed, -record.normal.dot(record.velocity));
  }
};

/// A contact at rest that may go on.
struct OpenRest {
  base::RestingContact rest;
  double time;  ///< of its last record [s]
  Vec3 last;    ///< where that was [m]
};

/// A contact at rest with body_a < body_b.
base::RestingContact ordered(base::RestingContact rest) {
  if (rest.body_a < rest.body_b) return rest;
  std::swap(rest.body_a, rest.body_b);
  rest.normal = -rest.normal;
  return rest;
}

/// The events of one pair of bodies, whose records come in the order of time.
class Pair {
 public:
  Pair(const EventSettings& settings, double step, ContactEvents& events)
      : settings_(settings),
        step_(step),
        merge_time_(std::max(settings.merge_time, 2.5 * step)),
        gap_time_(std::max(settings.gap_time, 2.5 * step)),
        events_(events) {}

  void add(const ContactRecord& record) {
    close_until(record.time);
    const double size = record.impulse.norm();
    if (record.force) return add_resolved(record);
    const double approach = -record.normal.dot(record.velocity);
    const bool strikes = approach >= least_speed(record.time);
    OpenImpact* near = nearest(record.point);
    if (near != nullptr && (rests_after(*near, size, approach) || lasts(record))) near = nullptr;
    if (near != nullptr || strikes) {
      if (near == nullptr) {
        near = &open_.emplace_back(OpenImpact{.begin = record.time,
                                              .first_point = record.point,
                                              .first_impulse = size,
                                              .first_speed = approach});
      } else {
        ++events_.report.merged;
      }
      near->add(record);
      events_.report.impact_impulse += size;
      last_ = record;
      return;
    }
    const double slip = (record.velocity + approach * record.normal).norm();
    const bool slides = slip > settings_.slide_speed;
    if (record.duration > 0.0 && (slides || record.rolling > settings_.slide_speed)) {
      add_to_interval(record, slip);
      ++events_.report.continuous;
      events_.report.continuous_impulse += size;
    } else {
      if (record.duration > 0.0) add_to_rest(record);
      ++events_.report.dropped;
      events_.report.dropped_impulse += size;
    }
    last_ = record;
  }

  /// The pair's last record; what is open ends.
  void finish() { close_until(std::numeric_limits<double>::infinity()); }

 private:
  /// Approach from which a record at this time is an impact [m/s]. Engines tell the velocity to
  /// which gravity has already added its step, of resting bodies too. A pair that touched a step
  /// ago strikes with what is more than gravity can have given since. One that did not may have
  /// fallen for long, but if it comes no faster than from rest, it rested.
  double least_speed(double time) {
    // Corners of one step may differ a little in time.
    if (time - now_ > 0.5 * step_) before_ = std::exchange(now_, time);
    const double since = now_ - before_;
    if (since <= next_step * step_) return settings_.min_speed + settings_.gravity * since;
    constexpr double rounding = 1.05;  // of times and of what engines damp
    return std::max(settings_.min_speed, rounding * settings_.gravity * step_);
  }

  /// An impact law has found its force: it is whole.
  void add_resolved(const ContactRecord& record) {
    events_.impacts.push_back({.time = record.time,
                               .body_a = record.body_a,
                               .body_b = record.body_b,
                               .point = record.point,
                               .normal = record.normal,
                               .impulse = record.impulse,
                               .speed = -record.normal.dot(record.velocity),
                               .force = record.force});
    events_.report.impact_impulse += record.impulse.norm();
    last_ = record;
  }

  /// Whether a record of a body that was struck is a step of its rest: it comes no faster than
  /// gravity makes it since the record before, and weighs no more than the body does (m V is at
  /// most the impulse of the impact; half as much again for times that are rounded).
  bool rests_after(const OpenImpact& impact, double size, double approach) const {
    const double fall = settings_.gravity * (now_ - before_);  // [m/s]
    if (!(step_ > 0.0) || !(impact.first_speed > 0.0) || approach > 1.05 * fall) return false;
    return approach > 0.0 && size <= 1.5 * impact.first_impulse * fall / impact.first_speed;
  }

  /// Whether a record is a whole contact at rest, as logs that Peal wrote have them.
  bool lasts(const ContactRecord& record) const {
    return record.duration > std::max(merge_time_, next_step * step_) && record.velocity.isZero();
  }

  OpenImpact* nearest(const Vec3& point) {
    OpenImpact* best = nullptr;
    double distance = settings_.merge_distance;
    for (OpenImpact& one : open_) {
      const double d = (one.first_point - point).norm();
      if (d <= distance) best = &one, distance = d;
    }
    return best;
  }

  void close_until(double time) {
    std::erase_if(open_, [&](const OpenImpact& one) {
      if (time - one.begin <= merge_time_) return false;
      const double length = one.normal.norm();
      events_.impacts.push_back({.time = one.begin,
                                 .body_a = last_.body_a,
                                 .body_b = last_.body_b,
                                 .point = one.point / one.weight,
                                 .normal = length > 0.0 ? Vec3(one.normal / length) : last_.normal,
                                 .impulse = one.impulse,
                                 .speed = one.speed});
      return true;
    });
    std::erase_if(sustained_, [&](ContactInterval& one) {
      if (time - one.end <= gap_time_) return false;
      events_.intervals.push_back(std::move(one));
      return true;
    });
    std::erase_if(resting_, [&](const OpenRest& one) {
      if (time - one.rest.end <= gap_time_) return false;
      events_.rests.push_back(one.rest);
      return true;
    });
  }

  void add_to_rest(const ContactRecord& record) {
    OpenRest* best = nullptr;
    double nearest = settings_.merge_distance;
    for (OpenRest& one : resting_) {
      const double distance = (one.last - record.point).norm();
      // Two corners of one step are two contacts.
      if (one.time == record.time || distance > nearest) continue;
      best = &one;
      nearest = distance;
    }
    if (best == nullptr) {
      best = &resting_.emplace_back();
      best->rest = {.begin = record.time,
                    .end = record.time,
                    .body_a = record.body_a,
                    .body_b = record.body_b,
                    .point = record.point,
                    .normal = record.normal};
    }
    best->rest.end = std::max(best->rest.end, record.time + record.duration);
    best->rest.impulse += std::max(record.impulse.dot(record.normal), 0.0);
    best->time = record.time;
    best->last = record.point;
  }

  void add_to_interval(const ContactRecord& record, double slip) {
    const double speed = std::max(slip, record.rolling);
    ContactInterval& interval = interval_of(record, speed);
    interval.end = std::max(interval.end, record.time + record.duration);
    const double along = record.impulse.dot(record.normal);
    interval.impulse += along;
    (slip > record.rolling ? interval.slid : interval.rolled) += speed * record.duration;
    interval.path.push_back(
        {.time = record.time,
         .duration = record.duration,
         .load = std::max(along, 0.0) / record.duration,
         .speed = speed,
         .slip = slip,
         .point = record.point,
         .normal = record.normal,
         .direction = along > 0.0 ? Vec3(record.impulse.normalized()) : record.normal});
  }

  /// The contact whose point was nearest, if the new one can be where it moved to.
  ContactInterval& interval_of(const ContactRecord& record, double speed) {
    ContactInterval* best = nullptr;
    double nearest = std::numeric_limits<double>::infinity();
    for (ContactInterval& one : sustained_) {
      const ContactInterval::Step& last = one.path.back();
      // Two corners of one step are two contacts.
      if (last.time == record.time) continue;
      const double distance = (last.point - record.point).norm();
      const double reach =
          settings_.merge_distance + 2.0 * std::max(speed, last.speed) * (record.time - last.time);
      if (distance <= reach && distance < nearest) best = &one, nearest = distance;
    }
    if (best != nullptr) return *best;
    return sustained_.emplace_back(ContactInterval{.begin = record.time,
                                                   .end = record.time,
                                                   .body_a = record.body_a,
                                                   .body_b = record.body_b});
  }

  const EventSettings& settings_;
  double step_;                   ///< of the log, 0 if it has none [s]
  double merge_time_, gap_time_;  ///< [s]
  /// When the pair touched last, and in the step before that [s].
  double now_ = -std::numeric_limits<double>::infinity(), before_ = now_;
  ContactEvents& events_;
  std::vector<OpenImpact> open_;
  std::vector<ContactInterval> sustained_;  ///< that may go on
  std::vector<OpenRest> resting_;
  ContactRecord last_;
};

}  // namespace

ContactEvents contact_events(const base::ContactLog& log, const EventSettings& settings) {
  std::vector<ContactRecord> records = sorted(log.records);
  ContactEvents events;
  events.report.records = records.size();
  double step = log.step;
  if (step == 0.0 && settings.find_steps)
    step = events.report.found_step = step_of(records, settings.gravity);
  if (step > 0.0 && settings.find_steps && !has_durations(records)) add_durations(records, step);
  for (std::size_t i = 0; i < records.size();) {
    Pair pair(settings, step, events);
    const std::uint32_t a = records[i].body_a, b = records[i].body_b;
    for (; i < records.size() && records[i].body_a == a && records[i].body_b == b; ++i) {
      pair.add(records[i]);
    }
    pair.finish();
  }
  for (const base::RestingContact& rest : log.rests) events.rests.push_back(ordered(rest));
  std::ranges::sort(events.rests, {}, [](const base::RestingContact& one) {
    return std::tuple(one.begin, one.body_a, one.body_b, one.end, vector_key(one.point));
  });
  std::ranges::sort(events.impacts, {}, [](const Impact& one) {
    return std::tuple(one.time, one.body_a, one.body_b, vector_key(one.point));
  });
  std::ranges::sort(events.intervals, {}, [](const ContactInterval& one) {
    return std::tuple(one.begin, one.body_a, one.body_b, one.end,
                      vector_key(one.path.front().point));
  });
  return events;
}

}  // namespace peal::contact

#include <peal/contact/events.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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

/// An impact that is being put together.
struct OpenImpact {
  double begin;
  Vec3 first_point;
  double weight = 0.0;  ///< sum of the impulses' sizes [N s]
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

/// The events of one pair of bodies, whose records come in the order of time.
class Pair {
 public:
  Pair(const EventSettings& settings, double step, ContactEvents& events)
      : settings_(settings),
        merge_time_(std::max(settings.merge_time, 2.5 * step)),
        gap_time_(std::max(settings.gap_time, 2.5 * step)),
        events_(events) {}

  void add(const ContactRecord& record) {
    close_until(record.time);
    const double size = record.impulse.norm();
    const double approach = -record.normal.dot(record.velocity);
    OpenImpact* near = nearest(record.point);
    const bool strikes = approach >= settings_.min_speed;
    if (near != nullptr || strikes) {
      if (near == nullptr) {
        near = &open_.emplace_back(OpenImpact{.begin = record.time, .first_point = record.point});
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
      ++events_.report.dropped;
      events_.report.dropped_impulse += size;
    }
    last_ = record;
  }

  /// The pair's last record; what is open ends.
  void finish() { close_until(std::numeric_limits<double>::infinity()); }

 private:
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
    std::erase_if(lasting_, [&](ContactInterval& one) {
      if (time - one.end <= gap_time_) return false;
      events_.intervals.push_back(std::move(one));
      return true;
    });
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
         .point = record.point,
         .normal = record.normal,
         .direction = along > 0.0 ? Vec3(record.impulse.normalized()) : record.normal});
  }

  /// The contact whose point was nearest, if the new one can be where it moved to.
  ContactInterval& interval_of(const ContactRecord& record, double speed) {
    ContactInterval* best = nullptr;
    double nearest = std::numeric_limits<double>::infinity();
    for (ContactInterval& one : lasting_) {
      const ContactInterval::Step& last = one.path.back();
      // Two corners of one step are two contacts.
      if (last.time == record.time) continue;
      const double distance = (last.point - record.point).norm();
      const double reach =
          settings_.merge_distance + 2.0 * std::max(speed, last.speed) * (record.time - last.time);
      if (distance <= reach && distance < nearest) best = &one, nearest = distance;
    }
    if (best != nullptr) return *best;
    return lasting_.emplace_back(ContactInterval{.begin = record.time,
                                                 .end = record.time,
                                                 .body_a = record.body_a,
                                                 .body_b = record.body_b});
  }

  const EventSettings& settings_;
  double merge_time_, gap_time_;  ///< [s]
  ContactEvents& events_;
  std::vector<OpenImpact> open_;
  std::vector<ContactInterval> lasting_;  ///< that may go on
  ContactRecord last_;
};

}  // namespace

ContactEvents contact_events(const base::ContactLog& log, const EventSettings& settings) {
  const std::vector<ContactRecord> records = sorted(log.records);
  ContactEvents events;
  events.report.records = records.size();
  for (std::size_t i = 0; i < records.size();) {
    Pair pair(settings, log.step, events);
    const std::uint32_t a = records[i].body_a, b = records[i].body_b;
    for (; i < records.size() && records[i].body_a == a && records[i].body_b == b; ++i) {
      pair.add(records[i]);
    }
    pair.finish();
  }
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

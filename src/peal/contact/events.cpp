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
  Pair(const EventSettings& settings, double merge_time, ContactEvents& events)
      : settings_(settings), merge_time_(merge_time), events_(events) {}

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
      add_to_interval(record,
                      slides ? ContactInterval::Kind::sliding : ContactInterval::Kind::rolling,
                      slides ? slip : record.rolling);
      ++events_.report.continuous;
      events_.report.continuous_impulse += size;
    } else {
      ++events_.report.dropped;
      events_.report.dropped_impulse += size;
    }
    last_ = record;
  }

  /// The pair's last record; what is open ends.
  void finish() {
    close_until(std::numeric_limits<double>::infinity());
    if (in_interval_) events_.intervals.push_back(interval_);
  }

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
  }

  void add_to_interval(const ContactRecord& record, ContactInterval::Kind kind, double speed) {
    const bool goes_on = in_interval_ && kind == interval_.kind &&
                         record.time <= interval_.end + 2.0 * record.duration;
    if (!goes_on) {
      if (in_interval_) events_.intervals.push_back(interval_);
      interval_ = {.kind = kind,
                   .begin = record.time,
                   .end = record.time,
                   .body_a = record.body_a,
                   .body_b = record.body_b};
      in_interval_ = true;
    }
    interval_.end = std::max(interval_.end, record.time + record.duration);
    interval_.impulse += record.impulse.dot(record.normal);
    // Several corners slide at once, but the way is one.
    if (record.time != way_until_) interval_.distance += speed * record.duration;
    way_until_ = record.time;
  }

  const EventSettings& settings_;
  double merge_time_;
  ContactEvents& events_;
  std::vector<OpenImpact> open_;
  ContactInterval interval_;
  bool in_interval_ = false;
  double way_until_ = -std::numeric_limits<double>::infinity();  ///< [s]
  ContactRecord last_;
};

}  // namespace

ContactEvents contact_events(const base::ContactLog& log, const EventSettings& settings) {
  const std::vector<ContactRecord> records = sorted(log.records);
  ContactEvents events;
  events.report.records = records.size();
  const double merge_time = std::max(settings.merge_time, 2.5 * log.step);
  for (std::size_t i = 0; i < records.size();) {
    Pair pair(settings, merge_time, events);
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
    return std::tuple(one.begin, one.body_a, one.body_b, one.end);
  });
  return events;
}

}  // namespace peal::contact

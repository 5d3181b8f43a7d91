#include <peal/contact/join_records.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace peal::contact {

namespace {

using base::ContactRecord;

constexpr double same_point = 1e-3;  ///< of a contact and its next piece, at most apart [m]
constexpr double same_time = 1e-9;   ///< rounding [s]

/// The last piece of a contact.
struct OpenRecord {
  std::size_t record = 0;
  geometry::Vec3 point;  ///< of what was joined last [m]
  double end = 0.0;      ///< [s]
};

OpenRecord* open_before(const ContactRecord& record, std::vector<OpenRecord>& open_records) {
  OpenRecord* nearest = nullptr;
  double least = same_point;
  for (OpenRecord& open : open_records) {
    const double apart = (open.point - record.point).norm();
    if (std::abs(open.end - record.time) > same_time || apart > least) continue;
    nearest = &open;
    least = apart;
  }
  return nearest;
}

void join(ContactRecord& whole, const ContactRecord& open) {
  const double part = open.duration / (whole.duration + open.duration);
  whole.velocity += part * (open.velocity - whole.velocity);
  whole.rolling += part * (open.rolling - whole.rolling);
  whole.impulse += open.impulse;
  whole.duration += open.duration;
}

}  // namespace

void join_records(base::ContactLog& log, double longest) {
  std::vector<ContactRecord> joined;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<OpenRecord>> last;  // by pair
  for (const ContactRecord& record : log.records) {
    if (record.duration == 0.0) {
      joined.push_back(record);
      continue;
    }
    auto& open_records = last[{record.body_a, record.body_b}];
    std::erase_if(open_records,
                  [&](const OpenRecord& one) { return one.end < record.time - same_time; });
    OpenRecord* before = open_before(record, open_records);
    if (before == nullptr) before = &open_records.emplace_back(OpenRecord{.record = joined.size()});
    before->point = record.point;
    before->end = record.time + record.duration;
    const bool is_full = before->record < joined.size() &&
                         joined[before->record].duration + record.duration > longest + same_time;
    if (is_full) before->record = joined.size();
    if (before->record == joined.size()) {
      joined.push_back(record);
    } else {
      join(joined[before->record], record);
    }
  }
  log.records = std::move(joined);
  log.step = longest;
}

}  // namespace peal::contact

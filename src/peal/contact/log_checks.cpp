#include <peal/contact/log_checks.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::contact {

void RecordChecks::check(base::ContactRecord& record, const std::string& location) {
  if (record.body_a == record.body_b) {
    problems_.add(location, "a body cannot touch itself", "Give two different bodies.");
  }
  const double length = record.normal.norm();
  if (std::abs(length - 1.0) > 0.01) {
    problems_.add(location, fmt::format("the normal has length {:.4g}", length),
                  "Its length must be 1, pointing out of b towards a.");
  } else {
    record.normal /= length;
  }
  // Only pushes are contacts; a hair of a pull is rounding.
  if (record.impulse.dot(record.normal) < -1e-6 * record.impulse.norm()) {
    problems_.add(location, "the impulse pulls: it points from a into b",
                  "b gives a the impulse, along the normal that points out of b.");
  }
  if (!any_order_ && record.time < latest_) {
    problems_.add(location,
                  fmt::format("its time {:.9g} s is before that of an earlier record, {:.9g} s",
                              record.time, latest_),
                  "Sort the records by time" + other_hint_ + '.');
  }
  latest_ = std::max(latest_, record.time);
}

}  // namespace peal::contact

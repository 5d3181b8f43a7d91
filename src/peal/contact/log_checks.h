#pragma once

#include <peal/base/contact.h>
#include <peal/util/json_reader.h>
#include <peal/util/problems.h>

#include <limits>
#include <string>
#include <utility>

namespace peal::contact {

/// What the numbers of a contact may be.
namespace limits {
inline constexpr util::NumberRange time = {.min = -1e6, .max = 1e6, .unit = "s"};
inline constexpr util::NumberRange position = {.min = -1e6, .max = 1e6, .unit = "m"};
inline constexpr util::NumberRange normal = {.min = -1.01, .max = 1.01};
inline constexpr util::NumberRange impulse = {.min = -1e9, .max = 1e9, .unit = "N s"};
inline constexpr util::NumberRange velocity = {.min = -1e4, .max = 1e4, .unit = "m/s"};
inline constexpr util::NumberRange duration = {.min = 0, .max = 10, .unit = "s"};
inline constexpr util::NumberRange force = {.min = -1e12, .max = 1e12, .unit = "N"};
inline constexpr util::NumberRange force_step = {.min = 0, .max = 1, .unit = "s"};
inline constexpr util::NumberRange force_delay = {.min = 0, .max = 1, .unit = "s"};
inline constexpr util::NumberRange rolling = {.min = 0, .max = 1e4, .unit = "m/s"};
}  // namespace limits

/// Checks records one after another, in whatever format they came.
class RecordChecks {
 public:
  /// `other_hint`: what else than sorting cures times that run backwards.
  RecordChecks(bool any_order, util::Problems& problems, std::string other_hint)
      : any_order_(any_order), problems_(problems), other_hint_(std::move(other_hint)) {}

  /// Makes the normal's length exactly 1.
  void check(base::ContactRecord& record, const std::string& location);

 private:
  bool any_order_;
  util::Problems& problems_;
  std::string other_hint_;
  double latest_ = -std::numeric_limits<double>::infinity();  ///< [s]
};

}  // namespace peal::contact

#include <peal/util/json_reader.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace peal::util {

namespace {

std::string with_unit(std::string_view unit) {
  return unit.empty() ? std::string() : fmt::format(" {}", unit);
}

/// The range as text: "a number above 0 and up to 24000 Hz (half the sample rate)".
std::string describe(const NumberRange& range) {
  const double none = std::numeric_limits<double>::max();
  std::string text = "a number";
  if (range.min > -none && range.max < none && !range.above_min && !range.below_max) {
    text += fmt::format(" from {} to {}", range.min, range.max);
  } else {
    if (range.min > -none) {
      text += fmt::format(" {} {}", range.above_min ? "above" : "of at least", range.min);
    }
    if (range.max < none) {
      text += fmt::format("{} {} {}", range.min > -none ? " and" : "",
                          range.below_max ? "below" : "up to", range.max);
    }
  }
  text += with_unit(range.unit);
  if (!range.reason.empty()) text += fmt::format(" ({})", range.reason);
  return text;
}

std::string number_kind(const NumberRange& range) {
  return range.unit.empty() ? "a number" : fmt::format("a number [{}]", range.unit);
}

/// True if a text contains a JSON number, that is, a number in quotes.
bool is_quoted_number(const nlohmann::json& value) {
  if (!value.is_string()) return false;
  const auto parsed = nlohmann::json::parse(value.get_ref<const std::string&>(), nullptr, false);
  return parsed.is_number();
}

}  // namespace

void JsonValue::report(std::string problem, std::string hint) const {
  problems_->add(path_, std::move(problem), std::move(hint));
}

void JsonValue::report(const InputError& error) const {
  problems_->add(path_, error);
}

void JsonValue::report_kind(std::string_view expected, std::string_view example) const {
  std::string hint;
  if (is_quoted_number(*json_)) {
    hint = fmt::format("Remove the quotes: {}.", json_->get_ref<const std::string&>());
  } else if (!example.empty()) {
    hint = fmt::format("For example: {}", example);
  }
  report(fmt::format("must be {}, not {}", expected, util::describe(*json_)), std::move(hint));
}

double JsonValue::number(const NumberRange& range) const {
  const double harmless = std::clamp(1.0, range.min, range.max);
  if (!json_->is_number()) {
    report_kind(number_kind(range), "");
    return harmless;
  }
  const double value = json_->get<double>();
  const bool small = value < range.min || (range.above_min && value == range.min);
  const bool large = value > range.max || (range.below_max && value == range.max);
  if (!small && !large) return value;
  report(fmt::format("{}{} is too {}", util::describe(*json_), with_unit(range.unit),
                     small ? "small" : "large"),
         fmt::format("Give {}.", describe(range)));
  return harmless;
}

std::int64_t JsonValue::integer(std::int64_t min, std::int64_t max) const {
  const std::int64_t harmless = std::clamp<std::int64_t>(1, min, max);
  const std::string expected = fmt::format("a whole number from {} to {}", min, max);
  const bool whole =
      json_->is_number_integer() ||
      (json_->is_number() && std::trunc(json_->get<double>()) == json_->get<double>());
  if (!whole) {
    report_kind(expected, "");
    return harmless;
  }
  // Compare as doubles first, because distant values do not fit into an integer.
  const double value = json_->get<double>();
  if (value >= static_cast<double>(min) && value <= static_cast<double>(max)) {
    return std::clamp(json_->get<std::int64_t>(), min, max);
  }
  report(fmt::format("{} is too {}", util::describe(*json_),
                     value < static_cast<double>(min) ? "small" : "large"),
         fmt::format("Give {}.", expected));
  return harmless;
}

bool JsonValue::boolean() const {
  if (json_->is_boolean()) return json_->get<bool>();
  report_kind("true or false", "");
  return false;
}

std::string JsonValue::text(std::string_view meaning) const {
  if (!json_->is_string()) {
    report_kind(fmt::format("{} in quotes", meaning), "");
    return {};
  }
  const std::string text = json_->get<std::string>();
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (text.empty()) {
    report("is empty", fmt::format("Give {}.", meaning));
  } else if (std::any_of(text.begin(), text.end(), is_control)) {
    report(fmt::format("{} contains a control character", util::describe(*json_)),
           "Remove it; paths are written with / on every system.");
    return {};
  }
  return text;
}

std::string JsonValue::word(std::span<const std::string> known) const {
  if (!json_->is_string()) {
    report_kind("a word in quotes",
                fmt::format("\"{}\". Known: {}.", known.front(), fmt::join(known, ", ")));
    return known.front();
  }
  const std::string word = json_->get<std::string>();
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  report(fmt::format("{} is not known here", util::describe(*json_)), suggest(word, known));
  return known.front();
}

std::vector<JsonValue> JsonValue::list(std::size_t least, std::string_view meaning) const {
  std::vector<JsonValue> values;
  if (!json_->is_array()) {
    report_kind(fmt::format("{}: [ ... ]", meaning), "");
    return values;
  }
  if (json_->size() < least) {
    report(
        json_->empty() ? "the list is empty" : fmt::format("the list has only {}", json_->size()),
        least == 1 ? "Add at least one entry." : fmt::format("Give {}.", meaning));
  }
  values.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) {
    values.emplace_back((*json_)[i], json_path(path_, i), *problems_);
  }
  return values;
}

std::vector<double> JsonValue::numbers(std::size_t count, std::string_view meaning,
                                       const NumberRange& range) const {
  std::vector<double> values(count, 1.0);
  if (!json_->is_array() || json_->size() != count) {
    report_kind(meaning, "");
    return values;
  }
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = JsonValue((*json_)[i], json_path(path_, i), *problems_).number(range);
  }
  return values;
}

JsonObject::JsonObject(const JsonValue& value, std::string_view meaning)
    : value_(value), is_object_(value.json().is_object()) {
  if (!is_object_) value_.report_kind(fmt::format("{}: {{ ... }}", meaning), "");
}

bool JsonObject::has(const std::string& key) const {
  return is_object_ && value_.json().contains(key);
}

std::optional<JsonValue> JsonObject::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  if (!has(key)) return {};
  return JsonValue(value_.json().at(key), json_path(value_.path(), key), value_.problems());
}

std::optional<JsonValue> JsonObject::require(const std::string& key, std::string_view example) {
  auto found = find(key);
  if (!found && is_object_) missing_.push_back({{key}, std::string(example)});
  return found;
}

std::optional<JsonChoice> JsonObject::one_of(std::span<const std::string> keys,
                                             std::string_view example) {
  std::optional<JsonChoice> choice;
  for (const std::string& key : keys) {
    auto found = find(key);
    if (!found) continue;
    if (choice) {
      found->report(
          fmt::format("\"{}\" is already given: only one of them is possible", choice->key),
          fmt::format("Keep one of: {}.", fmt::join(keys, ", ")));
      continue;
    }
    choice = JsonChoice{key, *found};
  }
  if (!choice && is_object_ && !example.empty()) {
    missing_.push_back({{keys.begin(), keys.end()}, std::string(example)});
  }
  return choice;
}

double JsonObject::number(const std::string& key, const NumberRange& range, double fallback) {
  const auto found = find(key);
  return found ? found->number(range) : fallback;
}

double JsonObject::required_number(const std::string& key, const NumberRange& range,
                                   std::string_view example) {
  const auto found = require(key, example);
  return found ? found->number(range) : std::clamp(1.0, range.min, range.max);
}

bool JsonObject::boolean(const std::string& key, bool fallback) {
  const auto found = find(key);
  return found ? found->boolean() : fallback;
}

void JsonObject::finish() {
  if (!is_object_) return;
  std::set<std::string> meant;
  for (const auto& [key, ignored] : value_.json().items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    meant.insert(nearest_word(key, known_));
    value_.problems().add(json_path(value_.path(), key), "unknown key", suggest(key, known_));
  }
  for (const auto& [keys, example] : missing_) {
    const bool misspelt = std::any_of(keys.begin(), keys.end(),
                                      [&](const std::string& key) { return meant.contains(key); });
    if (misspelt) continue;
    value_.report(keys.size() > 1 ? fmt::format("one of {} is missing", fmt::join(keys, ", "))
                                  : fmt::format("\"{}\" is missing", keys.front()),
                  "For example: " + example);
  }
}

}  // namespace peal::util

#pragma once

#include <peal/util/json.h>
#include <peal/util/problems.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// JSON readers that report every error with its location: a reader records a problem and continues
/// with a harmless value; the owner of the Problems throws at the end.
namespace peal::util {

/// The range of a number.
struct NumberRange {
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
  std::string_view unit = {};    ///< "Hz"
  std::string_view reason = {};  ///< reason for the limits: "half the sample rate"
  bool above_min = false;        ///< whether min itself is excluded
  bool below_max = false;        ///< whether max itself is excluded
};

/// A value and its location in the document.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& json, std::string path, Problems& problems)
      : json_(&json), path_(std::move(path)), problems_(&problems) {}

  const nlohmann::json& json() const { return *json_; }
  const std::string& path() const { return path_; }
  Problems& problems() const { return *problems_; }
  void report(std::string problem, std::string hint = {}) const;
  void report(const InputError& error) const;

  double number(const NumberRange& range) const;
  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  bool boolean() const;
  /// Returns text that is not empty and has no control characters; `meaning` is, for example, "a
  /// file name".
  std::string text(std::string_view meaning) const;
  /// Returns one of the known words.
  std::string word(std::span<const std::string> known) const;
  /// Returns the elements of a list of at least `least` values; `meaning` is, for example, "a list
  /// of listeners".
  std::vector<JsonValue> list(std::size_t least, std::string_view meaning) const;
  /// Returns a list of exactly `count` numbers; `meaning` is, for example, "a position [x, y, z]".
  std::vector<double> numbers(std::size_t count, std::string_view meaning,
                              const NumberRange& range) const;
  /// Reports a value of the wrong kind: "a number [Hz], not the text "440"".
  void report_kind(std::string_view expected, std::string_view example) const;

 private:
  const nlohmann::json* json_;
  std::string path_;
  Problems* problems_;
};

/// One of several exclusive keys of an object, and its value.
struct JsonChoice {
  std::string key;
  JsonValue value;
};

/// An object that tracks which keys were read. finish() reports the others.
class JsonObject {
 public:
  /// Reports a value that is not an object and then treats it as an object without keys.
  JsonObject(const JsonValue& value, std::string_view meaning);

  const JsonValue& value() const { return value_; }
  bool has(const std::string& key) const;
  /// The value of an optional key.
  std::optional<JsonValue> find(const std::string& key);
  /// The value of a required key; finish() reports it if it is missing.
  std::optional<JsonValue> require(const std::string& key, std::string_view example);
  /// The one of `keys` that is present. Several are a problem; none is a problem if `example` is
  /// not empty.
  std::optional<JsonChoice> one_of(std::span<const std::string> keys, std::string_view example);

  double number(const std::string& key, const NumberRange& range, double fallback);
  double required_number(const std::string& key, const NumberRange& range,
                         std::string_view example);
  bool boolean(const std::string& key, bool fallback);

  /// Reports required keys that are missing and keys that were not read. A misspelt required key is
  /// reported once.
  void finish();

 private:
  struct Missing {
    std::vector<std::string> any_of;
    std::string example;
  };

  JsonValue value_;
  bool is_object_;
  std::vector<std::string> known_;
  std::vector<Missing> missing_;
};

}  // namespace peal::util

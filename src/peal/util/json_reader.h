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

/// Reading JSON so that every mistake is reported with its place: readers note a problem and go on
/// with a harmless value; whoever owns the Problems throws at the end.
namespace peal::util {

/// What a number may be.
struct NumberRange {
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
  std::string_view unit = {};    ///< "Hz"
  std::string_view reason = {};  ///< why the limits are there: "half the sample rate"
  bool above_min = false;        ///< min itself is refused
  bool below_max = false;        ///< max itself is refused
};

/// A value and its place in the document.
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
  /// Text that is not empty and has no control characters; `meaning` is "a file name".
  std::string text(std::string_view meaning) const;
  /// One of the known words.
  std::string word(std::span<const std::string> known) const;
  /// The elements of a list of at least `least` values; `meaning` is "a list of listeners".
  std::vector<JsonValue> list(std::size_t least, std::string_view meaning) const;
  /// A list of exactly `count` numbers; `meaning` is "a position [x, y, z]".
  std::vector<double> numbers(std::size_t count, std::string_view meaning,
                              const NumberRange& range) const;
  /// "a number [Hz], not the text "440"": a value of the wrong kind.
  void report_kind(std::string_view expected, std::string_view example) const;

 private:
  const nlohmann::json* json_;
  std::string path_;
  Problems* problems_;
};

/// One of several keys, of which an object may have one.
struct JsonChoice {
  std::string key;
  JsonValue value;
};

/// An object that knows which keys were asked for. finish() reports the rest.
class JsonObject {
 public:
  /// Reports a value that is not an object; it then reads as one without keys.
  JsonObject(const JsonValue& value, std::string_view meaning);

  const JsonValue& value() const { return value_; }
  bool has(const std::string& key) const;
  /// The value of an optional key.
  std::optional<JsonValue> find(const std::string& key);
  /// The value of a key that must be there; finish() reports it if it is not.
  std::optional<JsonValue> require(const std::string& key, std::string_view example);
  /// Which of `keys` is there. Several are a problem; none is one if `example` is not empty.
  std::optional<JsonChoice> one_of(std::span<const std::string> keys, std::string_view example);

  double number(const std::string& key, const NumberRange& range, double fallback);
  double required_number(const std::string& key, const NumberRange& range,
                         std::string_view example);
  bool boolean(const std::string& key, bool fallback);

  /// Reports required keys that are missing and keys that nobody asked for. A misspelt required
  /// key is reported once.
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

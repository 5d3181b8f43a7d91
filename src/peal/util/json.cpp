#include <peal/util/error.h>
#include <peal/util/json.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace peal::util {

using nlohmann::json;

namespace {

constexpr std::size_t deepest = 64;

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (text[most] & 0xC0) == 0x80) --most;  // not inside a UTF-8 letter
  return std::string(text.substr(0, most)) + "...";
}

/// Line and column of a byte, both counted from 1; columns count characters, not bytes.
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::string_view row = before.substr(before.find_last_of('\n') + 1);
  const auto column =
      std::count_if(row.begin(), row.end(), [](char c) { return (c & 0xC0) != 0x80; }) + 1;
  return fmt::format("line {}, column {}", line, column);
}

/// The length of the UTF-8 character at `text`, 0 if it is invalid (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F;
  const bool too_large = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

void require_utf8(std::string_view text, const std::string& file) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw InputError({file, "byte 0"}, "the text is UTF-16", "Save the file as UTF-8.");
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) {
      throw InputError({file, line_and_column(text, at)}, "the text is not UTF-8",
                       "Save the file as UTF-8.");
    }
    if (text[at] == '\0') {
      throw InputError({file, line_and_column(text, at)}, "a zero byte in the text",
                       "Is this a JSON file?");
    }
    at += length;
  }
}

/// The likely cause of a syntax error, from the state in which the parser stopped.
std::pair<std::string, std::string> diagnose(const std::string& parser_says) {
  const auto says = [&](const char* part) { return parser_says.find(part) != std::string::npos; };
  using Pair = std::pair<std::string, std::string>;
  if (says("number overflow")) {
    return Pair{"a number too large to be stored", "Numbers reach up to about 1e308."};
  }
  if (says("missing closing quote")) {
    return Pair{"the file ends inside a text in quotes", "Add the closing quote."};
  }
  if (says("unexpected end of input")) {
    return Pair{"the file ends too early", "A closing } or ] is missing."};
  }
  if (says("invalid comment")) {
    return Pair{"a comment that is not closed", "Comments are // to the end of the line or /* */."};
  }
  if (says("control character")) {
    return Pair{"a string has no closing quote or contains a control character",
                "Add the closing quote; write \\n or \\t for control characters."};
  }
  if (says("invalid string")) {
    return Pair{"an invalid text in quotes",
                "After \\ comes one of \" \\ / b f n r t or u and four digits; a path is written "
                "with / on every system."};
  }
  if (says("parsing object key - unexpected '}'") || says("parsing value - unexpected ']'")) {
    return Pair{"a comma before the closing bracket", "Remove the last comma."};
  }
  if (says("parsing object key")) {
    return Pair{"a key was expected", "Keys are written in double quotes: \"duration\": 5."};
  }
  if (says("parsing object separator")) {
    return Pair{"a colon is missing after a key", "Write \"key\": value."};
  }
  if (says("invalid number")) {
    return Pair{"not a valid JSON number",
                "Write 0.5 or -1e-3: no leading + or ., no leading zeros, no unit."};
  }
  if (says("; expected ']'") || says("; expected '}'")) {
    return Pair{"a comma or a closing bracket is missing",
                "Values of a list or object are separated by commas."};
  }
  if (says("expected end of input")) {
    return Pair{"more text after the end of the document", "Is there one } too many?"};
  }
  if (says("invalid literal")) {
    return Pair{"a word without quotes",
                "Texts are written in double quotes; only true, false and null go without."};
  }
  return Pair{"not valid JSON here",
              "A value was expected: a number, \"text\", [list] or {object}."};
}

/// Builds the document from the parser's events and rejects what nlohmann::json would accept.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  json document;
  std::optional<InputError> error;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    Level& level = levels_.back();
    level.key = std::move(key);
    if (!level.value->contains(level.key)) return true;
    error.emplace(Location{file_, json_path(path(levels_.size() - 1), level.key)},
                  "this key is given twice", "Keep one of the two.");
    return false;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& what) override {
    auto [problem, hint] = diagnose(what.what());
    const std::size_t offset = position > 0 ? position - 1 : 0;
    error.emplace(Location{file_, line_and_column(text_, offset)}, std::move(problem),
                  std::move(hint));
    return false;
  }

 private:
  struct Level {
    json* value;
    std::string key;
  };

  json* location(json&& value) {
    if (levels_.empty()) return &(document = std::move(value));
    Level& level = levels_.back();
    if (level.value->is_object()) return &((*level.value)[level.key] = std::move(value));
    level.value->push_back(std::move(value));
    return &level.value->back();
  }

  bool put(json&& value) {
    location(std::move(value));
    return true;
  }

  bool open(json&& value) {
    if (levels_.size() == deepest) {
      error.emplace(Location{file_, path(8)}, fmt::format("more than {} levels deep", deepest),
                    "Reduce the nesting of brackets.");
      return false;
    }
    levels_.push_back({location(std::move(value)), {}});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  /// The path of the value at the first `depth` levels.
  std::string path(std::size_t depth) const {
    std::string result;
    for (std::size_t i = 0; i < depth; ++i) {
      const Level& level = levels_[i];
      result = level.value->is_object() ? json_path(result, level.key)
                                        : json_path(result, level.value->size() - 1);
    }
    return result;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Level> levels_;
};

}  // namespace

json parse_json(std::string_view text, const std::string& file) {
  require_utf8(text, file);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError({file, ""}, "is empty", "Text such as {\"key\": 1} was expected.");
  Builder builder(text, file);
  const bool ignore_comments = true;
  if (!json::sax_parse(text.begin(), text.end(), &builder, json::input_format_t::json, true,
                       ignore_comments)) {
    if (builder.error) throw *builder.error;
    throw InputError({file, ""}, "not valid JSON");
  }
  return std::move(builder.document);
}

std::string json_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string json_path(const std::string& parent, std::string_view key) {
  const bool plain =
      !key.empty() && key.size() <= 40 && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '$' || c == '-';
      });
  if (!plain) return fmt::format("{}[{}]", parent, json(shortened(key, 40)).dump());
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

std::string json_path(const std::string& parent, std::size_t index) {
  return fmt::format("{}[{}]", parent, index);
}

std::string describe(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::object:
      return "an object {...}";
    case json::value_t::array:
      return fmt::format("a list of {} value{}", value.size(), value.size() == 1 ? "" : "s");
    case json::value_t::string:
      return "the text " + json(shortened(value.get_ref<const std::string&>(), 40)).dump();
    default:
      return value.dump();
  }
}

}  // namespace peal::util

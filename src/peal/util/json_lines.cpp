#include <peal/util/error.h>
#include <peal/util/json.h>
#include <peal/util/json_lines.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace peal::util {

namespace {

/// The first of the words by which programs write what is no finite number; empty if there is none.
std::string_view not_finite(std::string_view line) {
  static const std::vector<std::string> words = {"nan", "inf", "infinity"};
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && is_letter(line[i])) {
      const std::size_t first = i;
      std::string word;
      for (; i < line.size() && is_letter(line[i]); ++i) {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(line[i])));
      }
      if (std::ranges::find(words, word) != words.end()) return line.substr(first, i - first);
      --i;
    }
  }
  return {};
}

}  // namespace

bool Lines::next(std::string_view& line) {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++number_;
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return true;
  }
  return false;
}

nlohmann::json parse_json_line(std::string_view line, std::size_t number, const std::string& file,
                               const std::string& location) {
  try {
    return parse_json(line, "");
  } catch (const InputError& error) {
    // The parser sees this line only and calls it the first.
    std::string at = error.location().at;
    if (constexpr std::string_view first = "line 1,"; at.starts_with(first)) {
      at = fmt::format("line {},{}", number, at.substr(first.size()));
    }
    const Location where{file, location + (at.empty() ? "" : ", " + at)};
    if (const std::string_view word = not_finite(line); !word.empty()) {
      throw InputError(where, fmt::format("{} is not a finite number", word),
                       "Numbers must be finite, as 0.5 or -1e-3: correct the record, or leave "
                       "it out if nothing touched.");
    }
    throw InputError(where, error.problem(), error.hint());
  }
}

}  // namespace peal::util

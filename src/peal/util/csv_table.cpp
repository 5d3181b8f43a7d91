#include <peal/util/csv_table.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace peal::util {

namespace {

std::string lower_case(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ') continue;
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

bool is_skipped(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '#';
}

/// A text that can be shown: no longer than a few words, without control characters.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte >= 0x7f ? '?' : c;
  }
  return result;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

double parse_number(std::string_view text, const NumberRange& range, const std::string& at,
                    Problems& problems) {
  double value = 0.0;
  const char* const first = text.starts_with('+') ? text.data() + 1 : text.data();
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    problems.add(at, fmt::format("\"{}\" is not a number", shown(text)),
                 "Write decimal numbers with a point.");
    return 0.0;
  }
  const bool is_small = range.above_min ? value <= range.min : value < range.min;
  const bool is_large = range.below_max ? value >= range.max : value > range.max;
  if (is_small || is_large) {
    problems.add(at,
                 fmt::format("{:g} {} is too {}", value, range.unit, is_small ? "small" : "large"),
                 fmt::format("Give a value {} {:g} {}.", is_small ? "above" : "below",
                             is_small ? range.min : range.max, range.unit));
    return 0.0;
  }
  return value;
}

std::int64_t parse_integer(std::string_view text, const std::string& at, Problems& problems) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  problems.add(at, fmt::format("\"{}\" is not a whole number", shown(text)));
  return 0;
}

CsvTable::CsvTable(std::string_view bytes, const std::string& file,
                   const std::vector<Column>& columns)
    : rest_(bytes), at_(columns.size(), -1), columns_(columns) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  std::string_view header;
  while (!rest_.empty() && is_skipped(header)) header = take_line(rest_);
  if (is_skipped(header)) {
    throw InputError({file, ""}, "the table is empty", "Its first row names the columns.");
  }
  for (const char separator : {'\t', ';'})
    if (header.find(separator) != std::string_view::npos) separator_ = separator;
  const std::vector<std::string_view> names = split(header);
  width_ = names.size();
  std::vector<std::string> known;
  for (const Column& column : columns_) known.push_back(column.name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(known, lower_case(names[i]));
    if (found == known.end()) {
      throw InputError({file, "row 1"}, fmt::format("unknown column \"{}\"", shown(names[i])),
                       fmt::format("Columns are {}.", fmt::join(known, ", ")));
    }
    at_[static_cast<std::size_t>(found - known.begin())] = static_cast<int>(i);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (at_[i] >= 0 || !columns_[i].is_required) continue;
    throw InputError({file, "row 1"}, fmt::format("no column \"{}\"", columns_[i].name),
                     "The first row names the columns.");
  }
}

std::vector<std::string_view> CsvTable::split(std::string_view line) const {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(separator_);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

bool CsvTable::next(Problems& problems) {
  while (!rest_.empty()) {
    const std::string_view line = take_line(rest_);
    if (is_skipped(line)) continue;
    row_name_ = fmt::format("record {}", ++record_);
    cells_ = split(line);
    if (cells_.size() == width_) return true;
    problems.add(row_name_, fmt::format("has {} cells, the first row {}", cells_.size(), width_));
  }
  return false;
}

std::string_view CsvTable::text(std::size_t column) const {
  const int at = at_[column];
  return at < 0 ? std::string_view() : cells_[static_cast<std::size_t>(at)];
}

double CsvTable::number(std::size_t column, const NumberRange& range, Problems& problems) const {
  return parse_number(text(column), range, fmt::format("{}, {}", row_name_, columns_[column].name),
                      problems);
}

}  // namespace peal::util

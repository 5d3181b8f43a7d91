#include <peal/contact/contact_log.h>
#include <peal/contact/log_checks.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace peal::contact {

using base::ContactLog;
using base::ContactRecord;
using base::Vec3;

namespace {

using Row = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The cells of a line; separators between quotation marks belong to a cell.
Row split(std::string_view line, char separator) {
  Row cells;
  while (true) {
    std::size_t end = 0;
    for (bool quoted = false; end < line.size() && (quoted || line[end] != separator); ++end)
      if (line[end] == '"') quoted = !quoted;
    if (end == line.size()) end = std::string_view::npos;
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

/// "Contact Point [X]" -> "contactpointx"
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return text;
}

/// What a column may be called, for each quantity, without case, blanks and punctuation.
struct Quantity {
  std::vector<std::string> names;
  bool is_vector;
  const char* example;
};

const std::array<Quantity, 8> quantities = {{
    {{"time", "t", "times"}, false, "time"},
    {{"a", "bodya", "body1", "objecta", "object1", "name", "gameobject", "actor0"}, false, "a"},
    {{"b", "bodyb", "body2", "objectb", "object2", "other", "othername", "otherobject", "actor1"},
     false,
     "b"},
    {{"p", "point", "position", "pos", "contactpoint", ""}, true, "point_x, point_y, point_z"},
    {{"n", "normal", "contactnormal"}, true, "normal_x, normal_y, normal_z"},
    {{"j", "impulse"}, true, "impulse_x, impulse_y, impulse_z"},
    {{"v", "velocity", "relativevelocity", "vel", "relvel"},
     true,
     "velocity_x, velocity_y, velocity_z"},
    {{"duration", "dt"}, false, "duration"},
}};
enum Column { time_at, a_at, b_at, point_at, normal_at, impulse_at, velocity_at, duration_at };

/// For each quantity the columns of its parts; -1: not there.
class Columns {
 public:
  Columns(const Row& names, const std::string& file) {
    std::map<std::string, int> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      found.emplace(plain(names[i]), static_cast<int>(i));
    }
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      const int parts = quantities[q].is_vector ? 3 : 1;
      for (int part = 0; part < parts; ++part) {
        at_[q][part] = find(found, quantities[q], part);
        if (at_[q][part] >= 0 || q == duration_at) continue;
        // The size of an impulse is enough: it acts along the normal.
        if (q == impulse_at && part == 0) at_[q][0] = find_size(found);
        if (q == impulse_at && at_[q][0] >= 0 && at_[q][1] < 0) continue;
        throw util::InputError({file, "row 1"},
                               fmt::format("no column for {}", quantities[q].names.front()),
                               fmt::format("Name columns as {}.", quantities[q].example));
      }
    }
  }

  int operator()(Column quantity, int part = 0) const { return at_[quantity][part]; }
  bool impulse_is_size() const { return at_[impulse_at][1] < 0; }

 private:
  static int find(const std::map<std::string, int>& found, const Quantity& quantity, int part) {
    for (const std::string& name : quantity.names) {
      std::string full = name;
      if (quantity.is_vector) full += static_cast<char>('x' + part);
      const auto it = found.find(full);
      if (it != found.end()) return it->second;
    }
    return -1;
  }
  static int find_size(const std::map<std::string, int>& found) {
    for (const char* name : {"j", "impulse", "impulsemagnitude", "normalimpulse"}) {
      if (const auto it = found.find(name); it != found.end()) return it->second;
    }
    return -1;
  }

  std::array<std::array<int, 3>, 8> at_{{{-1, -1, -1},
                                         {-1, -1, -1},
                                         {-1, -1, -1},
                                         {-1, -1, -1},
                                         {-1, -1, -1},
                                         {-1, -1, -1},
                                         {-1, -1, -1},
                                         {-1, -1, -1}}};
};

/// Reads the cells of one row; what is no number is reported with its record.
class RowReader {
 public:
  RowReader(const Row& cells, const Columns& columns, const std::string& location,
            util::Problems& problems)
      : cells_(cells), columns_(columns), location_(location), problems_(problems) {}

  double number(Column quantity, const util::NumberRange& range, int part = 0) const {
    const std::string_view text = cells_[static_cast<std::size_t>(columns_(quantity, part))];
    double value = 0.0;
    const char* first = text.starts_with('+') ? text.data() + 1 : text.data();
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
      std::string cell = quantities[quantity].names.front();
      if (quantities[quantity].is_vector) cell += fmt::format(" ({})", "xyz"[part]);
      problems_.add(location_,
                    text.empty() ? fmt::format("the cell for {} is empty", cell)
                                 : fmt::format("the cell for {} is \"{}\", not a number", cell,
                                               text.substr(0, 40)),
                    text.empty() ? "Fill it, or leave out the record."
                                 : "Write decimal numbers with a point.");
      return 0.0;
    }
    if (value < range.min || value > range.max) {
      problems_.add(location_, fmt::format("{:g} {} is too {}", value, range.unit,
                                           value < range.min ? "small" : "large"));
      return 0.0;
    }
    return value;
  }
  Vec3 vector(Column quantity, const util::NumberRange& range) const {
    return {number(quantity, range, 0), number(quantity, range, 1), number(quantity, range, 2)};
  }

 private:
  const Row& cells_;
  const Columns& columns_;
  const std::string& location_;
  util::Problems& problems_;
};

char separator_of(std::string_view line) {
  for (const char separator : {'\t', ';'}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

}  // namespace

ContactLog parse_contact_table(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  util::Problems problems(name);
  ContactLog log;
  std::optional<Columns> columns;
  std::size_t width = 0;
  char separator = ',';
  std::map<std::string, std::uint32_t, std::less<>> index;
  RecordChecks checks(false, problems, "");
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view line = bytes.substr(0, end);
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
    if (trimmed(line).empty()) continue;
    if (!columns) {
      separator = separator_of(line);
      const Row names = split(line, separator);
      width = names.size();
      columns.emplace(names, name);
      continue;
    }
    const std::string location = fmt::format("record {}", log.records.size() + 1);
    const Row cells = split(line, separator);
    ContactRecord& record = log.records.emplace_back();
    if (cells.size() != width) {
      problems.add(location, fmt::format("has {} cells, the first row {}", cells.size(), width));
      continue;
    }
    const std::size_t before = problems.count();
    const RowReader row(cells, *columns, location, problems);
    const auto body = [&](Column column) {
      const std::string_view text = cells[static_cast<std::size_t>((*columns)(column))];
      if (text.empty()) problems.add(location, "the name of a body is empty");
      const auto at = index.emplace(text, static_cast<std::uint32_t>(index.size()));
      if (at.second) log.bodies.emplace_back(text);
      return at.first->second;
    };
    record.time = row.number(time_at, limits::time);
    record.body_a = body(a_at);
    record.body_b = body(b_at);
    record.point = row.vector(point_at, limits::position);
    record.normal = row.vector(normal_at, limits::normal);
    record.impulse = columns->impulse_is_size()
                         ? Vec3(row.number(impulse_at, limits::impulse) * record.normal)
                         : row.vector(impulse_at, limits::impulse);
    record.velocity = row.vector(velocity_at, limits::velocity);
    if ((*columns)(duration_at) >= 0) record.duration = row.number(duration_at, limits::duration);
    if (problems.count() == before) checks.check(record, location);
  }
  if (!columns) {
    throw util::InputError({name, ""}, "the table is empty", "Its first row names the columns.");
  }
  problems.throw_if_any();
  return log;
}

}  // namespace peal::contact

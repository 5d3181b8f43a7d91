#include <peal/contact/contact_log.h>
#include <peal/contact/log_checks.h>
#include <peal/util/files.h>
#include <peal/util/json_reader.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace peal::contact {

using base::ContactLog;
using base::ContactRecord;
using base::Vec3;
using util::JsonObject;
using util::JsonValue;

namespace {

constexpr std::size_t most_bodies = 100'000;

/// The lines of a text without their ends; blank ones are passed over.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
      ++number_;
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) return true;
    }
    return false;
  }

  std::size_t number() const { return number_; }  ///< of the last line, from 1

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

struct LogHeader {
  ContactLog log;
  std::map<std::string, std::uint32_t, std::less<>> index;
  bool any_order = false;
};

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

/// `number` of the line in the file: the parser sees this one only and calls it the first.
nlohmann::json parse_line(std::string_view line, std::size_t number, const std::string& file,
                          const std::string& location) {
  try {
    return util::parse_json(line, "");
  } catch (const util::InputError& error) {
    std::string at = error.location().at;
    if (constexpr std::string_view first = "line 1,"; at.starts_with(first)) {
      at = fmt::format("line {},{}", number, at.substr(first.size()));
    }
    const util::Location where{file, location + (at.empty() ? "" : ", " + at)};
    if (const std::string_view word = not_finite(line); !word.empty()) {
      throw util::InputError(
          where, fmt::format("{} is not a finite number", word),
          "Numbers must be finite, as 0.5 or -1e-3: correct the record, or leave "
          "it out if nothing touched.");
    }
    throw util::InputError(where, error.problem(), error.hint());
  }
}

LogHeader read_header(const nlohmann::json& document, util::Problems& problems) {
  LogHeader header;
  JsonObject keys(JsonValue(document, "header", problems), "the header of a contact log");
  if (const auto version = keys.require("peal_contacts", "\"peal_contacts\": 1")) {
    version->integer(1, 1);
  }
  if (const auto bodies = keys.require("bodies", "\"bodies\": [\"ball\", \"table\"]")) {
    const auto list = bodies->list(1, "a list of the names of bodies");
    if (list.size() > most_bodies) {
      bodies->report(fmt::format("{} bodies are too many", list.size()),
                     fmt::format("Give at most {}.", most_bodies));
    }
    for (const JsonValue& item : list) {
      const std::string name = item.text("the name of a body");
      if (!header.index.emplace(name, header.log.bodies.size()).second) {
        item.report(fmt::format("\"{}\" appears twice", name), "Give each body its own name.");
      }
      header.log.bodies.push_back(name);
    }
  }
  header.log.step = keys.number("step_s", {.min = 0, .max = 10, .unit = "s"}, 0.0);
  if (const auto order = keys.find("order")) {
    static const std::vector<std::string> orders = {"time", "any"};
    header.any_order = order->word(orders) == "any";
  }
  keys.finish();
  return header;
}

Vec3 read_vector(JsonObject& keys, const char* key, const util::NumberRange& range,
                 const char* example) {
  const auto value = keys.require(key, example);
  if (!value) return Vec3::Zero();
  const auto x = value->numbers(3, "three numbers [x, y, z]", range);
  return {x[0], x[1], x[2]};
}

std::uint32_t read_body(JsonObject& keys, const char* key, const LogHeader& header) {
  const auto value = keys.require(key, "\"a\": \"ball\"");
  if (!value) return 0;
  const std::string name = value->text("the name of a body");
  const auto found = header.index.find(name);
  if (found != header.index.end()) return found->second;
  if (!name.empty()) {
    value->report(fmt::format("no body is called \"{}\"", name),
                  util::suggest(name, header.log.bodies));
  }
  return 0;
}

/// How far the impulse of a force may be from that of its record.
constexpr double same_impulse = 1e-3;

void read_force(JsonObject& keys, ContactRecord& record) {
  const auto samples = keys.find("force_n");
  const double step = keys.number("force_step_s", limits::force_step, 0.0);
  const double delay = keys.number("force_delay_s", limits::force_delay, 0.0);
  if (!samples) return;
  base::ForceHistory force{.start = record.time + delay, .step = step, .samples = {}};
  if (!(step > 0.0))
    return samples->report("\"force_step_s\" is missing or zero", "Add \"force_step_s\": 5e-6.");
  for (const JsonValue& sample : samples->list(1, "a list of forces [x, y, z]")) {
    const auto x = sample.numbers(3, "three numbers [x, y, z]", limits::force);
    force.samples.emplace_back(Vec3(x[0], x[1], x[2]).cast<float>());
  }
  const Vec3 impulse = force.impulse();
  if ((impulse - record.impulse).norm() > same_impulse * record.impulse.norm()) {
    return samples->report(
        fmt::format("the force adds up to ({:.6g}, {:.6g}, {:.6g}) N s, which is not the impulse",
                    impulse.x(), impulse.y(), impulse.z()),
        "\"impulse_ns\" is the sum of \"force_n\" times \"force_step_s\".");
  }
  if (record.duration > 0.0)
    return samples->report("only an impact has a force",
                           "Leave out \"duration_s\" or \"force_n\".");
  record.force = std::make_shared<const base::ForceHistory>(std::move(force));
}

ContactRecord read_record(const JsonValue& value, const LogHeader& header) {
  JsonObject keys(value, "a contact");
  ContactRecord record;
  record.time = keys.required_number("time_s", limits::time, "\"time_s\": 0.25 in seconds");
  record.body_a = read_body(keys, "a", header);
  record.body_b = read_body(keys, "b", header);
  record.point = read_vector(keys, "point_m", limits::position, "\"point_m\": [0, 0, 0]");
  record.normal = read_vector(keys, "normal", limits::normal, "\"normal\": [0, 1, 0]");
  record.impulse = read_vector(keys, "impulse_ns", limits::impulse, "\"impulse_ns\": [0, 0.1, 0]");
  record.velocity =
      read_vector(keys, "velocity_m_s", limits::velocity, "\"velocity_m_s\": [0, -1, 0]");
  record.duration = keys.number("duration_s", limits::duration, 0.0);
  record.rolling = keys.number("rolling_m_s", limits::rolling, 0.0);
  read_force(keys, record);
  keys.finish();
  return record;
}

}  // namespace

ContactLog parse_contact_log(std::string_view bytes, const std::string& name) {
  util::Problems problems(name);
  Lines lines(bytes);
  std::string_view line;
  if (!lines.next(line)) {
    throw util::InputError({name, ""}, "the contact log is empty",
                           "Its first line is {\"peal_contacts\": 1, \"bodies\": [...]}.");
  }
  LogHeader header = read_header(parse_line(line, lines.number(), name, "header"), problems);
  problems.throw_if_any();

  RecordChecks checks(header.any_order, problems, ", or write \"order\": \"any\" into the header");
  while (lines.next(line)) {
    const std::string location = fmt::format("record {}", header.log.records.size() + 1);
    const nlohmann::json document = parse_line(line, lines.number(), name, location);
    const std::size_t before = problems.count();
    ContactRecord record = read_record(JsonValue(document, location, problems), header);
    if (problems.count() == before) checks.check(record, location);
    header.log.records.push_back(record);
  }
  problems.throw_if_any();
  return std::move(header.log);
}

ContactLog read_contact_log(const std::filesystem::path& path) {
  const util::FileBytes bytes = util::read_bytes(path);
  return path.extension() == ".csv" ? parse_contact_table(bytes.view(), path.string())
                                    : parse_contact_log(bytes.view(), path.string());
}

namespace {

template <class Out>
void add_force(const base::ForceHistory& force, double time, Out out) {
  fmt::format_to(out, ", \"force_step_s\": {}", force.step);
  if (force.start != time) fmt::format_to(out, ", \"force_delay_s\": {}", force.start - time);
  fmt::format_to(out, ", \"force_n\": [");
  for (std::size_t i = 0; i < force.samples.size(); ++i) {
    const Eigen::Vector3f& f = force.samples[i];
    fmt::format_to(out, "{}[{},{},{}]", i == 0 ? "" : ",", f.x(), f.y(), f.z());
  }
  fmt::format_to(out, "]");
}

}  // namespace

std::string contact_log_text(const ContactLog& log) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "{{\"peal_contacts\": 1, \"bodies\": {}, \"step_s\": {}, \"order\": \"time\"}}\n",
                 util::json_text(log.bodies), log.step);
  std::vector<std::string> names;
  for (const std::string& body : log.bodies) names.push_back(util::json_text(body));
  const auto vector = [&](const char* key, const Vec3& v) {
    fmt::format_to(out, ", \"{}\": [{}, {}, {}]", key, v.x(), v.y(), v.z());
  };
  const auto write = [&](const ContactRecord& record) {
    fmt::format_to(out, "{{\"time_s\": {}, \"a\": {}, \"b\": {}", record.time, names[record.body_a],
                   names[record.body_b]);
    vector("point_m", record.point);
    vector("normal", record.normal);
    vector("impulse_ns", record.impulse);
    vector("velocity_m_s", record.velocity);
    if (record.duration != 0.0) fmt::format_to(out, ", \"duration_s\": {}", record.duration);
    if (record.rolling != 0.0) fmt::format_to(out, ", \"rolling_m_s\": {}", record.rolling);
    if (record.force) add_force(*record.force, record.time, out);
    text += "}\n";
  };
  std::vector<base::RestingContact> rests = log.rests;
  std::ranges::stable_sort(rests, {}, &base::RestingContact::begin);
  auto rest = rests.begin();
  const auto write_rests = [&](double until) {
    for (; rest != rests.end() && rest->begin < until; ++rest) {
      if (!(rest->end > rest->begin)) continue;
      write({.time = rest->begin,
             .body_a = rest->body_a,
             .body_b = rest->body_b,
             .point = rest->point,
             .normal = rest->normal,
             .impulse = rest->impulse * rest->normal,
             .duration = rest->end - rest->begin});
    }
  };
  for (const ContactRecord& record : log.records) {
    write_rests(record.time);
    write(record);
  }
  write_rests(std::numeric_limits<double>::infinity());
  return text;
}

}  // namespace peal::contact

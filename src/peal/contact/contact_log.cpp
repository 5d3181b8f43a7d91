#include <peal/contact/contact_log.h>
#include <peal/contact/log_checks.h>
#include <peal/util/files.h>
#include <peal/util/json_lines.h>
#include <peal/util/json_reader.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
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

struct LogHeader {
  ContactLog log;
  std::map<std::string, std::uint32_t, std::less<>> index;
  bool any_order = false;
  /// A file of pieces (docs/pieces-format.md): bodies are those that occur, and there are poses.
  bool has_pieces = false;
};

/// Reads the names of bodies.
void read_bodies(const JsonValue& bodies, LogHeader& header) {
  const auto list = bodies.list(1, "a list of the names of bodies");
  if (list.size() > most_bodies) {
    bodies.report(fmt::format("{} bodies are too many", list.size()),
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

LogHeader read_header(const nlohmann::json& document, util::Problems& problems) {
  LogHeader header;
  JsonObject keys(JsonValue(document, "header", problems), "the header of a contact log");
  header.has_pieces = keys.has("peal_pieces");
  if (header.has_pieces) {
    // The reader of scenes checks these.
    for (const char* key : {"peal_pieces", "pieces", "breaks_s"}) keys.find(key);
  } else if (const auto version = keys.require("peal_contacts", "\"peal_contacts\": 1")) {
    version->integer(1, 1);
  }
  if (!header.has_pieces) {
    if (const auto bodies = keys.require("bodies", "\"bodies\": [\"ball\", \"table\"]"))
      read_bodies(*bodies, header);
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

std::uint32_t read_body(JsonObject& keys, const char* key, LogHeader& header) {
  const auto value = keys.require(key, "\"a\": \"ball\"");
  if (!value) return 0;
  const std::string name = value->text("the name of a body");
  const auto found = header.index.find(name);
  if (found != header.index.end()) return found->second;
  if (header.has_pieces && !name.empty()) {
    header.log.bodies.push_back(name);
    return header.index.emplace(name, static_cast<std::uint32_t>(header.index.size()))
        .first->second;
  }
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

ContactRecord read_record(const JsonValue& value, LogHeader& header) {
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
  util::Lines lines(bytes);
  std::string_view line;
  if (!lines.next(line)) {
    throw util::InputError({name, ""}, "the contact log is empty",
                           "Its first line is {\"peal_contacts\": 1, \"bodies\": [...]}.");
  }
  LogHeader header =
      read_header(util::parse_json_line(line, lines.number(), name, "header"), problems);
  problems.throw_if_any();

  RecordChecks checks(header.any_order, problems, ", or write \"order\": \"any\" into the header");
  while (lines.next(line)) {
    const std::string location = fmt::format("record {}", header.log.records.size() + 1);
    const nlohmann::json document = util::parse_json_line(line, lines.number(), name, location);
    if (header.has_pieces && document.is_object() && document.contains("body")) continue;
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

#include <peal/scene/read_mesh_sequence.h>

#include <fmt/format.h>

#include <optional>

namespace peal::scene {

namespace fs = std::filesystem;
using util::JsonObject;
using util::JsonValue;

namespace {

/// Position of the number in a pattern.
struct NumberField {
  std::size_t begin, length;
  std::size_t digits;  ///< at least so many, with zeros in front
};

std::optional<NumberField> hash_field(const std::string& pattern) {
  const std::size_t begin = pattern.find('#');
  if (begin == std::string::npos) return {};
  const std::size_t end = std::min(pattern.find_first_not_of('#', begin), pattern.size());
  if (pattern.find('#', end) != std::string::npos) return {};
  return NumberField{begin, end - begin, end - begin};
}

/// %d, %4d or %04d as in printf; at most two digits of width.
std::optional<NumberField> percent_field(const std::string& pattern) {
  const std::size_t begin = pattern.find('%');
  if (begin == std::string::npos) return {};
  std::size_t end = begin + 1, digits = 0;
  while (end < pattern.size() && end < begin + 4 && std::isdigit(pattern[end]) != 0) {
    digits = 10 * digits + static_cast<std::size_t>(pattern[end++] - '0');
  }
  if (end == pattern.size() || pattern[end] != 'd' || digits > 20) return {};
  if (pattern.find('%', end) != std::string::npos) return {};
  return NumberField{begin, end + 1 - begin, std::max<std::size_t>(digits, 1)};
}

std::optional<NumberField> number_field(const std::string& pattern) {
  const bool hash = pattern.find('#') != std::string::npos;
  const bool percent = pattern.find('%') != std::string::npos;
  if (hash == percent) return {};
  return hash ? hash_field(pattern) : percent_field(pattern);
}

void report_missing(const JsonValue& value, const std::vector<std::string>& missing,
                    std::size_t total) {
  std::string names;
  for (std::size_t i = 0; i < missing.size() && i < 3; ++i) {
    names += (i > 0 ? ", " : "") + missing[i];
  }
  if (missing.size() > 3) names += ", ...";
  value.report(fmt::format("{} of {} files are missing: {}", missing.size(), total, names),
               "Check \"first\", \"last\" and \"step\"; paths are relative to the scene file.");
}

}  // namespace

std::string numbered_name(const std::string& pattern, std::int64_t frame) {
  const auto field = number_field(pattern);
  if (!field) return {};
  const std::string number = fmt::format("{:0{}}", frame, field->digits);
  return pattern.substr(0, field->begin) + number + pattern.substr(field->begin + field->length);
}

MeshSequence read_mesh_sequence(const JsonValue& value, const ReadContext& context) {
  const std::size_t problems = value.problems().count();
  JsonObject object(value, "a mesh sequence");
  const auto pattern = object.require("pattern", "\"pattern\": \"cloth.####.ply\"");
  const std::string text = pattern ? pattern->text("a file name with #### for the number") : "#";
  if (!text.empty() && numbered_name(text, 0).empty()) {
    pattern->report("needs one placeholder for the frame number",
                    "Write cloth.####.ply or cloth.%04d.ply.");
  }
  const auto integer = [&](std::optional<JsonValue> found, std::int64_t min,
                           std::int64_t fallback) {
    return found ? found->integer(min, 10'000'000) : fallback;
  };
  const auto first = integer(object.require("first", "\"first\": 1"), 0, 0);
  const auto last = integer(object.require("last", "\"last\": 48"), 0, 0);
  const auto step = integer(object.find("step"), 1, 1);

  // The sequence may have its own clock.
  ReadContext clock;
  clock.fps = context.fps;
  if (const auto fps = object.find("fps")) {
    clock.fps = fps->number({.min = 0.1, .max = 1e5, .unit = "1/s"});
  }
  clock.frame_start = object.number("frame_start", {-1e6, 1e6}, context.frame_start);
  object.finish();
  if (last < first) {
    value.report(fmt::format("the last frame, {}, is before the first, {}", last, first));
  }
  if ((last - first) / step >= 100'000) {
    value.report("more than 100000 files", "Use a larger \"step\".");
  }
  frame_time(value, 0.0, clock);  // reports a missing fps once
  if (value.problems().count() != problems) return {};

  MeshSequence sequence;
  std::vector<std::string> missing;
  for (std::int64_t frame = first; frame <= last; frame += step) {
    const std::string name = numbered_name(text, frame);
    sequence.files.push_back((context.base_dir / name).lexically_normal());
    sequence.times.push_back(frame_time(value, static_cast<double>(frame), clock));
    std::error_code error;
    const bool found =
        !context.base_dir.empty() && fs::is_regular_file(sequence.files.back(), error);
    if (!found) missing.push_back(name);
  }
  if (!missing.empty()) report_missing(*pattern, missing, sequence.files.size());
  return sequence;
}

}  // namespace peal::scene

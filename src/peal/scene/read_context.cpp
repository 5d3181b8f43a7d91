#include <peal/scene/read_context.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

namespace peal::scene {

namespace fs = std::filesystem;
using geometry::Vec3;

namespace {

/// `Did you mean "mug.obj"?` from the names beside a file that is not there.
std::string similar_file(const fs::path& missing) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(missing.parent_path(), error), end;
       !error && entry != end && names.size() < 1000; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  const std::string nearest = util::nearest_word(missing.filename().string(), names);
  return nearest.empty() ? "Paths are relative to the scene file."
                         : fmt::format("Did you mean \"{}\"?", nearest);
}

}  // namespace

fs::path existing_file(const util::JsonValue& value, const std::string& name,
                       const ReadContext& context) {
  if (name.empty()) return {};
  if (context.base_dir.empty()) {
    value.report(fmt::format("the file \"{}\" cannot be read: this scene has no folder", name));
    return {};
  }
  const fs::path path = (context.base_dir / name).lexically_normal();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status)) return path;
  if (fs::exists(status)) {
    value.report(fmt::format("\"{}\" is not a file", name));
  } else {
    value.report(fmt::format("no such file: {}", path.string()), similar_file(path));
  }
  return {};
}

double frame_time(const util::JsonValue& value, double frame, const ReadContext& context) {
  if (context.fps) return (frame - context.frame_start) / *context.fps;
  value.report("frames need the scene's frame rate", "Add \"fps\": 24 at the top of the scene.");
  return frame;
}

Vec3 read_position(const util::JsonValue& value) {
  const auto x = value.numbers(3, "a position [x, y, z] in metres", {-1e6, 1e6, "m"});
  return {x[0], x[1], x[2]};
}

geometry::Box read_box(const util::JsonValue& value) {
  util::JsonObject object(value, "a box, {\"min\": [x, y, z], \"max\": [x, y, z]}");
  const std::size_t problems = value.problems().count();
  const auto low = object.require("min", "\"min\": [-1, -1, -1], the lowest corner");
  const auto high = object.require("max", "\"max\": [1, 1, 1], the highest corner");
  const Vec3 min = low ? read_position(*low) : Vec3::Zero();
  const Vec3 max = high ? read_position(*high) : Vec3::Ones();
  object.finish();
  const bool empty = (min.array() >= max.array()).any();
  if (!empty) return {min, max};
  if (value.problems().count() == problems) {
    value.report("the box is empty", "Each number of \"min\" must be below that of \"max\".");
  }
  return {Vec3::Zero(), Vec3::Ones()};
}

Vec3 read_direction(const util::JsonValue& value) {
  const auto x = value.numbers(3, "a direction [x, y, z]", {-1e6, 1e6});
  const Vec3 direction(x[0], x[1], x[2]);
  if (direction.norm() > 1e-9) return direction.normalized();
  value.report("has no direction", "Give a vector that is not zero, like [0, 1, 0].");
  return Vec3::UnitY();
}

}  // namespace peal::scene

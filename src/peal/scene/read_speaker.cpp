#include <peal/geometry/box_split.h>
#include <peal/geometry/read_obj.h>
#include <peal/scene/read_signal.h>
#include <peal/scene/read_sound.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::scene {

using geometry::Vec3;
using util::JsonObject;
using util::JsonValue;

namespace {

std::string corner(const Vec3& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z());
}

std::string read_group(const JsonValue& value, const SoundingSurface& surface) {
  const std::string label = value.text("the name of a group of faces");
  if (!surface.mesh || label.empty()) return label;
  const std::vector<std::string>& groups = surface.mesh->groups;
  if (groups.empty()) {
    value.report(fmt::format("the mesh has no groups, so none is called \"{}\"", label),
                 "Name faces by their numbers, or by a box around them.");
  } else if (std::ranges::none_of(
                 groups, [&](const auto& group) { return geometry::has_label(group, label); })) {
    value.report(fmt::format("the mesh has no group called \"{}\"", label),
                 util::suggest(label, groups));
  }
  return label;
}

std::vector<std::uint32_t> read_numbers(const JsonValue& value, const SoundingSurface& surface) {
  std::vector<std::uint32_t> faces;
  for (const JsonValue& item : value.list(1, "a list of face numbers")) {
    const std::size_t problems = value.problems().count();
    faces.push_back(static_cast<std::uint32_t>(item.integer(0, 4294967294)));
    if (value.problems().count() != problems || !surface.mesh) continue;
    const std::size_t count = surface.mesh->triangles.size();
    if (faces.back() < count) continue;
    item.report(fmt::format("there is no face {}: the mesh has {} triangles", faces.back(), count),
                fmt::format("They are counted from 0: the last one is {}.", count - 1));
  }
  return faces;
}

geometry::Box read_patch_box(const JsonValue& value, const SoundingSurface& surface) {
  const std::size_t problems = value.problems().count();
  JsonObject object(value, "a group, a list of face numbers, or {\"box\": {...}}");
  const auto found = object.require("box", "\"box\": {\"min\": [...], \"max\": [...]}");
  const geometry::Box box = found ? read_box(*found) : geometry::Box(Vec3::Zero(), Vec3::Ones());
  object.finish();
  if (value.problems().count() != problems || !surface.mesh) return box;
  if (surface.deforms) {
    value.report("a box marks no faces on a surface that deforms: they would move out of it",
                 "Name them by their group or their numbers.");
  } else if (const auto split = geometry::split_by_box(*surface.mesh, box);
             std::ranges::none_of(split.inside, [](bool inside) { return inside; })) {
    const geometry::Box bounds = geometry::bounds(*surface.mesh);
    value.report("the box holds no part of the surface",
                 fmt::format("The object reaches from {} to {} m in its own frame.",
                             corner(bounds.min()), corner(bounds.max())));
  }
  return box;
}

Faces read_faces(const JsonValue& value, const SoundingSurface& surface) {
  if (value.json().is_string()) return read_group(value, surface);
  if (value.json().is_array()) return read_numbers(value, surface);
  return read_patch_box(value, surface);
}

}  // namespace

SpeakerSound read_speaker(const JsonValue& value, const SoundingSurface& surface,
                          const ReadContext& context) {
  JsonObject object(value, "a speaker");
  SpeakerSound speaker{.signal = read_signal(object, context)};
  if (!surface.given) {
    value.report("a speaker is part of a surface, and this object has none",
                 "Give the object a \"mesh\" or a \"shape\".");
  }
  if (const auto faces = object.find("faces")) speaker.faces = read_faces(*faces, surface);
  speaker.acceleration = object.number(
      "acceleration",
      {.min = 0, .max = 1e6, .unit = "m/s^2", .reason = "a hundred thousand times that of a fall"},
      speaker.acceleration);
  const PlayingTime time = read_playing_time(object, context);
  speaker.start = time.start;
  speaker.duration = time.duration;
  object.finish();
  return speaker;
}

}  // namespace peal::scene

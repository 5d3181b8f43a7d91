#include <peal/scene/read_motion.h>
#include <peal/scene/read_object.h>

#include <fmt/format.h>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

/// `motion`, or a pose that stays.
MotionPath read_place(JsonObject& object, ReadContext& context, const NodeDefaults* node) {
  if (node != nullptr) {
    static const std::vector<std::string> keys = {"position", "rotation", "look_at", "motion"};
    refuse_keys_of_node(object, keys);
    return node->motion;
  }
  const auto motion = object.find("motion");
  MotionPath path;
  if (!motion) {
    path.chain.push_back(read_pose(object));
    return path;
  }
  for (const char* key : {"position", "rotation", "look_at"}) {
    if (const auto value = object.find(key)) {
      value->report("\"motion\" is given as well: it already says where the listener is",
                    fmt::format("Keep one of the two; keyframes have their own \"{}\".", key));
    }
  }
  return read_motion(*motion, context);
}

}  // namespace

Listener read_listener(const JsonValue& value, std::size_t index, ReadContext& context,
                       const NodeDefaults* node) {
  JsonObject object(value, "a listener");
  Listener listener;
  listener.location = value.path();
  listener.name =
      read_name(object, node != nullptr ? node->name : fmt::format("listener-{}", index));
  static const std::vector<std::string> kinds = {"mono", "stereo"};
  if (const auto kind = object.one_of(kinds, "\"stereo\": {\"position\": [0, 1.7, 2]}")) {
    JsonObject location(kind->value, "a listener's place");
    listener.motion = read_place(location, context, node);
    if (kind->key == "stereo") {
      listener.kind = Listener::Kind::stereo;
      listener.ear_distance = location.number(
          "ear_distance", {.min = 0.01, .max = 100, .unit = "m"}, listener.ear_distance);
    }
    location.finish();
  }
  object.finish();
  return listener;
}

}  // namespace peal::scene

#include <peal/scene/read_motion.h>
#include <peal/scene/read_object.h>
#include <peal/scene/read_sofa.h>
#include <peal/util/error.h>

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

/// The ears of a binaural listener: a SOFA file, or the default set.
void read_head(JsonObject& keys, ReadContext& context, Listener& listener) {
  listener.kind = Listener::Kind::binaural;
  const auto hrtf = keys.find("hrtf");
  const auto file =
      hrtf ? existing_file(*hrtf, hrtf->text("the name of a SOFA file"), context) : default_head();
  if (const auto equalisation = keys.find("equalisation")) {
    const std::vector<std::string> words = {"diffuse_field", "none"};
    listener.equalisation = equalisation->word(words) == "none"
                                ? Listener::Equalisation::none
                                : Listener::Equalisation::diffuse_field;
  }
  if (file.empty()) return;
  try {
    listener.head = std::make_shared<base::MeasuredHead>(read_sofa(file));
  } catch (const util::InputError& error) {
    const JsonValue& at = hrtf ? *hrtf : keys.value();
    at.report(fmt::format("{}: {}", error.location().file, error.problem()), error.hint());
  }
}

}  // namespace

Listener read_listener(const JsonValue& value, std::size_t index, ReadContext& context,
                       const NodeDefaults* node) {
  JsonObject object(value, "a listener");
  Listener listener;
  listener.location = value.path();
  listener.name =
      read_name(object, node != nullptr ? node->name : fmt::format("listener-{}", index));
  static const std::vector<std::string> kinds = {"mono", "stereo", "binaural", "ambisonic"};
  if (const auto kind = object.one_of(kinds, "\"stereo\": {\"position\": [0, 1.7, 2]}")) {
    JsonObject location(kind->value, "a listener's place");
    listener.motion = read_place(location, context, node);
    if (kind->key == "stereo") {
      listener.kind = Listener::Kind::stereo;
      listener.ear_distance = location.number(
          "ear_distance", {.min = 0.01, .max = 100, .unit = "m"}, listener.ear_distance);
    }
    if (kind->key == "binaural") read_head(location, context, listener);
    if (kind->key == "ambisonic") {
      listener.kind = Listener::Kind::ambisonic;
      if (const auto order = location.find("order"))
        listener.order = static_cast<int>(order->integer(1, 3));
    }
    location.finish();
  }
  object.finish();
  return listener;
}

}  // namespace peal::scene

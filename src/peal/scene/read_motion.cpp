#include <peal/scene/gltf_source.h>
#include <peal/scene/read_motion.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::scene {

using geometry::Quat;
using geometry::Vec3;
using util::JsonObject;
using util::JsonValue;

namespace {

const std::vector<std::string> interpolations = {"linear", "step", "smooth"};

Quat read_quaternion(const JsonValue& value) {
  const auto x = value.numbers(4, "a quaternion [x, y, z, w]", {-1.01, 1.01});
  const Quat rotation(x[3], x[0], x[1], x[2]);
  if (std::abs(rotation.norm() - 1.0) < 0.01) return rotation.normalized();
  if (value.json().is_array() && value.json().size() == 4) {
    value.report(fmt::format("the quaternion has length {:.4g}", rotation.norm()),
                 "Its length must be 1; or write {\"axis\": [0, 1, 0], \"degrees\": 90}.");
  }
  return Quat::Identity();
}

/// The rotation of a pose: `rotation`, or `look_at` from the pose's position.
std::optional<Turn> read_orientation(JsonObject& object, const std::optional<Vec3>& position) {
  static const std::vector<std::string> keys = {"rotation", "look_at"};
  const auto choice = object.one_of(keys, "");
  if (!choice) return {};
  if (choice->key == "rotation") return read_rotation(choice->value);

  const Vec3 target = read_position(choice->value);
  const Vec3 from = position.value_or(Vec3::Zero());
  if ((target - from).norm() < 1e-9) {
    choice->value.report("the point to look at is the position itself", "Look at another point.");
    return Turn{};
  }
  return Turn{look_at(from, target), {}, 0.0};
}

/// The keys of a list of keyframes, sorted into those of position and of rotation.
struct Keys {
  std::vector<double> position_times, rotation_times;  ///< [s]
  std::vector<Vec3> positions;
  std::vector<Turn> turns;
};

double read_key_time(JsonObject& key, const ReadContext& context) {
  static const std::vector<std::string> names = {"t", "frame"};
  const auto choice = key.one_of(names, "\"t\": 1.5 in seconds, or \"frame\": 36");
  if (!choice) return 0.0;
  if (choice->key == "t") return choice->value.number({-1e6, 1e6, "s"});
  return frame_time(choice->value, choice->value.number({-1e9, 1e9}), context);
}

Keys read_keys(const JsonValue& list, const ReadContext& context) {
  Keys keys;
  double previous = -1e300;
  for (const JsonValue& item : list.list(1, "a list of keyframes")) {
    const std::size_t problems = item.problems().count();
    JsonObject key(item, "a keyframe");
    const double t = read_key_time(key, context);
    std::optional<Vec3> position;
    if (const auto value = key.find("position")) position = read_position(*value);
    if (const auto target = key.find("look_at"); target && !position) {
      target->report("there is no position to look from",
                     "Give the position in the same keyframe, or a rotation instead.");
    }
    const auto turn = read_orientation(key, position);
    key.finish();

    const bool clean = item.problems().count() == problems;
    if (clean && t <= previous) {
      item.report(fmt::format("its time {:.6g} s is not after that of the key before, {:.6g} s", t,
                              previous),
                  "Sort the keyframes by time; each time may occur once.");
    }
    if (clean && !position && !turn) {
      item.report("the keyframe has neither a position nor a rotation",
                  "For example: {\"t\": 0, \"position\": [0, 1, 0]}");
    }
    if (clean) previous = std::max(previous, t);
    if (position) keys.position_times.push_back(t), keys.positions.push_back(*position);
    if (turn) keys.rotation_times.push_back(t), keys.turns.push_back(*turn);
  }
  return keys;
}

Track<Eigen::Vector4d> rotation_track(const JsonValue& list, const Keys& keys,
                                      const std::string& interpolation, ReadContext& context) {
  std::vector<Eigen::Vector4d> values;
  for (const Turn& turn : keys.turns) values.push_back(to_track(turn.rotation));
  if (interpolation == "step") {
    return {Interpolation::step, keys.rotation_times, std::move(values), {}, {}};
  }

  std::size_t added = 0;
  for (std::size_t i = 1; i < keys.turns.size(); ++i) {
    const Turn &from = keys.turns[i - 1], &to = keys.turns[i];
    if (std::max(std::abs(from.degrees), std::abs(to.degrees)) >= 360.0 && !shared_turn(from, to)) {
      list.report(
          fmt::format("whole turns about another axis before t = {:.6g} s", keys.rotation_times[i]),
          "Whole turns are only known between two keys about the same axis.");
      return {};
    }
    const int parts = parts_of_turn(from, to);
    added += static_cast<std::size_t>(parts - 1);
    if (parts > 2 && interpolation == "smooth") {
      list.report(fmt::format("a turn of more than 180 degrees before t = {:.6g} s",
                              keys.rotation_times[i]),
                  "\"smooth\" needs a key every half turn; \"linear\" does not.");
      return {};
    }
  }
  if (interpolation == "smooth") return smooth_track(keys.rotation_times, std::move(values));
  if (added > context.left.keys) {
    list.report("turns too often", "A scene may make a million quarter turns.");
    return {};
  }
  context.left.keys -= added;
  return turning_track(keys.rotation_times, keys.turns);
}

MotionPath read_keyframes(const JsonValue& list, const std::string& interpolation,
                          ReadContext& context) {
  const std::size_t problems = list.problems().count();
  const Keys keys = read_keys(list, context);
  if (list.problems().count() != problems) return {};

  AnimatedTransform transform;
  if (interpolation == "smooth") {
    transform.translation = smooth_track(keys.position_times, keys.positions);
  } else {
    const auto kind = interpolation == "step" ? Interpolation::step : Interpolation::linear;
    transform.translation = {kind, keys.position_times, keys.positions, {}, {}};
  }
  transform.rotation = rotation_track(list, keys, interpolation, context);
  return {{std::move(transform)}};
}

MotionPath read_circle(const JsonValue& value, ReadContext& context) {
  const std::size_t problems = value.problems().count();
  JsonObject object(value, "a circle");
  Circle circle;
  if (const auto centre = object.find("centre")) circle.centre = read_position(*centre);
  if (const auto axis = object.find("axis")) circle.axis = read_direction(*axis);
  circle.radius =
      object.required_number("radius", {.min = 0, .max = 1e6, .unit = "m", .above_min = true},
                             "\"radius\": 0.4 in metres");
  circle.revolutions_per_second = object.required_number(
      "revolutions_per_second", {-1e4, 1e4, "1/s"}, "\"revolutions_per_second\": 3");
  circle.start_degrees = object.number("start_degrees", {-360, 360, "degrees"}, 0.0);
  object.finish();
  if (value.problems().count() != problems) return {};

  const double keys = circle_keys(circle, context.duration);
  if (keys > static_cast<double>(context.left.keys)) {
    value.report("turns too often for the length of the scene",
                 "A scene may make a million quarter turns.");
    return {};
  }
  context.left.keys -= static_cast<std::size_t>(keys);
  return circle_path(circle, context.duration);
}

MotionPath read_gltf_motion(const JsonValue& value, ReadContext& context) {
  if (value.json().is_string() &&
      value.json().get_ref<const std::string&>().find('#') == std::string::npos) {
    value.report("the node is missing",
                 "Write \"scene.glb#phone\": the file, #, and the node's name.");
    return {};
  }
  const auto source = find_gltf_source(value, context);
  if (!source) return {};
  try {
    return scene_motion(*source->file, source->node, context);
  } catch (const util::InputError& error) {
    value.report(error);
    return {};
  }
}

}  // namespace

Turn read_rotation(const JsonValue& value) {
  if (value.json().is_array()) return {read_quaternion(value), {}, 0.0};
  JsonObject object(value, "a rotation, {\"axis\": [0, 1, 0], \"degrees\": 90} or [x, y, z, w]");
  Turn turn;
  const auto axis = object.require("axis", "{\"axis\": [0, 1, 0], \"degrees\": 90}");
  turn.axis = axis ? read_direction(*axis) : Vec3::UnitY();
  turn.degrees = object.required_number("degrees", {-36000, 36000, "degrees"},
                                        "{\"axis\": [0, 1, 0], \"degrees\": 90}");
  object.finish();
  turn.rotation = Eigen::AngleAxisd(turn.degrees * std::numbers::pi / 180.0, *turn.axis);
  return turn;
}

AnimatedTransform read_pose(JsonObject& object) {
  AnimatedTransform pose;
  std::optional<Vec3> position;
  if (const auto value = object.find("position")) position = read_position(*value);
  if (position) pose.translation = constant_track(*position);
  if (const auto turn = read_orientation(object, position)) {
    pose.rotation = constant_track(to_track(turn->rotation));
  }
  return pose;
}

MotionPath read_motion(const JsonValue& value, ReadContext& context) {
  if (value.json().is_string()) {
    static const std::vector<std::string> words = {"fixed"};
    value.word(words);
    return {};
  }
  JsonObject object(value, "\"fixed\", or a motion");
  static const std::vector<std::string> kinds = {"keyframes", "circle", "gltf"};
  const auto kind = object.one_of(kinds, "");
  MotionPath path;
  if (!kind) {
    path.chain.push_back(read_pose(object));
  } else if (kind->key == "keyframes") {
    const auto chosen = object.find("interpolation");
    path = read_keyframes(kind->value, chosen ? chosen->word(interpolations) : "linear", context);
  } else if (kind->key == "circle") {
    path = read_circle(kind->value, context);
  } else {
    path = read_gltf_motion(kind->value, context);
  }
  object.finish();
  return path;
}

}  // namespace peal::scene

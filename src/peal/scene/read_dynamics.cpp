#include <peal/scene/read_dynamics.h>
#include <peal/scene/read_motion.h>
#include <peal/scene/recognise.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

Vec3 read_vector(JsonObject& keys, const char* key, const util::NumberRange& range,
                 const Vec3& fallback) {
  const auto value = keys.find(key);
  if (!value) return fallback;
  const auto x = value->numbers(3, "three numbers [x, y, z]", range);
  return {x[0], x[1], x[2]};
}

constexpr int most_pieces = 1000;

/// The fillet that fits between two walls this far apart.
double fitting(double fillet, double apart) {
  return std::min(fillet, 0.3 * apart);
}

/// Shortest side of a section off the axis [m].
double thinnest(const geometry::Polygon& section) {
  double side = 1e300;
  for (std::size_t i = 0; i < section.size(); ++i) {
    const Vec2 &a = section[i], &b = section[(i + 1) % section.size()];
    if (a.x() > 0.0 || b.x() > 0.0) side = std::min(side, (b - a).norm());
  }
  return side;
}

}  // namespace

ContactProperties read_contact(const JsonValue& value) {
  JsonObject keys(value, "the contact settings of an object");
  ContactProperties contact;
  contact.friction = keys.number("friction", {.min = 0, .max = 10}, contact.friction);
  contact.restitution = keys.number("restitution", {.min = 0, .max = 1}, contact.restitution);
  contact.rolling_resistance =
      keys.number("rolling_resistance", {.min = 0, .max = 1}, contact.rolling_resistance);
  contact.fillet = keys.number("fillet", {.min = 1e-6, .max = 1, .unit = "m"}, contact.fillet);
  if (const auto word = keys.find("collision")) {
    static const std::vector<std::string> known = {"automatic", "mesh",  "sphere",
                                                   "box",       "lathe", "none"};
    const auto found = std::ranges::find(known, word->word(known));
    if (found != known.end()) contact.collision = static_cast<Collision>(found - known.begin());
  }
  keys.finish();
  return contact;
}

void settle_collision(Object& object, const JsonValue& value) {
  const Collision wanted = object.contact.collision;
  // Deforming and ideal shapes have a surface, but no solid; sheets have no inside. What deformable
  // bodies touch with is the surface of their elements.
  const bool is_solid = object.mesh && !object.is_sheet && !object.has_keyed_shape() &&
                        object.ideal_shape() == nullptr;
  const auto refuse = [&](const char* what) {
    const util::JsonValue location(value.json(), value.path() + ".contact.collision",
                                   value.problems());
    location.report(fmt::format("its mesh is not {}", what),
                    "Let it collide as \"mesh\", or give it a built-in shape.");
  };
  if (wanted == Collision::none || object.deformable() != nullptr) {
    object.collision_shape.reset();
  } else if (is_solid && wanted == Collision::sphere) {
    const auto ball = recognised_ball(*object.mesh);
    if (ball) object.collision_shape = *ball;
    if (!ball) refuse("a sphere");
  } else if (is_solid && wanted == Collision::box) {
    const auto box = recognised_box(*object.mesh);
    if (box) object.collision_shape = *box;
    if (!box) refuse("a box along its axes");
  } else if (is_solid && wanted == Collision::lathe) {
    const auto turned = recognised_turned(*object.mesh);
    if (turned) object.collision_shape = *turned;
    if (!turned) refuse("a solid of revolution");
  } else if (is_solid && (wanted == Collision::mesh || !object.collision_shape)) {
    object.collision_shape = MeshShape{object.mesh, object.contact.fillet};
    if (wanted == Collision::automatic) {
      if (const auto ball = recognised_ball(*object.mesh)) {
        object.collision_shape = *ball;
      } else if (const auto box = recognised_box(*object.mesh)) {
        object.collision_shape = *box;
      } else if (const auto turned = recognised_turned(*object.mesh)) {
        object.collision_shape = *turned;
      }
    }
  }
  if (!object.collision_shape) return;
  if (auto* box = std::get_if<BoxShape>(&*object.collision_shape)) {
    box->fillet = box->fillet > 0.0 ? std::min(box->fillet, 0.499 * box->size.minCoeff())
                                    : fitting(object.contact.fillet, box->size.minCoeff());
    object.contact.fillet = box->fillet;
  } else if (auto* turned = std::get_if<TurnedShape>(&*object.collision_shape)) {
    turned->fillet = fitting(object.contact.fillet, thinnest(turned->section));
    object.contact.fillet = turned->fillet;
  }
}

void check_rigid(const Object& object, bool shape_is_given, const JsonValue& motion) {
  const bool can_fall =
      object.collision_shape && !std::holds_alternative<FloorShape>(*object.collision_shape);
  if (!can_fall && (object.mesh || !shape_is_given)) {
    motion.report(
        shape_is_given ? "a free body of this shape cannot collide" : "a free body needs a shape",
        "Give it a closed mesh or a built-in solid, such as a box.");
  }
  if (!object.material) {
    motion.report("a free body needs a material", "For example: \"material\": \"steel\"");
  }
}

namespace {

JointSettings read_joint(const JsonValue& value) {
  JsonObject keys(value, "a joint of a free body");
  JointSettings joint{.location = value.path()};
  const util::NumberRange location = {.min = -1e4, .max = 1e4, .unit = "m"};
  joint.at = read_vector(keys, "at", location, joint.at);
  keys.require("to", "\"to\": [0, 1, 0]");
  joint.to = read_vector(keys, "to", location, joint.to);
  if (const auto by = keys.find("by")) joint.by = by->text("the name of an object");
  joint.is_string = keys.boolean("string", false);
  keys.finish();
  return joint;
}

/// The list "joints", which was called "held" before.
std::optional<JsonValue> find_joints(JsonObject& keys, ReadContext& context) {
  const std::optional<JsonValue> joints = keys.find("joints"), former = keys.find("held");
  if (!former) return joints;
  if (joints) {
    former->report("is the old name of \"joints\", which is there too", "Remove \"held\".");
    return joints;
  }
  const std::string notice = "the key \"held\" of rigid bodies is now called \"joints\"";
  if (std::ranges::find(context.notices, notice) == context.notices.end())
    context.notices.push_back(notice);
  return former;
}

}  // namespace

Vec3 read_velocity(JsonObject& keys) {
  return read_vector(keys, "velocity", {.min = -300, .max = 300, .unit = "m/s"}, Vec3::Zero());
}

Vec3 read_angular_velocity(JsonObject& keys) {
  return read_vector(keys, "angular_velocity", {.min = -1e4, .max = 1e4, .unit = "rad/s"},
                     Vec3::Zero());
}

namespace {

/// The keys of a free body, its pose at the start included.
RigidMotion read_start(JsonObject& keys, MotionPath& start, ReadContext& context) {
  start.chain.push_back(read_pose(keys));
  RigidMotion rigid;
  rigid.velocity = read_velocity(keys);
  rigid.angular_velocity = read_angular_velocity(keys);
  if (const auto list = find_joints(keys, context)) {
    for (const JsonValue& item : list->list(1, "a list of joints")) {
      rigid.joints.push_back(read_joint(item));
    }
  }
  return rigid;
}

}  // namespace

RigidMotion read_rigid(const JsonValue& value, MotionPath& start, ReadContext& context) {
  JsonObject keys(value, "the start of a free body");
  RigidMotion rigid = read_start(keys, start, context);
  keys.finish();
  return rigid;
}

void read_fracture(const JsonValue& value, Object& object, ReadContext& context) {
  JsonObject keys(value, "how a body breaks");
  Fracture fracture;
  if (const auto pieces = keys.find("pieces"))
    fracture.pieces = static_cast<int>(pieces->integer(2, most_pieces));
  static const std::vector<std::string> limits = {"impulse", "energy"};
  if (const auto limit = keys.one_of(limits, "\"impulse\": 0.1 in newton seconds")) {
    const bool is_impulse = limit->key == "impulse";
    (is_impulse ? fracture.impulse : fracture.energy) = limit->value.number(
        {.min = 0, .max = 1e6, .unit = is_impulse ? "N s" : "J", .above_min = true});
  }
  fracture.concentration = keys.number("concentration", {.min = 0, .max = 10}, 1.0);
  fracture.is_held = keys.boolean("fixed", false);
  for (const char* key : {"velocity", "angular_velocity", "joints"}) {
    const auto moving = fracture.is_held ? keys.find(key) : std::nullopt;
    if (moving)
      moving->report("a body that is fixed does not move", "Remove this key, or \"fixed\".");
  }
  RigidMotion rigid = read_start(keys, object.path, context);
  if (!fracture.is_held) object.motion = std::move(rigid);
  object.fracture = fracture;
  keys.finish();
}

Dynamics read_dynamics(const JsonValue& value, const ReadContext& context) {
  JsonObject keys(value, "the settings of free bodies");
  Dynamics dynamics;
  if (const auto word = keys.find("solver")) {
    static const std::vector<std::string> known = {"smooth", "bullet"};
    if (word->word(known) == "bullet") dynamics.solver = Solver::bullet;
  }
  const util::NumberRange pull = {.min = -1000, .max = 1000, .unit = "m/s^2"};
  dynamics.gravity = read_vector(keys, "gravity", pull, dynamics.gravity);
  dynamics.step = keys.number("step", {.min = 1e-6, .max = 0.005, .unit = "s"}, dynamics.step);
  dynamics.min_speed =
      keys.number("min_speed", {.min = 1e-4, .max = 100, .unit = "m/s"}, dynamics.min_speed);
  if (const auto contacts = keys.find("contacts")) {
    const std::string name = contacts->text("the name of a contact log");
    if (!name.empty()) dynamics.contacts = existing_file(*contacts, name, context);
  }
  dynamics.infer_contacts = keys.boolean("infer_contacts", dynamics.infer_contacts);
  keys.finish();
  return dynamics;
}

}  // namespace peal::scene

#include <peal/geometry/mesh/surface_query.h>
#include <peal/scene/read_object.h>
#include <peal/scene/read_strikes.h>

#include <fmt/format.h>

#include <cmath>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

constexpr std::size_t most_strikes = 10000, most_points = 10000;

double read_time(JsonObject& keys, const ReadContext& context) {
  static const std::vector<std::string> names = {"t", "frame"};
  const auto choice = keys.one_of(names, "\"t\": 0.5 in seconds, or \"frame\": 12");
  if (!choice) return 0.0;
  const double t = choice->key == "t"
                       ? choice->value.number({-1e6, 1e6, "s"})
                       : frame_time(choice->value, choice->value.number({-1e9, 1e9}), context);
  if (t < 0.0 || t >= context.duration) {
    choice->value.report(
        fmt::format("{:g} s is not within the scene", t),
        fmt::format("Strikes are from 0 to the end of the scene at {:g} s.", context.duration));
  }
  return t;
}

void read_force_direction(JsonObject& keys, Strike& strike, const Object& object) {
  const auto direction = keys.find("direction");
  if (!direction) return;
  strike.direction = read_direction(*direction);
  if (object.ideal_shape() != nullptr && std::abs(strike.direction->y()) < 1e-6) {
    direction->report("the force acts along the shape, which moves along Y only",
                      "Give it a part along Y, or leave it out: then it is [0, -1, 0].");
  }
}

void read_patch(JsonObject& keys, Strike& strike) {
  if (const auto radius = keys.find("patch_radius"))
    strike.patch_radius = radius->number({.min = 1e-6, .max = 10, .unit = "m"});
}

void read_force(const JsonValue& value, Strike& strike, const Object& object) {
  JsonObject keys(value, "a force");
  static const std::vector<std::string> strengths = {"impulse", "energy"};
  if (const auto strength =
          keys.one_of(strengths, "\"impulse\": 0.1 in newton seconds, or \"energy\": 0.01")) {
    if (strength->key == "impulse") {
      strike.impulse = strength->value.number({.min = 0, .max = 1e4, .unit = "N s"});
    } else {
      strike.energy = strength->value.number({.min = 0, .max = 1e4, .unit = "J"});
    }
  }
  strike.contact_time =
      keys.number("contact_time", {.min = 1e-6, .max = 0.1, .unit = "s"}, strike.contact_time);
  read_force_direction(keys, strike, object);
  read_patch(keys, strike);
  keys.finish();
}

void read_hammer(const JsonValue& value, Strike& strike, const Object& object) {
  JsonObject keys(value, "a hammer");
  Hammer& hammer = strike.hammer.emplace();
  hammer.restitution = object.contact.restitution;
  hammer.speed = keys.required_number("speed", {.min = 1e-3, .max = 100, .unit = "m/s"},
                                      "\"speed\": 2 in metres per second");
  hammer.mass = keys.required_number("mass", {.min = 1e-6, .max = 1e4, .unit = "kg"},
                                     "\"mass\": 0.02 in kilograms");
  hammer.radius = keys.required_number("radius", {.min = 1e-4, .max = 10, .unit = "m"},
                                       "\"radius\": 0.01 of its end in metres");
  if (const auto material = keys.require("material", "\"material\": \"oak\" of the hammer"))
    hammer.material = read_material(*material);
  hammer.restitution = keys.number("restitution", {.min = 0, .max = 1}, hammer.restitution);
  read_force_direction(keys, strike, object);
  read_patch(keys, strike);
  keys.finish();
}

void read_pluck(const JsonValue& value, Strike& strike, const Object& object) {
  JsonObject keys(value, "a pluck");
  Pluck& pluck = strike.pluck.emplace();
  static const std::vector<std::string> strengths = {"displacement", "force"};
  if (const auto strength =
          keys.one_of(strengths, "\"displacement\": 0.002 in metres, or \"force\": 1")) {
    if (strength->key == "displacement") {
      pluck.displacement = strength->value.number({.min = 0, .max = 1, .unit = "m"});
    } else {
      pluck.force = strength->value.number({.min = 0, .max = 1e5, .unit = "N"});
    }
  }
  pluck.release_time =
      keys.number("release_time", {.min = 1e-6, .max = 0.1, .unit = "s"}, pluck.release_time);
  read_force_direction(keys, strike, object);
  read_patch(keys, strike);
  keys.finish();
}

void read_initial(const JsonValue& value, Strike& strike, const Object& object) {
  JsonObject keys(value, "an initial motion");
  InitialMotion& initial = strike.initial.emplace();
  static const std::vector<std::string> kinds = {"displacement", "velocity"};
  const auto kind = keys.one_of(kinds, "\"displacement\": [[-0.3, 0], [0.1, 0.002], [0.3, 0]]");
  keys.finish();
  if (object.ideal_shape() == nullptr) {
    value.report("only strings, bars, membranes and plates can begin with a shape",
                 "Use a \"pluck\": it begins with the shape that a force holds the body in.");
  }
  if (!kind) return;
  initial.is_velocity = kind->key == "velocity";
  const auto list = kind->value.list(2, "points [x, y], at least two");
  if (list.size() > most_points) {
    kind->value.report(fmt::format("{} points are too many", list.size()),
                       fmt::format("Give at most {}.", most_points));
    return;
  }
  for (const JsonValue& item : list) {
    const auto point = item.numbers(2, "two numbers [x, y]", {.min = -1000, .max = 1000});
    if (!initial.profile.empty() && point[0] <= initial.profile.back().x())
      item.report("the points are not in ascending order", "Each x must exceed the one before.");
    initial.profile.emplace_back(point[0], point[1]);
  }
}

void read_cause(JsonObject& keys, Strike& strike, const Object& object) {
  static const std::vector<std::string> causes = {"force", "hammer", "pluck", "initial"};
  const auto cause = keys.one_of(causes, "\"force\": {\"impulse\": 0.1}");
  if (!cause) return;
  if (cause->key == "force") read_force(cause->value, strike, object);
  if (cause->key == "hammer") read_hammer(cause->value, strike, object);
  if (cause->key == "pluck") read_pluck(cause->value, strike, object);
  if (cause->key == "initial") read_initial(cause->value, strike, object);
}

/// Checks that `at` is near the surface: the nearest point of the surface is struck.
void check_place(const JsonValue& value, const Vec3& at, const Object& object,
                 const geometry::SurfaceQuery& surface) {
  const geometry::Box bounds = geometry::bounds(*object.mesh);
  const double allowed = 0.05 * bounds.diagonal().norm();
  const double distance = surface.closest_point(at).distance;
  if (distance <= allowed) return;
  value.report(fmt::format("the point is {:.3g} m away from the object", distance),
               fmt::format("Points are in the object's own frame, where it reaches from ({:.3g}, "
                           "{:.3g}, {:.3g}) to ({:.3g}, {:.3g}, {:.3g}) m.",
                           bounds.min().x(), bounds.min().y(), bounds.min().z(), bounds.max().x(),
                           bounds.max().y(), bounds.max().z()));
}

}  // namespace

std::vector<Strike> read_strikes(const JsonValue& value, const Object& object,
                                 const ReadContext& context) {
  std::vector<Strike> strikes;
  const auto list = value.list(1, "a list of strikes");
  if (list.size() > most_strikes) {
    value.report(fmt::format("{} strikes are too many", list.size()),
                 fmt::format("Give at most {}.", most_strikes));
    return strikes;
  }
  std::optional<geometry::SurfaceQuery> surface;
  if (object.mesh && !object.mesh->triangles.empty()) surface.emplace(*object.mesh);
  for (const JsonValue& item : list) {
    JsonObject keys(item, "a strike");
    Strike strike;
    strike.t = read_time(keys, context);
    read_cause(keys, strike, object);
    const char* const example = "\"at\": [0, 0, 0.1], a point of the object";
    if (const auto at = strike.initial ? keys.find("at") : keys.require("at", example)) {
      const std::size_t problems = at->problems().count();
      strike.at = read_position(*at);
      if (surface && at->problems().count() == problems) {
        check_place(*at, strike.at, object, *surface);
      }
    }
    keys.finish();
    strikes.push_back(strike);
  }
  return strikes;
}

}  // namespace peal::scene

#include <peal/geometry/mesh/surface_query.h>
#include <peal/scene/read_strikes.h>

#include <fmt/format.h>

#include <cmath>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

constexpr std::size_t most_strikes = 10000;

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
  if (const auto direction = keys.find("direction")) {
    strike.direction = read_direction(*direction);
    if (object.ideal_shape() != nullptr && std::abs(strike.direction->y()) < 1e-6) {
      direction->report("the force acts along the shape, which moves along Y only",
                        "Give it a part along Y, or leave it out: then it is [0, -1, 0].");
    }
  }
  keys.finish();
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
    if (const auto at = keys.require("at", "\"at\": [0, 0, 0.1], a point of the object")) {
      const std::size_t problems = at->problems().count();
      strike.at = read_position(*at);
      if (surface && at->problems().count() == problems) {
        check_place(*at, strike.at, object, *surface);
      }
    }
    if (const auto force = keys.require("force", "\"force\": {\"impulse\": 0.1}")) {
      read_force(*force, strike, object);
    }
    keys.finish();
    strikes.push_back(strike);
  }
  return strikes;
}

}  // namespace peal::scene

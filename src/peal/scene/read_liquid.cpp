#include <peal/scene/read_liquid.h>
#include <peal/scene/shape_recipe.h>
#include <peal/util/random.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

constexpr double gravity = 9.81;  // [m/s^2]
constexpr std::size_t most_drops = 100'000;
constexpr double most_vertices = 200'000.0;

/// Streams of random numbers, apart from those of sounds.
constexpr std::uint64_t drip_stream = 0x6c697175, rain_stream = 0x7261696e;

/// The inside of the container: "profile", or "radius" and "height".
std::vector<Vec2> read_container(JsonObject& keys) {
  static const std::vector<std::string> kinds = {"radius", "profile"};
  const auto kind = keys.one_of(kinds, "\"radius\": 0.03, the inside of a round container");
  if (!kind) return {};
  if (kind->key == "radius") {
    const double radius = kind->value.number(shape_length);
    const double height = keys.required_number("height", shape_length, "\"height\": 0.12");
    return {{0.0, 0.0}, {radius, 0.0}, {radius, height}};
  }
  std::vector<Vec2> profile =
      read_corners(kind->value, 2, "points [r, y] of the inside, from the bottom to the rim", 0.0);
  if (profile.size() < 2) return {};
  if (profile.front().x() != 0.0)
    kind->value.report(fmt::format("begins at r = {:g} m, not on the axis", profile.front().x()),
                       "Begin with the middle of the bottom, [0, y].");
  for (std::size_t i = 1; i < profile.size(); ++i) {
    if (profile[i].y() >= profile[i - 1].y() && (profile[i] - profile[i - 1]).norm() > 0.0)
      continue;
    kind->value.report(fmt::format("point {} is not above the one before", i),
                       "Give the inside from its bottom to its rim.");
    break;
  }
  if (!(profile.back().y() > profile.front().y()))
    kind->value.report("the inside has no height", "Give points up to the rim.");
  return profile;
}

Vec2 read_spot(JsonObject& keys) {
  const auto at = keys.find("at");
  if (!at) return Vec2::Zero();
  const auto x = at->numbers(2, "a place [x, z] on the surface", {-1e4, 1e4, "m"});
  return {x[0], x[1]};
}

constexpr util::NumberRange drop_size = {.min = 1e-4, .max = 0.02, .unit = "m"};
constexpr util::NumberRange fall_height = {.min = 1e-3, .max = 20.0, .unit = "m"};

/// Drops that fall from a faucet, with jitter.
void read_drip(const JsonValue& value, LiquidBody& liquid, const ReadContext& context) {
  JsonObject keys(value, "a drip");
  const double diameter = keys.number("diameter", drop_size, 0.0046);
  const double height = keys.number("height", fall_height, 0.085);
  const double period = keys.number("period", {.min = 0.02, .max = 1e4, .unit = "s"}, 0.7);
  const double start = keys.number("start", {-1e6, 1e6, "s"}, 0.0);
  const double jitter = keys.number("jitter", {.min = 0.0, .max = 0.5}, 0.05);
  const Vec2 spot = read_spot(keys);
  std::int64_t count = static_cast<std::int64_t>(most_drops);
  if (const auto drops = keys.find("count")) count = drops->integer(1, count);
  keys.finish();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto random = [&](std::uint64_t what) {
      const double u =
          util::random_uniform(context.seed, drip_stream + what, static_cast<std::uint64_t>(i));
      return 1.0 + jitter * (2.0 * u - 1.0);
    };
    const double falls = height * random(0);
    LiquidDrop drop{.at = spot, .diameter = diameter * random(1)};
    drop.speed = std::sqrt(2.0 * gravity * falls);
    drop.time = start + period * (static_cast<double>(i) + random(2) - 1.0) + drop.speed / gravity;
    if (drop.time > context.duration) break;
    liquid.drops.push_back(drop);
  }
}

/// Single drops, each with its own time and size.
void read_drops(const JsonValue& value, LiquidBody& liquid) {
  for (const JsonValue& item : value.list(1, "a list of drops")) {
    JsonObject keys(item, "a drop");
    LiquidDrop drop;
    drop.time = keys.required_number("t", {-1e6, 1e6, "s"}, "\"t\": 0.5, of its impact");
    drop.diameter = keys.number("diameter", drop_size, 0.0046);
    drop.speed = std::sqrt(2.0 * gravity * keys.number("height", fall_height, 0.085));
    drop.at = read_spot(keys);
    keys.finish();
    liquid.drops.push_back(drop);
  }
}

/// Rain of a rate [mm/h]: sizes after Marshall & Palmer 1948, n(D) = 8000 exp(-4.1 R^-0.21 D) per
/// m^3 and mm, which fall at v(D) = 9.65 - 10.3 exp(-0.6 D) m/s (Atlas, Srivastava & Sekhon 1973),
/// D in mm. Drops below 0.5 mm are left out.
void read_rain(const JsonValue& value, LiquidBody& liquid, const ReadContext& context) {
  JsonObject keys(value, "rain");
  const double rate = keys.required_number("rate", {.min = 0.1, .max = 300.0, .unit = "mm/h"},
                                           "\"rate\": 20 in millimetres per hour");
  keys.finish();
  if (liquid.container.empty()) return;
  constexpr double smallest = 0.5, largest = 6.0, step = 0.05;  // [mm]
  std::vector<double> flux;                                     // cumulative [1/(m^2 s)]
  double total = 0.0;
  for (double d = smallest; d < largest; d += step) {
    const double number = 8000.0 * std::exp(-4.1 * std::pow(rate, -0.21) * d);
    total += number * (9.65 - 10.3 * std::exp(-0.6 * d)) * step;
    flux.push_back(total);
  }
  const double radius = liquid.radius_at(liquid.level);
  const double per_second = total * std::numbers::pi * radius * radius;
  double t = 0.0;
  for (std::uint64_t i = 0; liquid.drops.size() < most_drops; ++i) {
    const auto random = [&](std::uint64_t what) {
      return util::random_uniform(context.seed, rain_stream + what, i);
    };
    t -= std::log(1.0 - random(0)) / per_second;
    if (t > context.duration) return;
    const auto bin = std::ranges::lower_bound(flux, random(1) * total);
    const double d = smallest + step * (static_cast<double>(bin - flux.begin()) + random(2));
    const double r = radius * std::sqrt(random(3)), angle = 2.0 * std::numbers::pi * random(4);
    liquid.drops.push_back({.time = t,
                            .at = {r * std::cos(angle), r * std::sin(angle)},
                            .diameter = 1e-3 * d,
                            .speed = 9.65 - 10.3 * std::exp(-0.6 * d)});
  }
  value.report(fmt::format("makes more than {} drops", most_drops),
               "Use a smaller surface, a lower rate or a shorter scene.");
}

void read_pour(const JsonValue& value, LiquidBody& liquid, const ReadContext& context) {
  const std::size_t problems = value.problems().count();
  JsonObject keys(value, "a pour");
  LiquidJet jet;
  const double flow = keys.required_number("flow", {.min = 1e-7, .max = 0.1, .unit = "m^3/s"},
                                           "\"flow\": 5e-5, three litres a minute");
  jet.nozzle_radius = keys.number("nozzle_radius", {.min = 2e-4, .max = 0.1, .unit = "m"}, 0.004);
  jet.nozzle_height = keys.required_number("nozzle_height", {-1e4, 1e4, "m"},
                                           "\"nozzle_height\": 0.25, y in the object's frame");
  jet.nozzle_speed = flow / (std::numbers::pi * jet.nozzle_radius * jet.nozzle_radius);
  jet.begin = keys.number("start", {-1e6, 1e6, "s"}, 0.0);
  jet.end =
      jet.begin + keys.number("duration", {.min = 0, .max = 1e6, .unit = "s", .above_min = true},
                              std::max(context.duration - jet.begin, 1e-3));
  keys.finish();
  if (value.problems().count() != problems || liquid.container.empty()) return;
  if (jet.nozzle_height <= liquid.rim() && jet.nozzle_height <= liquid.level) {
    value.report("the nozzle is not above the liquid", "Give a larger \"nozzle_height\".");
    return;
  }
  liquid.jet = jet;
  const double room = liquid.volume_below(liquid.rim()) - liquid.volume_below(liquid.level);
  const double full = liquid.jet_arrives() + room / flow;
  if (full < std::min(context.duration, liquid.jet_ends())) {
    value.report(fmt::format("the container overflows at {:.3g} s", full),
                 fmt::format("Set \"duration\" to {:.3g} or less, a smaller \"flow\", or a larger "
                             "container.",
                             room / flow));
  } else if (jet.nozzle_height <= liquid.level_at(context.duration)) {
    value.report("the liquid reaches the nozzle", "Give a larger \"nozzle_height\".");
  } else if (jet.radius_at(liquid.level) >= liquid.radius_at(liquid.level)) {
    value.report("the jet is wider than the container", "Give a smaller \"nozzle_radius\".");
  }
}

void check_drops(const JsonValue& value, const LiquidBody& liquid) {
  for (const LiquidDrop& drop : liquid.drops) {
    const double radius = liquid.radius_at(liquid.level_at(drop.time));
    if (drop.at.norm() <= radius) continue;
    value.report(fmt::format("a drop falls {:.3g} m from the axis, and the surface has a radius of "
                             "{:.3g} m",
                             drop.at.norm(), radius),
                 "Move \"at\" towards [0, 0].");
    return;
  }
}

}  // namespace

ObjectShape read_liquid(const JsonValue& value, ReadContext& context) {
  const std::size_t problems = value.problems().count();
  JsonObject keys(value, "a liquid");
  LiquidBody liquid;
  liquid.container = read_container(keys);
  liquid.level = keys.required_number("level", {-1e4, 1e4, "m"},
                                      "\"level\": 0.05, y of the surface in the object's frame");
  liquid.overlap = keys.number("overlap", {.min = 0.0, .max = 1.0, .unit = "m"}, liquid.overlap);
  if (!liquid.container.empty() && value.problems().count() == problems) {
    const double bottom = liquid.container.front().y();
    if (liquid.level <= bottom || liquid.level > liquid.rim())
      value.report(fmt::format("the level, {:g} m, is not between the bottom and the rim, {:g} and "
                               "{:g} m",
                               liquid.level, bottom, liquid.rim()),
                   "Give a \"level\" between them.");
  }
  if (value.problems().count() != problems) liquid.container.clear();
  double widest = 0.0;
  for (const Vec2& point : liquid.container) widest = std::max(widest, point.x());
  liquid.edge_length = keys.number("edge_length", shape_length, std::max(widest / 24.0, 1e-3));
  static constexpr std::array kinds = {"drip", "drops", "rain", "pour"};
  for (const char* kind : kinds) {
    const auto found = keys.find(kind);
    if (!found) continue;
    const std::string key = kind;
    if (key == "drip") read_drip(*found, liquid, context);
    if (key == "drops") read_drops(*found, liquid);
    if (key == "rain") read_rain(*found, liquid, context);
    if (key == "pour") read_pour(*found, liquid, context);
  }
  keys.finish();
  ObjectShape shape{.source = "a liquid in a round container"};
  if (value.problems().count() != problems || liquid.container.empty()) return shape;
  std::ranges::stable_sort(liquid.drops, {}, &LiquidDrop::time);
  check_drops(value, liquid);
  const double vertices =
      2.0 * std::numbers::pi * widest * widest / (liquid.edge_length * liquid.edge_length);
  if (vertices > most_vertices) {
    value.report(fmt::format("the surface has about {:.2g} vertices", vertices),
                 "Give a larger \"edge_length\".");
    return shape;
  }
  shape.mesh = std::make_shared<const geometry::TriMesh>(liquid_mesh(liquid, false, 0.0));
  shape.geometry = std::move(liquid);
  shape.has_stated_size = true;
  return shape;
}

}  // namespace peal::scene

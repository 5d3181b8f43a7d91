#include <peal/bubbles/play.h>
#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>
#include <peal/shaders/bubble_source.h>
#include <peal/sounds/bubbles.h>
#include <peal/sounds/liquid_bubbles.h>
#include <peal/sounds/liquid_surroundings.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/fractional_delay.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace peal::sounds {

using base::BubbleSound;
using base::BubbleSounds;
using base::Rate;
using base::SampleRange;
using base::Signal;
using bubbles::RandomKey;
using bubbles::Vec3;
using util::JsonObject;
using util::JsonValue;

namespace {

/// Bubbles whose places on the surface lie in the same cell of this size are one point [m]: 10 us
/// of travel time, and 1 % of the level at half a metre.
constexpr double point_spacing = 0.005;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// The bubbles and what is worth saying about where they come from.
struct Origin {
  base::BubblePopulation population;
  std::vector<std::string> notices;
};

Origin bubbles_of(const bubbles::DropBubbles& made, std::string_view hint) {
  Origin origin{.population = made.population};
  if (made.silent > 0 && made.population.tracks.empty()) {
    origin.notices.push_back(fmt::format(
        "none of the {} drops entrains a bubble: they are silent. {}", made.drops, hint));
  } else if (made.silent > 0) {
    origin.notices.push_back(
        fmt::format("{} of {} drops entrain no bubble and are silent", made.silent, made.drops));
  }
  return origin;
}

Origin bubbles_of(const bubbles::Jet& jet, const base::Liquid& liquid, RandomKey key) {
  const bubbles::JetImpact impact = bubbles::impact_of(jet, liquid);
  if (impact.air_flow <= 0.0) {
    return {{},
            {fmt::format("the jet meets the surface at {:.2g} m/s; below 1 m/s it takes no air "
                         "along and is silent",
                         impact.speed)}};
  }
  Origin origin{.population = bubbles::make_plume(bubbles::plume_of(jet, liquid), key)};
  origin.notices.push_back(fmt::format(
      "the jet meets the surface at {:.3g} m/s, {:.2g} mm thick, and takes {:.2g} of its flow of "
      "air along: {} bubbles down to {:.2g} m",
      impact.speed, 1e3 * impact.diameter, impact.air_flow / jet.flow,
      origin.population.tracks.size(), impact.depth));
  return origin;
}

Origin bubbles_of(const BubbleFile& file, const base::Liquid& liquid, RandomKey key) {
  return std::visit(
      Overloaded{
          [](const base::BubblePopulation& tracks) {
            return Origin{tracks, {}};
          },
          [&](const std::vector<bubbles::BubbleEvent>& events) {
            return Origin{bubbles::make_event_bubbles(events, file.at, liquid), {}};
          },
          [&](const std::vector<bubbles::AirParticle>& particles) {
            return Origin{
                bubbles::make_particle_bubbles(particles, key),
                {fmt::format("{} particles of trapped air get radii from the spectrum of breaking "
                             "waves, 0.1 to 5 mm (Deane & Stokes 2002)",
                             particles.size())}};
          }},
      file.content);
}

Origin bubbles_of(const scene::LiquidBody& body, const OwnDisturbances& own,
                  const base::Liquid& liquid, double duration, RandomKey key) {
  LiquidBubbles made = sounds::bubbles_of(body, liquid, duration, own.air, key.seed, key.stream);
  Origin origin{.population = std::move(made.population), .notices = {}};
  if (made.silent_drops > 0) {
    origin.notices.push_back(
        fmt::format("{} of {} drops entrain no bubble and are silent. Drops of 4.6 mm plink when "
                    "they fall 7 to 10 cm, of 3 mm from 20 cm",
                    made.silent_drops, body.drops.size()));
  }
  if (body.jet && !made.jet_has_air) {
    origin.notices.push_back(
        "its jet falls at less than 1 m/s: it takes no air along and is silent");
  }
  return origin;
}

Origin bubbles_of(const BubblesSound& sound, const scene::SoundContext& context,
                  const base::Liquid& liquid, RandomKey key) {
  return std::visit(
      Overloaded{[&](const OwnDisturbances& own) {
                   const scene::LiquidBody* const body = context.object.liquid();
                   if (body == nullptr) {
                     throw util::InputError(
                         {"", context.object.location},
                         "its bubbles have no origin: it is no \"liquid\"",
                         "Say where they come from: {\"bubbles\": {\"tracks\": \"bubbles.csv\"}}; "
                         "or events, particles, drops, rain, jet.");
                   }
                   const double duration = context.world.rate.seconds(context.world.samples);
                   return bubbles_of(*body, own, liquid, duration, key);
                 },
                 [&](const std::shared_ptr<const BubbleFile>& file) {
                   return bubbles_of(*file, liquid, key);
                 },
                 [&](const bubbles::Drops& drops) {
                   return bubbles_of(bubbles::make_drop_bubbles(drops, liquid, key),
                                     "Drops of 4.6 mm plink when they fall 7 to 10 cm, of 3 mm "
                                     "from 20 cm.");
                 },
                 [&](const bubbles::Rain& rain) {
                   return bubbles_of(bubbles::make_rain_bubbles(rain, liquid, key),
                                     "Rain is heard by its drops of about 1 mm.");
                 },
                 [&](const bubbles::Jet& jet) { return bubbles_of(jet, liquid, key); }},
      sound.origin);
}

void mention_left_out(const bubbles::PlayedBubbles& played, const std::string& name,
                      std::size_t count, double highest, std::vector<std::string>& notices) {
  const auto mention = [&](std::size_t left_out, std::string_view reason) {
    if (left_out > 0)
      notices.push_back(
          fmt::format("\"{}\": {} of {} bubbles are left out: {}", name, left_out, count, reason));
  };
  mention(played.above_band, fmt::format("they sound above {:g} Hz", highest));
  mention(played.too_short, "they live for less than three periods");
  mention(played.outside, "they are above the surface of the liquid");
  if (!played.coupled && played.at_once > bubbles::PlaySettings::most_coupled) {
    notices.push_back(fmt::format(
        "\"{}\": up to {} bubbles ring at a time and are computed without their interaction; "
        "\"coupled\": true includes it, but takes long",
        name, played.at_once));
  }
}

/// When a bubble is loudest [s]: before it rings freely.
double loudest_time(const BubbleSound& sound, Rate rate) {
  const auto loudest = std::ranges::max_element(sound.volume_acceleration, {},
                                                [](float value) { return std::abs(value); });
  return rate.seconds(sound.start + (loudest - sound.volume_acceleration.begin()));
}

/// Bubbles by the cell of the surface above them.
struct BubbleCell {
  Vec3 sum = Vec3::Zero();
  std::vector<std::size_t> members;
};

std::vector<BubbleCell> cells_of(const BubbleSounds& sounds,
                                 const base::BubbleSurroundings& surroundings) {
  std::map<std::array<std::int64_t, 3>, BubbleCell> cells;
  for (std::size_t i = 0; i < sounds.sounds.size(); ++i) {
    const double t = loudest_time(sounds.sounds[i], sounds.rate);
    const Vec3 at = surroundings.surface_point(sounds.sounds[i].at(t).position, t);
    const Vec3 place = (at / point_spacing).array().floor();
    BubbleCell& cell =
        cells[{static_cast<std::int64_t>(place.x()), static_cast<std::int64_t>(place.y()),
               static_cast<std::int64_t>(place.z())}];
    cell.sum += at;
    cell.members.push_back(i);
  }
  std::vector<BubbleCell> result;
  for (auto& [place, cell] : cells) result.push_back(std::move(cell));
  return result;
}

class Bubbles : public scene::SoundOf<BubblesSound> {
 public:
  using SoundOf::SoundOf;

  std::string describe() const override {
    return std::visit(
        Overloaded{
            [](const std::shared_ptr<const BubbleFile>& file) {
              return fmt::format("bubbles of {}", file->name);
            },
            [](const bubbles::Drops& drops) {
              return fmt::format("bubbles of drops of {:g} mm", 1e3 * drops.diameter);
            },
            [](const bubbles::Rain& rain) {
              return fmt::format("bubbles of rain, {:g} mm/h", rain.intensity);
            },
            [](const bubbles::Jet& jet) {
              return fmt::format("bubbles of a jet of {:g} L/min", 6e4 * jet.flow);
            },
            [](const OwnDisturbances&) { return std::string("bubbles of its drops and its jet"); }},
        settings.origin);
  }
  bool is_point() const override { return true; }

  void add_to(scene::SoundContext& context) const override {
    const std::unique_ptr<const base::BubbleSurroundings> around = surroundings(context.object);
    const base::BubbleSurroundings& surface = *around;
    bubbles::PlaySettings how{.coupled = settings.coupled};
    how.chains.seed = context.seed;
    how.chains.stream = context.stream;
    how.oscillators.rate = context.world.rate;
    how.oscillators.range = {0, context.world.samples};
    how.oscillators.air = context.world.medium;
    how.chains.highest_frequency =
        std::min(settings.max_frequency, 0.45 * static_cast<double>(context.world.rate.hz));
    // Sizes and necks are drawn from streams of their own.
    const RandomKey key{~context.seed, context.stream};
    const std::string& name = context.object.name;
    Origin origin = bubbles_of(settings, context, how.oscillators.liquid, key);
    for (const std::string& notice : origin.notices)
      context.notices.push_back(fmt::format("\"{}\": {}", name, notice));
    bubbles::PlayedBubbles played = bubbles::play(origin.population, surface, how);
    const std::size_t count = origin.population.tracks.size();
    if (count > 0 && played.outside == count) {
      throw util::InputError(
          {"", context.object.location},
          fmt::format("all its bubbles are above the surface of the liquid, y = {:g} m",
                      settings.level),
          "Set \"level\" to the height of the surface in the object's frame.");
    }
    mention_left_out(played, name, count, how.chains.highest_frequency, context.notices);
    const auto sounds = std::make_shared<const BubbleSounds>(std::move(played.sounds));
    std::vector<base::Multipole> points;
    for (BubbleCell& cell : cells_of(*sounds, surface)) {
      points.push_back({.offset = cell.sum / static_cast<double>(cell.members.size()),
                        .shader = std::make_shared<BubblePoint>(sounds, std::move(cell.members),
                                                                context.world.medium.density)});
    }
    if (context.body != nullptr) {
      // The surface moves the air, where a radiator samples surfaces.
      if (!sounds->sounds.empty())
        context.body->sources.push_back(
            std::make_shared<shaders::BubbleSource>(sounds, std::move(points)));
      return;
    }
    for (base::Multipole& point : points) {
      context.world.sources.push_back({.name = name,
                                       .motion = context.motion.motion,
                                       .offset = point.offset,
                                       .shader = std::move(point.shader)});
    }
  }

 private:
  std::unique_ptr<const base::BubbleSurroundings> surroundings(const scene::Object& object) const {
    if (object.liquid() != nullptr) return std::make_unique<LiquidSurroundings>(*object.liquid());
    return std::make_unique<base::FlatSurface>(settings.level);
  }
};

double start_of(JsonObject& object) {
  return object.number("start", {.min = 0.0, .max = 3600.0, .unit = "s"}, 0.0);
}

double end_of(JsonObject& object, double start, const scene::ReadContext& context) {
  const double duration = object.number(
      "duration", {.min = 0.0, .max = 3600.0, .unit = "s", .above_min = true}, context.duration);
  return std::min(start + duration, std::max(context.duration, start));
}

Vec3 place_of(JsonObject& object, double level) {
  const auto at = object.find("at");
  if (!at) return {0.0, level, 0.0};
  const std::vector<double> xz =
      at->numbers(2, "a place [x, z] on the surface", {.min = -1e6, .max = 1e6, .unit = "m"});
  return {xz[0], level, xz[1]};
}

constexpr util::NumberRange diameters = {
    .min = 2e-4, .max = 0.01, .unit = "m", .reason = "larger drops break up"};

bubbles::Drops read_drops(const JsonValue& value, double level, const scene::ReadContext& context) {
  JsonObject object(value, "drops");
  bubbles::Drops drops;
  drops.at = place_of(object, level);
  drops.spread = object.number("radius", {.min = 0.0, .max = 100.0, .unit = "m"}, drops.spread);
  drops.start = start_of(object);
  drops.end = end_of(object, drops.start, context);
  drops.period = object.number("period", {.min = 0.001, .max = 1000.0, .unit = "s"}, drops.period);
  drops.diameter = object.number("diameter", diameters, drops.diameter);
  drops.height = object.number("height", {.min = 0.001, .max = 1e4, .unit = "m"}, drops.height);
  drops.jitter = object.number("jitter", {.min = 0.0, .max = 0.5}, drops.jitter);
  if (const auto times = object.find("times")) {
    for (const JsonValue& time : times->list(1, "a list of times"))
      drops.times.push_back(time.number({.min = -1e6, .max = 1e6, .unit = "s"}));
  }
  object.finish();
  return drops;
}

bubbles::Rain read_rain(const JsonValue& value, double level, const scene::ReadContext& context) {
  JsonObject object(value, "rain");
  bubbles::Rain rain;
  rain.at = place_of(object, level);
  rain.spread = object.number("radius", {.min = 0.0, .max = 20.0, .unit = "m", .above_min = true},
                              rain.spread);
  rain.intensity = object.number(
      "intensity", {.min = 0.0, .max = 300.0, .unit = "mm/h", .above_min = true}, rain.intensity);
  rain.start = start_of(object);
  rain.end = end_of(object, rain.start, context);
  object.finish();
  return rain;
}

bubbles::Jet read_jet(const JsonValue& value, double level, const scene::ReadContext& context) {
  JsonObject object(value, "a jet");
  bubbles::Jet jet;
  jet.at = place_of(object, level);
  jet.flow = object.number("flow", {.min = 1e-7, .max = 0.01, .unit = "m^3/s"}, jet.flow);
  jet.diameter = object.number("diameter", {.min = 1e-3, .max = 0.2, .unit = "m"}, jet.diameter);
  jet.height = object.number("height", {.min = 0.001, .max = 100.0, .unit = "m"}, jet.height);
  jet.air = object.number("air", {.min = 0.0, .max = 10.0}, jet.air);
  jet.start = start_of(object);
  jet.end = end_of(object, jet.start, context);
  object.finish();
  return jet;
}

std::shared_ptr<const BubbleFile> read_bubble_file(const scene::ReadContext& context,
                                                   const util::JsonChoice& given,
                                                   const std::optional<Vec3>& at, double level) {
  const std::string name = given.value.text("a file name");
  const auto path = scene::existing_file(given.value, name, context);
  auto file = std::make_shared<BubbleFile>();
  file->name = name;
  // A few centimetres down, where the surface hardly matters.
  file->at = at.value_or(Vec3(0.0, level - 0.03, 0.0));
  if (path.empty()) return file;
  try {
    if (given.key == "tracks") {
      bubbles::ReadTracks read = bubbles::read_tracks(path);
      file->content = std::move(read.population);
    } else if (given.key == "events") {
      file->content = bubbles::parse_bubble_events(util::read_file(path), path.string());
    } else {
      file->content = bubbles::parse_air_particles(util::read_file(path), path.string());
    }
  } catch (const util::InputError& error) {
    given.value.report(error);
  }
  return file;
}

}  // namespace

std::shared_ptr<const scene::Sound> make_sound(const BubblesSound& settings) {
  return std::make_shared<Bubbles>(settings);
}

std::shared_ptr<const scene::Sound> read_bubbles(const JsonValue& value,
                                                 const scene::SoundingSurface&,
                                                 const scene::ReadContext& context) {
  static const std::vector<std::string> origins = {"tracks", "events", "particles",
                                                   "drops",  "rain",   "jet"};
  if (value.json().is_string()) return make_sound(BubblesSound{.origin = OwnDisturbances{}});
  JsonObject object(value, "bubbles");
  BubblesSound sound;
  sound.level = object.number("level", {.min = -1e6, .max = 1e6, .unit = "m"}, sound.level);
  sound.max_frequency = object.number("max_frequency", {.min = 20.0, .max = 18000.0, .unit = "Hz"},
                                      sound.max_frequency);
  if (const auto coupled = object.find("coupled")) sound.coupled = coupled->boolean();
  const auto given = object.one_of(origins, "");
  std::optional<Vec3> at;
  if (given && given->key == "events") {
    if (const auto place = object.find("at")) at = scene::read_position(*place);
  }
  if (!given) {
    sound.origin = OwnDisturbances{.air = object.number("air", {.min = 0.0, .max = 10.0}, 1.0)};
  } else if (given->key == "drops") {
    sound.origin = read_drops(given->value, sound.level, context);
  } else if (given->key == "rain") {
    sound.origin = read_rain(given->value, sound.level, context);
  } else if (given->key == "jet") {
    sound.origin = read_jet(given->value, sound.level, context);
  } else {
    sound.origin = read_bubble_file(context, *given, at, sound.level);
  }
  object.finish();
  return make_sound(sound);
}

BubblePoint::BubblePoint(std::shared_ptr<const BubbleSounds> sounds,
                         std::vector<std::size_t> members, double air_density)
    : sounds_(std::move(sounds)), members_(std::move(members)), air_density_(air_density) {
  std::ranges::stable_sort(members_, {}, [&](std::size_t i) { return sounds_->sounds[i].start; });
  sound_ = {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const std::size_t i : members_) {
    sound_.begin = std::min(sound_.begin, sounds_->sounds[i].start);
    sound_.end = std::max(sound_.end, sounds_->sounds[i].end());
  }
}

Signal BubblePoint::own_strength(SampleRange range) const {
  const std::int64_t begin = std::max(range.begin, sound_.begin);
  const std::int64_t end = std::max(begin, std::min(range.end, sound_.end));
  Signal signal{.rate = sounds_->rate, .start = begin};
  signal.samples.assign(static_cast<std::size_t>(end - begin), 0.0f);
  const auto gain = static_cast<float>(air_density_ / (2.0 * std::numbers::pi));
  for (const std::size_t i : members_)
    sounds_->sounds[i].add_acceleration(begin, gain, signal.samples);
  return signal;
}

Signal BubblePoint::strength(Rate rate, SampleRange range) const {
  if (rate == sounds_->rate) return own_strength(range);
  // Solvers run faster than audio: what they ask for is interpolated, band-limited.
  const double ratio = static_cast<double>(sounds_->rate.hz) / static_cast<double>(rate.hz);
  const auto own = [&](std::int64_t n) { return static_cast<double>(n) * ratio; };
  constexpr std::int64_t reach = util::FractionalDelay::half;
  const Signal slow = own_strength({static_cast<std::int64_t>(own(range.begin)) - reach,
                                    static_cast<std::int64_t>(own(range.end)) + reach});
  Signal signal{.rate = rate, .start = range.begin};
  if (slow.samples.empty()) return signal;
  static const util::FractionalDelay delay;
  const util::DelayLine line(slow.samples, slow.start);
  signal.samples.resize(static_cast<std::size_t>(range.size()));
  for (std::int64_t n = range.begin; n < range.end; ++n)
    signal.samples[static_cast<std::size_t>(n - range.begin)] = delay.read(line, own(n), ratio);
  return signal;
}

}  // namespace peal::sounds

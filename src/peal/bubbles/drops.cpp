#include <peal/base/drop_crater.h>
#include <peal/bubbles/capacitance.h>
#include <peal/bubbles/drops.h>
#include <peal/bubbles/pulsation.h>
#include <peal/bubbles/random_stream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::bubbles {

namespace {

using base::Bubble;
using base::BubbleTrack;
using base::Liquid;

/// A bubble in units of its drop's diameter.
struct StoredDrop {
  double froude, radius, depth, gap;
};

/// Two simulations (two-phase, axisymmetric, cells of 0.06 mm), and the bubbles of raindrops of 1
/// mm at 4 m/s, whose depth is that of the others.
constexpr std::array<StoredDrop, 3> stored_drops = {{
    {34.6, 0.115, 1.57, 0.33},
    {64.4, 0.108, 1.66, 0.39},
    {1650.0, 0.22, 1.66, 0.5},
}};

/// The crater fills within this time after the pinch-off: an estimate, in units of the crater's
/// time.
constexpr double filling_time = 0.25;

StoredDrop interpolated(double froude) {
  const auto after = std::ranges::upper_bound(stored_drops, froude, {}, &StoredDrop::froude);
  if (after == stored_drops.begin()) return stored_drops.front();
  if (after == stored_drops.end()) return stored_drops.back();
  const StoredDrop& a = *(after - 1);
  const StoredDrop& b = *after;
  const double x = std::log(froude / a.froude) / std::log(b.froude / a.froude);
  const auto mix = [x](double from, double to) { return from + x * (to - from); };
  return {froude, mix(a.radius, b.radius), mix(a.depth, b.depth), mix(a.gap, b.gap)};
}

/// The frequency of the bubble while the crater above it fills: its free surface is the floor.
BubbleTrack track_of(const EntrainedBubble& bubble, double time, const Vec3& at, double filling,
                     std::int64_t id, const Liquid& liquid) {
  constexpr int steps = 8;
  BubbleTrack track{.id = id};
  for (int i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    const double distance = bubble.gap + part * (bubble.depth - bubble.gap);
    const double capacitance = capacitance_below_surface(distance / bubble.radius);
    track.samples.push_back(
        {.time = time + bubble.delay + part * filling,
         .position = at - Vec3(0.0, bubble.depth, 0.0),
         .radius = bubble.radius,
         .frequency = pulsation(bubble.radius, liquid, bubble.depth, capacitance).frequency()});
  }
  return track;
}

/// Uniform on a disc on the surface.
Vec3 point_on_disc(const Vec3& centre, double radius, RandomStream& random) {
  const double distance = radius * std::sqrt(random.uniform());
  const double angle = 2.0 * std::numbers::pi * random.uniform();
  return centre + distance * Vec3(std::cos(angle), 0.0, std::sin(angle));
}

void add_drop(double time, const Vec3& at, double diameter, double speed, const Liquid& liquid,
              DropBubbles& result) {
  ++result.drops;
  const auto bubble = bubble_of_drop(diameter, speed, liquid);
  if (!bubble) {
    ++result.silent;
    return;
  }
  const double filling = filling_time * base::crater_time(diameter, speed, liquid.gravity);
  const auto id = static_cast<std::int64_t>(result.drops);
  result.population.tracks.push_back(track_of(*bubble, time, at, filling, id, liquid));
}

void sort_by_start(DropBubbles& result) {
  std::ranges::stable_sort(result.population.tracks, {},
                           [](const BubbleTrack& track) { return track.begin_time(); });
}

}  // namespace

std::optional<EntrainedBubble> bubble_of_drop(double diameter, double speed, const Liquid& liquid) {
  const double froude = base::drop_froude_number(diameter, speed, liquid.gravity);
  const double weber = liquid.density * speed * speed * diameter / liquid.surface_tension;
  if (weber <= 41.3 * std::pow(froude, 0.179) || weber >= 48.3 * std::pow(froude, 0.247))
    return std::nullopt;
  const StoredDrop stored = interpolated(froude);
  return EntrainedBubble{.radius = stored.radius * diameter,
                         .delay = base::crater_closing_time(diameter, speed, liquid.gravity),
                         .depth = stored.depth * diameter,
                         .gap = stored.gap * diameter};
}

double terminal_speed(double diameter) {
  return std::max(0.1, 9.65 - 10.3 * std::exp(-600.0 * diameter));
}

double falling_speed(double diameter, double height, double gravity) {
  const double terminal = terminal_speed(diameter);
  return terminal * std::sqrt(-std::expm1(-2.0 * gravity * height / (terminal * terminal)));
}

DropBubbles make_drop_bubbles(const Drops& drops, const Liquid& liquid, RandomKey key) {
  RandomStream random(key.seed, key.stream);
  const auto jittered = [&](double value) {
    return value * (1.0 + drops.jitter * random.uniform(-1.0, 1.0));
  };
  std::vector<double> times = drops.times;
  if (times.empty()) {
    for (double t = drops.start; t < drops.end; t += jittered(drops.period)) times.push_back(t);
  }
  DropBubbles result;
  for (const double time : times) {
    const double diameter = jittered(drops.diameter), height = jittered(drops.height);
    const Vec3 at = point_on_disc(drops.at, drops.spread, random);
    add_drop(time, at, diameter, falling_speed(diameter, height, liquid.gravity), liquid, result);
  }
  sort_by_start(result);
  return result;
}

DropBubbles make_rain_bubbles(const Rain& rain, const Liquid& liquid, RandomKey key) {
  // Drops per second, square metre and class of 0.02 mm, up to 6 mm.
  constexpr double width = 2e-5, largest = 6e-3;
  const double slope = 4100.0 * std::pow(rain.intensity, -0.21);
  std::vector<double> sums;
  double sum = 0.0;
  for (double d = 0.5 * width; d < largest; d += width) {
    sum += 8e6 * std::exp(-slope * d) * terminal_speed(d) * width;
    sums.push_back(sum);
  }
  RandomStream random(key.seed, key.stream);
  const double rate = sum * std::numbers::pi * rain.spread * rain.spread;
  DropBubbles result;
  for (double t = rain.start + random.waiting() / rate; t < rain.end;
       t += random.waiting() / rate) {
    const auto found = std::ranges::upper_bound(sums, sum * random.uniform());
    const double diameter = width * (static_cast<double>(found - sums.begin()) + random.uniform());
    const Vec3 at = point_on_disc(rain.at, rain.spread, random);
    add_drop(t, at, diameter, terminal_speed(diameter), liquid, result);
  }
  sort_by_start(result);
  return result;
}

}  // namespace peal::bubbles

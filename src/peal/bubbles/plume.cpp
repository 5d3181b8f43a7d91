#include <peal/bubbles/forcing.h>
#include <peal/bubbles/plume.h>
#include <peal/bubbles/pulsation.h>
#include <peal/bubbles/random_stream.h>
#include <peal/bubbles/spectrum.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::bubbles {

namespace {

using base::Bubble;
using base::BubbleTrack;
using base::Liquid;
using std::numbers::pi;

constexpr double inception_speed = 1.0;   ///< below it a jet takes no air along [m/s]
constexpr double rising_speed = 0.25;     ///< of bubbles of 1 mm and more [m/s]
constexpr double born_above = 1.0 / 3.0;  ///< of the depth
constexpr double touching = 1.05;         ///< depth of a bubble at the surface, in radii

/// Bubbles are followed for this long, five times 60 dB of one of 0.5 mm [s], in so many steps.
constexpr double followed = 0.04;
constexpr int steps_followed = 4;

/// The steepness of the cone that an event list means by an amplitude of 1: that of FluidSound.
constexpr double usual_cone = 0.95;

}  // namespace

JetImpact impact_of(const Jet& jet, const Liquid& liquid) {
  const double area = 0.25 * pi * jet.diameter * jet.diameter;
  const double leaving = jet.flow / area;
  JetImpact impact;
  impact.speed = std::sqrt(leaving * leaving + 2.0 * liquid.gravity * jet.height);
  impact.diameter = std::sqrt(4.0 * jet.flow / (pi * impact.speed));
  impact.depth = 2.1 * std::pow(impact.speed, 0.775) * std::pow(impact.diameter, 0.67);
  if (impact.speed < inception_speed) return impact;
  const double froude = impact.speed * impact.speed / (liquid.gravity * impact.diameter);
  impact.air_flow = jet.air * jet.flow * 0.04 * std::pow(froude, 0.28) *
                    std::pow(jet.height / impact.diameter, 0.4);
  return impact;
}

Plume plume_of(const Jet& jet, const Liquid& liquid) {
  const JetImpact impact = impact_of(jet, liquid);
  return {.at = jet.at,
          .inner = 0.5 * impact.diameter,
          .outer = impact.diameter,
          .depth = impact.depth,
          .speed = 0.5 * impact.speed,
          .air_flow = impact.air_flow,
          .start = jet.start,
          .end = jet.end};
}

base::BubblePopulation make_plume(const Plume& plume, RandomKey key) {
  base::BubblePopulation population;
  if (plume.air_flow <= 0.0) return population;
  const BubbleSpectrum spectrum;
  const double births = plume.air_flow / spectrum.mean_volume();
  RandomStream random(key.seed, key.stream);
  std::int64_t id = 0;
  for (double t = plume.start + random.waiting() / births; t < plume.end;
       t += random.waiting() / births) {
    const double radius = spectrum.radius(random.uniform());
    const double inner = plume.inner * plume.inner, outer = plume.outer * plume.outer;
    const double distance = std::sqrt(random.uniform(inner, outer));
    const double angle = 2.0 * pi * random.uniform();
    double depth = std::max(touching * radius, random.uniform() * born_above * plume.depth);
    BubbleTrack track{.id = ++id};
    for (int i = 0; i <= steps_followed; ++i) {
      track.samples.push_back({.time = t + followed * i / steps_followed,
                               .position = plume.at + Vec3(distance * std::cos(angle), -depth,
                                                           distance * std::sin(angle)),
                               .radius = radius});
      const double sinking = plume.speed * std::max(0.0, 1.0 - depth / plume.depth) - rising_speed;
      depth = std::max(touching * radius, depth + sinking * followed / steps_followed);
    }
    population.tracks.push_back(std::move(track));
  }
  return population;
}

base::BubblePopulation make_particle_bubbles(std::span<const AirParticle> particles,
                                             RandomKey key) {
  base::BubblePopulation population;
  const BubbleSpectrum spectrum;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double part = util::random_uniform(key.seed, key.stream, i);
    population.tracks.push_back({.id = static_cast<std::int64_t>(i),
                                 .samples = {{.time = particles[i].time,
                                              .position = particles[i].position,
                                              .radius = spectrum.radius(part)}}});
  }
  std::ranges::stable_sort(population.tracks, {},
                           [](const BubbleTrack& track) { return track.begin_time(); });
  return population;
}

base::BubblePopulation make_event_bubbles(std::span<const BubbleEvent> events, const Vec3& at,
                                          const Liquid& liquid) {
  base::BubblePopulation population;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const BubbleEvent& event = events[i];
    const Pulsation alone = pulsation(event.radius, liquid);
    const Forcing usual = neck_forcing(0.0, event.radius, event.radius, usual_cone, liquid);
    BubbleTrack track{.id = static_cast<std::int64_t>(i)};
    track.excitation.amplitude =
        event.amplitude * std::abs(usual.curvature) * usual.duration * usual.duration;
    // To 60 dB, in steps in which the frequency rises by little.
    const int steps = event.rise_factor > 0.0 ? 40 : 0;
    for (int k = 0; k <= steps; ++k) {
      const double late = steps == 0 ? 0.0 : alone.decay_time() * k / steps;
      track.samples.push_back(
          {.time = event.time + late,
           .position = at,
           .radius = event.radius,
           .frequency = alone.frequency() * (1.0 + event.rise_factor * alone.beta() * late)});
    }
    population.tracks.push_back(std::move(track));
  }
  std::ranges::stable_sort(population.tracks, {},
                           [](const BubbleTrack& track) { return track.begin_time(); });
  return population;
}

}  // namespace peal::bubbles

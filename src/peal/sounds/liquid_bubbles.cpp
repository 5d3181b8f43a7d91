#include <peal/bubbles/drops.h>
#include <peal/bubbles/plume.h>
#include <peal/sounds/liquid_bubbles.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::sounds {

namespace {

using base::Vec3;

/// Bubbles stay so far from the walls and the bottom, in radii.
constexpr double from_wall = 1.5;

/// Moves a bubble of a jet into the liquid at its time: the level rises as the jet arrives, and the
/// container is around it.
void keep_inside(base::Bubble& bubble, const scene::LiquidBody& body) {
  const double level = body.level_at(bubble.time), away = from_wall * bubble.radius;
  Vec3& at = bubble.position;
  at.y() = std::clamp(at.y() + level - body.level, body.container.front().y() + away,
                      std::max(level - away, body.container.front().y() + away));
  const double inside = std::max(0.0, body.radius_at(at.y()) - away);
  const double r = std::hypot(at.x(), at.z());
  if (r <= inside) return;
  at.x() *= inside / r;
  at.z() *= inside / r;
}

}  // namespace

LiquidBubbles bubbles_of(const scene::LiquidBody& body, const base::Liquid& liquid, double duration,
                         double air, std::uint64_t seed, std::uint64_t stream) {
  LiquidBubbles result;
  std::vector<base::BubbleTrack>& tracks = result.population.tracks;
  for (const scene::LiquidDrop& drop : body.drops) {
    const auto bubble = bubbles::bubble_of_drop(drop.diameter, drop.speed, liquid);
    const double time = drop.time + (bubble ? bubble->delay : 0.0);
    if (!bubble) ++result.silent_drops;
    if (!bubble || time >= duration) continue;
    base::BubbleTrack track;
    track.samples.push_back(
        {.time = time,
         .position = {drop.at.x(), body.level_at(time) - bubble->depth, drop.at.y()},
         .radius = bubble->radius});
    tracks.push_back(std::move(track));
  }
  if (body.jet) {
    const bubbles::Jet jet{.at = {0.0, body.level, 0.0},
                           .flow = body.jet->flow(),
                           .diameter = 2.0 * body.jet->nozzle_radius,
                           .height = body.jet->nozzle_height - body.level,
                           .start = body.jet_arrives(),
                           .end = std::min(duration, body.jet_ends()),
                           .air = air};
    result.jet_has_air = bubbles::impact_of(jet, liquid).air_flow > 0.0;
    base::BubblePopulation plume =
        bubbles::make_plume(bubbles::plume_of(jet, liquid), {.seed = seed, .stream = stream});
    for (base::BubbleTrack& track : plume.tracks) {
      for (base::Bubble& bubble : track.samples) keep_inside(bubble, body);
      tracks.push_back(std::move(track));
    }
  }
  std::ranges::stable_sort(tracks, {}, &base::BubbleTrack::begin_time);
  for (std::size_t i = 0; i < tracks.size(); ++i) tracks[i].id = static_cast<std::int64_t>(i);
  return result;
}

}  // namespace peal::sounds

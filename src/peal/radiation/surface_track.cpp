#include <peal/radiation/surface_track.h>

#include <cmath>

namespace peal::radiation {

SurfaceTrack::SurfaceTrack(const RayScene& scene, SoundingSurface& surface, std::int64_t begin,
                           std::int64_t end)
    : scene_(scene), begin_(begin), hearings_(scene.receivers.size()) {
  for (std::int64_t beat = begin; beat < end; ++beat) {
    const double t = scene.time(beat);
    middle_.push_back(surface.middle(t));
    for (std::size_t r = 0; r < hearings_.size(); ++r)
      hearings_[r].push_back(hearing_from(scene.receivers[r], t, middle_.back()));
  }
}

/// Of what leaves the middle at t.
Hearing SurfaceTrack::hearing_from(const base::Receiver& receiver, double t,
                                   const base::Vec3& middle) const {
  Hearing hearing{.rate = scene_.rate,
                  .speed_of_sound = scene_.world.medium.speed_of_sound,
                  .form = scene_.settings.form,
                  .between = &ShortDelay::for_band(scene_.settings.max_frequency /
                                                   static_cast<double>(scene_.rate.hz))};
  // The receiver where it is when sound arrives: its speed is small against that of sound.
  double arrival = t;
  for (int i = 0; i < (receiver.motion->is_still() ? 1 : 8); ++i) {
    hearing.ear = receiver.motion->pose(arrival).to_world(receiver.offset);
    const double next = t + (hearing.ear - middle).norm() / hearing.speed_of_sound;
    const bool close = std::abs(next - arrival) < 1e-9 * scene_.rate.step();
    arrival = next;
    if (close) break;
  }
  hearing.delay = scene_.rate.samples((hearing.ear - middle).norm() / hearing.speed_of_sound);
  // Any delay will do that goes with the middle; a whole one if it stays.
  if (scene_.is_still) hearing.delay = std::round(hearing.delay);
  return hearing;
}

bool SurfaceTrack::jumps(std::size_t receiver, std::int64_t beat) const {
  const double growth = hearing(receiver, beat + 1).delay - hearing(receiver, beat).delay;
  return std::abs(growth) > 0.5 * static_cast<double>(scene_.beat);
}

}  // namespace peal::radiation

#include <peal/radiation/receiver_track.h>

#include <cmath>

namespace peal::radiation {

ReceiverTrack::ReceiverTrack(const RayScene& scene, RadiatingSurface& surface, std::int64_t begin,
                             std::int64_t end)
    : scene_(scene), begin_(begin), receiver_geometries_(scene.receivers.size()) {
  for (std::int64_t hop = begin; hop < end; ++hop) {
    const double t = scene.time(hop);
    middle_.push_back(surface.middle(t));
    for (std::size_t r = 0; r < receiver_geometries_.size(); ++r)
      receiver_geometries_[r].push_back(hearing_from(scene.receivers[r], t, middle_.back()));
  }
}

/// The geometry of sound that leaves the middle at t.
ReceiverGeometry ReceiverTrack::hearing_from(const base::Receiver& receiver, double t,
                                             const base::Vec3& middle) const {
  ReceiverGeometry receiver_geometry{
      .rate = scene_.rate,
      .speed_of_sound = scene_.world.medium.speed_of_sound,
      .form = scene_.settings.form,
      .between = &SincDelay::for_band(scene_.settings.max_frequency /
                                      static_cast<double>(scene_.rate.hz))};
  // Iterate for the position of the receiver when the sound arrives; its speed is small compared
  // with that of sound.
  double arrival = t;
  for (int i = 0; i < (receiver.motion->is_still() ? 1 : 8); ++i) {
    receiver_geometry.receiver_point = receiver.motion->pose(arrival).to_world(receiver.offset);
    const double next =
        t + (receiver_geometry.receiver_point - middle).norm() / receiver_geometry.speed_of_sound;
    const bool close = std::abs(next - arrival) < 1e-9 * scene_.rate.step();
    arrival = next;
    if (close) break;
  }
  receiver_geometry.delay = scene_.rate.samples((receiver_geometry.receiver_point - middle).norm() /
                                                receiver_geometry.speed_of_sound);
  // Any delay that follows the middle will do; it is a whole number if nothing moves.
  if (scene_.is_still) receiver_geometry.delay = std::round(receiver_geometry.delay);
  return receiver_geometry;
}

bool ReceiverTrack::jumps(std::size_t receiver, std::int64_t hop) const {
  const double growth =
      receiver_geometry(receiver, hop + 1).delay - receiver_geometry(receiver, hop).delay;
  return std::abs(growth) > 0.5 * static_cast<double>(scene_.hop);
}

}  // namespace peal::radiation

#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/base/world.h>
#include <peal/radiation/ray_response.h>
#include <peal/radiation/sounding_surface.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::radiation {

/// Who hears a surface, and when it is looked at.
struct RayScene {
  const base::World& world;
  std::span<const base::Receiver> receivers;
  base::RaysSettings settings;
  base::Rate rate;
  std::int64_t beat = 0;  ///< samples from one look at where things are to the next
  bool is_still = false;  ///< nothing changes the rays

  double time(std::int64_t beats) const { return rate.seconds(beats * beat); }
};

/// Where a surface and its receivers are at the beats of a stretch of time.
class SurfaceTrack {
 public:
  /// The beats [begin, end).
  SurfaceTrack(const RayScene& scene, SoundingSurface& surface, std::int64_t begin,
               std::int64_t end);

  /// Beats that keys are made for at a time, from a multiple of it on.
  static constexpr std::int64_t at_once = 16;

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return begin_ + static_cast<std::int64_t>(middle_.size()); }
  /// Of the surface [m].
  const base::Vec3& middle(std::int64_t beat) const {
    return middle_[static_cast<std::size_t>(beat - begin_)];
  }
  const Hearing& hearing(std::size_t receiver, std::int64_t beat) const {
    return hearings_[receiver][static_cast<std::size_t>(beat - begin_)];
  }
  /// Whether sound from the middle arrives so much later or earlier after this beat that no
  /// movement explains it.
  bool jumps(std::size_t receiver, std::int64_t beat) const;

 private:
  Hearing hearing_from(const base::Receiver& receiver, double t, const base::Vec3& middle) const;

  RayScene scene_;
  std::int64_t begin_;
  std::vector<base::Vec3> middle_;
  std::vector<std::vector<Hearing>> hearings_;  ///< of each receiver, at each beat
};

}  // namespace peal::radiation

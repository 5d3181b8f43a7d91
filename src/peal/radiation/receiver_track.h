#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/base/world.h>
#include <peal/radiation/radiating_surface.h>
#include <peal/radiation/ray_filters.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::radiation {

/// The receivers of a surface, and the times at which its geometry is sampled.
struct RayScene {
  const base::World& world;
  std::span<const base::Receiver> receivers;
  base::RaysSettings settings;
  base::Rate rate;
  std::int64_t hop = 0;   ///< samples from one update of positions to the next
  bool is_still = false;  ///< whether no body and no receiver moves

  double time(std::int64_t hops) const { return rate.seconds(hops * hop); }
};

/// The positions of a surface and its receivers at the hops of an interval.
class ReceiverTrack {
 public:
  /// Evaluates the hops [begin, end).
  ReceiverTrack(const RayScene& scene, RadiatingSurface& surface, std::int64_t begin,
                std::int64_t end);

  /// Hops for which keyframes are computed together, starting from a multiple of this.
  static constexpr std::int64_t at_once = 16;

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return begin_ + static_cast<std::int64_t>(middle_.size()); }
  /// The middle of the surface [m].
  const base::Vec3& middle(std::int64_t hop) const {
    return middle_[static_cast<std::size_t>(hop - begin_)];
  }
  const ReceiverGeometry& receiver_geometry(std::size_t receiver, std::int64_t hop) const {
    return receiver_geometries_[receiver][static_cast<std::size_t>(hop - begin_)];
  }
  /// Whether the delay from the middle changes so much from this hop to the next that no movement
  /// explains it.
  bool jumps(std::size_t receiver, std::int64_t hop) const;

 private:
  ReceiverGeometry hearing_from(const base::Receiver& receiver, double t,
                                const base::Vec3& middle) const;

  RayScene scene_;
  std::int64_t begin_;
  std::vector<base::Vec3> middle_;
  std::vector<std::vector<ReceiverGeometry>>
      receiver_geometries_;  ///< of each receiver, at each hop
};

}  // namespace peal::radiation

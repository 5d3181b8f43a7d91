#pragma once

#include <peal/base/bubble.h>
#include <peal/scene/liquid.h>

#include <utility>

namespace peal::sounds {

/// The surface and the walls around bubbles in a liquid that Peal moves, in its own frame.
class LiquidSurroundings : public base::BubbleSurroundings {
 public:
  explicit LiquidSurroundings(scene::LiquidBody liquid) : liquid_(std::move(liquid)) {}

  /// The distance to the surface near the bubble, which may be the floor or the side of a crater.
  double depth(const base::Vec3& position, double t) const override;
  base::Vec3 surface_point(const base::Vec3& position, double t) const override;
  /// Below the level at rest: a crater takes no pressure off.
  double head(const base::Vec3& position, double t) const override;
  double wall_distance(const base::Vec3& position, double t) const override;

 private:
  scene::LiquidBody liquid_;
};

}  // namespace peal::sounds

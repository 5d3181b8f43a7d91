#pragma once

#include <peal/base/bubble.h>
#include <peal/base/point_shader.h>
#include <peal/bubbles/drops.h>
#include <peal/bubbles/plume.h>
#include <peal/bubbles/read_tracks.h>
#include <peal/scene/sound.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace peal::sounds {

/// Bubbles of a file: followed, or only the events or the trapped air of which they come.
struct BubbleFile {
  std::string name;  ///< for people
  std::variant<base::BubblePopulation, std::vector<bubbles::BubbleEvent>,
               std::vector<bubbles::AirParticle>>
      content;
  bubbles::Vec3 at = bubbles::Vec3::Zero();  ///< of an event list [m]
};

/// The drops and the jet of the object's liquid.
struct OwnDisturbances {
  double air = 1.0;  ///< over the flow of air that the jet takes along by the formula
};

/// Bubbles below the surface of a liquid: {"bubbles": {...}}.
struct BubblesSound {
  static constexpr const char* key = "bubbles";

  std::variant<std::shared_ptr<const BubbleFile>, bubbles::Drops, bubbles::Rain, bubbles::Jet,
               OwnDisturbances>
      origin;
  double level = 0.0;  ///< y of the surface in the object's frame [m], if it has no liquid
  double max_frequency = 18000.0;  ///< bubbles above it are left out [Hz]
  std::optional<bool> coupled;     ///< absent: if they are not too many
};

std::shared_ptr<const scene::Sound> make_sound(const BubblesSound& settings);
std::shared_ptr<const scene::Sound> read_bubbles(const util::JsonValue& value,
                                                 const scene::SoundingSurface& surface,
                                                 const scene::ReadContext& context);

/// Some bubbles near each other, as a point of the surface above them. Sound from below hardly
/// passes the surface; what is heard is that it moves by the volumes of the bubbles. Such a
/// piston in a plane radiates p = rho v''(t - r/c) / (2 pi r) into the air above it.
class BubblePoint : public base::PointShader {
 public:
  BubblePoint(std::shared_ptr<const base::BubbleSounds> sounds, std::vector<std::size_t> members,
              double air_density);

  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  base::Signal own_strength(base::SampleRange range) const;

  std::shared_ptr<const base::BubbleSounds> sounds_;
  std::vector<std::size_t> members_;
  double air_density_;       ///< [kg/m^3]
  base::SampleRange sound_;  ///< from the first to the last sample of all members
};

}  // namespace peal::sounds

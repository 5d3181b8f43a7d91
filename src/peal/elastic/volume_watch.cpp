#include <peal/elastic/volume_watch.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::elastic {

namespace {

/// Volume ratio below which the user is notified. Compressed along one axis, the material softens
/// from 0.58 on (1/sqrt(3)).
constexpr double reported_volume = 0.5;
constexpr std::int64_t stays_after = 1024 / VolumeWatch::steps;  ///< looks

}  // namespace

std::string description(const InternalForces::Strained& strained) {
  const geometry::Vec3& at = strained.rest_centre;
  const bool is_finite = std::isfinite(strained.volume_ratio);
  return fmt::format(
      "element {}, at ({:.4g}, {:.4g}, {:.4g}) m when at rest, {}", strained.element, at.x(),
      at.y(), at.z(),
      is_finite ? fmt::format("has {:.3g} times its volume", strained.volume_ratio) : "is nowhere");
}

void VolumeWatch::look(const Solid& solid, const Nodes& positions, double time) {
  const double least = solid.forces->least_volume(positions);
  const bool is_inside_out = least <= 0.0;
  if (is_inside_out && inside_out_ == 0) since_ = time;
  inside_out_ = is_inside_out ? inside_out_ + 1 : 0;
  if (inside_out_ > stays_after) {
    throw util::NumericsError(
        fmt::format("\"{}\" is turned inside out from {:.6g} s on: {} and stays so, and the sound "
                    "is wrong from then on. Strike, throw or move it less hard or over a longer "
                    "time, or make it stiffer or its elements larger.",
                    solid.name, since_, description(solid.forces->most_squeezed(positions))));
  }
  if (!(least < std::min(reported_volume, least_.volume_ratio))) return;
  least_ = solid.forces->most_squeezed(positions);
  when_ = time;
}

std::optional<std::string> VolumeWatch::finding(const std::string& name) const {
  if (!(least_.volume_ratio < reported_volume)) return std::nullopt;
  const bool was_inside_out = least_.volume_ratio <= 0.0;
  return fmt::format(
      "\"{}\" is compressed {} at {:.6g} s: {}. Its material model is valid for small strains "
      "only, so the sound may be wrong from then on",
      name, was_inside_out ? "through itself" : "hard", when_, description(least_));
}

void VolumeWatch::serialize(util::Archive& archive) {
  archive.number(least_.element, least_.volume_ratio, least_.rest_centre.x(),
                 least_.rest_centre.y(), least_.rest_centre.z(), when_, inside_out_, since_);
}

}  // namespace peal::elastic

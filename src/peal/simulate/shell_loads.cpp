#include <peal/elastic/mallet.h>
#include <peal/elastic/penalty.h>
#include <peal/elastic/soft_support.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/simulate/shell_loads.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace peal::simulate {

using geometry::Vec3;

std::unique_ptr<elastic::Load> mallet_of(const scene::Object& object, const scene::Strike& strike,
                                         const elastic::Solid& solid, std::size_t number,
                                         const geometry::Quat& orientation,
                                         util::Fingerprint& fingerprint) {
  if (solid.middle.empty()) {
    throw util::InputError(
        {"", object.location + ".strikes"},
        fmt::format("a hammer strikes shell elements only, and \"{}\" has others", object.name),
        "Let \"elements\" be \"shells\", or strike with the \"impulse\" of a force.");
  }
  const scene::Hammer& hammer = *strike.hammer;
  // On the side of the wall that the point is nearest to, against its normal.
  const geometry::SurfaceQuery surface(solid.surface);
  const geometry::SurfacePoint near = surface.closest_point(strike.at);
  const Vec3 inward = -geometry::area_vector(solid.surface, near.triangle).normalized();
  const elastic::MalletBlow blow{
      .start = strike.t,
      .at = near.point,
      .direction = orientation * strike.direction.value_or(inward),
      .speed = hammer.speed,
      .mass = hammer.mass,
      .radius = hammer.radius,
      .modulus = elastic::contact_modulus(fem::contact_compliance(*object.material),
                                          fem::contact_compliance(hammer.material)),
      .restitution = hammer.restitution,
      .patch_radius = strike.patch_radius.value_or(0.0)};
  fingerprint.add(number);
  for (const Vec3& v : {blow.at, blow.direction}) fingerprint.add(std::span(v.data(), 3));
  for (const double value : {blow.start, blow.speed, blow.mass, blow.radius, blow.modulus,
                             blow.restitution, blow.patch_radius})
    fingerprint.add(value);
  return std::make_unique<elastic::Mallet>(solid, number, blow);
}

std::unique_ptr<elastic::SoftSupport> support_of(const scene::SoftRegion& region,
                                                 const elastic::Solid& solid, std::size_t number,
                                                 util::Fingerprint& fingerprint) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < solid.mass.size(); ++i)
    if (region.box.contains(solid.rest.at(i))) nodes.push_back(i);
  if (nodes.empty()) {
    throw util::InputError({"", region.location}, "contains no node of the body",
                           "Make the box larger: it is in the object's own frame, in metres.");
  }
  fingerprint.add(number);
  fingerprint.add(std::string_view("carries weight"));
  fingerprint.add(std::span<const std::uint32_t>(nodes));
  fingerprint.add(region.stiffness);
  fingerprint.add(region.damping);
  return std::make_unique<elastic::SoftSupport>(solid, number, std::move(nodes), region.stiffness,
                                                region.damping);
}

}  // namespace peal::simulate

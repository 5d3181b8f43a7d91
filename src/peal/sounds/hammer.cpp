#include <peal/contact/hertz.h>
#include <peal/contact/impact_law.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/scene/body_mass.h>
#include <peal/sounds/hammer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>

namespace peal::sounds {

using geometry::Vec3;

namespace {

/// Whether nothing holds an ideal shape.
bool is_free(const scene::IdealShape& shape) {
  if (const auto* bar = std::get_if<scene::IdealBar>(&shape))
    return bar->left == scene::BarEnd::free && bar->right == scene::BarEnd::free;
  const auto* plate = std::get_if<scene::IdealPlate>(&shape);
  if (plate == nullptr) return false;
  if (std::holds_alternative<scene::Disc>(plate->outline))
    return plate->edges[0] == scene::PlateEdge::free;
  return std::ranges::all_of(plate->edges,
                             [](scene::PlateEdge edge) { return edge == scene::PlateEdge::free; });
}

/// How the body moves as a whole; nothing if it is held, or encloses no volume.
std::optional<geometry::MassProperties> rigid_motion(const scene::Object& object) {
  if (object.ideal_shape() != nullptr && !is_free(*object.ideal_shape())) return {};
  try {
    if (const scene::ModalBody* modal = object.modal_body()) {
      const double volume = geometry::mass_properties(*object.mesh, 1.0).mass;
      return geometry::mass_properties(*object.mesh, modal->model->mass / volume);
    }
    return scene::body_mass(object);
  } catch (const std::invalid_argument&) {
    return {};
  }
}

base::ImpactBody struck_body(const scene::Object& object) {
  base::ImpactBody body{.body = 0};
  const auto mass = rigid_motion(object);
  if (!mass) return body;
  body.centre = mass->centre;
  body.inverse_mass = 1.0 / mass->mass;
  body.inverse_inertia = mass->inertia.inverse();
  return body;
}

/// Where a strike meets a body, and which way it pushes.
struct HammerPlace {
  Vec3 point, direction;
};

HammerPlace place_of(const scene::Strike& strike, const scene::Object& object,
                     const geometry::SurfaceQuery& surface) {
  if (object.ideal_shape() != nullptr)
    return {strike.at, strike.direction.value_or(-Vec3::UnitY())};
  const geometry::SurfacePoint near = surface.closest_point(strike.at);
  const Vec3 normal = geometry::area_vector(surface.mesh(), near.triangle).normalized();
  return {near.point, strike.direction.value_or(-normal)};
}

/// Radius of the area that touches under a force: Hertz's (3 F r / (4 E*))^(1/3) [m].
double contact_radius(const contact::HertzContact& contact, double force) {
  return std::cbrt(0.75 * force * contact.radius / contact.modulus);
}

std::string describe(const scene::Object& object, const scene::Strike& strike,
                     const base::ForceHistory& force, double patch) {
  return fmt::format(
      "\"{}\": the hammer of {:.3g} kg at {:.3g} m/s at {:g} s touches for {:.3g} ms and gives "
      "{:.3g} N s, {:.3g} N at most, on a radius of {:.2g} mm",
      object.name, strike.hammer->mass, strike.hammer->speed, strike.t, 1e3 * force.duration(),
      force.impulse().norm(), force.peak(), 1e3 * patch);
}

}  // namespace

IdealCompliance::IdealCompliance(std::shared_ptr<const vibration::IdealShape> shape,
                                 std::vector<base::Mode> modes, double highest)
    : shape_(std::move(shape)), modes_(std::move(modes)) {
  if (shape_->is_cut()) highest = modes_.back().frequency;
  cut_ = 2.0 * std::numbers::pi * highest;
}

base::ContactCompliance::Point IdealCompliance::at(const Vec3& point) const {
  const std::vector<double> moved = shape_->displacement({point.x(), point.z()});
  Point result;
  result.gains.setZero(3, static_cast<Eigen::Index>(moved.size()));
  result.gains.row(1) =
      Eigen::Map<const Eigen::RowVectorXd>(moved.data(), static_cast<Eigen::Index>(moved.size()))
          .cast<float>();
  result.unknown = base::unknown_modes(modes_, result.gains, cut_);
  return result;
}

std::vector<StruckForce> hammer_forces(const scene::Object& object,
                                       std::shared_ptr<const base::ContactCompliance> compliance,
                                       std::vector<std::string>& notices) {
  std::vector<const scene::Strike*> strikes;
  for (const scene::Strike& strike : object.strikes)
    if (strike.hammer) strikes.push_back(&strike);
  std::ranges::stable_sort(strikes, {}, [](const scene::Strike* one) { return one->t; });

  // What is made of nothing known (a .modes file) does not give way under the hammer.
  const scene::Material material = object.material.value_or(
      scene::Material{.young_modulus = std::numeric_limits<double>::infinity()});
  std::vector<contact::ImpactSurface> surfaces(1 + strikes.size());
  surfaces[0] = {.material = material, .compliance = std::move(compliance)};
  if (object.ideal_shape() == nullptr)
    surfaces[0].shape = std::make_shared<contact::LocalShape>(*object.mesh, object.contact.fillet);
  for (std::size_t i = 0; i < strikes.size(); ++i) {
    const scene::Hammer& hammer = *strikes[i]->hammer;
    surfaces[i + 1] = {
        .material = hammer.material, .radius = hammer.radius, .patch = hammer.radius};
  }
  contact::CompliantImpactLaw law(surfaces);

  const geometry::SurfaceQuery surface(*object.mesh);
  const base::ImpactBody body = struck_body(object);
  std::vector<StruckForce> forces;
  for (std::size_t i = 0; i < strikes.size(); ++i) {
    const scene::Hammer& hammer = *strikes[i]->hammer;
    const HammerPlace place = place_of(*strikes[i], object, surface);
    const base::ImpactBody head{.body = static_cast<std::uint32_t>(i + 1),
                                .centre = place.point - hammer.radius * place.direction,
                                .velocity = hammer.speed * place.direction,
                                .inverse_mass = 1.0 / hammer.mass};
    const base::ImpactContact touch{.a = 0,
                                    .b = 1,
                                    .point = place.point,
                                    .normal = place.direction,
                                    .restitution = hammer.restitution};
    const base::ImpactBody bodies[] = {body, head};
    base::ImpactOutcome outcome = law.strike(bodies, {&touch, 1}, strikes[i]->t);
    auto history = std::make_shared<base::ForceHistory>(std::move(outcome.touches[0].force));
    history->trim();
    if (history->empty()) continue;
    const auto side = [](const contact::ImpactSurface& one, const Vec3& at, double inverse_mass) {
      return contact::ContactSide{.inverse_mass = inverse_mass,
                                  .radius = one.shape ? one.shape->radius(at) : one.radius,
                                  .compliance = fem::contact_compliance(one.material)};
    };
    const contact::HertzContact hertz = contact::hertz_contact(
        side(surfaces[0], place.point, 0.0), side(surfaces[i + 1], place.point, head.inverse_mass),
        hammer.speed, hammer.radius);
    const double patch = strikes[i]->patch_radius.value_or(contact_radius(hertz, history->peak()));
    constexpr std::size_t most_notices = 3;
    if (i < most_notices) notices.push_back(describe(object, *strikes[i], *history, patch));
    forces.push_back({base::contact_force(std::move(history), place.point), patch});
  }
  return forces;
}

}  // namespace peal::sounds

#include <peal/contact/held_plate.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/scene/body_mass.h>
#include <peal/simulate/free_bodies.h>
#include <peal/simulate/impact_bodies.h>
#include <peal/simulate/move_scene.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/named_steps.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace peal::simulate {

namespace {

using scene::Object;

/// Mean thickness over the middle one of a body's three sizes, of thin bodies.
constexpr double thinnest_stiff = 0.1;

/// Half size of the area in which a body can touch another: half of the middle one of its three
/// sizes [m].
double patch_of(const Object& object) {
  geometry::Vec3 sizes = geometry::bounds(*object.mesh).sizes();
  std::ranges::sort(sizes.data(), sizes.data() + 3);
  return std::max(0.5 * sizes[1], object.contact.fillet);
}

/// Keyed motion moves any surface; what has no inside has no mass and does not give way.
bool has_mass(const Object& object) {
  if (object.rigid() != nullptr) return true;
  try {
    return scene::body_mass(object).mass > 0.0;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

const sounds::ModalSound* modal_sound(const Object& object) {
  for (const auto* list : {&object.sounds, &object.left_out})
    for (const auto& sound : *list)
      if (const auto* modal = scene::settings_of<sounds::ModalSound>(*sound)) return modal;
  return nullptr;
}

/// Whether it may have modes, or is held as a plate.
bool may_give_way(const Object& object) {
  if (!object.mesh || !object.material || object.changes_shape()) return false;
  return modal_sound(object) != nullptr ||
         (!object.rigid() && contact::held_plate(*object.mesh, *object.material));
}

bool is_thin(const Object& object) {
  geometry::Vec3 sizes = geometry::bounds(*object.mesh).sizes();
  std::ranges::sort(sizes.data(), sizes.data() + 3);
  double area = 0.0;
  for (std::uint32_t t = 0; t < object.mesh->triangles.size(); ++t)
    area += geometry::area_vector(*object.mesh, t).norm();
  return 2.0 * geometry::signed_volume(*object.mesh) < thinnest_stiff * sizes[1] * area;
}

}  // namespace

std::vector<contact::ContactBody> ImpactBodies::contact_bodies(
    const base::MotionResult& motion, const std::vector<std::size_t>& objects) {
  std::vector<contact::ContactBody> bodies;
  for (const std::size_t i : objects) {
    const Object& object = scene_.objects[i];
    contact::ContactBody body{.motion = motion.objects[i].motion,
                              .restitution = object.contact.restitution,
                              .friction = object.contact.friction,
                              .rolling_resistance = object.contact.rolling_resistance};
    if (object.mesh) {
      body.is_free =
          object.material &&
          (object.rigid() != nullptr || motion.objects[i].gives_way || !body.motion->is_still()) &&
          has_mass(object);
      if (body.is_free) body.mass = mass_of(object);
      body.shape = shape(i);
      body.patch = patch_of(object);
    }
    // What is made of nothing known does not give way.
    body.material = object.material.value_or(
        base::Material{.young_modulus = std::numeric_limits<double>::infinity()});
    bodies.push_back(std::move(body));
  }
  return bodies;
}

const std::shared_ptr<const contact::LocalShape>& ImpactBodies::shape(std::size_t object) {
  auto& shape = shapes_[object];
  if (!shape) {
    const Object& body = scene_.objects[object];
    shape = std::make_shared<contact::LocalShape>(*body.mesh, body.contact.fillet);
  }
  return shape;
}

std::shared_ptr<contact::CompliantImpactLaw> ImpactBodies::law(
    base::MotionResult& motion, const std::vector<std::size_t>& objects,
    std::vector<std::string>& notices) {
  bool any = false;
  std::vector<contact::ImpactSurface> surfaces;
  for (const std::size_t i : objects) {
    const Object& object = scene_.objects[i];
    contact::ImpactSurface surface{.material = object.material.value_or(base::Material{
                                       .young_modulus = std::numeric_limits<double>::infinity()})};
    if (object.mesh) {
      surface.shape = shape(i);
      surface.patch = patch_of(object);
    }
    if (may_give_way(object)) {
      any = true;
      surface.find_compliance = [this, i, &motion, &notices] {
        return compliance(i, motion.objects[i], notices);
      };
    }
    surfaces.push_back(std::move(surface));
  }
  return any ? std::make_shared<contact::CompliantImpactLaw>(std::move(surfaces)) : nullptr;
}

std::vector<std::uint64_t> ImpactBodies::struck() const {
  std::vector<std::uint64_t> objects;
  for (const auto& [object, found] : compliances_) objects.push_back(object);
  return objects;
}

void ImpactBodies::strike(std::size_t object, base::ObjectMotion& motion) {
  std::vector<std::string> known;  // those who simulated have the notices
  compliance(object, motion, known);
}

ImpactBodies::Compliance ImpactBodies::compliance(std::size_t object, base::ObjectMotion& motion,
                                                  std::vector<std::string>& notices) {
  const auto [found, is_new] = compliances_.try_emplace(object);
  if (is_new) found->second = found_compliance(scene_.objects[object], motion, notices);
  return found->second;
}

ImpactBodies::Compliance ImpactBodies::found_compliance(const Object& object,
                                                        base::ObjectMotion& motion,
                                                        std::vector<std::string>& notices) {
  const sounds::ModalSound* modal = modal_sound(object);
  // With the decay by radiation, as its response has it.
  std::shared_ptr<const base::ModalModel> model;
  if (modal) {
    util::NamedSteps steps(progress_, fmt::format("\"{}\"", object.name));
    const auto ringing = sounds::find_ringing_body(object, *modal, scene_.medium, steps, notices);
    if (ringing) {
      model = ringing->model;
      motion.modes = ringing->in_vacuum ? ringing->in_vacuum : model;
    } else {
      motion.modes = std::make_shared<const base::ModalModel>();
    }
  }
  if (!model) return object.rigid() ? nullptr : contact::held_plate(*object.mesh, *object.material);
  const std::size_t count = base::count_up_to(model->modes, modal->max_frequency);
  if (count == 0) return nullptr;
  // Nobody knows how far the modes of a file, or the lowest ones of a formula, are complete.
  const bool is_complete = !object.modal_body() && !object.ideal_shape();
  const double highest = vibration::complete_band(
      *model, is_complete ? modal->max_frequency : model->modes[count - 1].frequency);
  return std::make_shared<vibration::ModalCompliance>(std::move(model), highest);
}

void mention_rigid_thin_bodies(std::span<const scene::Object> objects,
                               std::vector<std::string>& notices) {
  if (std::ranges::none_of(objects, &Object::answers_contacts)) return;
  for (const Object& object : objects) {
    if (!object.rigid() || !object.mesh || !object.material || modal_sound(object) ||
        !is_thin(object))
      continue;
    notices.push_back(
        fmt::format("\"{}\" is thin, but without a \"modal\" sound it strikes as a rigid body: "
                    "too hard and too short",
                    object.name));
  }
}

std::vector<base::BodyImpacts> impacts_on(
    const std::vector<std::string>& names,
    const std::vector<std::vector<base::ContactForce>>& forces) {
  std::vector<base::BodyImpacts> result;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    if (forces[k].empty()) continue;
    base::BodyImpacts body{.body = names[k], .count = forces[k].size()};
    for (const base::ContactForce& force : forces[k]) {
      const base::ForcePulse& pulse = force.pulse;
      body.ringing += force.history ? 1 : 0;
      body.sub_impacts += force.history ? force.history->hits() : 1;
      body.longest = std::max(body.longest, pulse.contact_time);
      const double half_sine = base::pulse_force(base::PulseProfile::half_sine, 0.5);
      body.largest =
          std::max(body.largest, force.history ? force.history->peak()
                                               : half_sine * pulse.impulse / pulse.contact_time);
    }
    result.push_back(std::move(body));
  }
  return result;
}

}  // namespace peal::simulate

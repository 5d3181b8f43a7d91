#include <peal/contact/contact_forces.h>
#include <peal/contact/contact_log.h>
#include <peal/contact/sliding.h>
#include <peal/geometry/repair/backed_sheet.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/scene/describe.h>
#include <peal/scene/recognise.h>
#include <peal/simulate/check_log.h>
#include <peal/simulate/deformables.h>
#include <peal/simulate/free_bodies.h>
#include <peal/simulate/impact_bodies.h>
#include <peal/simulate/inferred_log.h>
#include <peal/simulate/keyed_motions.h>
#include <peal/simulate/logged_bodies.h>
#include <peal/simulate/move_scene.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace peal::simulate {

namespace {

using geometry::Vec3;
using scene::Object;

void mention_without_contact(const scene::Scene& scene, std::vector<std::string>& notices) {
  for (const Object& object : scene.objects) {
    if (!object.mesh || object.deformable() != nullptr ||
        object.contact.collision == scene::Collision::none || meets_others(object))
      continue;
    notices.push_back(fmt::format(
        "bodies pass through \"{}\": {} cannot collide", object.name,
        object.has_keyed_shape() ? "a deforming surface" : "a surface without an inside"));
  }
}

/// The log of contacts has what rigid bodies do to each other; a deformable one is heard itself.
void mention_deformable_impacts(const scene::Scene& scene, std::vector<std::string>& notices) {
  for (const Object& object : scene.objects) {
    if (object.deformable() != nullptr || !object.answers_contacts() || !meets_others(object))
      continue;
    notices.push_back(fmt::format(
        "\"{}\" sounds when rigid bodies strike it; when deformable ones do, only these sound",
        object.name));
  }
  if (scene.dynamics.solver == scene::Solver::bullet)
    notices.push_back("next to deformable bodies, free ones use the \"smooth\" solver");
}

/// Adds what keyed bodies do to each other beside what was simulated.
void add_records(const base::ContactLog& more, base::ContactLog& log) {
  const auto body = [&](std::uint32_t index) {
    const auto found = std::ranges::find(log.bodies, more.bodies[index]);
    const auto location = static_cast<std::uint32_t>(found - log.bodies.begin());
    if (found == log.bodies.end()) log.bodies.push_back(more.bodies[index]);
    return location;
  };
  for (base::ContactRecord record : more.records) {
    record.body_a = body(record.body_a);
    record.body_b = body(record.body_b);
    log.records.push_back(record);
  }
  for (base::RestingContact rest : more.rests) {
    rest.body_a = body(rest.body_a);
    rest.body_b = body(rest.body_b);
    log.rests.push_back(rest);
  }
  std::ranges::stable_sort(log.records, {}, &base::ContactRecord::time);
}

/// The motion that the file prescribes, before anything is simulated.
base::MotionResult keyed_result(const scene::Scene& scene) {
  base::MotionResult result;
  Motions motions = keyed_motions(scene);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    KeyedShape shape = keyed_shape(scene.objects[i]);
    result.objects.push_back({.motion = std::move(motions[i]),
                              .deformation = std::move(shape.deformation),
                              .sequence = std::move(shape.sequence),
                              .window = window_of_fragmentation(scene.objects[i])});
  }
  return result;
}

}  // namespace

bool meets_others(const Object& object) {
  if (!object.mesh || !object.collision_shape || object.has_keyed_shape()) return false;
  if (object.rigid() != nullptr ||
      !std::holds_alternative<scene::MeshShape>(*object.collision_shape))
    return true;
  const auto report = geometry::check_mesh(*object.mesh, {.self_intersections = false});
  return object.contact.collision == scene::Collision::mesh ||
         !geometry::is_open_surface(report, *object.mesh) ||
         geometry::backed_sheet(*object.mesh, Vec3::Zero());
}

scene::CollisionShape collides_as(const Object& object, const base::Pose& start,
                                  const Vec3& gravity) {
  const auto* shape = std::get_if<scene::MeshShape>(&*object.collision_shape);
  if (object.rigid() != nullptr || shape == nullptr) return *object.collision_shape;
  auto solid = geometry::backed_sheet(*shape->mesh, start.orientation.conjugate() * gravity);
  if (!solid) return *shape;
  if (auto slab = scene::recognised_box(*solid)) {
    slab->fillet = std::min(shape->fillet, 0.3 * slab->size.minCoeff());
    return *slab;
  }
  return scene::MeshShape{std::make_shared<geometry::TriMesh>(*std::move(solid)), shape->fillet};
}

bool needs_simulation(const scene::Scene& scene) {
  return std::ranges::any_of(scene.objects, &Object::rigid) && !meets_deformables(scene);
}

base::MotionResult move_scene(const scene::Scene& scene, util::Progress& progress,
                              std::vector<std::string>& notices, const MovingOptions& options) {
  base::MotionResult result = keyed_result(scene);
  const bool are_free = std::ranges::any_of(scene.objects, &Object::rigid);
  base::ContactResult contacts{.solver = scene::describe(scene::Solver::smooth)};
  ImpactBodies impact_bodies(scene, progress);

  if (has_deformables(scene)) {
    deform(scene, options, result, contacts, progress, notices);
    if (are_free && meets_deformables(scene)) mention_deformable_impacts(scene, notices);
  }

  // What touches. Impacts that were not simulated with the impact law are found afterwards.
  bool finds_forces = !needs_simulation(scene) || scene.dynamics.solver != scene::Solver::smooth;
  if (are_free || meets_deformables(scene)) mention_without_contact(scene, notices);
  if (are_free) {
    if (needs_simulation(scene)) {
      contacts.log =
          move_free_bodies(scene, options, impact_bodies, progress, contacts, result, notices);
    }
    if (options.free_bodies != FreeBodies::at_start) {
      const base::ContactLog keyed = inferred_log(scene, result, impact_bodies, notices);
      finds_forces = finds_forces || !keyed.records.empty();
      add_records(keyed, contacts.log);
    }
  } else if (scene.dynamics.contacts) {
    contacts.source = base::ContactResult::Source::given;
    contacts.log = contact::read_contact_log(*scene.dynamics.contacts);
  } else {
    contacts.source = base::ContactResult::Source::inferred;
    contacts.log = inferred_log(scene, result, impact_bodies, notices);
    if (contacts.log.records.empty()) return result;
  }
  const std::vector<std::size_t> object_of = objects_of(scene, contacts.log);
  if (contacts.source == base::ContactResult::Source::given)
    prepare_logged_bodies(scene, contacts.log, object_of, result, notices);
  // How bent they are takes a while to find.
  const std::vector<contact::ContactBody> bodies =
      contacts.log.records.empty() ? std::vector<contact::ContactBody>(object_of.size())
                                   : impact_bodies.contact_bodies(result, object_of);
  const bool is_given = contacts.source == base::ContactResult::Source::given;
  if (is_given) {
    check_records(scene, contacts.log, bodies, object_of);
    mention_records_outside(scene, contacts.log, notices);
  }
  // Which impacts that is, and what slides and rolls.
  contacts.events = contact::contact_events(contacts.log, {.min_speed = scene.dynamics.min_speed,
                                                           .gravity = scene.dynamics.gravity.norm(),
                                                           .find_steps = is_given});
  if (const double step = contacts.events.report.found_step; step > 0.0) {
    notices.push_back(fmt::format(
        "the contact log has no step; {:.3g} ms is assumed, the interval between its records",
        1e3 * step));
  }
  // What forces these are.
  std::shared_ptr<contact::CompliantImpactLaw> law;
  std::vector<bool> excited;
  for (const std::size_t i : object_of) excited.push_back(!scene.objects[i].strikes.empty());
  for (const auto& impact : contacts.events.impacts)
    excited[impact.body_a] = excited[impact.body_b] = true;
  for (const auto& interval : contacts.events.intervals)
    excited[interval.body_a] = excited[interval.body_b] = true;
  const bool any = std::ranges::find(excited, true) != excited.end();
  if (options.free_bodies != FreeBodies::at_start && any) {
    // Pieces are as thin as the body was.
    const std::size_t given =
        options.breakages.empty() ? scene.objects.size() : options.breakages.front().first_piece;
    mention_rigid_thin_bodies(std::span(scene.objects).first(given), notices);
    law = impact_bodies.law(result, object_of, notices);
    if (law && finds_forces) contact::find_forces(contacts.events.impacts, bodies, *law);
  }
  auto impacts = contact::contact_forces(contacts.events.impacts, bodies);
  auto sustained =
      contact::sliding_forces(contacts.events.intervals, bodies, scene.rate, scene.seed, law.get());
  std::vector<std::vector<base::LastingContact>> lasting(object_of.size());
  if (law) lasting = contact::lasting_contacts(contacts.events, bodies, excited, *law);
  contacts.bodies = impacts_on(contacts.log.bodies, impacts);
  for (std::size_t k = 0; k < object_of.size(); ++k) {
    result.objects[object_of[k]].forces = {std::move(impacts[k]), std::move(sustained[k]),
                                           std::move(lasting[k])};
  }
  result.contacts = std::move(contacts);
  return result;
}

}  // namespace peal::simulate

#include <peal/contact/contact_forces.h>
#include <peal/contact/contact_log.h>
#include <peal/contact/inferred_contacts.h>
#include <peal/contact/keyed_rests.h>
#include <peal/contact/lasting_contacts.h>
#include <peal/contact/sliding.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/dynamics/simulated_motion.h>
#include <peal/geometry/repair/backed_sheet.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/scene/body_mass.h>
#include <peal/scene/describe.h>
#include <peal/scene/recognise.h>
#include <peal/simulate/deformables.h>
#include <peal/simulate/fracture.h>
#include <peal/simulate/impact_bodies.h>
#include <peal/simulate/keyed_motions.h>
#include <peal/simulate/logged_bodies.h>
#include <peal/simulate/move_scene.h>
#include <peal/simulate/participants.h>
#include <peal/simulate/stored_motion.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>
#include <peal/util/store.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

namespace peal::simulate {

namespace {

using geometry::Vec3;
using scene::Object;

Motions motions_of(const base::MotionResult& result) {
  Motions motions;
  for (const base::ObjectMotion& object : result.objects) motions.push_back(object.motion);
  return motions;
}

/// What free bodies had and have, and what became of the rest.
base::ContactEnergy energy_of(const dynamics::RigidSimulation& done,
                              const contact::CompliantImpactLaw* law) {
  base::ContactEnergy energy{.given = done.energy_before - done.energy_after + done.kinetic_after,
                             .kinetic = done.kinetic_after};
  if (law) {
    const base::ImpactEnergy& all = law->energy();
    energy.to_modes = all.modal_after + all.damped - all.modal_before;
  }
  energy.lost = energy.given - energy.kinetic - energy.to_modes;
  return energy;
}

/// Moves free bodies as they were simulated before, and returns the contacts.
base::ContactLog replay(StoredMotion stored, ImpactBodies& impact_bodies,
                        base::ContactResult& contacts, base::MotionResult& result,
                        std::vector<std::string>& notices) {
  for (const StoredMotion::Path& path : stored.paths)
    result.objects.at(path.object).motion = path.motion;
  for (const std::uint64_t object : stored.struck)
    impact_bodies.strike(object, result.objects.at(object));
  contacts.rest_impulse = stored.rest_impulse;
  contacts.energy = stored.energy;
  contacts.solver = stored.solver;
  notices.insert(notices.end(), stored.notices.begin(), stored.notices.end());
  return std::move(stored.log);
}

/// Errors of the simulation name a body; users know places.
base::ContactLog simulate(const scene::Scene& scene, std::span<const Breakage> breakages,
                          double duration, ImpactBodies& impact_bodies, util::Progress& progress,
                          base::ContactResult& contacts, base::MotionResult& result,
                          std::vector<std::string>& notices) try {
  Participants taking_part = participants(scene, motions_of(result));
  add_breakages(scene, breakages, taking_part);
  // Those that an animation moves.
  std::vector<std::shared_ptr<const base::Motion>> scripted;
  for (const dynamics::RigidBodySettings& body : taking_part.bodies)
    if (body.motion) scripted.push_back(body.motion);
  std::shared_ptr<contact::CompliantImpactLaw> law;
  if (duration > 0.0 && scene.dynamics.solver == scene::Solver::smooth)
    law = impact_bodies.law(result, taking_part.objects, notices);
  const auto fields = std::make_shared<const util::Store>(util::stored::distance_field);
  dynamics::RigidSimulation done = dynamics::simulate(std::move(taking_part.bodies),
                                                      {.solver = scene.dynamics.solver,
                                                       .gravity = scene.dynamics.gravity,
                                                       .step = scene.dynamics.step,
                                                       .joints = std::move(taking_part.joints),
                                                       .law = law,
                                                       .fields = fields},
                                                      duration, progress);
  std::ranges::copy(fields->notices(), std::back_inserter(notices));
  for (std::size_t k = 0; k < taking_part.objects.size(); ++k) {
    result.objects[taking_part.objects[k]].motion = done.motions[k];
  }
  contacts.rest_impulse = done.rest_impulse;
  const auto is_driven = [](const auto& moved) { return !moved->is_still(); };
  // Bodies that begin and end bring energy and take it away.
  if (std::ranges::none_of(scripted, is_driven) && breakages.empty())
    contacts.energy = energy_of(done, law.get());
  reduce_breaking_impulses(scene, breakages, done.log);
  for (const Breakage& breakage : breakages) {
    result.objects[breakage.object].window = window_of_whole(breakage);
    for (std::size_t i = 0; i < breakage.pieces; ++i) {
      result.objects[breakage.first_piece + i].window = window_of_pieces(breakage);
    }
  }
  contacts.solver = scene::describe(scene.dynamics.solver);
  return std::move(done.log);
} catch (const util::InputError& error) {
  const auto named = std::ranges::find(scene.objects, error.location().at, &Object::name);
  if (named == scene.objects.end()) throw;
  throw util::InputError({"", named->location + ".motion"}, error.problem(), error.hint());
}

/// The same if it is not stored; stores it then.
base::ContactLog stored_or_simulated(const scene::Scene& scene, const MovingOptions& options,
                                     double duration, ImpactBodies& impact_bodies,
                                     util::Progress& progress, base::ContactResult& contacts,
                                     base::MotionResult& result,
                                     std::vector<std::string>& notices) {
  const auto simulated = [&] {
    return simulate(scene, options.breakages, duration, impact_bodies, progress, contacts, result,
                    notices);
  };
  if (options.scene_hash.empty() || duration <= 0.0) return simulated();
  const util::Store store(util::stored::rigid_motion);
  if (auto known = store.find<StoredMotion>(options.scene_hash))
    return replay(*std::move(known), impact_bodies, contacts, result, notices);
  const std::size_t before = notices.size();
  StoredMotion motion{
      .log = simulated(),
      .rest_impulse = contacts.rest_impulse,
      .solver = contacts.solver,
      .energy = contacts.energy,
      .struck = impact_bodies.struck(),
      .notices = {notices.begin() + static_cast<std::ptrdiff_t>(before), notices.end()}};
  for (std::size_t i = 0; i < result.objects.size(); ++i) {
    if (auto path =
            std::dynamic_pointer_cast<const dynamics::SimulatedMotion>(result.objects[i].motion))
      motion.paths.push_back({i, std::move(path)});
  }
  store.save(options.scene_hash, motion);
  return std::move(motion.log);
}

/// Bullet looks for contacts once a step: what is thinner than the way of a step is met from the
/// wrong side.
void mention_long_steps(const scene::Scene& scene, const base::ContactLog& log,
                        std::vector<std::string>& notices) {
  if (scene.dynamics.solver != scene::Solver::bullet) return;
  double fastest = 0.0;  // approach [m/s]
  for (const base::ContactRecord& record : log.records)
    fastest = std::max(fastest, -record.normal.dot(record.velocity));
  for (const Object& object : scene.objects) {
    if (object.rigid() == nullptr || !object.mesh) continue;
    const double thin = geometry::bounds(*object.mesh).sizes().minCoeff();
    if (fastest * scene.dynamics.step < 0.5 * thin) continue;
    notices.push_back(fmt::format(
        "bodies meet at up to {:.3g} m/s and move {:.2g} mm in a step of Bullet, too far for "
        "\"{}\", which is {:.2g} mm thin: give \"dynamics\" a \"step\" of at most {:.1g} s, or let "
        "the solver be \"smooth\"",
        fastest, 1e3 * fastest * scene.dynamics.step, object.name, 1e3 * thin,
        0.25 * thin / fastest));
    return;
  }
}

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

bool is_struck_to_sound(const Object& object) {
  return std::ranges::any_of(object.sounds, &scene::Sound::answers_contacts);
}

/// The log of contacts has what rigid bodies do to each other; a deformable one is heard itself.
void mention_deformable_impacts(const scene::Scene& scene, std::vector<std::string>& notices) {
  for (const Object& object : scene.objects) {
    if (object.deformable() != nullptr || !is_struck_to_sound(object) || !meets_others(object))
      continue;
    notices.push_back(fmt::format(
        "\"{}\" sounds when rigid bodies strike it; when deformable ones do, only these sound",
        object.name));
  }
  if (scene.dynamics.solver == scene::Solver::bullet)
    notices.push_back("next to deformable bodies, free ones use the \"smooth\" solver");
}

/// How much farther from a body's bounds than a contact of it can be a point is [m]; not more than
/// 0 if it can be one. Logs and keys may be a frame of film apart, so a body may be where it is a
/// frame or a step earlier or later; and what it collides as may be larger than what is seen, by
/// its size.
double too_far(const base::ContactRecord& record, double step, const base::Motion& motion,
               const geometry::Box& bounds) {
  const auto distance = [&](double time) {
    return bounds.exteriorDistance(motion.pose(time).to_local(record.point));
  };
  const double size = bounds.diagonal().norm();
  const double here = distance(record.time) - size;
  if (here <= 0.0) return here;
  const double near = std::max({step, record.duration, 1.0 / 24});
  const double way = record.velocity.norm() * near;
  return std::min(
             {here, distance(record.time - near) - size, distance(record.time + near) - size}) -
         way;
}

/// Tells which part of a log is not heard: a clock in other units, or of another take.
void mention_records_outside(const scene::Scene& scene, const base::ContactLog& log,
                             std::vector<std::string>& notices) {
  const std::string file = scene.dynamics.contacts->filename().string();
  if (log.records.empty()) {
    notices.push_back(fmt::format("the contact log \"{}\" has no records", file));
    return;
  }
  const auto outside = std::ranges::count_if(log.records, [&](const base::ContactRecord& record) {
    return record.time + record.duration < 0.0 || record.time > scene.duration;
  });
  if (outside == 0) return;
  const auto [first, last] =
      std::ranges::minmax(log.records, {}, [](const base::ContactRecord& r) { return r.time; });
  notices.push_back(fmt::format(
      "{} of {} records of the contact log are not within the {:g} s of the scene: their times go "
      "from {:.4g} to {:.4g} s",
      outside, log.records.size(), scene.duration, first.time, last.time));
}

/// A record that nothing in the scene could have done.
void check_records(const scene::Scene& scene, const base::ContactLog& log,
                   const std::vector<contact::ContactBody>& bodies,
                   const std::vector<std::size_t>& object_of) {
  const double fastest = 2.0 * base::largest_mach * scene.medium.speed_of_sound;
  // Where a body is matters if it moves or is heard; who strikes it may be anywhere.
  std::vector<std::optional<geometry::Box>> bounds(bodies.size());
  double mass = 0.0;  // of all that can be struck [kg]
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Object& object = scene.objects[object_of[k]];
    if (bodies[k].is_free) mass += bodies[k].mass.mass;
    if (!object.mesh || object.changes_shape()) continue;
    if (bodies[k].is_free || is_struck_to_sound(object)) bounds[k] = geometry::bounds(*object.mesh);
  }
  for (std::size_t i = 0; i < log.records.size(); ++i) {
    const base::ContactRecord& record = log.records[i];
    const auto fail = [&](const std::string& problem, const std::string& hint) {
      throw util::InputError({scene.dynamics.contacts->string(), fmt::format("record {}", i + 1)},
                             problem, hint);
    };
    const contact::ContactBody* pair[] = {&bodies[record.body_a], &bodies[record.body_b]};
    if (!pair[0]->is_free && !pair[1]->is_free) {
      fail("neither of the two bodies can move", "Give one of them a material and a closed mesh.");
    }
    for (const std::uint32_t body : {record.body_a, record.body_b}) {
      if (!bodies[body].is_free) continue;
      const double speed = record.impulse.norm() / bodies[body].mass.mass;
      if (speed <= fastest) continue;
      fail(fmt::format("an impulse of {:.3g} N s would give \"{}\" ({:.3g} kg) a speed of {:.3g} "
                       "m/s",
                       record.impulse.norm(), scene.objects[object_of[body]].name,
                       bodies[body].mass.mass, speed),
           "Impulses are in newton seconds; or the object is larger than it is here.");
    }
    // An impact gives at most 2 m v, also through a heap of bodies, and a step of rest their
    // weight: ten times that and 10 m/s for velocities that are reported after the impact is beyond
    // all doubt.
    const double speed = record.velocity.norm();
    const double most =
        10.0 * mass * (speed + 10.0 + scene.dynamics.gravity.norm() * record.duration);
    if (record.impulse.norm() > most) {
      fail(fmt::format(
               "an impulse of {:.3g} N s is more than bodies of {:.3g} kg in all that meet at "
               "{:.3g} m/s could have received",
               record.impulse.norm(), mass, speed),
           "Impulses are in newton seconds, masses in kilograms, lengths in metres.");
    }
    for (const std::uint32_t body : {record.body_a, record.body_b}) {
      if (!bounds[body] || too_far(record, log.step, *bodies[body].motion, *bounds[body]) <= 0.0)
        continue;
      const Vec3 local = bodies[body].motion->pose(record.time).to_local(record.point);
      fail(fmt::format("the point ({:.4g}, {:.4g}, {:.4g}) m is {:.3g} m away from \"{}\"",
                       record.point.x(), record.point.y(), record.point.z(),
                       bounds[body]->exteriorDistance(local), scene.objects[object_of[body]].name),
           "Points are in metres, in the world; the log and the keys of the object's motion must "
           "share their axes and their clock.");
    }
  }
}

/// Which object each body of a log is.
std::vector<std::size_t> objects_of(const scene::Scene& scene, const base::ContactLog& log) {
  std::vector<std::string> names;
  for (const Object& object : scene.objects) names.push_back(object.name);
  std::vector<std::size_t> result;
  for (const std::string& body : log.bodies) {
    const auto found = std::ranges::find(names, body);
    const auto index = static_cast<std::size_t>(found - names.begin());
    const auto user = std::ranges::find_if(log.records, [&](const base::ContactRecord& record) {
      return record.body_a == result.size() || record.body_b == result.size();
    });
    const bool is_used = user != log.records.end();
    if (found == names.end() || (is_used && !scene.objects[index].mesh)) {
      throw util::InputError(
          {scene.dynamics.contacts ? scene.dynamics.contacts->string() : "",
           is_used ? fmt::format("record {}", user - log.records.begin() + 1) : "header.bodies"},
          fmt::format("the scene has no body called \"{}\"", body), util::suggest(body, names));
    }
    result.push_back(index);
  }
  return result;
}

/// A curve through keys at frames: they sample a motion whose corners the curve has rounded.
template <class T>
bool is_smoothed(const scene::Track<T>& track) {
  constexpr double longest_frame = 0.05;  // [s]
  return track.interpolation == scene::Interpolation::cubic_spline && !track.is_constant() &&
         track.times.back() - track.times.front() <=
             longest_frame * static_cast<double>(track.times.size() - 1);
}

/// The motion that the keys tell, without smoothing: nullptr if they are not smoothed.
std::shared_ptr<const base::Motion> unsmoothed(const scene::MotionPath& path) {
  scene::MotionPath straight = path;
  bool is_changed = false;
  const auto straighten = [&](auto& track) {
    if (!is_smoothed(track)) return;
    track.interpolation = scene::Interpolation::linear;
    track.in_tangents.clear();
    track.out_tangents.clear();
    is_changed = true;
  };
  for (scene::AnimatedTransform& transform : straight.chain) {
    straighten(transform.translation);
    straighten(transform.rotation);
    straighten(transform.scale);
  }
  return is_changed ? std::make_shared<dynamics::KeyframedMotion>(straight) : nullptr;
}

/// Impacts that keyed motion shows, if someone asks for the sound of a moving body or of what it
/// may hit. Free bodies are not among them: what they meet is simulated. Says what was found.
base::ContactLog inferred_log(const scene::Scene& scene, const base::MotionResult& motion,
                              ImpactBodies& impact_bodies, std::vector<std::string>& notices) {
  base::ContactLog log;
  if (!scene.dynamics.infer_contacts) return log;
  std::vector<std::size_t> objects;
  bool anything_moves = false;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = scene.objects[i];
    if (!object.mesh || object.has_keyed_shape() || object.is_simulated()) continue;
    objects.push_back(i);
    log.bodies.push_back(object.name);
    anything_moves = anything_moves || (object.material && !motion.objects[i].motion->is_still());
  }
  if (!anything_moves || std::ranges::none_of(scene.objects, is_struck_to_sound)) return log;
  std::vector<contact::ContactBody> bodies = impact_bodies.contact_bodies(motion, objects);
  std::vector<bool> heard;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    const Object& object = scene.objects[objects[k]];
    heard.push_back(is_struck_to_sound(object));
    if (auto straight = unsmoothed(object.path)) bodies[k].motion = std::move(straight);
  }
  const double duration = scene.rate.seconds(sample_count(scene));
  log.records = contact::infer_contacts(bodies, heard, duration, scene.dynamics.min_speed);
  const auto is_there = [&](std::uint32_t body, double time) {
    const auto& exists = scene.objects[objects[body]].exists;
    return !exists || exists->contains(time);
  };
  std::erase_if(log.records, [&](const base::ContactRecord& record) {
    return !is_there(record.body_a, record.time) || !is_there(record.body_b, record.time);
  });
  if (log.records.empty()) return log;
  log.rests = contact::find_keyed_rests(bodies, heard, duration, scene.dynamics.gravity);
  std::erase_if(log.rests, [&](const base::RestingContact& rest) {
    return !is_there(rest.body_a, rest.begin) || !is_there(rest.body_b, rest.begin);
  });
  std::string list;
  constexpr std::size_t told = 4;
  for (std::size_t i = 0; i < std::min(told, log.records.size()); ++i) {
    const base::ContactRecord& record = log.records[i];
    list += fmt::format("{}\"{}\" and \"{}\" at {:.4f} s ({:.2f} m/s, {:.3g} N s)",
                        i == 0 ? "" : ", ", log.bodies[record.body_a], log.bodies[record.body_b],
                        record.time, -record.normal.dot(record.velocity), record.impulse.norm());
  }
  if (log.records.size() > told) list += ", ...";
  notices.push_back(
      fmt::format("found {} impact{} in the motion of keyed bodies: {}; "
                  "contacts.jsonl has them all",
                  log.records.size(), log.records.size() == 1 ? "" : "s", list));
  return log;
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
                              .sequence = std::move(shape.sequence)});
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
  ImpactBodies impact_bodies(scene);

  if (has_deformables(scene)) {
    deform(scene, options, result, contacts, progress, notices);
    if (are_free && meets_deformables(scene)) mention_deformable_impacts(scene, notices);
  }

  // What touches. Impacts that were not simulated with the impact law are told.
  bool has_told = !needs_simulation(scene) || scene.dynamics.solver != scene::Solver::smooth;
  if (are_free || meets_deformables(scene)) mention_without_contact(scene, notices);
  if (are_free) {
    if (needs_simulation(scene)) {
      const double duration = options.free_bodies == FreeBodies::at_start
                                  ? 0.0
                                  : scene.rate.seconds(scene::sample_count(scene));
      contacts.log = stored_or_simulated(scene, options, duration, impact_bodies, progress,
                                         contacts, result, notices);
      mention_long_steps(scene, contacts.log, notices);
    }
    if (options.free_bodies != FreeBodies::at_start) {
      const base::ContactLog keyed = inferred_log(scene, result, impact_bodies, notices);
      has_told = has_told || !keyed.records.empty();
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
    if (law && has_told) contact::find_forces(contacts.events.impacts, bodies, *law);
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

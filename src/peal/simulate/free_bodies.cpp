#include <peal/dynamics/simulated_motion.h>
#include <peal/scene/body_mass.h>
#include <peal/scene/describe.h>
#include <peal/simulate/fracture.h>
#include <peal/simulate/free_bodies.h>
#include <peal/simulate/stored_motion.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>
#include <peal/util/store.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace peal::simulate {

namespace {

using geometry::Vec3;
using scene::Object;

constexpr double shortest_rod = 1e-6;  ///< below, it is a hinge [m]

/// The rods and strings of the bodies, as long as they are at the start.
std::vector<dynamics::RigidJoint> joints_of(const scene::Scene& scene,
                                            const Participants& taking_part, const Vec3& origin) {
  const auto start = [&](std::uint32_t body) {
    const dynamics::RigidBodySettings& one = taking_part.bodies[body];
    return one.motion ? one.motion->pose(0.0) : one.pose;
  };
  std::vector<dynamics::RigidJoint> joints;
  for (std::uint32_t k = 0; k < taking_part.objects.size(); ++k) {
    const Object& object = scene.objects[taking_part.objects[k]];
    if (object.rigid() == nullptr) continue;
    for (const scene::JointSettings& settings : object.rigid()->joints) {
      // A point of the world, or of the holder.
      Vec3 to = settings.to;
      if (settings.by.empty()) to -= origin;
      dynamics::RigidJoint joint{
          .body = k, .at = settings.at, .to = to, .is_string = settings.is_string};
      if (!settings.by.empty()) {
        const auto holder = std::ranges::find_if(taking_part.objects, [&](std::size_t i) {
          return scene.objects[i].name == settings.by;
        });
        if (holder == taking_part.objects.end() || scene.objects[*holder].name == object.name) {
          std::vector<std::string> names;
          for (const std::size_t i : taking_part.objects) names.push_back(scene.objects[i].name);
          throw util::InputError({"", settings.location + ".by"},
                                 fmt::format("no other solid object is called \"{}\"", settings.by),
                                 util::suggest(settings.by, names));
        }
        joint.other = static_cast<std::uint32_t>(holder - taking_part.objects.begin());
        to = start(*joint.other).to_world(settings.to);
      }
      const double length = (start(k).to_world(settings.at) - to).norm();
      joint.length = length < shortest_rod ? 0.0 : length;
      joints.push_back(joint);
    }
  }
  return joints;
}

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
  contacts.solver = scene::describe(scene.dynamics.solver);
  return std::move(done.log);
} catch (const util::InputError& error) {
  const auto named = std::ranges::find(scene.objects, error.location().at, &Object::name);
  if (named == scene.objects.end()) throw;
  throw util::InputError({"", named->location + ".motion"}, error.problem(), error.hint());
}

/// The same if it is not stored; stores it then.
base::ContactLog stored_or_simulated(const scene::Scene& scene, const MovingOptions& options,
                                     ImpactBodies& impact_bodies, util::Progress& progress,
                                     base::ContactResult& contacts, base::MotionResult& result,
                                     std::vector<std::string>& notices) {
  const double duration = options.free_bodies == FreeBodies::at_start
                              ? 0.0
                              : scene.rate.seconds(scene::sample_count(scene));
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

/// Bullet detects contacts once per step: a body that moves farther in a step than another is thick
/// may pass into it from the wrong side.
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

}  // namespace

geometry::MassProperties mass_of(const Object& object) try {
  return scene::body_mass(object);
} catch (const std::invalid_argument& error) {
  throw util::InputError({"", object.location},
                         fmt::format("\"{}\" cannot move freely: {}", object.name, error.what()));
}

Participants participants(const scene::Scene& scene, const Motions& motions, const Vec3& origin) {
  Participants result;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = scene.objects[i];
    if (object.deformable() != nullptr || !meets_others(object)) continue;
    const Vec3& gravity = scene.dynamics.gravity;
    dynamics::RigidBodySettings body{.name = object.name,
                                     .shape = collides_as(object, motions[i]->pose(0.0), gravity),
                                     .friction = object.contact.friction,
                                     .restitution = object.contact.restitution,
                                     .rolling_resistance = object.contact.rolling_resistance,
                                     .exists = object.exists};
    if (const auto* rigid = object.rigid()) {
      body.mass = mass_of(object);
      body.pose = motions[i]->pose(0.0);
      body.velocity = rigid->velocity;
      body.angular_velocity = rigid->angular_velocity;
    } else {
      body.motion = motions[i];
    }
    result.objects.push_back(i);
    result.bodies.push_back(std::move(body));
  }
  result.joints = joints_of(scene, result, origin);
  return result;
}

base::ContactLog move_free_bodies(const scene::Scene& scene, const MovingOptions& options,
                                  ImpactBodies& impact_bodies, util::Progress& progress,
                                  base::ContactResult& contacts, base::MotionResult& result,
                                  std::vector<std::string>& notices) {
  base::ContactLog log =
      stored_or_simulated(scene, options, impact_bodies, progress, contacts, result, notices);
  mention_long_steps(scene, log, notices);
  return log;
}

}  // namespace peal::simulate

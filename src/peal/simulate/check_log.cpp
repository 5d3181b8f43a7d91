#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/simulate/check_log.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace peal::simulate {

namespace {

using geometry::Vec3;
using scene::Object;

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

}  // namespace

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
    if (bodies[k].is_free || object.answers_contacts()) bounds[k] = geometry::bounds(*object.mesh);
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

}  // namespace peal::simulate

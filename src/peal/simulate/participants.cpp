#include <peal/scene/body_mass.h>
#include <peal/simulate/move_scene.h>
#include <peal/simulate/participants.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

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

}  // namespace peal::simulate

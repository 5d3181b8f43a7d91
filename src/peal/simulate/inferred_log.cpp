#include <peal/contact/inferred_contacts.h>
#include <peal/contact/keyed_rests.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/simulate/inferred_log.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace peal::simulate {

namespace {

using scene::Object;

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

}  // namespace

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
  if (!anything_moves || std::ranges::none_of(scene.objects, &Object::answers_contacts)) return log;
  std::vector<contact::ContactBody> bodies = impact_bodies.contact_bodies(motion, objects);
  std::vector<bool> heard;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    const Object& object = scene.objects[objects[k]];
    heard.push_back(object.answers_contacts());
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
  constexpr std::size_t most_named = 4;
  for (std::size_t i = 0; i < std::min(most_named, log.records.size()); ++i) {
    const base::ContactRecord& record = log.records[i];
    list += fmt::format("{}\"{}\" and \"{}\" at {:.4f} s ({:.2f} m/s, {:.3g} N s)",
                        i == 0 ? "" : ", ", log.bodies[record.body_a], log.bodies[record.body_b],
                        record.time, -record.normal.dot(record.velocity), record.impulse.norm());
  }
  if (log.records.size() > most_named) list += ", ...";
  notices.push_back(
      fmt::format("found {} impact{} in the motion of keyed bodies: {}; "
                  "contacts.jsonl has them all",
                  log.records.size(), log.records.size() == 1 ? "" : "s", list));
  return log;
}

}  // namespace peal::simulate

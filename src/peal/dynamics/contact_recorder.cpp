#include <peal/base/stored_contacts.h>
#include <peal/dynamics/contact_recorder.h>

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

namespace peal::dynamics {

ContactRecorder::ContactRecorder(const RigidBodies& bodies, SleepTracker& sleep, double step)
    : bodies_(bodies), sleep_(sleep), rests_(step, log_.rests) {
  log_.step = step;
  for (const RigidBody& body : bodies) log_.bodies.push_back(body.settings.name);
}

void ContactRecorder::add(double t, const ContactPoint& contact_point, const Vec3& impulse,
                          const Vec3& velocity, double duration, double rolling) {
  assert(impulse.allFinite() && velocity.allFinite() && "a contact has finite numbers");
  log_.records.push_back({.time = t,
                          .body_a = contact_point.body_a,
                          .body_b = contact_point.body_b,
                          .point = contact_point.point,
                          .normal = contact_point.normal,
                          .impulse = impulse,
                          .velocity = velocity,
                          .duration = duration,
                          .rolling = rolling});
}

void ContactRecorder::add(double t, const ContactPoint& contact_point, const Vec3& velocity,
                          base::ForceHistory force) {
  add(t, contact_point, force.impulse(), velocity);
  log_.records.back().force = std::make_shared<const base::ForceHistory>(std::move(force));
}

void ContactRecorder::add_rest(const ContactPoint& contact_point, double impulse) {
  add_rest(impulse);
  sleep_.add_rest(bodies_.a(contact_point).is_free ? contact_point.body_a : contact_point.body_b,
                  impulse);
}

void ContactRecorder::add_rest(double t, double duration, const ContactPoint& contact_point,
                               const Vec3& impulse) {
  add_rest(contact_point, impulse.norm());
  rests_.add(t, duration,
             {.body_a = contact_point.body_a,
              .body_b = contact_point.body_b,
              .point = contact_point.point,
              .normal = contact_point.normal},
             impulse.dot(contact_point.normal));
}

void ContactRecorder::end_step(double end) {
  rests_.end_step(end, [this](std::uint32_t body) { return sleep_.is_asleep(body); });
  assert(first_ <= log_.records.size() && "a step only adds records");
  std::stable_sort(log_.records.begin() + static_cast<std::ptrdiff_t>(first_), log_.records.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
}

void ContactRecorder::serialize(util::Archive& archive) {
  archive.number(rest_impulse_);
  base::serialize(archive, log_.records);
  rests_.serialize(archive);
}

}  // namespace peal::dynamics

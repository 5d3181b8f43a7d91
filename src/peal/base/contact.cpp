#include <peal/base/contact.h>

#include <utility>

namespace peal::base {

ContactForce contact_force(std::shared_ptr<const ForceHistory> history, const Vec3& at) {
  const Vec3 impulse = history->impulse();
  ContactForce force{.pulse = {.start = history->start,
                               .contact_time = history->duration(),
                               .impulse = impulse.norm()},
                     .at = at};
  if (force.pulse.impulse > 0.0) force.direction = impulse / force.pulse.impulse;
  force.history = std::move(history);
  return force;
}

}  // namespace peal::base

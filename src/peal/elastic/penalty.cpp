#include <peal/elastic/penalty.h>

#include <cassert>
#include <cmath>

namespace peal::elastic {

double spring_depth(double depth, double travel) {
  const double t = std::abs(travel);
  if (depth <= 0.0) return 0.0;
  return depth < t ? depth * (depth + t) / (2.0 * t) : depth;
}

geometry::Vec3 contact_force(const geometry::Vec3& normal, double push,
                             const ContactVelocity& velocity, double friction, double most_drag) {
  assert(friction >= 0.0 && most_drag >= 0.0 && "friction slows down");
  const double drag = std::min(friction / velocity.speed, most_drag);
  return push * normal - drag * velocity.sliding;
}

}  // namespace peal::elastic

#include <peal/contact/hertz.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peal::contact {

namespace {

/// tau V / depth = (4/5) B(2/5, 1/2), the time of the whole encounter in units of depth / V.
constexpr double encounter = 2.9432751843247047;

}  // namespace

double HertzContact::depth() const {
  return std::pow(15.0 * mass * speed * speed / (16.0 * std::sqrt(radius) * modulus), 0.4);
}

double HertzContact::peak_force() const {
  return 1.25 * mass * speed * speed / depth();
}

double HertzContact::contact_radius() const {
  return std::sqrt(radius * depth());
}

double HertzContact::contact_time() const {
  return encounter * depth() / speed;
}

HertzContact hertz_contact(const ContactSide& a, const ContactSide& b, double speed, double patch) {
  const double inverse_mass = a.inverse_mass + b.inverse_mass;
  if (!(inverse_mass > 0.0) || !(speed > 0.0) || !(patch > 0.0)) {
    throw std::invalid_argument("a contact needs a mass, a speed and a size");
  }
  HertzContact contact{.radius = 1.0 / (1.0 / a.radius + 1.0 / b.radius),
                       .mass = 1.0 / inverse_mass,
                       .modulus = 1.0 / (a.compliance + b.compliance),
                       .speed = speed};
  // sqrt(r depth) = patch, with depth = c r^(-1/5).
  const double c = std::pow(15.0 * contact.mass * speed * speed / (16.0 * contact.modulus), 0.4);
  contact.radius = std::min(contact.radius, std::pow(patch * patch / c, 1.25));
  return contact;
}

double side_radius(double curvature_1, double curvature_2, double fillet) {
  const double sharpest = 1.0 / fillet;
  const double k = std::clamp(curvature_1, 0.0, sharpest) * std::clamp(curvature_2, 0.0, sharpest);
  return 1.0 / std::sqrt(k);
}

}  // namespace peal::contact

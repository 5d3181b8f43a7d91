#include <peal/elastic/hertz_spring.h>

#include <cmath>

namespace peal::elastic {

HertzSpring::HertzSpring(double k, double mesh_compliance, double least_compliance)
    : ease_(std::pow(k, -2.0 / 3.0)), mesh_(mesh_compliance), least_(least_compliance) {
  // At the knee dd/dF = 2/3 k^(-2/3) F^(-1/3) - C is the least compliance.
  knee_force_ = std::pow(2.0 / 3.0 * ease_ / (mesh_ + least_), 3);
  knee_depth_ = depth_at(knee_force_);
}

double HertzSpring::depth_at(double force) const {
  return ease_ * std::pow(force, 2.0 / 3.0) - mesh_ * force;
}

double HertzSpring::force(double depth) const {
  if (depth <= 0.0) return 0.0;
  if (depth >= knee_depth_) return knee_force_ + (depth - knee_depth_) / least_;
  // Bisection finds the root y of ease y^2 - C y^3 = d, which increases up to the knee.
  double low = std::sqrt(depth / ease_), high = std::cbrt(knee_force_);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const bool is_below = middle * middle * (ease_ - mesh_ * middle) < depth;
    (is_below ? low : high) = middle;
  }
  return std::pow(0.5 * (low + high), 3);
}

double HertzSpring::energy(double depth) const {
  if (depth <= 0.0) return 0.0;
  // Up to the knee, the energy is F d minus the integral of d over F.
  const double f = depth < knee_depth_ ? force(depth) : knee_force_;
  const double up_to = f * depth_at(f) - 0.6 * ease_ * std::pow(f, 5.0 / 3.0) + 0.5 * mesh_ * f * f;
  if (depth < knee_depth_) return up_to;
  const double beyond = depth - knee_depth_;
  return up_to + knee_force_ * beyond + 0.5 * beyond * beyond / least_;
}

}  // namespace peal::elastic

#include <peal/contact/hertz_spring.h>

#include <algorithm>
#include <cmath>

namespace peal::contact {

namespace {

/// The mean of y^1.5 from y0 to y1, both at least 0: 2/5 (b^5 - a^5) / (b^2 - a^2) of their roots,
/// divided out, so that it keeps its digits where both are close.
double mean_of_power(double y0, double y1) {
  const double a = std::sqrt(y0), b = std::sqrt(y1), sum = a + b;
  if (!(sum > 0.0)) return 0.0;
  const double aa = a * a, bb = b * b, ab = a * b;
  return 0.4 * (aa * aa + bb * bb + ab * (aa + ab + bb)) / sum;
}

/// The deepest point of the cubic through both ends of a step with their speeds.
double deepest_between(double x0, double x1, double v0, double v1, double time) {
  // x = x0 + v0 t + c2 t^2 + c3 t^3 with t in steps.
  const double a = v0 * time, b = v1 * time, way = x1 - x0;
  const double c2 = 3.0 * way - 2.0 * a - b, c3 = a + b - 2.0 * way;
  const double deepest = std::max(x0, x1);
  if (!(a > 0.0) || !(b < 0.0)) return deepest;
  // The derivative a + 2 c2 t + 3 c3 t^2 falls through zero once between the ends.
  const double root = c2 * c2 - 3.0 * a * c3;
  const double t = a / (std::sqrt(std::max(root, 0.0)) - c2);
  if (!(t > 0.0) || !(t < 1.0)) return deepest;
  return std::max(deepest, x0 + t * (a + t * (c2 + t * c3)));
}

}  // namespace

HertzSpring::HertzSpring(double stiffness, double restitution)
    : stiffness_(stiffness),
      returned_(std::pow(std::clamp(restitution, least, 1.0), 2)),
      unloading_(stiffness) {}

double HertzSpring::part() {
  const double dent = dent_;
  turned_ = dent_ = deepest_ = 0.0;
  unloading_ = stiffness_;
  return dent;
}

double HertzSpring::virgin_energy(double x) const {
  return 0.4 * stiffness_ * x * x * std::sqrt(x);
}

double HertzSpring::force(double x) const {
  if (x <= dent_) return 0.0;
  if (x >= turned_) return stiffness_ * x * std::sqrt(x);
  return unloading_ * (x - dent_) * std::sqrt(x - dent_);
}

double HertzSpring::slope(double x) const {
  if (x <= dent_) return 0.0;
  return 1.5 * (x >= turned_ ? stiffness_ * std::sqrt(x) : unloading_ * std::sqrt(x - dent_));
}

double HertzSpring::mean_force(double x0, double x1) const {
  const double low = std::min(x0, x1), high = std::max(x0, x1);
  if (high <= dent_) return 0.0;
  if (low >= turned_) return stiffness_ * mean_of_power(low, high);
  // The parts of the way in which it unloads, and in which it is pressed deeper than ever.
  const double from = std::max(low, dent_), to = std::min(high, turned_);
  double work = 0.0;
  if (to > from) work += (to - from) * unloading_ * mean_of_power(from - dent_, to - dent_);
  if (high > turned_) work += (high - turned_) * stiffness_ * mean_of_power(turned_, high);
  if (low == from && high == to) return unloading_ * mean_of_power(from - dent_, to - dent_);
  return work / (high - low);
}

double HertzSpring::stored(double x) const {
  if (x <= dent_) return 0.0;
  const double y = std::min(x, turned_) - dent_;
  double energy = turned_ > dent_ ? 0.4 * unloading_ * y * y * std::sqrt(y) : 0.0;
  if (x > turned_) energy += virgin_energy(x) - virgin_energy(turned_);
  return energy;
}

void HertzSpring::advance(double x0, double x1, double v0, double v1, double time) {
  if (returned_ >= 1.0 || !(v1 < 0.0) || x1 <= turned_) return;
  // It turned back within this step, or was pushed back from its end on.
  const double deepest = std::max(deepest_, deepest_between(x0, x1, v0, v1, time));
  const double before = stored(x1), whole = virgin_energy(x1);
  const double loss = (1.0 - returned_) * (virgin_energy(deepest) - virgin_energy(deepest_));
  // What is left keeps p apart from m.
  const double left = std::max(before - loss, 0.1 * returned_ * whole);
  if (left >= before) return;
  deepest_ = deepest;
  lost_ += before - left;
  turned_ = x1;
  dent_ = x1 * (1.0 - left / whole);
  unloading_ = stiffness_ * std::pow(whole / left, 1.5);
}

}  // namespace peal::contact

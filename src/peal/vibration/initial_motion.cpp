#include <peal/fem/quadrature.h>
#include <peal/vibration/initial_motion.h>
#include <peal/vibration/make_ideal_shape.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace peal::vibration {

namespace {

using std::numbers::pi;

std::optional<double> length_of_line(const scene::IdealShape& shape) {
  if (const auto* string = std::get_if<scene::IdealString>(&shape)) return string->length;
  if (const auto* bar = std::get_if<scene::IdealBar>(&shape)) return bar->length;
  return {};
}

double value_at(const std::vector<Vec2>& profile, double x) {
  const auto after = std::ranges::upper_bound(profile, x, {}, [](const Vec2& p) { return p.x(); });
  if (after == profile.begin() || after == profile.end()) return 0.0;
  const Vec2 &p = *(after - 1), &q = *after;
  return p.y() + (x - p.x()) / (q.x() - p.x()) * (q.y() - p.y());
}

/// Calls `add(x, weight)` for the points of a rule over the pieces of a profile between two limits.
template <class Add>
void integrate_pieces(const std::vector<Vec2>& profile, double from, double to, double radians,
                      const Add& add) {
  static const fem::Quadrature rule = fem::gauss_legendre(12);
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const double low = std::max(from, profile[i].x()), high = std::min(to, profile[i + 1].x());
    if (!(high > low)) continue;
    const int panels = static_cast<int>(0.25 * radians * (high - low)) + 1;
    const double half = 0.5 * (high - low) / panels;
    for (int panel = 0; panel < panels; ++panel) {
      const double middle = low + (2 * panel + 1) * half;
      for (std::size_t k = 0; k < rule.points.size(); ++k)
        add(middle + half * rule.points[k], half * rule.weights[k]);
    }
  }
}

}  // namespace

std::vector<double> in_modes(const IdealShape& shape, const scene::IdealShape& description,
                             const std::vector<Vec2>& profile, const Vec2& at) {
  std::vector<double> sums(shape.modes().size(), 0.0), shapes(sums.size());
  const auto add = [&](const Vec2& point, double weight) {
    shape.displacement(point, shapes);
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += weight * shapes[n];
  };
  const auto count = static_cast<double>(sums.size());
  if (const auto length = length_of_line(description)) {
    const double density = shape.mass() / *length;  // [kg/m]
    integrate_pieces(profile, -0.5 * *length, 0.5 * *length, pi * (count + 1.0) / *length,
                     [&](double x, double weight) {
                       add({x, 0.0}, weight * density * value_at(profile, x));
                     });
    return sums;
  }
  // Weyl: N modes reach up to a wavenumber of sqrt(4 pi N / area).
  const double area = facing_area(description), density = shape.mass() / area;
  const double wavenumber = std::sqrt(4.0 * pi * (count + 1.0) / area);
  integrate_pieces(profile, 0.0, profile.back().x(), wavenumber, [&](double r, double weight) {
    const int spokes = 16 + static_cast<int>(2.5 * wavenumber * r);
    const double part = 2.0 * pi * r / spokes * weight * density * value_at(profile, r);
    for (int k = 0; k < spokes; ++k) {
      const double angle = 2.0 * pi * (k + 0.5) / spokes;
      add(at + r * Vec2(std::cos(angle), std::sin(angle)), part);
    }
  });
  return sums;
}

ModalForce initial_force(const IdealShape& shape, const scene::IdealShape& description,
                         const scene::InitialMotion& initial, const Vec2& at, double time) {
  constexpr double instant = 1e-6;  // [s]
  ModalForce force{.pulse = {time, instant, 1.0},
                   .gains = in_modes(shape, description, initial.profile, at),
                   .is_release = !initial.is_velocity};
  if (initial.is_velocity) return force;
  // A force of w^2 q holds a mode at q.
  for (std::size_t n = 0; n < force.gains.size(); ++n)
    force.gains[n] *= std::pow(2.0 * pi * shape.modes()[n].frequency, 2);
  return force;
}

}  // namespace peal::vibration

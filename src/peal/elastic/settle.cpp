#include <peal/elastic/selective_mass_scaling.h>
#include <peal/elastic/settle.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr int most_steps = 200000;
constexpr double still = 1e-4;    ///< mean acceleration at rest over gravity
constexpr double deepest = 0.05;  ///< sag over the size of the solid

/// One step of leapfrog, with a kick of its own length [s]. Returns twice the kinetic energy [J].
double swing(const Solid& solid, const FreeAxes& free, const Vec3& gravity, double kick,
             double step, const Nodes& forces, Nodes& x, Nodes& v) {
  double kinetic = 0.0;
  const auto along = [&](int axis, const std::vector<double>& force, std::vector<double>& place,
                         std::vector<double>& velocity) {
    const std::vector<double>& is_free = free[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < place.size(); ++i) {
      velocity[i] += is_free[i] * kick * (force[i] / solid.mass[i] + gravity[axis]);
      place[i] += step * velocity[i];
      kinetic += solid.mass[i] * velocity[i] * velocity[i];
    }
  };
  along(0, forces.x, x.x, v.x);
  along(1, forces.y, x.y, v.y);
  along(2, forces.z, x.z, v.z);
  return kinetic;
}

bool stays_near(const Solid& solid, const Nodes& start, const Nodes& x) {
  const double size = geometry::bounds(solid.surface).diagonal().norm();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!((x.at(i) - start.at(i)).norm() <= deepest * size)) return false;
  }
  return true;
}

}  // namespace

Hold support_of(const Solid& solid, std::size_t number,
                const std::vector<Constraint>& constraints) {
  std::vector<Vec3> indices;
  for (const Constraint& constraint : constraints) {
    if (constraint.solid != number || constraint.is_hinge ||
        !std::ranges::all_of(constraint.axes, std::identity()))
      continue;
    for (const std::uint32_t node : constraint.nodes) indices.push_back(solid.rest.at(node));
  }
  if (indices.empty()) return Hold::nowhere;
  const double small = 1e-6 * geometry::bounds(solid.surface).diagonal().norm();
  const Vec3 far = *std::ranges::max_element(
      indices, {}, [&](const Vec3& place) { return (place - indices[0]).norm(); });
  const Vec3 along = far - indices[0];
  if (along.norm() <= small) return Hold::at_a_point;
  const bool off_line = std::ranges::any_of(indices, [&](const Vec3& place) {
    return along.cross(place - indices[0]).norm() > small * along.norm();
  });
  return off_line ? Hold::firmly : Hold::along_a_line;
}

std::optional<Nodes> settled(const Solid& solid, const FreeAxes& free, const Nodes& start,
                             const Vec3& gravity, std::span<SoftSupport* const> supports,
                             std::size_t number) {
  const double w = largest_frequency(solid, free);
  if (!(w > 0.0)) return start;
  const double step = 1.8 / w;
  MassScaledKick apart(solid, free);
  // As a load sees it: supports do not damp here, since velocities are zero to them.
  State state;
  state.position.resize(number + 1);
  state.velocity.resize(number + 1, Nodes(start.size()));
  state.position[number] = start;
  std::vector<Nodes> all_forces(number + 1);
  all_forces[number] = Nodes(start.size());
  Nodes &x = state.position[number], &forces = all_forces[number], v(x.size());
  const Nodes nothing(x.size());  // weight causes no relative motion of nodes
  double first = 0.0, before = 0.0;
  bool is_stopped = true;
  for (int i = 0; i < most_steps; ++i) {
    forces.clear();
    solid.forces->add(x, forces);
    for (SoftSupport* support : supports) support->add(0.0, state, all_forces);
    // From a standstill the kick is halved, because modes near the longest step would otherwise
    // overshoot and grow from stop to stop.
    const double kick = is_stopped ? 0.5 * step : step;
    Work work;
    apart.share({.dt = step, .keep = 1.0, .push = kick}, v, nothing, forces, work);
    const double kinetic = swing(solid, free, gravity, kick, step, forces, x, v);
    // After one step from a standstill, the kinetic energy gives the accelerations there.
    if (i == 0) first = kinetic;
    if (is_stopped && kinetic <= still * still * first) return x;
    is_stopped = kinetic < before;
    before = kinetic;
    if (!is_stopped) continue;
    if (!stays_near(solid, start, x)) return std::nullopt;
    // The peak lies up to two steps back. Stopped here, a mode with a period of four steps would be
    // as far on the other side as before; half a step back, each mode has at most 0.9 of its
    // amplitude.
    for (std::size_t n = 0; n < x.size(); ++n) x.add(n, -0.5 * step * v.at(n));
    v.clear();
    before = 0.0;
  }
  return std::nullopt;
}

}  // namespace peal::elastic

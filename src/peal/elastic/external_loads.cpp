#include <peal/elastic/external_loads.h>
#include <peal/elastic/reciprocal_mass.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/util/smoothstep.h>

#include <Eigen/Geometry>
#include <utility>

namespace peal::elastic {

Gravity::Gravity(const geometry::Vec3& acceleration, const std::vector<Solid>& solids,
                 std::vector<double> settling)
    : acceleration_(acceleration), settling_(std::move(settling)), part_(solids.size(), 1.0) {
  for (const Solid& solid : solids) mass_.push_back(row_sum_masses(solid));
}

void Gravity::add(double t, const State&, std::vector<Nodes>& forces) {
  for (std::size_t s = 0; s < forces.size(); ++s) {
    part_[s] = settling_[s] > 0.0 ? util::smoothstep(t / settling_[s]) : 1.0;
    const double* const mass = mass_[s].data();
    const auto along = [&](std::vector<double>& axis, double acceleration) {
      if (acceleration == 0.0) return;
      double* const __restrict force = axis.data();
      for (std::size_t i = 0; i < axis.size(); ++i) force[i] += mass[i] * acceleration;
    };
    along(forces[s].x, part_[s] * acceleration_.x());
    along(forces[s].y, part_[s] * acceleration_.y());
    along(forces[s].z, part_[s] * acceleration_.z());
  }
}

double Gravity::energy(const State& state) const {
  double sum = 0.0;
  for (std::size_t s = 0; s < state.position.size(); ++s) {
    for (std::size_t i = 0; i < mass_[s].size(); ++i) {
      sum -= part_[s] * mass_[s][i] * acceleration_.dot(state.position[s].at(i));
    }
  }
  return sum;
}

geometry::Corners corners_at(const std::array<std::uint32_t, 3>& nodes, const Nodes& x) {
  return {x.at(nodes[0]), x.at(nodes[1]), x.at(nodes[2])};
}

geometry::Vec3 outward_of(const geometry::Corners& corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]);
}

geometry::Vec3 point_at(const SurfaceSpot& spot, const Nodes& x) {
  return geometry::interpolate(corners_at(spot.nodes, x), spot.weights);
}

SurfaceSpot nearest_spot(const std::vector<Solid>& solids, std::size_t solid,
                         const geometry::Vec3& at) {
  const Solid& body = solids[solid];
  const geometry::SurfacePoint point = geometry::SurfaceQuery(body.surface).closest_point(at);
  SurfaceSpot spot{.solid = solid, .weights = point.barycentrics};
  for (std::size_t k = 0; k < 3; ++k) {
    spot.nodes[k] = body.surface_node[body.surface.triangles[point.triangle][k]];
  }
  return spot;
}

ImpactLoad::ImpactLoad(const SurfaceSpot& spot, const base::ForcePulse& pulse,
                       const std::optional<geometry::Vec3>& direction)
    : spot_(spot), pulse_(pulse), direction_(direction) {}

void ImpactLoad::add(double t, const State& state, std::vector<Nodes>& forces) {
  const double step = last_ ? t - *last_ : 0.0;
  last_ = t;
  if (step <= 0.0 || passed_ >= 1.0) return;
  const double part = (t + 0.5 * step - pulse_.start) / pulse_.contact_time;
  if (part <= 0.0) return;
  const double passed = base::pulse_passed(base::PulseProfile::half_sine, part);
  const double force = pulse_.impulse * (passed - passed_) / step;
  passed_ = passed;
  const Nodes& x = state.position[spot_.solid];
  const geometry::Vec3 a = x.at(spot_.nodes[0]);
  const geometry::Vec3 inward =
      (x.at(spot_.nodes[2]) - a).cross(x.at(spot_.nodes[1]) - a).normalized();
  const geometry::Vec3 vector = force * direction_.value_or(inward);
  for (int k = 0; k < 3; ++k) {
    forces[spot_.solid].add(spot_.nodes[static_cast<std::size_t>(k)], spot_.weights[k] * vector);
  }
}

void ImpactLoad::serialize(util::Archive& archive) {
  archive.maybe(last_);
  archive.number(passed_);
}

}  // namespace peal::elastic

#include <peal/shaders/acceleration_noise.h>
#include <peal/util/random.h>
#include <peal/validation/table_trial.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <cmath>
#include <numbers>

namespace peal::validation {

std::shared_ptr<const base::RigidRadiation> FreshTables::rigid(const base::Body& body,
                                                               const base::Medium& medium,
                                                               double band,
                                                               const Advance& advance) const {
  const wave::RigidRadiationPlan plan = wave::plan_rigid_radiation(body.mesh, medium, band);
  auto& shape = shapes_[plan.key];
  if (!shape) {
    shape = std::make_shared<base::RigidRadiation>(wave::shape_radiation(body.mesh, plan, advance));
  }
  return std::make_shared<base::RigidRadiation>(plan.of_body(*shape, medium));
}

Vec3 click_direction(std::uint64_t stream, std::uint64_t i) {
  const double z = 2.0 * util::random_uniform(7, stream, 2 * i) - 1.0;
  const double angle = 2.0 * std::numbers::pi * util::random_uniform(7, stream, 2 * i + 1);
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

std::shared_ptr<const base::SurfaceSource> struck(const geometry::MassProperties& mass,
                                                  const std::vector<base::ContactForce>& forces) {
  return std::make_shared<shaders::AccelerationNoise>(
      std::make_shared<shaders::RigidAcceleration>(mass, forces, base::PulseProfile::half_sine));
}

std::vector<double> from_start(const Received& received, std::int64_t samples) {
  std::vector<double> pressure(static_cast<std::size_t>(samples));
  for (std::size_t i = 0; i < received.pressure.size(); ++i) {
    const auto n = static_cast<std::size_t>(received.start) + i;
    if (n < pressure.size()) pressure[n] = received.pressure[i];
  }
  return pressure;
}

}  // namespace peal::validation

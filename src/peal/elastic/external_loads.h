#pragma once

#include <peal/base/force_pulse.h>
#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>
#include <peal/geometry/mesh/triangle.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace peal::elastic {

/// The weight of all solids.
class Gravity : public Load {
 public:
  /// `acceleration` is in [m/s^2]; the masses of the solids are copied. The weight of a solid grows
  /// smoothly from zero at t = 0 to its full value within its `settling` time [s].
  Gravity(const geometry::Vec3& acceleration, const std::vector<Solid>& solids,
          std::vector<double> settling);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  double energy(const State& state) const override;

 private:
  geometry::Vec3 acceleration_;
  std::vector<std::vector<double>> mass_;
  std::vector<double> settling_;
  std::vector<double> part_;  ///< fraction of the weight of each solid at the last call of add()
};

/// A point of a solid's surface: nodes of a triangle with weights that add up to 1.
struct SurfaceSpot {
  std::size_t solid = 0;
  std::array<std::uint32_t, 3> nodes{};
  geometry::Vec3 weights = geometry::Vec3::Constant(1.0 / 3.0);
};

geometry::Corners corners_at(const std::array<std::uint32_t, 3>& nodes, const Nodes& x);
/// Outward normal of a triangle with the corner order of a surface; its length is twice the area
/// [m^2].
geometry::Vec3 outward_of(const geometry::Corners& corners);
/// Position of a spot, or its velocity if `x` are velocities.
geometry::Vec3 point_at(const SurfaceSpot& spot, const Nodes& x);

/// The spot of a solid's surface at rest that is nearest to a point [m].
SurfaceSpot nearest_spot(const std::vector<Solid>& solids, std::size_t solid,
                         const geometry::Vec3& at);

/// An impact on a spot, whose impulse is exact however long the steps are.
class ImpactLoad : public Load {
 public:
  /// `direction` is the unit direction of the force in the world; absent: into the surface in its
  /// present shape.
  ImpactLoad(const SurfaceSpot& spot, const base::ForcePulse& pulse,
             const std::optional<geometry::Vec3>& direction);

  void add(double t, const State& state, std::vector<Nodes>& forces) override;
  void serialize(util::Archive& archive) override;

 private:
  SurfaceSpot spot_;
  base::ForcePulse pulse_;
  std::optional<geometry::Vec3> direction_;
  std::optional<double> last_;  ///< time of the last call [s]
  double passed_ = 0.0;         ///< fraction of the impulse applied so far
};

}  // namespace peal::elastic

#pragma once

#include <peal/elastic/nodes.h>
#include <peal/geometry/mesh/vector.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace peal::elastic {

/// All solids at one instant of leapfrog: one entry a solid.
struct State {
  std::vector<Nodes> position;  ///< at the instant [m]
  std::vector<Nodes> velocity;  ///< half a step before it [m/s]
};

/// Forces from outside of the elements: gravity, strikes, contact.
class Load {
 public:
  virtual ~Load() = default;

  /// Adds the forces [N] at time t [s], one entry a solid. Asked once a step, in the order of time.
  virtual void add(double t, const State& state, std::vector<Nodes>& forces) = 0;

  /// The most that the force on a node of a solid grows as it moves [N/m]: the step must be short
  /// enough for it.
  virtual double stiffness(std::size_t /*solid*/, std::size_t /*node*/) const { return 0.0; }

  /// Energy that the load keeps and gives back [J]: of gravity, of a penalty. What it gave in all
  /// is accounted for by the stepper.
  virtual double energy(const State& /*state*/) const { return 0.0; }

  /// What it remembers from one step to the next, to go on later.
  virtual void serialize(util::Archive& /*archive*/) {}
};

/// Nodes whose motion is given: pins and grips.
struct Constraint {
  std::size_t solid = 0;
  std::vector<std::uint32_t> nodes;
  std::array<bool, 3> axes{true, true, true};  ///< which displacements are given: x, y, z
  /// Where a point at rest is at time t [s]; none: it stays where it starts.
  std::function<geometry::Affine(double t)> motion = {};
};

}  // namespace peal::elastic

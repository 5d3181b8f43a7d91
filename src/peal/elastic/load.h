#pragma once

#include <peal/elastic/nodes.h>
#include <peal/geometry/mesh/vector.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace peal::elastic {

/// State of all solids at one time step of leapfrog: one entry a solid.
struct State {
  std::vector<Nodes> position;  ///< at the time step [m]
  std::vector<Nodes> velocity;  ///< half a step before it [m/s]
};

/// Forces other than those of elements: gravity, strikes, contact.
class Load {
 public:
  virtual ~Load() = default;

  /// Adds the forces [N] at time t [s], one entry a solid. Called once a step, in the order of
  /// time.
  virtual void add(double t, const State& state, std::vector<Nodes>& forces) = 0;

  /// Upper bound of the stiffness that the load adds at a node of a solid [N/m]. It limits the time
  /// step.
  virtual double stiffness(std::size_t /*solid*/, std::size_t /*node*/) const { return 0.0; }

  /// Potential energy of the load [J], of gravity or of a penalty. The stepper accounts for the
  /// work that it does.
  virtual double energy(const State& /*state*/) const { return 0.0; }

  /// Serializes what the load remembers from one step to the next.
  virtual void serialize(util::Archive& /*archive*/) {}
};

/// Motion of held points: replaces their positions at rest by those at time t [s].
using GripMotion = std::function<void(double t, std::span<geometry::Vec3> points)>;

/// All points move with one frame; `pose` maps a point at rest to its position at time t [s].
GripMotion rigid_grip(std::function<geometry::Affine(double t)> pose);

/// Nodes whose motion is prescribed: pins and grips.
struct Constraint {
  std::size_t solid = 0;
  std::vector<std::uint32_t> nodes;
  std::array<bool, 3> axes{true, true, true};  ///< which displacements are prescribed: x, y, z
  /// Of `nodes`, or of the middles of a hinge, in this order; none: nodes stay where they start.
  GripMotion motion = {};
  /// Of a shell: a hinge. `nodes` are those of the outer side; the middle between each and the node
  /// on the other side is prescribed, along `axes`, and the wall turns freely about it.
  bool is_hinge = false;
};

}  // namespace peal::elastic

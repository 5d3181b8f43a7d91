#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/scene/animation.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace peal::scene {

/// Constrained part of a deformable body: what lies in a box of the object's frame.
struct ConstrainedRegion {
  geometry::Box box;  ///< [m], with its sides
  /// The region moves as if attached at t = 0 to a frame with this motion in the world; absent: it
  /// stays where it is.
  std::optional<MotionPath> motion;
  /// Or the name of an object, to whose animated surface it is attached at t = 0; or empty.
  std::string surface;
  std::string location;  ///< for messages

  bool moves() const { return motion.has_value() || !surface.empty(); }
};

/// Part of a deformable body that rests on felt, foam or rubber.
struct SoftRegion {
  geometry::Box box;       ///< [m], with its sides
  double stiffness = 0.0;  ///< of all of it [N/m]
  double damping = 0.0;    ///< of all of it [N s/m]
  std::string location;    ///< for messages
};

/// A body of finite elements whose motion is simulated and whose surface radiates sound:
/// {"deformable": {...}}. The object's motion is its initial pose.
struct Deformable {
  enum class Elements {
    automatic,  ///< shells for thin walls (Object::shell), hexahedra where the shape has a mesh of
                ///< them, quadratic tetrahedra elsewhere
    hexahedra,
    quadratic_tetrahedra,
    tetrahedra,  ///< linear: those of O'Brien, Cook & Essl 2001
    shells       ///< triangles of a thin wall
  };

  Elements elements = Elements::automatic;
  std::optional<std::array<int, 3>> divisions;               ///< of a box along x, y, z
  std::optional<double> element_size;                        ///< about [m]
  std::optional<double> step;                                ///< of the simulation [s], at most
  geometry::Vec3 velocity = geometry::Vec3::Zero();          ///< of the centre of mass [m/s]
  geometry::Vec3 angular_velocity = geometry::Vec3::Zero();  ///< [rad/s]
  std::vector<ConstrainedRegion> held;                       ///< pins and grips
  std::vector<SoftRegion> supports;                          ///< springs to where they start
  bool self_contact = false;
  bool air_loss = true;  ///< of shells: they lose the energy that they radiate
  double settle = 0.0;   ///< time over which its weight is applied [s]
};

}  // namespace peal::scene

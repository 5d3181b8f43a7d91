#pragma once

#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/vector.h>

#include <memory>
#include <optional>
#include <variant>

namespace peal::scene {

// Collision shapes of rigid bodies: smooth surfaces, by formula where there is one. Facets would
// not do: a rim of facets rolls like a machine gun, and no filter removes that from the sound. All
// shapes are in the object's frame.

struct BallShape {
  double radius = 1.0;                             ///< [m]
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< [m]
};

/// A box along the axes with rounded edges.
struct BoxShape {
  geometry::Vec3 size = geometry::Vec3::Ones();    ///< along x, y, z [m]
  double fillet = 0.0;                             ///< radius of its edges [m]
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< [m]
};

/// A solid of revolution: the corners of its half section, (distance from the axis, height), in
/// either sense. Where sides meet at less than 30 degrees the outline is a smooth curve through the
/// corners, others are edges with the fillet.
struct TurnedShape {
  geometry::Polygon section;  ///< [m]
  double fillet = 0.0;        ///< [m]
  // Where it lies in the object's frame: its axis is Y in its own.
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< [m]
  geometry::Quat turn = geometry::Quat::Identity();
};

/// Everything below y = 0.
struct FloorShape {};

/// The smooth solid that a closed mesh stands for: triangles that meet at less than 30 degrees are
/// a round face, sharper edges are edges with the fillet.
struct MeshShape {
  std::shared_ptr<const geometry::TriMesh> mesh;
  double fillet = 0.0;  ///< [m]; less where walls are thin
};

/// A convex solid with flat faces and rounded edges: the ball of its fillet rolls over all of it
/// inside.
struct ConvexShape {
  std::shared_ptr<const geometry::TriMesh> mesh;
  double fillet = 0.0;  ///< [m]; less where the solid is thin
};

/// Choice of the collision shape of a body, if it is not the formula of its built-in shape.
enum class Collision { automatic, mesh, sphere, box, lathe, none };

/// Contact properties of a body.
struct ContactProperties {
  double friction = 0.4;     ///< mu [1]
  double restitution = 0.5;  ///< e [1]: 0 does not bounce, 1 loses nothing
  /// Work per normal force and distance moved by the contact point [1]. Without it, bodies that
  /// spin and wobble never come to rest.
  double rolling_resistance = 0.001;
  /// Radius of its sharpest edges [m]: 0.2 mm on machined metal, 0.5 mm on plastic and ceramics.
  double fillet = 3e-4;
  Collision collision = Collision::automatic;
};

using CollisionShape =
    std::variant<BallShape, BoxShape, TurnedShape, FloorShape, MeshShape, ConvexShape>;

/// Solver of free bodies: Peal's own with smooth surfaces, or Bullet.
enum class Solver { smooth, bullet };

}  // namespace peal::scene

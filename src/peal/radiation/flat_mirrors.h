#pragma once

#include <peal/base/listener.h>
#include <peal/base/world.h>

#include <vector>

namespace peal::radiation {

/// A flat part of a body at rest, which mirrors sound: a floor, a wall, a table top.
struct FlatMirror {
  std::size_t body = 0;                 ///< index of the body
  base::Vec3 point, normal;             ///< of its plane, world; the normal points into the air
  std::vector<geometry::Vec3> corners;  ///< three for each of its triangles, world [m]
  double area = 0.0;                    ///< [m^2]

  double height(const base::Vec3& x) const { return normal.dot(x - point); }  ///< [m]
  base::Vec3 mirrored(const base::Vec3& x) const { return x - 2.0 * height(x) * normal; }
  /// Whether the straight line from `source` to the mirror image of `receiver`, both in front of
  /// the plane, meets the mirror.
  bool reflects(const base::Vec3& source, const base::Vec3& receiver) const;
};

/// All flat parts of bodies at rest that are larger than `least_area` [m^2]. Sheets have two, one
/// on each side.
std::vector<FlatMirror> flat_mirrors(const base::World& world, double least_area);

/// The mirror image of a receiver.
base::Receiver mirrored_receiver(const base::Receiver& receiver, const FlatMirror& mirror);

}  // namespace peal::radiation

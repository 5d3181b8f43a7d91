#pragma once

#include <peal/base/motion.h>
#include <peal/elastic/load.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/scene.h>
#include <peal/util/fingerprint.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::simulate {

/// The surface of an object whose motion is prescribed.
class AnimatedSurface {
 public:
  /// `motion` is of the object's frame; the object has a mesh. Throws InputError if the triangles
  /// of its mesh sequence change.
  AnimatedSurface(const scene::Object& object, std::shared_ptr<const base::Motion> motion);

  /// Positions of its vertices at time t [s], in the frame of the motion.
  std::vector<geometry::Vec3> vertices(double t) const;
  const std::vector<geometry::Triangle>& triangles() const { return object_.mesh->triangles; }
  /// Ascending times from 0 to at least `end` [s]: its keys, with no gap longer than a thirtieth of
  /// a second.
  std::vector<double> times(double end) const;

 private:
  const scene::Object& object_;
  std::shared_ptr<const base::Motion> motion_;
  std::shared_ptr<const base::Deformation> deformation_;  ///< null: it keeps its shape
};

/// The motion of points that are fastened to the nearest triangles of a surface at t = 0. Animated
/// surfaces move in straight lines from key to key, which would shake what they hold at each key;
/// so points move on cubic splines through their positions at the keys, whose acceleration is
/// continuous, and start at rest. `points` are where the points are at t = 0, and what they depend
/// on goes into the fingerprint.
elastic::GripMotion fastened_to(const AnimatedSurface& surface,
                                std::span<const geometry::Vec3> points, double end,
                                util::Fingerprint& fingerprint);

}  // namespace peal::simulate

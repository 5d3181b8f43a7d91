#pragma once

#include <peal/elastic/obstacle.h>
#include <peal/geometry/mesh/triangle.h>

#include <limits>
#include <span>
#include <vector>

namespace peal::elastic {

/// A point of a face, and the part of the face that it stands for.
struct FacePoint {
  geometry::Vec3 weights;  ///< of the corners of the face
  double share = 0.0;
};

/// The points of a face where an obstacle may touch it.
struct ContactPoints {
  bool are_six = false;  ///< the points are those of face_points()
  std::vector<FacePoint> found;
  double gap = std::numeric_limits<double>::infinity();  ///< lower bound of the gap elsewhere [m]

  std::span<const FacePoint> points() const;
};

/// Chooses the points of a face at which the depth in an obstacle is evaluated: six quadrature
/// points that integrate the gap; the deepest point alone, if the obstacle is so narrow that it
/// could pass between the six; or the centres of parts as small as a plate is thin, if the edge of
/// the plate could.
class FaceSampling {
 public:
  /// `face_size` is the largest size of a face [m].
  FaceSampling(const Obstacle& obstacle, double face_size);

  ContactPoints points(const geometry::Corners& face, const MovingObstacle& obstacle) const;

 private:
  bool is_narrow_;  ///< the obstacle could pass between the six points
  int cuts_ = 0;    ///< times that faces are cut in four so that edges cannot pass
};

}  // namespace peal::elastic

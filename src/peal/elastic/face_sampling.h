#pragma once

#include <peal/elastic/obstacle.h>
#include <peal/geometry/mesh/triangle.h>

#include <limits>
#include <span>
#include <vector>

namespace peal::elastic {

/// A point of a face, and the part of the face that it stands for.
struct FacePoint {
  geometry::Vec3 weights;  ///< of its corners
  double share = 0.0;
};

/// Where an obstacle may touch a face.
struct ContactPoints {
  bool are_six = false;  ///< those of face_points()
  std::vector<FacePoint> found;
  double gap = std::numeric_limits<double>::infinity();  ///< elsewhere, at least [m]

  std::span<const FacePoint> points() const;
};

/// Which points of a face are asked for their depth in an obstacle: six, by which the gap is
/// integrated; the deepest alone, if the obstacle is so narrow that it could pass between them; or
/// the centres of parts that are as small as a plate is thin, if its edge could.
class FaceSampling {
 public:
  /// For faces of a size [m] at most.
  FaceSampling(const Obstacle& obstacle, double face_size);

  ContactPoints points(const geometry::Corners& face, const MovingObstacle& obstacle) const;

 private:
  bool is_narrow_;  ///< could pass between the six
  int cuts_ = 0;    ///< of faces in four, so that edges cannot pass
};

}  // namespace peal::elastic

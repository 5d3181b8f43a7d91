#pragma once

#include <peal/base/motion.h>
#include <peal/base/signed_distance.h>
#include <peal/dynamics/creased_mesh.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/scene/collision_shape.h>

#include <memory>
#include <optional>
#include <vector>

namespace peal::util {
class Store;
}

namespace peal::dynamics {

using geometry::Vec3;

/// A curved line as a chain of arcs.
struct FeatureLine {
  std::vector<CubicArc> arcs;
  bool is_closed = false;
  Vec3 middle = Vec3::Zero();  ///< centre of a ball that contains the line [m]
  double reach = 0.0;          ///< radius of that ball [m]

  Vec3 at(double s) const;  ///< s from 0 to the number of arcs; periodic if closed
  Vec3 slope(double s) const;
};

/// Points of round faces, from which contacts are sought, in a tree of balls.
struct RoundPoints {
  struct Point {
    Vec3 at = Vec3::Zero();  ///< [m]
    double patch = 0.0;      ///< largest distance of its contact [m]
    std::uint32_t vertex = 0;
  };
  struct Node {
    Vec3 middle = Vec3::Zero();  ///< [m]
    double reach = 0.0;          ///< radius around its points and their patches [m]
    std::uint32_t begin = 0, end = 0;
    std::uint32_t right = 0;  ///< child; the left one is the next node; 0 in a leaf
  };

  std::vector<Point> points;
  std::vector<Node> nodes;
  std::vector<Vec3> vertices;       ///< vertices of the mesh [m]
  geometry::IndexLists neighbours;  ///< neighbours of each vertex
};

/// Part of a body that can be the first to touch another: a ball, or a ball swept along a line.
struct Feature {
  enum class Kind {
    ball,     ///< around `a`
    ring,     ///< around Y through `a`
    segment,  ///< from `a` to `b`
    line      ///< along `line`
  };

  Kind kind = Kind::ball;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< [m]
  /// Radius of the ring [m]; negative: the surface is the far side of the ball, across the axis
  /// (staves of a barrel).
  double ring_radius = 0.0;
  double radius = 0.0;  ///< radius of the ball [m]
  /// Whether the surface is only a part of that of the ball, which may stick out elsewhere.
  bool is_part = false;
  std::shared_ptr<const FeatureLine> line = {};
};

/// A surface given by its signed distance, with exact arcs and rims, and the features by which it
/// touches others.
class SmoothShape : public base::SignedDistance {
 public:
  /// A part of the surface that a ball could touch.
  struct SurfaceDistance {
    double distance;  ///< distance of the ball's centre from the surface [m]
    Vec3 normal;
    int part;  ///< number of the part of the surface
  };
  /// Adds all parts of the surface at most `within` [m] from p, the centre of a ball: a floor and
  /// the wall beside it are two.
  virtual void find_distances(const Vec3& p, double within,
                              std::vector<SurfaceDistance>& distances) const;
  /// Lower bound of the distance of p [m], cheaper to compute.
  virtual double least_distance(const Vec3& p) const;
  /// Distance of p, exact near the surface and approximate farther away [m], cheaper to compute.
  virtual double about_distance(const Vec3& p) const { return least_distance(p); }

  /// Frame of the shape in that of the body. All else is in the frame of the shape.
  const base::Pose& frame() const { return frame_; }
  const std::vector<Feature>& features() const { return features_; }
  /// Points of round faces; null: everything that can touch others is in the features.
  const RoundPoints* round_points() const { return round_points_.get(); }
  /// Radius of a ball that contains the shape [m]; infinite for a floor.
  double reach() const { return reach_; }
  const Vec3& middle() const { return middle_; }  ///< centre of that ball [m]
  /// Upper bound of its extent from middle() in a direction of unit length [m].
  double extent(const Vec3& direction) const;
  /// Whether it is a ball, whose features determine its contacts; a floor has no features.
  bool is_ball() const { return is_ball_; }
  bool is_floor() const { return is_floor_; }
  bool is_convex() const { return is_convex_; }

 protected:
  base::Pose frame_;
  std::vector<Feature> features_;
  std::unique_ptr<const RoundPoints> round_points_;
  double reach_ = 0.0;
  Vec3 middle_ = Vec3::Zero();
  Vec3 half_ =
      Vec3::Zero();  ///< half sizes of a box around the middle, or of a cylinder around Y [m]
  bool is_turned_ = false;
  bool is_ball_ = false, is_floor_ = false, is_convex_ = false;
};

/// Makes a smooth shape. Throws std::invalid_argument if the fillet does not fit, or a mesh cannot
/// collide. Fields that take long are stored in `fields`, if given.
std::unique_ptr<SmoothShape> make_smooth_shape(const scene::CollisionShape& shape,
                                               const util::Store* fields = nullptr);

}  // namespace peal::dynamics

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

/// A bent line from arc to arc.
struct FeatureLine {
  std::vector<CubicArc> arcs;
  bool is_closed = false;
  Vec3 middle = Vec3::Zero();  ///< of a ball that holds it [m]
  double reach = 0.0;          ///< [m]

  Vec3 at(double s) const;  ///< s from 0 to the number of arcs; goes round if it is closed
  Vec3 slope(double s) const;
};

/// Points of round faces, from which contacts are sought, in a tree of balls.
struct RoundPoints {
  struct Point {
    Vec3 at = Vec3::Zero();  ///< [m]
    double patch = 0.0;      ///< how far its contact may be [m]
    std::uint32_t vertex = 0;
  };
  struct Node {
    Vec3 middle = Vec3::Zero();  ///< [m]
    double reach = 0.0;          ///< of its points and their patches [m]
    std::uint32_t begin = 0, end = 0;
    std::uint32_t right = 0;  ///< child; the left one is the next node; 0 in a leaf
  };

  std::vector<Point> points;
  std::vector<Node> nodes;
  std::vector<Vec3> vertices;       ///< of the mesh [m]
  geometry::IndexLists neighbours;  ///< of each vertex
};

/// Part of a body that can touch another first: a ball, or a line with a ball moved along it.
struct Feature {
  enum class Kind {
    ball,     ///< around `a`
    ring,     ///< around Y through `a`
    segment,  ///< from `a` to `b`
    line      ///< along `line`
  };

  Kind kind = Kind::ball;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< [m]
  /// [m]; negative: the surface is that of the ball's far side, over the axis (a barrel's staves).
  double ring_radius = 0.0;
  double radius = 0.0;  ///< of the ball [m]
  /// The surface is only a part of the ball's, which may stick out elsewhere.
  bool is_part = false;
  std::shared_ptr<const FeatureLine> line = {};
};

/// A surface by its signed distance, with true arcs and rims, and the features by which it touches
/// others.
class SmoothShape : public base::SignedDistance {
 public:
  /// Where a ball could touch.
  struct SurfaceDistance {
    double distance;  ///< of its centre from the surface [m]
    Vec3 normal;
    int part;  ///< of the surface
  };
  /// Of a ball around p, all that are at most `within` [m] away: a floor and the wall beside it are
  /// two. They are added to a list.
  virtual void find_distances(const Vec3& p, double within,
                              std::vector<SurfaceDistance>& distances) const;
  /// No more than the distance of p [m], for less.
  virtual double least_distance(const Vec3& p) const;
  /// Near the surface the distance of p, farther away about that [m], for less.
  virtual double about_distance(const Vec3& p) const { return least_distance(p); }

  /// Its frame in that of the body. All else is reported in its own.
  const base::Pose& frame() const { return frame_; }
  const std::vector<Feature>& features() const { return features_; }
  /// Null: all of it that can touch others is in the features.
  const RoundPoints* round_points() const { return round_points_.get(); }
  /// Of a ball that holds the shape [m]; infinite for a floor.
  double reach() const { return reach_; }
  const Vec3& middle() const { return middle_; }  ///< of that ball [m]
  /// How far it reaches from its middle in a direction of unit length, at most [m].
  double extent(const Vec3& direction) const;
  /// Features of a ball say all about its contacts; a floor has none.
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

/// Throws std::invalid_argument if the fillet does not fit, or a mesh cannot collide. Fields that
/// take long are stored in `fields`, if given.
std::unique_ptr<SmoothShape> make_smooth_shape(const scene::CollisionShape& shape,
                                               const util::Store* fields = nullptr);

}  // namespace peal::dynamics

#include <peal/dynamics/bullet_shape.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace peal::dynamics {

namespace {

/// Fraction of the volume of its hull that a convex mesh may lack; Bullet rounds the corners of
/// hulls to a ten-thousandth of their size.
constexpr double convex_enough = 1e-3;
constexpr double far_away = 1e5;  ///< where a floor ends for the broad phase [m]

/// Transforms a pose from the body's frame to the principal one.
base::Pose in_principal(const base::MassFrame& frame, const Vec3& position,
                        const base::Quat& turn = base::Quat::Identity()) {
  const base::Quat back = frame.axes.conjugate();
  return {.position = back * (position - frame.centre), .orientation = back * turn};
}

/// A surface that only BulletNarrowPhase can collide: Bullet gets a box around it. Its frame is
/// stored in Bullet's type, because Bullet's operator new aligns less than Eigen's quaternions
/// need.
class DistanceShape : public btConcaveShape {
 public:
  DistanceShape(std::shared_ptr<const SmoothShape> smooth, const base::MassFrame& frame)
      : smooth_(std::move(smooth)) {
    m_shapeType = CUSTOM_CONCAVE_SHAPE_TYPE;
    own_ = to_bullet(in_principal(frame, smooth_->frame().position, smooth_->frame().orientation));
  }

  void getAabb(const btTransform& at, btVector3& low, btVector3& high) const override {
    if (smooth_->is_floor()) {
      high.setValue(far_away, far_away, far_away);
      low = -high;
      return;
    }
    const btTransform placed = at * own_;
    const btVector3 middle = placed * to_bullet(smooth_->middle());
    for (int axis = 0; axis < 3; ++axis) {
      const double half = smooth_->extent(from_bullet(placed.getBasis().getRow(axis)));
      low[axis] = middle[axis] - half;
      high[axis] = middle[axis] + half;
    }
  }
  // Triangles and inertia are never requested.
  void processAllTriangles(btTriangleCallback*, const btVector3&, const btVector3&) const override {
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override {
    inertia.setValue(0, 0, 0);
  }
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override { return scaling_; }
  const char* getName() const override { return "distance"; }

 private:
  std::shared_ptr<const SmoothShape> smooth_;
  btTransform own_;  ///< its frame in the principal one
  btVector3 scaling_{1, 1, 1};
};

double hull_volume(const btConvexHullComputer& hull) {
  double sum = 0.0;
  for (int f = 0; f < hull.faces.size(); ++f) {
    const auto* first = &hull.edges[hull.faces[f]];
    const btVector3& a = hull.vertices[first->getSourceVertex()];
    for (const auto* edge = first->getNextEdgeOfFace();
         edge->getTargetVertex() != first->getSourceVertex(); edge = edge->getNextEdgeOfFace()) {
      sum += a.dot(hull.vertices[edge->getSourceVertex()].cross(
                 hull.vertices[edge->getTargetVertex()])) /
             6.0;
    }
  }
  return std::abs(sum);
}

struct MakeBulletShape {
  const std::shared_ptr<const SmoothShape>& smooth;
  const base::MassFrame& frame;

  /// Whether some of it bends where the mesh has facets.
  bool is_round() const {
    return smooth->round_points() != nullptr ||
           std::ranges::any_of(smooth->features(),
                               [](const Feature& one) { return one.kind == Feature::Kind::line; });
  }

  /// Bullet's balls and boxes lie around the centre of mass.
  bool is_centred(const Vec3& centre, double size) const {
    return (centre - frame.centre).norm() < 1e-9 * size;
  }

  std::unique_ptr<btCollisionShape> by_distance() const {
    return std::make_unique<DistanceShape>(smooth, frame);
  }

  std::unique_ptr<btCollisionShape> operator()(const scene::BallShape& ball) const {
    if (!is_centred(ball.centre, ball.radius)) return by_distance();
    return std::make_unique<btSphereShape>(ball.radius);
  }

  std::unique_ptr<btCollisionShape> operator()(const scene::BoxShape& box) const {
    const bool is_along = frame.axes.angularDistance(base::Quat::Identity()) < 1e-9;
    if (!is_along || !is_centred(box.centre, box.size.norm())) return by_distance();
    auto shape_of_box = std::make_unique<btBoxShape>(to_bullet(0.5 * box.size));
    shape_of_box->setMargin(box.fillet);
    return shape_of_box;
  }

  std::unique_ptr<btCollisionShape> operator()(const scene::TurnedShape&) const {
    return by_distance();
  }

  std::unique_ptr<btCollisionShape> operator()(const scene::FloorShape&) const {
    return by_distance();
  }

  std::unique_ptr<btCollisionShape> operator()(const scene::MeshShape& shape) const {
    if (is_round()) return by_distance();
    return hull_of(*shape.mesh, shape.fillet);
  }

  std::unique_ptr<btCollisionShape> operator()(const scene::ConvexShape& shape) const {
    return hull_of(*shape.mesh, shape.fillet);
  }

  /// The convex hull of the vertices; by distance, if that is another body.
  std::unique_ptr<btCollisionShape> hull_of(const geometry::TriMesh& mesh, double fillet) const {
    std::vector<btVector3> points;
    for (const Vec3& vertex : mesh.vertices) {
      points.push_back(to_bullet(in_principal(frame, vertex).position));
    }
    btConvexHullComputer hull;
    const auto compute = [&](double shrink) {
      return hull.compute(points.front().m_floats, sizeof(btVector3),
                          static_cast<int>(points.size()), shrink, shrink > 0.0 ? 0.5 : 0.0);
    };
    compute(0.0);
    const double all = hull_volume(hull);
    if (all - geometry::signed_volume(mesh) > convex_enough * all) return by_distance();
    const double margin = compute(fillet);
    if (!(margin > 0.0)) return by_distance();
    auto convex = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < hull.vertices.size(); ++i) convex->addPoint(hull.vertices[i], false);
    convex->setMargin(margin);
    convex->recalcLocalAabb();
    return convex;
  }
};

}  // namespace

std::unique_ptr<btCollisionShape> make_bullet_shape(const scene::CollisionShape& shape,
                                                    std::shared_ptr<const SmoothShape> smooth,
                                                    const base::MassFrame& frame) {
  return std::visit(MakeBulletShape{smooth, frame}, shape);
}

}  // namespace peal::dynamics

#include <peal/dynamics/convex_shape.h>
#include <peal/dynamics/meridian.h>
#include <peal/dynamics/mesh_shape.h>
#include <peal/dynamics/smooth_shape.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace peal::dynamics {

namespace {

class Ball : public SmoothShape {
 public:
  explicit Ball(const scene::BallShape& shape) : radius_(shape.radius) {
    features_ = {{.kind = Feature::Kind::ball, .a = shape.centre, .radius = radius_}};
    reach_ = radius_;
    middle_ = shape.centre;
    half_.setConstant(radius_);
    is_ball_ = is_convex_ = true;
  }
  double distance(const Vec3& p, Vec3& normal) const override {
    const double r = (p - middle_).norm();
    normal = r > 0.0 ? Vec3((p - middle_) / r) : Vec3::UnitY();
    return r - radius_;
  }

 private:
  double radius_;
};

class Floor : public SmoothShape {
 public:
  Floor() {
    reach_ = std::numeric_limits<double>::infinity();
    is_floor_ = is_convex_ = true;
  }
  double distance(const Vec3& p, Vec3& normal) const override {
    normal = Vec3::UnitY();
    return p.y();
  }
};

class RoundedBox : public SmoothShape {
 public:
  explicit RoundedBox(const scene::BoxShape& shape)
      : inner_(0.5 * shape.size - Vec3::Constant(shape.fillet)), fillet_(shape.fillet) {
    if (!(inner_.minCoeff() > 0.0) || !(fillet_ > 0.0)) {
      throw std::invalid_argument("the fillet of a box must be less than half its smallest side");
    }
    reach_ = inner_.norm() + fillet_;
    middle_ = shape.centre;
    half_ = 0.5 * shape.size;
    is_convex_ = true;
    for (int i = 0; i < 8; ++i) {
      features_.push_back({.kind = Feature::Kind::ball, .a = corner(i), .radius = fillet_});
    }
    for (int i = 0; i < 8; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const int j = i | (1 << axis);
        if (j == i) continue;
        features_.push_back(
            {.kind = Feature::Kind::segment, .a = corner(i), .b = corner(j), .radius = fillet_});
      }
    }
  }

  double distance(const Vec3& p, Vec3& normal) const override {
    const Vec3 q = (p - middle_).cwiseAbs() - inner_;
    const Vec3 outside = q.cwiseMax(0.0);
    const double d = outside.norm();
    if (d > 0.0) {
      normal = outside / d;
    } else {
      int axis;
      q.maxCoeff(&axis);
      normal = Vec3::Unit(axis);
    }
    for (int k = 0; k < 3; ++k) normal[k] = std::copysign(normal[k], p[k] - middle_[k]);
    return d + std::min(q.maxCoeff(), 0.0) - fillet_;
  }

 private:
  Vec3 corner(int i) const {
    return middle_ + Vec3((i & 1) != 0 ? inner_.x() : -inner_.x(),
                          (i & 2) != 0 ? inner_.y() : -inner_.y(),
                          (i & 4) != 0 ? inner_.z() : -inner_.z());
  }

  Vec3 inner_;     ///< half sizes without the fillet [m]
  double fillet_;  ///< [m]
};

class Turned : public SmoothShape {
 public:
  explicit Turned(const scene::TurnedShape& shape) : meridian_(shape.section, shape.fillet) {
    frame_ = {.position = shape.centre, .orientation = shape.turn};
    for (const Meridian::Bulge& bulge : meridian_.bulges()) {
      const bool is_ball = std::abs(bulge.centre.x()) < 1e-6 * bulge.radius;
      features_.push_back({.kind = is_ball ? Feature::Kind::ball : Feature::Kind::ring,
                           .a = {0.0, bulge.centre.y(), 0.0},
                           .ring_radius = is_ball ? 0.0 : bulge.centre.x(),
                           .radius = bulge.radius,
                           .is_part = bulge.is_arc});
    }
    is_convex_ = meridian_.is_convex();
    is_turned_ = true;
    half_ = {meridian_.widest(), std::max(-meridian_.lowest(), meridian_.highest()), 0.0};
    reach_ = meridian_.farthest();
  }

  double distance(const Vec3& p, Vec3& normal) const override {
    const double r = std::sqrt(p.x() * p.x() + p.z() * p.z());
    Vec2 n;
    const double d = meridian_.distance({r, p.y()}, n);
    const Vec3 out = r > 0.0 ? Vec3(p.x() / r, 0.0, p.z() / r) : Vec3::UnitX();
    normal = n.x() * out + n.y() * Vec3::UnitY();
    return d;
  }

  /// Around a hollow there may be several: a floor and the wall beside it.
  void find_distances(const Vec3& p, double within,
                      std::vector<SurfaceDistance>& distances) const override {
    const std::size_t first = distances.size();
    SmoothShape::find_distances(p, within, distances);
    if (is_convex_ || distances.size() == first) return;
    const Vec3 nearest = distances.back().normal;
    const double r = std::sqrt(p.x() * p.x() + p.z() * p.z());
    const Vec3 out = r > 0.0 ? Vec3(p.x() / r, 0.0, p.z() / r) : Vec3::UnitX();
    std::vector<Meridian::Foot> feet;
    meridian_.find_feet({r, p.y()}, within, feet);
    for (const Meridian::Foot& foot : feet) {
      const Vec3 normal = foot.normal.x() * out + foot.normal.y() * Vec3::UnitY();
      if (normal.dot(nearest) > 1.0 - 1e-9) {
        distances[first].part = foot.segment + 1;
      } else {
        distances.push_back({foot.distance, normal, foot.segment + 1});
      }
    }
  }

 private:
  Meridian meridian_;
};

struct MakeShape {
  const util::Store* fields;

  std::unique_ptr<SmoothShape> operator()(const scene::BallShape& shape) const {
    return std::make_unique<Ball>(shape);
  }
  std::unique_ptr<SmoothShape> operator()(const scene::BoxShape& shape) const {
    return std::make_unique<RoundedBox>(shape);
  }
  std::unique_ptr<SmoothShape> operator()(const scene::TurnedShape& shape) const {
    return std::make_unique<Turned>(shape);
  }
  std::unique_ptr<SmoothShape> operator()(const scene::FloorShape&) const {
    return std::make_unique<Floor>();
  }
  std::unique_ptr<SmoothShape> operator()(const scene::MeshShape& shape) const {
    return make_mesh_shape(shape, fields);
  }
  std::unique_ptr<SmoothShape> operator()(const scene::ConvexShape& shape) const {
    return make_convex_shape(shape);
  }
};

}  // namespace

void SmoothShape::find_distances(const Vec3& p, double within,
                                 std::vector<SurfaceDistance>& distances) const {
  Vec3 normal;
  const double d = distance(p, normal);
  if (d <= within) distances.push_back({d, normal, 0});
}

double SmoothShape::least_distance(const Vec3& p) const {
  Vec3 normal;
  return distance(p, normal);
}

double SmoothShape::extent(const Vec3& direction) const {
  const double across =
      is_turned_ ? half_.x() * std::sqrt(std::max(0.0, 1.0 - direction.y() * direction.y()))
                 : half_.x() * std::abs(direction.x()) + half_.z() * std::abs(direction.z());
  return std::min(reach_, across + half_.y() * std::abs(direction.y()));
}

Vec3 FeatureLine::at(double s) const {
  const double n = static_cast<double>(arcs.size());
  if (is_closed) s -= n * std::floor(s / n);
  const auto i = static_cast<std::size_t>(std::clamp(s, 0.0, n - 1.0));
  return arcs[i].at(s - static_cast<double>(i));
}

Vec3 FeatureLine::slope(double s) const {
  const double n = static_cast<double>(arcs.size());
  if (is_closed) s -= n * std::floor(s / n);
  const auto i = static_cast<std::size_t>(std::clamp(s, 0.0, n - 1.0));
  return arcs[i].slope(s - static_cast<double>(i));
}

std::unique_ptr<SmoothShape> make_smooth_shape(const scene::CollisionShape& shape,
                                               const util::Store* fields) {
  return std::visit(MakeShape{fields}, shape);
}

}  // namespace peal::dynamics

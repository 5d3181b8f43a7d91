#include <peal/dynamics/mesh_shape.h>
#include <peal/dynamics/smooth_shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace peal::dynamics {

using geometry::Polygon;
using geometry::Vec2;

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

/// The section, moved inward by the fillet, is the core; the surface lies a fillet around it.
class Turned : public SmoothShape {
 public:
  explicit Turned(const scene::TurnedShape& shape) : fillet_(shape.fillet) {
    const Polygon& section = shape.section;
    const std::size_t n = section.size();
    if (n < 3 || !(fillet_ > 0.0)) throw std::invalid_argument("a turned shape needs a section");
    const double sense = geometry::signed_area(section) > 0.0 ? 1.0 : -1.0;
    is_convex_ = true;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 &before = section[(i + n - 1) % n], &p = section[i], &after = section[(i + 1) % n];
      core_.push_back(inward(before, p, after, sense));
      const Vec2 a = p - before, b = after - p;
      const bool convex = sense * (a.x() * b.y() - a.y() * b.x()) > 1e-9 * a.norm() * b.norm();
      if (convex) add_feature(core_.back());
      const bool straight = sense * (a.x() * b.y() - a.y() * b.x()) > -1e-9 * a.norm() * b.norm();
      is_convex_ = is_convex_ && (straight || p.x() <= 0.0);
      half_ = half_.cwiseMax(Vec3(p.x(), std::abs(p.y()), 0.0));
      reach_ = std::max(reach_, p.norm());
    }
    is_turned_ = true;
    if (sense * geometry::signed_area(core_) <= 0.0) {
      throw std::invalid_argument("the fillet of a turned shape is larger than its walls");
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 &a = core_[i], &b = core_[(i + 1) % n];
      if (a.x() <= 0.0 && b.x() <= 0.0) continue;  // inside, along the axis
      const Vec2 along = b - a;
      sides_.push_back({.from = a,
                        .along = along,
                        .out = sense * Vec2(along.y(), -along.x()).normalized(),
                        .scale = 1.0 / along.squaredNorm()});
    }
  }

  double distance(const Vec3& p, Vec3& normal) const override {
    const double r = std::sqrt(p.x() * p.x() + p.z() * p.z());
    const Vec2 at(r, p.y());
    double nearest = std::numeric_limits<double>::infinity();
    double highest = -nearest;  // over the lines of the sides
    Vec2 away = Vec2::UnitY(), highest_out = Vec2::UnitY();
    for (const Side& side : sides_) {
      const Vec2 off = at - side.from;
      const double over = side.out.dot(off);
      if (over > highest) {
        highest = over;
        highest_out = side.out;
      }
      if (is_convex_ && over < 0.0) continue;  // the nearest side of a convex shape is in view
      const double along = std::clamp(off.dot(side.along) * side.scale, 0.0, 1.0);
      const Vec2 from = off - along * side.along;
      if (from.squaredNorm() < nearest) {
        nearest = from.squaredNorm();
        away = from;
      }
    }
    double d = std::sqrt(nearest);
    Vec2 n = d > 0.0 ? Vec2(away / d) : Vec2::UnitY();
    if (is_convex_ && highest <= 0.0) {
      d = highest;
      n = highest_out;
    } else if (!is_convex_ && geometry::contains(core_, at)) {
      d = -d;
      n = -n;
    }
    const Vec3 out = r > 0.0 ? Vec3(p.x() / r, 0.0, p.z() / r) : Vec3::UnitX();
    normal = n.x() * out + n.y() * Vec3::UnitY();
    return d - fillet_;
  }

 private:
  /// The corner of the core that belongs to a corner of the section.
  Vec2 inward(const Vec2& before, const Vec2& p, const Vec2& after, double sense) const {
    const auto normal = [&](const Vec2& a, const Vec2& b) {  // into the solid
      const Vec2 along = (b - a).normalized();
      return Vec2(-sense * along.y(), sense * along.x());
    };
    const auto on_axis = [](const Vec2& a, const Vec2& b) { return a.x() <= 0.0 && b.x() <= 0.0; };
    // A side on the axis is none: the other one ends there.
    const bool first = on_axis(before, p), second = on_axis(p, after);
    const Vec2 n1 = first ? Vec2(Vec2::Zero()) : normal(before, p);
    const Vec2 n2 = second ? Vec2(Vec2::Zero()) : normal(p, after);
    if (first || second) {
      const Vec2 n = first ? n2 : n1;
      return {0.0, p.y() + fillet_ / n.y()};
    }
    const Vec2 sum = n1 + n2;
    return p + fillet_ * sum / (0.5 * sum.squaredNorm());
  }

  void add_feature(const Vec2& at) {
    if (at.x() <= 0.0) {
      features_.push_back(
          {.kind = Feature::Kind::ball, .a = {0.0, at.y(), 0.0}, .radius = fillet_});
    } else {
      features_.push_back({.kind = Feature::Kind::ring,
                           .a = {0.0, at.y(), 0.0},
                           .ring_radius = at.x(),
                           .radius = fillet_});
    }
  }

  struct Side {
    Vec2 from, along;  ///< [m]
    Vec2 out;          ///< unit length
    double scale;      ///< 1 / its length squared [1/m^2]
  };

  Polygon core_;             ///< [m]
  std::vector<Side> sides_;  ///< of the core, but for the axis
  double fillet_;            ///< [m]
};

struct MakeShape {
  const std::optional<std::filesystem::path>& cache;

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
    return make_mesh_shape(shape, cache);
  }
};

}  // namespace

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
                                               const std::optional<std::filesystem::path>& cache) {
  return std::visit(MakeShape{cache}, shape);
}

}  // namespace peal::dynamics

#include <peal/dynamics/convex_shape.h>
#include <peal/geometry/volume/convex_polyhedron.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

namespace peal::dynamics {

namespace {

using geometry::ConvexPolyhedron;
using geometry::HalfSpace;

constexpr double fillet_part = 0.3;  ///< of the least thickness: largest fillet
constexpr double short_edge = 1e-9;  ///< of the size: such edges are points
constexpr double no_face = 1e-9;     ///< of the squared size: such faces have no direction

/// Leaves out faces so small that rounding decides where they look.
void drop_tiny_faces(ConvexPolyhedron& solid, double size) {
  std::erase_if(solid.faces, [&](const std::vector<std::uint32_t>& face) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      const Vec3& apex = solid.vertices[face[0]];
      sum += (solid.vertices[face[k]] - apex).cross(solid.vertices[face[k + 1]] - apex);
    }
    return sum.norm() < no_face * size * size;
  });
}

/// The least extent across one of the faces [m].
double least_thickness(const ConvexPolyhedron& solid, const std::vector<HalfSpace>& planes) {
  double least = std::numeric_limits<double>::infinity();
  for (const HalfSpace& plane : planes) {
    double deepest = 0.0;
    for (const Vec3& v : solid.vertices) deepest = std::max(deepest, -plane.distance(v));
    least = std::min(least, deepest);
  }
  return least;
}

/// All points within the fillet of a core, which is a convex polyhedron.
class RoundedPolyhedron : public SmoothShape {
 public:
  RoundedPolyhedron(ConvexPolyhedron solid, double fillet) {
    geometry::Box box;
    for (const Vec3& v : solid.vertices) box.extend(v);
    const double size = box.diagonal().norm();
    drop_tiny_faces(solid, size);
    std::vector<HalfSpace> planes = solid.half_spaces();
    fillet_ = std::min(fillet, fillet_part * least_thickness(solid, planes));
    for (HalfSpace& plane : planes) plane.offset -= fillet_;
    core_ = geometry::intersection(planes, box);
    // A slender corner may be thinner than its faces are apart.
    for (int i = 0; core_.empty() && i < 8; ++i) {
      fillet_ *= 0.5;
      for (HalfSpace& plane : planes) plane.offset += fillet_;
      core_ = geometry::intersection(planes, box);
    }
    if (core_.empty()) throw std::invalid_argument("it is too thin for any fillet");
    find_features(short_edge * size);
    drop_tiny_faces(core_, size);
    planes_ = core_.half_spaces();
    middle_ = box.center();
    half_ = 0.5 * box.sizes();
    for (const Vec3& v : core_.vertices) reach_ = std::max(reach_, (v - middle_).norm() + fillet_);
    is_convex_ = true;
  }

  double distance(const Vec3& p, Vec3& normal) const override {
    std::size_t highest = 0;
    double over = -std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < planes_.size(); ++f) {
      const double height = planes_[f].distance(p);
      if (height > over) {
        over = height;
        highest = f;
      }
    }
    normal = planes_[highest].normal;
    if (over <= 0.0 || is_over(highest, p)) return over - fillet_;
    Vec3 nearest = Vec3::Zero();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < planes_.size(); ++f) {
      if (f == highest || planes_[f].distance(p) <= 0.0) continue;
      if (is_over(f, p)) {
        normal = planes_[f].normal;
        return planes_[f].distance(p) - fillet_;
      }
    }
    for (const auto& [a, b] : edges_) {
      const Vec3 along = core_.vertices[b] - core_.vertices[a];
      const double part =
          std::clamp(along.dot(p - core_.vertices[a]) / along.squaredNorm(), 0.0, 1.0);
      const Vec3 q = core_.vertices[a] + part * along;
      const double d = (p - q).squaredNorm();
      if (d < least) {
        least = d;
        nearest = q;
      }
    }
    const double d = std::sqrt(least);
    if (d > 0.0) normal = (p - nearest) / d;
    return d - fillet_;
  }

  double least_distance(const Vec3& p) const override {
    double over = -std::numeric_limits<double>::infinity();
    for (const HalfSpace& plane : planes_) over = std::max(over, plane.distance(p));
    return over - fillet_;
  }

 private:
  /// Whether the foot of p on the plane of a face lies in the face.
  bool is_over(std::size_t face, const Vec3& p) const {
    const auto& corners = core_.faces[face];
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 &a = core_.vertices[corners[k]],
                 &b = core_.vertices[corners[(k + 1) % corners.size()]];
      if (planes_[face].normal.cross(b - a).dot(p - a) < 0.0) return false;
    }
    return true;
  }

  void find_features(double shortest) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (const auto& face : core_.faces) {
      for (std::size_t k = 0; k < face.size(); ++k) {
        const std::uint32_t a = face[k], b = face[(k + 1) % face.size()];
        if ((core_.vertices[a] - core_.vertices[b]).norm() > shortest)
          known.insert({std::min(a, b), std::max(a, b)});
      }
    }
    edges_.assign(known.begin(), known.end());
    for (const Vec3& v : core_.vertices)
      features_.push_back({.kind = Feature::Kind::ball, .a = v, .radius = fillet_});
    for (const auto& [a, b] : edges_) {
      features_.push_back({.kind = Feature::Kind::segment,
                           .a = core_.vertices[a],
                           .b = core_.vertices[b],
                           .radius = fillet_});
    }
  }

  ConvexPolyhedron core_;
  std::vector<HalfSpace> planes_;  ///< of its faces
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  double fillet_ = 0.0;  ///< [m]
};

}  // namespace

std::unique_ptr<SmoothShape> make_convex_shape(const scene::ConvexShape& shape) {
  auto solid = geometry::recognised_polyhedron(*shape.mesh);
  if (!solid) throw std::invalid_argument("its mesh is not a convex solid with flat faces");
  return std::make_unique<RoundedPolyhedron>(*std::move(solid), shape.fillet);
}

}  // namespace peal::dynamics

#include <peal/wave/boundary/body_shape.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

BodyShape::BodyShape(const base::Body& body, const base::Piece& hold)
    : body_(&body), hold_(hold), still_(!body.deformation && body.motion->is_still()) {
  const geometry::Box box = geometry::bounds(body.mesh);
  for (int i = 0; i < 8; ++i) {
    corners_.push_back(box.corner(static_cast<geometry::Box::CornerType>(i)));
  }
}

void BodyShape::body_vertices(double t, std::vector<Vec3>& out) const {
  out = body_->mesh.vertices;
  if (body_->deformation) body_->deformation->vertices(hold_.clamp(t), out);
}

void BodyShape::vertices(double t, std::vector<Vec3>& out) const {
  body_vertices(t, out);
  const base::Pose at = pose(t);
  const geometry::Mat3 turn = at.orientation.toRotationMatrix();
  for (Vec3& v : out) v = at.position + turn * v;
}

Vec3 BodyShape::to_body(double t, const Vec3& position) const {
  return pose(t).to_local(position);
}

Vec3 BodyShape::turned_to_body(double t, const Vec3& direction) const {
  return pose(t).orientation.conjugate() * direction;
}

geometry::Box BodyShape::bounds(double t) const {
  geometry::Box box;
  std::vector<Vec3> points;
  vertices(t, points);
  for (const Vec3& p : points) box.extend(p);
  return box;
}

double BodyShape::displacement(double t0, double t1) const {
  if (still_) return 0.0;
  double most = 0.0;
  if (body_->deformation) {
    std::vector<Vec3> before, after;
    vertices(t0, before);
    vertices(t1, after);
    for (std::size_t i = 0; i < before.size(); ++i) {
      most = std::max(most, (after[i] - before[i]).squaredNorm());
    }
    return std::sqrt(most);
  }
  // A rigid displacement is an affine function of place: it is largest in a corner of the box.
  const base::Pose a = pose(t0), b = pose(t1);
  for (const Vec3& corner : corners_) {
    most = std::max(most, (b.to_world(corner) - a.to_world(corner)).squaredNorm());
  }
  return std::sqrt(most);
}

}  // namespace peal::wave

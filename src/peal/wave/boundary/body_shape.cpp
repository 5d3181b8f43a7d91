#include <peal/wave/boundary/body_shape.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

BodyShape::BodyShape(const base::Body& body, const base::MotionSegment& segment)
    : body_(&body), segment_(segment), still_(body.is_still()) {
  const geometry::Box box = geometry::bounds(body.mesh);
  for (int i = 0; i < 8; ++i) {
    corners_.push_back(box.corner(static_cast<geometry::Box::CornerType>(i)));
  }
}

std::size_t BodyShape::mesh_number(double t) const {
  return body_->sequence ? body_->sequence->number_at(segment_.clamp(t)) : 0;
}

std::shared_ptr<const geometry::TriMesh> BodyShape::mesh(double t) const {
  if (body_->sequence) return body_->sequence->mesh(mesh_number(t));
  return {std::shared_ptr<void>(), &body_->mesh};
}

/// The vertices of a mesh at t, in the body's frame.
void BodyShape::vertices_of(std::size_t mesh, double t, std::vector<Vec3>& out) const {
  if (body_->sequence) {
    out.resize(body_->sequence->mesh(mesh)->vertices.size());
    body_->sequence->vertices(mesh, segment_.clamp(t), out);
    return;
  }
  out = body_->mesh.vertices;
  if (body_->deformation) body_->deformation->vertices(segment_.clamp(t), out);
}

void BodyShape::body_vertices(double t, std::vector<Vec3>& out) const {
  vertices_of(mesh_number(t), t, out);
}

void BodyShape::index(double t, std::vector<Vec3>& vertices) const {
  const base::Pose at = pose(t);
  const geometry::Mat3 turn = at.orientation.toRotationMatrix();
  for (Vec3& v : vertices) v = at.position + turn * v;
}

void BodyShape::vertices(double t, std::vector<Vec3>& out) const {
  body_vertices(t, out);
  index(t, out);
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

double BodyShape::farthest_vertex(std::size_t mesh, double t0, double t1) const {
  std::vector<Vec3> before, after;
  vertices_of(mesh, t0, before);
  vertices_of(mesh, t1, after);
  index(t0, before);
  index(t1, after);
  double most = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    most = std::max(most, (after[i] - before[i]).squaredNorm());
  }
  return std::sqrt(most);
}

double BodyShape::displacement(double t0, double t1) const {
  if (still_) return 0.0;
  if (body_->changes_shape()) {
    double way = 0.0;
    const std::size_t last = mesh_number(t1);
    for (std::size_t number = mesh_number(t0); number < last; ++number) {
      const double change = body_->sequence->changes()[number];
      way += farthest_vertex(number, t0, change);
      t0 = change;
    }
    return way + farthest_vertex(last, t0, t1);
  }
  double most = 0.0;
  // A rigid displacement is an affine function of position, so it is largest in a corner of the
  // box.
  const base::Pose a = pose(t0), b = pose(t1);
  for (const Vec3& corner : corners_) {
    most = std::max(most, (b.to_world(corner) - a.to_world(corner)).squaredNorm());
  }
  return std::sqrt(most);
}

double BodyShape::deviation(double t0, double t1) const {
  if (still_ || body_->changes_shape()) return 0.0;
  double most = 0.0;
  const base::Pose a = pose(t0), middle = pose(0.5 * (t0 + t1)), b = pose(t1);
  for (const Vec3& corner : corners_) {
    const Vec3 straight = 0.5 * (a.to_world(corner) + b.to_world(corner));
    most = std::max(most, (middle.to_world(corner) - straight).squaredNorm());
  }
  return std::sqrt(most);
}

}  // namespace peal::wave

#include <peal/wave/boundary/body_surface.h>

#include <utility>

namespace peal::wave {

BodySurface::BodySurface(const BodyShape& shape) : shape_(&shape) {
  if (!deforms()) take(shape.body().mesh);
}

void BodySurface::take(geometry::TriMesh mesh) {
  bounds_ = geometry::bounds(mesh);
  solid_ = std::make_unique<geometry::InsideTest>(mesh);
  surface_ = std::make_unique<geometry::SurfaceQuery>(std::move(mesh));
}

void BodySurface::set_time(double t) {
  time_ = t;
  if (!deforms()) return;
  geometry::TriMesh mesh = *shape_->mesh(t);
  shape_->vertices(t, mesh.vertices);
  take(std::move(mesh));
}

Vec3 BodySurface::to_mesh(const Vec3& x) const {
  return deforms() ? x : shape_->to_body(time_, x);
}

Vec3 BodySurface::to_world(const Vec3& x) const {
  return deforms() ? x : shape_->to_world(time_, x);
}

bool BodySurface::contains(const Vec3& x) const {
  const Vec3 local = to_mesh(x);
  return bounds_.contains(local) && solid_->inside(local);
}

bool BodySurface::is_between(const Vec3& a, const Vec3& b) const {
  return surface_->occluded(to_mesh(a), to_mesh(b));
}

/// The normal is along the line to the nearest point. It is that of the surface where the surface
/// is smooth, and in between at edges.
NearestWall BodySurface::nearest(const Vec3& x) const {
  constexpr double touching = 1e-9;  // [m]
  const Vec3 local = to_mesh(x);
  const geometry::SurfacePoint found = surface_->closest_point(local);
  const Vec3 face = geometry::area_vector(surface_->mesh(), found.triangle).normalized();
  const Vec3 line = local - found.point;
  const bool inside = solid_->inside(local);
  const Vec3 normal =
      found.distance < touching ? face : Vec3((inside ? -1 : 1) * line.normalized());
  return {.point = to_world(found.point),
          .normal = to_world(found.point + normal) - to_world(found.point),
          .triangle = found.triangle,
          .distance = found.distance};
}

}  // namespace peal::wave

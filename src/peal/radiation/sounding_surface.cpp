#include <peal/radiation/air_load.h>
#include <peal/radiation/sounding_surface.h>

#include <cmath>
#include <numbers>

namespace peal::radiation {

namespace {

using base::Vec3;

constexpr double instant_step = 1e-5;  ///< half width of a velocity [s]
constexpr double shape_look = 0.01;    ///< from one look at how far a shape gets to the next [s]

double radius_of(const base::Body& body) {
  const double sides = body.is_sheet ? 2.0 : 1.0;
  return std::sqrt(sides * geometry::surface_area(body.mesh) / (4.0 * std::numbers::pi));
}

}  // namespace

SoundingSurface::SoundingSurface(const base::Body& body, double wavelength)
    : body_(body),
      samples_(sample_surface(body.mesh, wavelength)),
      air_lengths_(radiation::air_lengths(samples_)),
      radius_(radius_of(body)) {}

void SoundingSurface::take_shape(double t) {
  if (!body_.deformation) return;
  std::vector<Vec3> vertices(body_.mesh.vertices.size());
  body_.deformation->vertices(t, vertices);
  move_to(samples_, body_.mesh, vertices);
}

std::shared_ptr<const PlacedSurface> SoundingSurface::at(double t) {
  if (resting_) return resting_;
  take_shape(t);
  const std::size_t count = places();
  const auto placed = std::make_shared<PlacedSurface>();
  PlacedSurface& surface = *placed;
  surface.places.resize(count);
  surface.normals.resize(count);
  surface.own_normals.resize(count);
  surface.velocities.assign(count, Vec3::Zero());
  surface.area = samples_.area;
  const base::Pose pose = body_.motion->pose(t);
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  for (std::size_t i = 0; i < count; ++i) {
    const base::SurfacePoint& point = samples_.points[i];
    surface.places[i] = pose.position + turn * point.position;
    surface.normals[i] = turn * point.normal;
    surface.own_normals[i] = point.normal;
    surface.box.extend(surface.places[i]);
  }
  if (!body_.motion->is_still()) {
    const base::Pose before = body_.motion->pose(t - instant_step);
    const base::Pose after = body_.motion->pose(t + instant_step);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3& own = samples_.points[i].position;
      surface.velocities[i] = (after.to_world(own) - before.to_world(own)) / (2 * instant_step);
    }
  }
  if (body_.deformation) add_shape_velocities(t, pose, surface);
  if (is_still()) resting_ = placed;
  return placed;
}

/// What the change of the shape adds to the velocities.
void SoundingSurface::add_shape_velocities(double t, const base::Pose& pose,
                                           PlacedSurface& surface) const {
  std::vector<Vec3> before(body_.mesh.vertices.size()), speed(before.size());
  body_.deformation->vertices(t - instant_step, before);
  body_.deformation->vertices(t + instant_step, speed);
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix() / (2 * instant_step);
  for (std::size_t v = 0; v < speed.size(); ++v) speed[v] = turn * (speed[v] - before[v]);
  for (std::size_t i = 0; i < places(); ++i) {
    const base::SurfacePoint& point = samples_.points[i];
    const geometry::Triangle& corners = body_.mesh.triangles[point.triangle];
    surface.velocities[i] += point.barycentric[0] * speed[corners[0]] +
                             point.barycentric[1] * speed[corners[1]] +
                             point.barycentric[2] * speed[corners[2]];
  }
}

void SoundingSurface::outline(double t, std::vector<Vec3>& points) const {
  const base::Pose pose = body_.motion->pose(t);
  if (body_.deformation) {
    points.resize(body_.mesh.vertices.size());
    body_.deformation->vertices(t, points);
  } else {
    const geometry::Box box = geometry::bounds(body_.mesh);
    points.clear();
    for (int k = 0; k < 8; ++k)
      points.push_back(box.corner(static_cast<geometry::Box::CornerType>(k)));
  }
  if (body_.motion->is_still() && pose.position.isZero(0.0) &&
      pose.orientation.coeffs() == base::Quat::Identity().coeffs())
    return;
  const geometry::Mat3 turn = pose.orientation.toRotationMatrix();
  for (Vec3& point : points) point = pose.position + turn * point;
}

double SoundingSurface::reach(double end) const {
  geometry::Box box = geometry::bounds(body_.mesh);
  if (body_.deformation) {
    std::vector<Vec3> vertices(body_.mesh.vertices.size());
    for (double t = 0.0; t < end + shape_look; t += shape_look) {
      body_.deformation->vertices(t, vertices);
      for (const Vec3& vertex : vertices) box.extend(vertex);
    }
  }
  return box.center().norm() + 0.5 * box.diagonal().norm();
}

}  // namespace peal::radiation

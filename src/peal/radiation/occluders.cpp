#include <peal/radiation/occluders.h>

#include <algorithm>
#include <utility>

namespace peal::radiation {

namespace {

/// What a ray may touch at its ends: where it starts, or an ear on a surface [m].
constexpr double touch = 1e-5;

double square_distance(const base::Vec3& point, const base::Vec3& a, const base::Vec3& b) {
  const base::Vec3 way = b - a, to = point - a;
  const double length = way.squaredNorm();
  const double along = length > 0.0 ? std::clamp(to.dot(way) / length, 0.0, 1.0) : 0.0;
  return (to - along * way).squaredNorm();
}

}  // namespace

Occluders::Occluders(const base::World& world) {
  for (const base::Body& body : world.bodies) {
    Obstacle& obstacle = bodies_.emplace_back();
    obstacle.body = &body;
    if (!body.mesh.empty() && !body.deformation) take_surface(obstacle, body.mesh);
  }
  set_time(0.0);
}

void Occluders::take_surface(Obstacle& obstacle, geometry::TriMesh mesh) {
  obstacle.box = geometry::bounds(mesh);
  obstacle.square_radius = 0.25 * obstacle.box.diagonal().squaredNorm();
  obstacle.surface.emplace(std::move(mesh));
}

bool Occluders::are_still(std::optional<std::size_t> except) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const base::Body& body = *bodies_[i].body;
    if (i != except && (!body.motion->is_still() || body.deformation)) return false;
  }
  return true;
}

void Occluders::set_time(double t, std::optional<std::size_t> except) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (i == except) continue;
    Obstacle& obstacle = bodies_[i];
    obstacle.pose = obstacle.body->motion->pose(t);
    if (obstacle.body->deformation && !obstacle.body->mesh.empty()) {
      geometry::TriMesh mesh = obstacle.body->mesh;
      obstacle.body->deformation->vertices(t, mesh.vertices);
      take_surface(obstacle, std::move(mesh));
    }
    if (obstacle.surface) obstacle.centre = obstacle.pose.to_world(obstacle.box.center());
  }
}

std::vector<std::size_t> Occluders::between(const geometry::Box& places, const base::Vec3& b,
                                            std::optional<std::size_t> except) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Obstacle& obstacle = bodies_[i];
    if (i == except || !obstacle.surface) continue;
    // Ways stay within the box of their ends.
    geometry::Box ways(obstacle.pose.to_local(b));
    for (int k = 0; k < 8; ++k)
      ways.extend(obstacle.pose.to_local(places.corner(static_cast<geometry::Box::CornerType>(k))));
    if (ways.intersects(obstacle.box)) found.push_back(i);
  }
  return found;
}

bool Occluders::block(const base::Vec3& a, const base::Vec3& b,
                      std::span<const std::size_t> bodies) const {
  for (const std::size_t i : bodies) {
    const Obstacle& obstacle = bodies_[i];
    if (square_distance(obstacle.centre, a, b) > obstacle.square_radius) continue;
    const base::Pose& pose = obstacle.pose;
    if (obstacle.surface->occluded(pose.to_local(a), pose.to_local(b), touch)) return true;
  }
  return false;
}

}  // namespace peal::radiation

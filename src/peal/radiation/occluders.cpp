#include <peal/radiation/occluders.h>

#include <algorithm>

namespace peal::radiation {

namespace {

/// What a ray may touch at its ends: where it starts, or an ear on a surface [m].
constexpr double touch = 1e-5;

}  // namespace

Occluders::Occluders(const base::World& world) {
  for (const base::Body& body : world.bodies) {
    Obstacle& obstacle = bodies_.emplace_back();
    obstacle.body = &body;
    if (!body.mesh.empty() && !body.deformation) obstacle.surface.emplace(body.mesh);
  }
  set_time(0.0);
}

bool Occluders::are_still() const {
  return std::ranges::all_of(bodies_, [](const Obstacle& obstacle) {
    return obstacle.body->motion->is_still() && !obstacle.body->deformation;
  });
}

void Occluders::set_time(double t) {
  for (Obstacle& obstacle : bodies_) {
    obstacle.pose = obstacle.body->motion->pose(t);
    if (!obstacle.body->deformation || obstacle.body->mesh.empty()) continue;
    geometry::TriMesh mesh = obstacle.body->mesh;
    obstacle.body->deformation->vertices(t, mesh.vertices);
    obstacle.surface.emplace(std::move(mesh));
  }
}

bool Occluders::block(const base::Vec3& a, const base::Vec3& b,
                      std::optional<std::size_t> except) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Obstacle& obstacle = bodies_[i];
    if (i == except || !obstacle.surface) continue;
    const base::Pose& pose = obstacle.pose;
    if (obstacle.surface->occluded(pose.to_local(a), pose.to_local(b), touch)) return true;
  }
  return false;
}

}  // namespace peal::radiation

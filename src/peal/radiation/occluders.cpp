#include <peal/geometry/mesh/triangle.h>
#include <peal/radiation/occluders.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::radiation {

namespace {

/// The length at the ends of a ray in which it may touch a surface: where it starts, and at a
/// receiver on a surface [m].
constexpr double touch = 1e-5;

constexpr auto some_places = static_cast<Eigen::Index>(Coordinates::at_once);
using Some = Eigen::Array<double, some_places, 1>;

/// Squared distances from a point to the paths from a few sample points to b [m^2].
Some square_distances(const Coordinates& sample_points, std::size_t first, const base::Vec3& b,
                      const base::Vec3& point) {
  const base::Vec3 to = point - b;
  Some way[3], length = Some::Zero(), along = Some::Zero();
  for (Eigen::Index k = 0; k < 3; ++k) {
    way[k] = Eigen::Map<const Some>(&sample_points.of[static_cast<std::size_t>(k)][first]) - b[k];
    length += way[k].square();
    along += way[k] * to[k];
  }
  const Some part = (along / length.max(1e-30)).max(0.0).min(1.0);
  Some square = Some::Zero();
  for (Eigen::Index k = 0; k < 3; ++k) square += (to[k] - part * way[k]).square();
  return square;
}

}  // namespace

Occluders::Occluders(const base::World& world) {
  for (const base::Body& body : world.bodies) bodies_.emplace_back().body = &body;
}

void Occluders::take_surface(Obstacle& obstacle, geometry::TriMesh mesh) {
  obstacle.box = geometry::bounds(mesh);
  obstacle.outer_square = 0.0;
  for (const base::Vec3& vertex : mesh.vertices)
    obstacle.outer_square =
        std::max(obstacle.outer_square, (vertex - obstacle.box.center()).squaredNorm());
  obstacle.surface.emplace(std::move(mesh));
}

/// Finds the inner ball, if the surface encloses its centre.
void Occluders::take_inner_ball(Obstacle& obstacle) {
  const geometry::TriMesh& mesh = obstacle.surface->mesh();
  const base::Vec3 centre = obstacle.box.center();
  double angle = 0.0, nearest = obstacle.outer_square;
  for (const geometry::Triangle& triangle : mesh.triangles) {
    const geometry::Corners corners = {mesh.vertices[triangle[0]], mesh.vertices[triangle[1]],
                                       mesh.vertices[triangle[2]]};
    angle += geometry::solid_angle(corners, centre);
    const base::Vec3 at =
        geometry::interpolate(corners, geometry::closest_barycentrics(corners, centre));
    nearest = std::min(nearest, (at - centre).squaredNorm());
  }
  const bool is_closed = std::abs(angle - 4.0 * std::numbers::pi) < 1e-6;
  obstacle.inner_square = is_closed ? nearest : 0.0;
}

bool Occluders::are_still(std::optional<std::size_t> except) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const base::Body& body = *bodies_[i].body;
    if (i != except && (!body.is_still() || body.exists)) return false;
  }
  return true;
}

bool Occluders::begin_or_end(double t0, double t1) const {
  const auto is_between = [&](double t) { return t > t0 && t <= t1; };
  return std::ranges::any_of(bodies_, [&](const Obstacle& obstacle) {
    const auto& exists = obstacle.body->exists;
    return exists && (is_between(exists->begin) || is_between(exists->end));
  });
}

void Occluders::set_time(double t, std::optional<std::size_t> except) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (i == except) continue;
    Obstacle& obstacle = bodies_[i];
    const base::Body& body = *obstacle.body;
    obstacle.is_there = !body.exists || body.exists->contains(t);
    if (body.mesh.empty() || !obstacle.is_there) continue;
    obstacle.pose = body.motion->pose(t);
    if (body.changes_shape()) {
      take_surface(obstacle, body.shape(t));
    } else if (!obstacle.surface) {
      take_surface(obstacle, body.mesh);
      take_inner_ball(obstacle);
    }
    obstacle.centre = obstacle.pose.to_world(obstacle.box.center());
  }
}

std::vector<std::size_t> Occluders::between(const geometry::Box& sample_points, const base::Vec3& b,
                                            std::optional<std::size_t> except) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Obstacle& obstacle = bodies_[i];
    if (i == except || !obstacle.surface || !obstacle.is_there) continue;
    // The paths stay within the bounding box of their ends.
    geometry::Box ways(obstacle.pose.to_local(b));
    for (int k = 0; k < 8; ++k)
      ways.extend(
          obstacle.pose.to_local(sample_points.corner(static_cast<geometry::Box::CornerType>(k))));
    if (ways.intersects(obstacle.box)) found.push_back(i);
  }
  return found;
}

void Occluders::mark_hidden(const Coordinates& sample_points, const base::Vec3& b,
                            std::span<const std::size_t> bodies, std::span<char> is_seen) const {
  constexpr std::size_t some = Coordinates::at_once;
  for (const std::size_t body : bodies) {
    const Obstacle& obstacle = bodies_[body];
    const base::Vec3 own_b = obstacle.pose.to_local(b);
    util::parallel_for_small((is_seen.size() + some - 1) / some, [&](std::size_t part) {
      const std::size_t first = part * some, end = std::min(first + some, is_seen.size());
      const Some square = square_distances(sample_points, first, b, obstacle.centre);
      if ((square > obstacle.outer_square).all()) return;
      for (std::size_t i = first; i < end; ++i) {
        const double distance = square[static_cast<Eigen::Index>(i - first)];
        if (distance > obstacle.outer_square || is_seen[i] == 0) continue;
        if (distance < obstacle.inner_square ||
            obstacle.surface->occluded(obstacle.pose.to_local(sample_points.at(i)), own_b, touch))
          is_seen[i] = 0;
      }
    });
  }
}

}  // namespace peal::radiation

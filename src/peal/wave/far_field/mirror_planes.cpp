#include <peal/geometry/mesh/triangle.h>
#include <peal/wave/boundary/body_shape.h>
#include <peal/wave/far_field/mirror_planes.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace peal::wave {

namespace {

struct Cluster {
  Plane plane;
  std::map<std::size_t, double> area;  ///< by body, outside the Kirchhoff surface [m^2]

  double whole_area() const {
    double sum = 0.0;
    for (const auto& [body, part] : area) sum += part;
    return sum;
  }
};

constexpr double parallel = 0.999;      ///< smallest cosine of normals that count as parallel
constexpr double perpendicular = 0.02;  ///< largest cosine of perpendicular normals
constexpr double same_plane = 0.1;      ///< largest distance of walls from their plane [cells]
constexpr double least_held = 0.95;     ///< smallest fraction of the walls in the planes

bool is_outside(const Cell& cell, const Domain& domain) {
  for (int d = 0; d < 3; ++d) {
    if (cell[d] < domain.low[d] || cell[d] >= domain.high[d]) return true;
  }
  return false;
}

/// The largest distance of any corner of a box in front of a plane [m].
double farthest_in_front(const Plane& plane, const geometry::Box& box) {
  double farthest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 8; ++i) {
    farthest =
        std::max(farthest, plane.height(box.corner(static_cast<geometry::Box::CornerType>(i))));
  }
  return farthest;
}

/// The triangles of a body at rest.
std::vector<geometry::Corners> triangles_of(const base::Body& body) {
  std::vector<Vec3> vertices;
  BodyShape(body, {}).vertices(0.0, vertices);
  std::vector<geometry::Corners> all;
  for (const geometry::Triangle& t : body.mesh.triangles) {
    all.push_back({vertices[t[0]], vertices[t[1]], vertices[t[2]]});
  }
  return all;
}

Vec3 area_vector(const geometry::Corners& c) {
  return 0.5 * (c[1] - c[0]).cross(c[2] - c[0]);
}

/// The area of the part of a body's surface that lies in a plane and faces the same way [m^2].
double area_in_plane(const base::Body& body, const Plane& plane, double tolerance) {
  double area = 0.0;
  for (const geometry::Corners& c : triangles_of(body)) {
    const Vec3 s = area_vector(c);
    const bool parallel_to_it = s.dot(plane.normal) > parallel * s.norm();
    if (parallel_to_it && std::abs(plane.height(c[0])) < tolerance) area += s.norm();
  }
  return area;
}

/// The plane of a body's triangle that is nearest to a point.
Plane nearest_plane(const base::Body& body, const Vec3& x) {
  Plane plane;
  double least = std::numeric_limits<double>::infinity();
  for (const geometry::Corners& c : triangles_of(body)) {
    const Vec3 nearest = geometry::interpolate(c, geometry::closest_barycentrics(c, x));
    const double distance = (nearest - x).norm();
    if (distance >= least || area_vector(c).norm() == 0.0) continue;
    least = distance;
    plane = {nearest, area_vector(c).normalized()};
  }
  return plane;
}

class MirrorFinder {
 public:
  MirrorFinder(const base::World& world, const Domain& domain)
      : world_(world), cell_(domain.grid.cell_size), core_(domain.core) {}

  /// Adds a wall. Walls that face away from the sources (the far side of a table) do not count.
  void add(const Plane& plane, std::size_t body, double area) {
    if (farthest_in_front(plane, core_) < -same_plane * cell_) return;
    total_[body] += area;
    const auto same = std::ranges::find_if(clusters_, [&](const Cluster& c) {
      return c.plane.normal.dot(plane.normal) > parallel &&
             std::abs(c.plane.height(plane.point)) < same_plane * cell_;
    });
    if (same != clusters_.end()) {
      same->area[body] += area;
    } else {
      clusters_.push_back({plane, {{body, area}}});
    }
  }

  MirrorPlanes mirrors() {
    double total = 0.0;
    for (const auto& [body, area] : total_) total += area;
    std::ranges::stable_sort(clusters_, std::greater(), &Cluster::whole_area);
    MirrorPlanes found;
    std::map<std::size_t, double> held;
    for (const Cluster& cluster : clusters_) {
      const bool fits = std::ranges::all_of(found.planes, [&](const Plane& p) {
        return std::abs(p.normal.dot(cluster.plane.normal)) < perpendicular;
      });
      if (!fits || cluster.whole_area() < 0.02 * total || found.planes.size() == 3) continue;
      if (!is_wide(cluster)) continue;
      found.planes.push_back(cluster.plane);
      for (const auto& [body, area] : cluster.area) held[body] += area;
    }
    for (const auto& [body, area] : total_) {
      if (held[body] >= least_held * area) found.bodies.push_back(body);
    }
    return found;
  }

 private:
  /// Whether a wall is wide enough for an infinite plane: seen under a right angle or more.
  bool is_wide(const Cluster& cluster) const {
    double area = 0.0;
    for (const auto& [body, part] : cluster.area) {
      area += area_in_plane(world_.bodies[body], cluster.plane, same_plane * cell_);
    }
    return area > 4.0 * std::pow(cluster.plane.height(core_.center()), 2);
  }

  const base::World& world_;
  double cell_;
  geometry::Box core_;
  std::vector<Cluster> clusters_;
  std::map<std::size_t, double> total_;  ///< area of walls that count, by body [m^2]
};

constexpr double look_behind = 1e-3;  ///< interval at which positions of receivers are checked [s]

/// Adds the parts of a segment, checked from `begin` to `end`, in which `is_in_front` of a time is
/// true.
template <class Test>
void add_parts(const base::MotionSegment& segment, double begin, double end,
               const Test& is_in_front, std::vector<base::MotionSegment>& parts) {
  const double from = std::max(segment.begin, begin), to = std::min(segment.end, end);
  bool front = is_in_front(std::min(from, to));
  base::MotionSegment part = segment;
  for (double t = from; t < to;) {
    const double next = std::min(t + look_behind, to);
    if (is_in_front(next) != front) {
      double before = t, after = next;
      for (int i = 0; i < 30; ++i) {
        const double middle = 0.5 * (before + after);
        (is_in_front(middle) == front ? before : after) = middle;
      }
      if (front) parts.push_back({part.begin, after});
      part.begin = after;
      front = !front;
    }
    t = next;
  }
  if (front) parts.push_back(part);
}

}  // namespace

std::vector<base::MotionSegment> segments_in_front(const base::Receiver& receiver,
                                                   std::span<const Plane> planes, double cell_size,
                                                   double begin, double end) {
  const std::vector<base::MotionSegment> segments = base::segments(*receiver.motion);
  if (planes.empty()) return segments;
  std::vector<base::MotionSegment> parts;
  for (const base::MotionSegment& segment : segments) {
    const auto is_in_front = [&](double t) {
      const Vec3 x = receiver.motion->pose(segment.clamp(t)).to_world(receiver.offset);
      return std::ranges::all_of(
          planes, [&](const Plane& plane) { return plane.height(x) >= -same_plane * cell_size; });
    };
    add_parts(segment, begin, receiver.motion->is_still() ? begin : end, is_in_front, parts);
  }
  return parts;
}

MirrorPlanes find_mirror_planes(const base::World& world, const CutGeometry& geometry,
                                const Domain& domain) {
  const double h = domain.grid.cell_size;
  MirrorFinder finder(world, domain);
  std::vector<bool> in_grid(world.bodies.size(), false);
  for (const Wall& wall : geometry.walls) {
    in_grid[wall.body] = true;
    const bool crosses = std::ranges::find(domain.crossing, wall.body) != domain.crossing.end();
    if (!crosses || !is_outside(geometry.cells[wall.cell].cell, domain)) continue;
    const double area = wall.area_vector.norm();
    if (area < 1e-6) continue;
    finder.add({wall.centre, wall.area_vector / area}, wall.body, area * h * h);
  }
  for (const std::size_t number : domain.crossing) {
    if (in_grid[number]) continue;
    const base::Body& body = world.bodies[number];
    const Plane plane = nearest_plane(body, domain.core.center());
    finder.add(plane, number, area_in_plane(body, plane, same_plane * h));
  }
  return finder.mirrors();
}

}  // namespace peal::wave

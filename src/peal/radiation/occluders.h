#pragma once

#include <peal/base/world.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/radiation/placed_surface.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace peal::radiation {

/// Tests whether a body blocks the straight path between two points.
class Occluders {
 public:
  explicit Occluders(const base::World& world);

  /// Sets the time [s] for which the tests of paths below are made; it must be called before the
  /// first of them. Deforming surfaces are rebuilt each time, which is slow, and others are built
  /// once. The body with index `except` is not updated and must not be tested at this time.
  void set_time(double t, std::optional<std::size_t> except = std::nullopt);

  /// Whether no body that could block a path ever moves, apart from `except`.
  bool are_still(std::optional<std::size_t> except = std::nullopt) const;
  /// Whether a body begins or ceases to exist after t0 and up to t1 [s].
  bool begin_or_end(double t0, double t1) const;
  /// Indices of the bodies other than `except` that a path from somewhere in a box to b could
  /// cross.
  std::vector<std::size_t> between(const geometry::Box& sample_points, const base::Vec3& b,
                                   std::optional<std::size_t> except) const;
  /// Sets `is_seen` to 0 for those sample points that are still marked as seen and whose path to b
  /// crosses one of the bodies.
  void mark_hidden(const Coordinates& sample_points, const base::Vec3& b,
                   std::span<const std::size_t> bodies, std::span<char> is_seen) const;

 private:
  struct Obstacle {
    const base::Body* body;
    bool is_there = true;                           ///< at the current time
    std::optional<geometry::SurfaceQuery> surface;  ///< in the body's frame, built when needed
    base::Pose pose;
    geometry::Box box;  ///< around the surface, in the body's frame [m]
    base::Vec3 centre;  ///< centre of the box, in the world [m]
    /// Squared radii of the balls around that centre that contain the whole body and that lie
    /// inside it, the latter 0 if unknown [m^2].
    double outer_square = 0.0, inner_square = 0.0;
  };
  static void take_surface(Obstacle& obstacle, geometry::TriMesh mesh);
  static void take_inner_ball(Obstacle& obstacle);

  std::vector<Obstacle> bodies_;
};

}  // namespace peal::radiation

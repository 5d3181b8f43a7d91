#pragma once

#include <peal/base/world.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/radiation/placed_surface.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace peal::radiation {

/// Whether something stands between two sample points.
class Occluders {
 public:
  explicit Occluders(const base::World& world);

  /// When the questions about ways below are asked [s]: before the first of them. Deforming bodies
  /// are taken over anew, which is slow, and others once, but for `except` (a number in the world),
  /// about which they are then not asked.
  void set_time(double t, std::optional<std::size_t> except = std::nullopt);

  /// Whether nothing that could be in the way ever moves, but for `except`.
  bool are_still(std::optional<std::size_t> except = std::nullopt) const;
  /// Whether a body begins or ends to exist after t0 and up to t1 [s].
  bool begin_or_end(double t0, double t1) const;
  /// Bodies other than `except` that a way from somewhere in a box to b could cross.
  std::vector<std::size_t> between(const geometry::Box& sample_points, const base::Vec3& b,
                                   std::optional<std::size_t> except) const;
  /// Marks with 0 those of the sample points whose way to b crosses one of the bodies, and has not
  /// been marked before.
  void mark_hidden(const Coordinates& sample_points, const base::Vec3& b,
                   std::span<const std::size_t> bodies, std::span<char> is_seen) const;

 private:
  struct Obstacle {
    const base::Body* body;
    bool is_there = true;                           ///< at the time
    std::optional<geometry::SurfaceQuery> surface;  ///< in the body's frame, once it was needed
    base::Pose pose;
    geometry::Box box;  ///< around the surface, in the body's frame [m]
    base::Vec3 centre;  ///< of that box, in the world [m]
    /// Of balls around that centre, one that holds all of the body and one that is all in it, if
    /// that is known [m^2].
    double outer_square = 0.0, inner_square = 0.0;
  };
  static void take_surface(Obstacle& obstacle, geometry::TriMesh mesh);
  static void take_inner_ball(Obstacle& obstacle);

  std::vector<Obstacle> bodies_;
};

}  // namespace peal::radiation

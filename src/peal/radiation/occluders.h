#pragma once

#include <peal/base/world.h>
#include <peal/geometry/surface_query.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace peal::radiation {

/// Whether something stands between two places.
class Occluders {
 public:
  explicit Occluders(const base::World& world);

  /// When the questions below are asked [s]. Deforming bodies are taken over anew, which is slow.
  void set_time(double t);

  bool is_empty() const { return bodies_.empty(); }
  /// Whether nothing that could be in the way ever moves.
  bool are_still() const;
  /// True if the way from a to b crosses a body other than `except` (a number in the world).
  bool block(const base::Vec3& a, const base::Vec3& b, std::optional<std::size_t> except) const;

 private:
  struct Obstacle {
    const base::Body* body;
    std::optional<geometry::SurfaceQuery> surface;  ///< in the body's frame
    base::Pose pose;
  };
  std::vector<Obstacle> bodies_;
};

}  // namespace peal::radiation

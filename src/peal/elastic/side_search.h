#pragma once

#include <peal/elastic/contact_surface.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::elastic {

/// A point of one surface and the nearest point of another.
struct NearestPoint {
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint32_t face = none;
  geometry::Vec3 weights = geometry::Vec3::Zero();
  geometry::Vec3 way = geometry::Vec3::Zero();  ///< from the point to it [m]
  bool is_inside = false;
};

/// Whether a sample of a surface is inside of another one, and which side of that it belongs to.
///
/// Whether a point is inside is asked of all faces that share the nearest point (Baerentzen &
/// Aanaes 2005, IEEE Trans. Vis. Comput. Graph. 11, 243): one of two at an edge may be wrong. A
/// point that came in through one side of a wall never leaves by the other: it is pushed back to
/// faces that look as the one it came through does.
class SideSearch {
 public:
  /// A sample of surface `a` with nodes at `x`, and those faces of `b`, with nodes at `y`, that it
  /// may meet. All arguments must outlive it.
  SideSearch(const ContactSurface& a, const Nodes& x, std::uint32_t sample, const ContactSurface& b,
             const Nodes& y, std::span<const std::uint32_t> faces);

  NearestPoint nearest() const;
  /// On faces that look as `side` does; inside only if the way out is about across them.
  NearestPoint nearest_on_side(std::uint32_t side) const;
  /// The face that the sample belongs to, if it is found inside near one. Where two bodies lie on
  /// each other and one slides, points of the other pass the edge of what lies on them: then they
  /// are nearest to a side that their own surface does not look at, and belong to the one that it
  /// does. Where there is none they came in through the nearest.
  std::uint32_t way_in(const NearestPoint& found) const;
  /// Another side than the one that the sample is on, if it looks at that and is less deep in it,
  /// as at the edge of a step. The far side of a wall is none.
  NearestPoint nearer_side(const NearestPoint& now) const;

 private:
  bool is_behind(const geometry::Vec3& point, const geometry::Vec3& way) const;
  std::vector<geometry::Vec3> looks() const;
  NearestPoint nearest_facing(double depth, const geometry::Vec3& from, bool is_other_side) const;

  const ContactSurface& a_;
  const Nodes& x_;
  std::uint32_t sample_;
  const ContactSurface& b_;
  const Nodes& y_;
  std::span<const std::uint32_t> faces_;
  geometry::Vec3 at_;  ///< where the sample is [m]
};

}  // namespace peal::elastic

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
  geometry::Vec3 way = geometry::Vec3::Zero();  ///< from the point to the nearest point [m]
  bool is_inside = false;
};

/// Finds out whether a sample of a surface is inside of another surface, and through which side it
/// came in.
///
/// All faces that share the nearest point decide whether a point is inside (Baerentzen & Aanaes
/// 2005, IEEE Trans. Vis. Comput. Graph. 11, 243): at an edge, one of two faces may be wrong. A
/// point that came in through one side of a wall never leaves by the other: it is pushed back to
/// faces with about the same orientation as the one it came through.
class SideSearch {
 public:
  /// Takes a sample of surface `a` with nodes at `x`, and the faces of `b`, with nodes at `y`, that
  /// the sample may touch. All arguments must outlive the search.
  SideSearch(const ContactSurface& a, const Nodes& x, std::uint32_t sample, const ContactSurface& b,
             const Nodes& y, std::span<const std::uint32_t> faces);

  NearestPoint nearest() const;
  /// The nearest point on faces that have the orientation of the face `side`. It is inside only if
  /// the direction to it is about normal to them.
  NearestPoint nearest_on_side(std::uint32_t side) const;
  /// The face through which the sample came in, if `found` is inside. Where one body slides on
  /// another, points of the other pass below its edge: the nearest face then does not face their
  /// own surface, and they belong to one that does. If there is none, they came in through the
  /// nearest face.
  std::uint32_t way_in(const NearestPoint& found) const;
  /// The nearest point on another side, if that faces the sample's surface and the sample is less
  /// deep in it, as at the edge of a step. The far side of a wall does not count.
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
  geometry::Vec3 at_;  ///< position of the sample [m]
};

}  // namespace peal::elastic

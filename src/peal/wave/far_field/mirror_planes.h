#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>
#include <peal/base/world.h>
#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/far_field/far_field_setup.h>
#include <peal/wave/grid/domain.h>

#include <span>
#include <vector>

namespace peal::wave {

/// What large bodies look like where they leave the Kirchhoff surface.
struct MirrorPlanes {
  std::vector<Plane> planes;        ///< mutually perpendicular
  std::vector<std::size_t> bodies;  ///< numbers of those that outside the box are such planes only
};

/// Floors and walls that go on outside the box as planes: all walls of a crossing body outside the
/// box that face what sounds lie in a few planes at right angles, so wide that they are seen under
/// a right angle or more. Of a body that does not reach into the grid, the plane of its nearest
/// triangle.
MirrorPlanes find_mirror_planes(const base::World& world, const CutGeometry& geometry,
                                const Domain& domain);

/// The segments of a receiver's motion without the times, from `begin` to `end` [s], at which it is
/// behind one of the planes: there it hears nothing, and segments fade. On a plane, to a tenth of a
/// cell, is not behind it.
std::vector<base::MotionSegment> segments_in_front(const base::Receiver& receiver,
                                                   std::span<const Plane> planes, double cell_size,
                                                   double begin, double end);

}  // namespace peal::wave

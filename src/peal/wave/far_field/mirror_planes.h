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

/// Planes that represent large bodies where they leave the Kirchhoff surface.
struct MirrorPlanes {
  std::vector<Plane> planes;        ///< mutually perpendicular
  std::vector<std::size_t> bodies;  ///< indices of bodies that are only such planes outside
};

/// Finds floors and walls that continue outside the Kirchhoff surface as planes. They qualify if
/// all walls of a crossing body that lie outside the surface and face the sources are in a few
/// planes at right angles, so wide that the sources see them under a right angle or more. For a
/// body that does not reach into the grid, it is the plane of its nearest triangle.
MirrorPlanes find_mirror_planes(const base::World& world, const CutGeometry& geometry,
                                const Domain& domain);

/// The segments of a receiver's motion without the times, from `begin` to `end` [s], at which the
/// receiver is behind one of the planes, where it receives nothing; the segments fade there. A
/// receiver on a plane, to a tenth of a cell, is not behind it.
std::vector<base::MotionSegment> segments_in_front(const base::Receiver& receiver,
                                                   std::span<const Plane> planes, double cell_size,
                                                   double begin, double end);

}  // namespace peal::wave

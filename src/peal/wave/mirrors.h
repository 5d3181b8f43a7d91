#pragma once

#include <peal/wave/cut_geometry.h>
#include <peal/wave/domain.h>
#include <peal/wave/hearing_setup.h>

#include <vector>

namespace peal::wave {

/// What large bodies look like where they leave the listening box.
struct Mirrors {
  std::vector<Plane> planes;  ///< mutually perpendicular
  bool complete = true;       ///< false if something leaves the box that is not such a plane
};

/// Floors and walls that go on outside the box as planes: all walls of a crossing body outside the
/// box that face what is in it lie in a few planes at right angles. Of a body that does not reach
/// into the grid, the plane of its nearest triangle, if much of its surface lies in it.
Mirrors find_mirrors(const base::World& world, const CutGeometry& geometry, const Domain& domain);

}  // namespace peal::wave

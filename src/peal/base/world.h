#pragma once

#include <peal/base/medium.h>
#include <peal/base/motion.h>
#include <peal/base/surface_sequence.h>
#include <peal/base/surface_source.h>
#include <peal/base/time.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::base {

/// A solid or sheet in the air: it scatters sound, and makes it if it has sources.
struct Body {
  std::string name;
  geometry::TriMesh mesh;  ///< rest shape in the body's frame [m]
  /// Part of the surface that each triangle belongs to; empty: all is one part. Sources are
  /// evaluated for parts separately, so that a patch drives exactly its own area.
  std::vector<std::uint32_t> triangle_part;
  bool is_sheet = false;  ///< an open surface without an inside
  std::shared_ptr<const Motion> motion;
  std::shared_ptr<const Deformation> deformation;  ///< null for a rigid body
  /// The meshes of a surface that changes its triangles, instead of `deformation`: `mesh` is then
  /// the first of them, and sources must not depend on the numbers of triangles. Null: they stay
  /// the same.
  std::shared_ptr<const SurfaceSequence> sequence;
  /// When the body is there and scatters sound; absent: always. Sources that begin and end with it
  /// have windows of their own (base/existence.h).
  std::optional<TimeRange> exists;
  std::vector<std::shared_ptr<const SurfaceSource>> sources;

  bool changes_shape() const { return deformation || sequence; }
  /// Whether its surface stays where it is.
  bool is_still() const { return motion->is_still() && !changes_shape(); }
  /// Its surface at t [s], in its frame.
  geometry::TriMesh shape(double t) const;
};

/// A point that makes sound, fixed in a moving frame.
struct PointSource {
  std::string name;
  std::shared_ptr<const Motion> motion;
  Vec3 offset = Vec3::Zero();  ///< in the motion's frame [m]
  std::shared_ptr<const PointShader> shader;
};

/// Everything a radiator needs to know about what is there and how it moves.
struct World {
  Medium medium;
  Rate rate;                 ///< of audio
  std::int64_t samples = 0;  ///< length of the scene at `rate`
  std::vector<Body> bodies;
  std::vector<PointSource> sources;
};

}  // namespace peal::base

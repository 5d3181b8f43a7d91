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

/// A solid or sheet in the air: it scatters sound, and radiates sound if it has sources.
struct Body {
  std::string name;
  geometry::TriMesh mesh;  ///< rest shape in the body's frame [m]
  /// Part of the surface to which each triangle belongs; empty: one part. Sources are evaluated
  /// separately for each part, so that a patch drives exactly its own area.
  std::vector<std::uint32_t> triangle_part;
  bool is_sheet = false;  ///< open on purpose: a surface without an inside
  std::shared_ptr<const Motion> motion;
  std::shared_ptr<const Deformation> deformation;  ///< null for a rigid body
  /// Replaces `deformation` for a surface whose triangles change: `mesh` is then its first mesh,
  /// and sources must not depend on triangle numbers. Null if triangles are fixed.
  std::shared_ptr<const SurfaceSequence> sequence;
  /// Interval in which the body exists and scatters sound; absent: always. Sources that begin and
  /// end with it have windows of their own (base/existence.h).
  std::optional<TimeRange> exists;
  std::vector<std::shared_ptr<const SurfaceSource>> sources;

  bool changes_shape() const { return deformation || sequence; }
  /// Whether the surface does not move.
  bool is_still() const { return motion->is_still() && !changes_shape(); }
  /// The surface at t [s], in the body's frame.
  geometry::TriMesh shape(double t) const;
};

/// A point that emits sound, fixed in a moving frame.
struct PointSource {
  std::string name;
  std::shared_ptr<const Motion> motion;
  Vec3 offset = Vec3::Zero();  ///< in the motion's frame [m]
  std::shared_ptr<const PointShader> shader;
};

/// Everything that radiates or scatters sound, and how it moves: the input of a radiator.
struct World {
  Medium medium;
  Rate rate;                 ///< audio sample rate
  std::int64_t samples = 0;  ///< length of the scene at `rate`
  std::vector<Body> bodies;
  std::vector<PointSource> sources;

  /// Sources that vibrate by themselves, whatever a radiator makes of them.
  struct Vibration {
    std::string body;
    std::shared_ptr<const SurfaceSource> source;
  };
  std::vector<Vibration> vibrations;
};

}  // namespace peal::base

#pragma once

#include <peal/base/contact.h>
#include <peal/base/motion.h>
#include <peal/base/surface_sequence.h>
#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::base {

/// The forces of contacts on one body.
struct ContactForces {
  std::vector<ContactForce> impacts;
  std::vector<SustainedForce> sustained;

  bool empty() const { return impacts.empty() && sustained.empty(); }
};

/// How one object moves, and what acts on it.
struct ObjectMotion {
  std::shared_ptr<const Motion> motion;
  /// The deformation of `surface`, or of the object's own mesh; null if it is rigid.
  std::shared_ptr<const Deformation> deformation;
  /// The meshes that replace the object's own one if its triangles change.
  std::shared_ptr<const SurfaceSequence> sequence;
  /// The surface of a simulated body at rest [m]; null: the object's own mesh.
  std::shared_ptr<const geometry::TriMesh> surface;
  double shape_interval = 0.0;  ///< from one recorded shape of `surface` to the next [s]
  /// False if `surface` moves by so little of a wavelength that its shape at rest will do for
  /// where sound starts and is scattered.
  bool deforms_audibly = true;
  /// The sources that make sound of the simulated motion of the surface.
  std::vector<std::shared_ptr<const SurfaceSource>> sources;
  ContactForces forces;
};

/// The contacts of a scene, and where they are known from.
struct ContactResult {
  ContactLog log;
  ContactEvents events;
  double rest_impulse = 0.0;  ///< of contacts at rest that the log leaves out [N s]
  enum class Source { simulated, given, inferred } source = Source::simulated;  ///< of the log
  std::string solver;  ///< of a simulated one, as in the scene format
};

/// How everything in a scene moves and what touches: what a simulation, a file or keyframes give.
struct MotionResult {
  std::vector<ObjectMotion> objects;      ///< one an object of the scene
  std::optional<ContactResult> contacts;  ///< if bodies move freely, or a log is given or inferred
};

}  // namespace peal::base

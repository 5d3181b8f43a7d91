#pragma once

#include <peal/base/contact.h>
#include <peal/base/existence.h>
#include <peal/base/modes.h>
#include <peal/base/motion.h>
#include <peal/base/surface_sequence.h>
#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::base {

/// The contact forces on one body.
struct ContactForces {
  std::vector<ContactForce> impacts;
  std::vector<SustainedForce> sustained;
  std::vector<LastingContact> lasting;  ///< these damp its vibration, and make no sound themselves

  bool empty() const { return impacts.empty() && sustained.empty(); }
};

/// The motion of one object, and the forces that act on it.
struct ObjectMotion {
  std::shared_ptr<const Motion> motion;
  /// Motion of the vertices of `surface`, or of the object's own mesh; null if the shape is
  /// constant.
  std::shared_ptr<const Deformation> deformation;
  /// Meshes that replace the object's own mesh, if its triangles change.
  std::shared_ptr<const SurfaceSequence> sequence;
  /// Rest shape of a simulated body [m]; null: the object's own mesh.
  std::shared_ptr<const geometry::TriMesh> surface;
  bool surface_is_sheet = false;  ///< `surface` is the middle of a thin wall with free edges
  double shape_interval = 0.0;    ///< time between recorded shapes of `surface` [s]
  /// False if `surface` moves by so small a fraction of a wavelength that its rest shape is
  /// accurate enough for emission and scattering.
  bool deforms_audibly = true;
  /// Sources that describe the sound of the simulated motion of the surface.
  std::vector<std::shared_ptr<const SurfaceSource>> sources;
  ContactForces forces;
  /// The gain of its sounds, if it is not that of the interval in which the object exists: a body
  /// that breaks rings on for a moment, and its pieces begin at once.
  std::optional<FadeWindow> window;
  /// Its modes in vacuum, if they were found for the impacts; null: nobody has looked for them.
  std::shared_ptr<const ModalModel> modes;
  /// It stands still in the scene, but a contact log hits it as a free body.
  bool gives_way = false;
};

/// The impacts on one body.
struct BodyImpacts {
  std::string body;
  std::size_t count = 0;
  std::size_t ringing = 0;      ///< of these, how many an impact law of bodies that ring resolved
  std::size_t sub_impacts = 0;  ///< how often surfaces met in all of them
  double longest = 0.0;         ///< from first to last touch [s]
  double largest = 0.0;         ///< force [N]
};

/// Where the energy of free bodies came from and where it went [J]. `given` is the sum of the
/// others.
struct ContactEnergy {
  double given = 0.0;     ///< kinetic at the start, and released by gravity
  double kinetic = 0.0;   ///< at the end
  double to_modes = 0.0;  ///< given to the modes of bodies by impacts
  double lost = 0.0;      ///< in contact: dents, friction, rolling, waves that leave
};

/// The contacts of a scene and their origin.
struct ContactResult {
  ContactLog log;
  ContactEvents events;
  double rest_impulse = 0.0;  ///< impulse of resting contacts, which the log omits [N s]
  /// Origin of the log.
  enum class Source { simulated, given, inferred } source = Source::simulated;
  std::string solver;                   ///< solver of a simulated log, as named in the scene format
  std::vector<BodyImpacts> bodies;      ///< of those that are struck, in the order of the log
  std::optional<ContactEnergy> energy;  ///< if all that moves is simulated
};

/// Motions and contacts of a scene, from a simulation, a file or keyframes.
struct MotionResult {
  std::vector<ObjectMotion> objects;  ///< one per object of the scene
  /// Set if bodies move freely, or if a log is given or inferred.
  std::optional<ContactResult> contacts;
};

}  // namespace peal::base

#pragma once

#include <peal/base/force_pulse.h>
#include <peal/base/measured_head.h>
#include <peal/base/medium.h>
#include <peal/base/modes.h>
#include <peal/base/rays_settings.h>
#include <peal/base/time.h>
#include <peal/base/wave_settings.h>
#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/mesh/shell_mesh.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/scene/animation.h>
#include <peal/scene/collision_shape.h>
#include <peal/scene/deformable.h>
#include <peal/scene/ideal_shape.h>
#include <peal/scene/liquid.h>
#include <peal/scene/material.h>
#include <peal/scene/morph_targets.h>
#include <peal/scene/sound.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What a scene file says, as plain data: checked, with defaults filled in and files found.
/// docs/scene-format.md is the manual; schema/scene.schema.json the machine-readable form.
namespace peal::scene {

using geometry::Vec3;

/// A recording, converted to the scene's rate when it is played.
struct WavSound {
  std::filesystem::path file;
  int channel = 0;    ///< which channel of the file, from 0
  bool loop = false;  ///< start again at the end
};

/// A steady tone, with overtones if asked for.
struct ToneSound {
  double frequency = 440.0;             ///< [Hz]
  std::vector<double> harmonics = {1};  ///< amplitude of 1 f, 2 f, 3 f, ...
  double phase = 0.0;                   ///< phase of the sine at `start` [rad]
  double fade = 0.005;                  ///< rise and fall at the ends [s], against clicks
};

/// A short band-limited pulse, once or repeated.
struct ClickSound {
  double width = 1e-4;  ///< width of the pulse at half height [s]
  double period = 0.0;  ///< repetition period [s]; 0: once
};

/// Noise, the same for the same seed.
struct NoiseSound {
  enum class Colour { white, pink } colour = Colour::white;
  double low = 20.0;      ///< lower edge of the band [Hz]
  double high = 20000.0;  ///< upper edge [Hz], at most Nyquist
  double fade = 0.005;    ///< [s]
};

using SignalSound = std::variant<WavSound, ToneSound, ClickSound, NoiseSound>;

/// A hammer with a round end that flies freely: the force that it exerts follows from how hard and
/// how heavy it and the body are.
struct Hammer {
  double speed = 1.0;    ///< [m/s]
  double mass = 0.01;    ///< [kg]
  double radius = 0.01;  ///< of its end [m]
  Material material;
  double restitution = 0.5;  ///< of the two surfaces [1]
};

/// A force that holds a body out of its rest, and lets go.
struct Pluck {
  std::optional<double> displacement;  ///< of the point that is held [m], in place of the force
  double force = 0.0;                  ///< [N]
  double release_time = 2e-6;          ///< in which the force ends [s]
};

/// What a string, bar, membrane or plate is left to itself with: y_0 or v_0 of van den Doel & Pai
/// 1998, equations 2 and 3.
struct InitialMotion {
  bool is_velocity = false;
  /// Displacement [m] or velocity [m/s] along Y over X [m], or over the distance from the struck
  /// point of a membrane or plate [m]: ascending, straight between them, zero elsewhere.
  std::vector<geometry::Vec2> profile;
};

/// What makes a body ring: a force that rises and falls as half a sine over the contact time,
/// unless one of `hammer`, `pluck` and `initial` says otherwise.
struct Strike {
  double t = 0.0;                ///< when it begins [s]
  Vec3 at = Vec3::Zero();        ///< object's frame [m]; the nearest point of the surface is struck
  double impulse = 0.0;          ///< [N s]
  std::optional<double> energy;  ///< energy given to modes [J], in place of the impulse
  double contact_time = 0.001;   ///< [s]
  std::optional<Vec3> direction;  ///< of the force, unit length; against the normal if absent
  /// Radius of the area over which the force is spread, as under a ball [m]; absent: a point, or
  /// that of the hammer's contact.
  std::optional<double> patch_radius;
  std::optional<Hammer> hammer;
  std::optional<Pluck> pluck;
  std::optional<InitialMotion> initial;

  bool is_force() const { return !hammer && !pluck && !initial; }
};

/// A numbered sequence of meshes, one a frame. Their triangles may be the same or not.
struct MeshSequence {
  std::vector<std::filesystem::path> files;
  std::vector<double> times;  ///< [s] on the scene's clock, ascending, one per file
  /// Scales from the vertices of the files to the object's frame [m]. They are applied to the
  /// object's `mesh` already.
  geometry::Mat3 transform = geometry::Mat3::Identity();
};

/// A joint of a free body: a rod or a string without mass. Its length is the initial distance
/// between its ends; if that is zero, it is a ball joint.
struct JointSettings {
  Vec3 at = Vec3::Zero();  ///< in the frame of the body [m]
  Vec3 to = Vec3::Zero();  ///< in the frame of the other body, or the world [m]
  std::string by;          ///< name of the other body; empty: the world
  bool is_string = false;  ///< it cannot push
  std::string location;    ///< for messages
};

/// A body that moves on a prescribed path: keyframes, or none if it rests.
struct KeyedMotion {};

/// A rigid body that moves freely: {"rigid": {...}}. The object's path is its initial pose.
struct RigidMotion {
  Vec3 velocity = Vec3::Zero();          ///< initial, of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  std::vector<JointSettings> joints;
};

/// How a body breaks into pieces, which are free bodies: {"fracture": {...}}.
struct Fracture {
  int pieces = 11;
  /// It breaks in the first impact of at least this impulse [N s], or of this energy [J]; one of
  /// them is given.
  std::optional<double> impulse, energy;
  double concentration = 1.0;  ///< see geometry::FracturePattern
  bool is_held = false;        ///< it stands still until it breaks
};

/// What an object is of a body that breaks, in the simulation or in another program: the whole ends
/// (`exists`) when its pieces begin.
enum class Fragmentation { intact, whole, piece };

/// Motion of a body. Deformable bodies start from the first pose of their path, like rigid ones.
using Motion = std::variant<KeyedMotion, RigidMotion, Deformable>;

/// A mesh that keeps its shape: a file, or a built-in shape.
struct StaticMesh {};

/// A glTF mesh with keyed morph targets.
struct MorphedMesh {
  std::shared_ptr<const MorphTargets> targets;  ///< never null
};

/// A body of a .modes file.
struct ModalBody {
  std::shared_ptr<const base::ModalModel> model;  ///< never null
};

/// Meaning of an object's mesh: the mesh itself; the first frame of a sequence; the shape at the
/// first key of morph targets; the surface of an ideal shape, which vibrates by formula; the
/// surface of a modal model; or that of a liquid at the start.
using Geometry =
    std::variant<StaticMesh, MeshSequence, MorphedMesh, IdealShape, ModalBody, LiquidBody>;

struct Object {
  std::string name;
  std::string location;  ///< "objects[2]", for messages
  /// Mesh in the object's frame, with all scales applied; null: a point without a shape.
  std::shared_ptr<const geometry::TriMesh> mesh;
  std::string mesh_source;  ///< for people: "mug.obj", "sphere of radius 0.05 m"
  bool is_sheet = false;    ///< a built-in plane or disc: open on purpose
  /// The thin wall that the object is, in its frame; null: none. `mesh` is the surface around it.
  std::shared_ptr<const geometry::ShellMesh> shell;
  /// Whether the file states the size of the mesh: a shape in metres, or a "scale". If not, units
  /// may be wrong.
  bool has_stated_size = false;
  Geometry geometry;
  /// Whether the motion of a mesh sequence, of morph targets or of a skin makes sound.
  bool deformation_sounds = true;
  std::optional<Material> material;
  MotionPath path;  ///< its path, or its pose at the start of a simulation
  Motion motion;
  std::optional<Fracture> fracture;  ///< absent: it cannot break
  Fragmentation fragmentation = Fragmentation::intact;
  /// The object exists from `begin` on and before `end`; absent: always.
  std::optional<base::TimeRange> exists;
  std::optional<CollisionShape> collision_shape;  ///< absent: nothing can touch it
  std::optional<geometry::HexShape> hexahedra;  ///< absent: it is not known how to cut it into them
  geometry::Quat hexahedra_turn = geometry::Quat::Identity();  ///< from their axes to its own
  ContactProperties contact;
  std::vector<Strike> strikes;
  std::vector<std::shared_ptr<const Sound>> sounds;
  /// Sounds that it would make, but that are left out: its vibration still changes how it moves.
  std::vector<std::shared_ptr<const Sound>> left_out = {};

  // The alternatives of `geometry` and `motion`; null if the object is another.
  const MeshSequence* mesh_sequence() const { return std::get_if<MeshSequence>(&geometry); }
  const MorphedMesh* morphed() const { return std::get_if<MorphedMesh>(&geometry); }
  const IdealShape* ideal_shape() const { return std::get_if<IdealShape>(&geometry); }
  const ModalBody* modal_body() const { return std::get_if<ModalBody>(&geometry); }
  const LiquidBody* liquid() const { return std::get_if<LiquidBody>(&geometry); }
  const RigidMotion* rigid() const { return std::get_if<RigidMotion>(&motion); }
  const Deformable* deformable() const { return std::get_if<Deformable>(&motion); }

  /// Whether its shape is prescribed, frame by frame or key by key.
  bool has_keyed_shape() const {
    return mesh_sequence() != nullptr || morphed() != nullptr || liquid() != nullptr;
  }
  /// Whether one of its sounds answers what strikes it or what it strikes.
  bool answers_contacts() const;
  /// Whether its shape changes, prescribed or simulated.
  bool changes_shape() const { return has_keyed_shape() || deformable() != nullptr; }
  /// Whether its motion must be simulated.
  bool is_simulated() const { return !std::holds_alternative<KeyedMotion>(motion); }
};

struct Listener {
  enum class Kind { mono, stereo, binaural, ambisonic };
  /// What takes loudspeakers and ear canals out of measured heads.
  enum class Equalisation { diffuse_field, none };

  std::string name;
  std::string location;  ///< "listeners[0]", for messages
  Kind kind = Kind::mono;
  MotionPath motion;           ///< motion of the head; looks along its -Z, +X is right
  double ear_distance = 0.18;  ///< between the two receivers of a stereo listener [m]
  std::shared_ptr<const base::MeasuredHead> head;  ///< of a binaural listener
  Equalisation equalisation = Equalisation::diffuse_field;
  int order = 1;  ///< of an ambisonic listener
};

struct Radiation {
  enum class Model { direct, rays, wave, precomputed };

  Model model = Model::direct;
  base::RaysSettings rays;           ///< for the model `rays`
  base::WaveSettings wave;           ///< for the model `wave`
  double table_frequency = 16000.0;  ///< highest frequency of the model `precomputed` [Hz]

  /// Whether surfaces radiate as such; otherwise points stand for them.
  bool radiates_surfaces() const { return model == Model::rays || model == Model::wave; }
  /// Whether the surface of a sounding body must have an inside.
  bool needs_solids() const { return model != Model::direct; }
  /// Highest frequency of the computed sound [Hz], if surfaces radiate.
  double max_frequency() const {
    if (model == Model::precomputed) return table_frequency;
    return model == Model::rays ? rays.max_frequency : wave.max_frequency;
  }
};

/// Simulation of free bodies, and selection of the contacts that make sound.
struct Dynamics {
  Solver solver = Solver::smooth;
  Vec3 gravity = {0.0, -9.81, 0.0};               ///< [m/s^2]
  double step = 1.0 / 6000.0;                     ///< step of the simulation [s]
  double min_speed = 0.05;                        ///< least speed of impacts that sound [m/s]
  std::optional<std::filesystem::path> contacts;  ///< contact log used in place of a simulation
  /// Impacts are found in the motion of keyed bodies if nothing else reports contacts.
  bool infer_contacts = true;
};

struct Scene {
  std::filesystem::path file;
  double duration = 0.0;  ///< [s]
  std::uint64_t seed = 0;
  base::Rate rate;  ///< of audio
  base::Medium medium;
  std::vector<Object> objects;
  std::vector<Listener> listeners;
  Radiation radiation;
  Dynamics dynamics;
  std::vector<std::string> notices;  ///< what was converted or assumed on reading
};

/// Length of the scene in samples of its rate, at least 1.
std::int64_t sample_count(const Scene& scene);

}  // namespace peal::scene

#include <peal/contact/join_records.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/dynamics/rigid_world.h>
#include <peal/dynamics/simulated_motion.h>
#include <peal/dynamics/smooth_shape.h>
#include <peal/elastic/external_loads.h>
#include <peal/elastic/simulation.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/backed_sheet.h>
#include <peal/listener/make_listener.h>
#include <peal/radiation/ray_memory.h>
#include <peal/radiation/surface_rays.h>
#include <peal/simulate/deformables.h>
#include <peal/simulate/deformation_fingerprint.h>
#include <peal/simulate/free_bodies.h>
#include <peal/simulate/held_regions.h>
#include <peal/simulate/keyed_motions.h>
#include <peal/simulate/make_solid.h>
#include <peal/simulate/shell_loads.h>
#include <peal/util/error.h>
#include <peal/util/store.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace peal::simulate {

namespace {

using geometry::Vec3;
using scene::Object;

/// Of the shortest wave: a surface that moves by less is taken as still. What this does to the
/// phase is 30 dB below the sound.
constexpr double still_part = 0.005;

/// Surfaces are written down as often as what is to be heard of them asks for.
elastic::SimulationRates rates_of(const scene::Scene& scene) {
  const scene::Radiation& radiation = scene.radiation;
  if (!radiation.radiates_surfaces()) return {.audio = scene.rate};
  const double highest = radiation.max_frequency();
  const double least = radiation.model == scene::Radiation::Model::rays
                           ? radiation::SurfaceRays::least_rate(highest)
                           : 0.0;
  return elastic::SimulationRates::up_to(highest, least, scene.rate);
}

std::vector<base::Receiver> receivers_of(const scene::Scene& scene) {
  std::vector<base::Receiver> receivers;
  for (const scene::Listener& settings : scene.listeners) {
    const auto listener = listener::make_listener(
        settings, std::make_shared<dynamics::KeyframedMotion>(settings.motion));
    for (base::Receiver& receiver : listener->receivers()) receivers.push_back(receiver);
  }
  return receivers;
}

/// Builds what is simulated, in a frame near the deformable bodies, and a fingerprint of it.
class Builder {
 public:
  Builder(const scene::Scene& scene, const Motions& motions, std::vector<std::string>& notices)
      : scene_(scene),
        in_world_(motions),
        origin_(simulation_origin(scene, motions)),
        notices_(notices),
        fingerprint_(scene, origin_),
        held_(scene, origin_, motions_, notices_, fingerprint_) {
    for (const auto& motion : motions) motions_.push_back(seen_from(origin_, motion));
  }

  const Vec3& origin() const { return origin_; }  ///< of the simulation's frame [m]

  void build() {
    fingerprint_.add(scene_.rate.hz);
    fingerprint_.add(rates_of(scene_).record_every);
    fingerprint_.add(rates_of(scene_).band);
    fingerprint_.add(scene::sample_count(scene_));
    fingerprint_.add(scene_.dynamics.gravity);
    for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
      if (scene_.objects[i].deformable() != nullptr) add_solid(i);
    }
    if (meets_deformables(scene_)) add_obstacles();
    add_forces();
  }

  elastic::Simulated take() { return std::move(simulated_); }
  std::string key() const { return fingerprint_.hex(); }
  /// Notices about stored distance fields.
  std::vector<std::string> store_notices() const { return fields_->notices(); }
  const std::vector<std::size_t>& deformed() const { return deformed_; }
  const std::vector<std::size_t>& free_bodies() const { return free_; }
  const std::vector<std::size_t>& obstacles() const { return met_; }
  const std::optional<double>& step() const { return step_; }
  std::vector<std::string> describe() const {
    std::vector<std::string> sentences;
    for (const elastic::Solid& solid : simulated_.solids) {
      sentences.push_back(fmt::format("\"{}\": {} elements with {} nodes", solid.name,
                                      solid.forces->elements(), solid.rest.size()));
    }
    return sentences;
  }

 private:
  void add_solid(std::size_t number) {
    const Object& object = scene_.objects[number];
    const std::size_t solid = simulated_.solids.size();
    elastic::Solid body = make_solid(object, notices_, scene_.medium);
    check_memory(body, number);
    const base::Pose start = motions_[number]->pose(0.0);
    simulated_.starts.push_back({.frame = start,
                                 .velocity = object.deformable()->velocity,
                                 .angular_velocity = object.deformable()->angular_velocity,
                                 .settling = object.deformable()->settle});
    if (const auto& step = object.deformable()->step)
      step_ = std::min(step_.value_or(*step), *step);
    std::vector<bool> held = held_.add(object, body, solid, start, simulated_.constraints);
    if (object.deformable()->settle > scene_.duration) {
      notices_.push_back(fmt::format(
          "\"{}\" settles for {:g} s, longer than the scene: its full weight never acts",
          object.name, object.deformable()->settle));
    }
    fingerprint_.add(object, body, start);
    is_held_.push_back(std::move(held));
    sides_.push_back({.meets_others = object.contact.collision != scene::Collision::none,
                      .friction = object.contact.friction});
    fingerprint_.add(sides_.back().meets_others);
    fingerprint_.add(sides_.back().friction);
    simulated_.solids.push_back(std::move(body));
    deformed_.push_back(number);
  }

  /// Reports surfaces that are too large for the radiator before they are simulated.
  void check_memory(const elastic::Solid& solid, std::size_t number) const {
    if (scene_.radiation.model != scene::Radiation::Model::rays) return;
    const base::Body at_rest{
        .name = solid.name, .mesh = solid.recorded(), .motion = in_world_[number]};
    radiation::check_ray_memory({.medium = scene_.medium, .rate = scene_.rate}, at_rest,
                                receivers_of(scene_), scene_.radiation.rays);
  }

  void add_obstacles() {
    Participants all = participants(scene_, motions_, origin_);
    met_ = all.objects;
    const auto is_free = [](const dynamics::RigidBodySettings& body) { return !body.motion; };
    if (std::ranges::any_of(all.bodies, is_free)) {
      world_ = std::make_unique<dynamics::RigidWorld>(
          std::move(all.bodies), dynamics::RigidSettings{.gravity = scene_.dynamics.gravity,
                                                         .step = scene_.rate.step(),
                                                         .joints = std::move(all.joints),
                                                         .fields = fields_});
    }
    for (std::size_t k = 0; k < met_.size(); ++k) add_obstacle(k);
  }

  void add_obstacle(std::size_t body) {
    const std::size_t number = met_[body];
    const Object& object = scene_.objects[number];
    const base::Pose start = motions_[number]->pose(0.0);
    elastic::Obstacle obstacle{
        .name = object.name,
        .shape = placed(world_ ? world_->shape(body) : shape_of(object, start)),
        .friction = object.contact.friction,
        .point = object.mesh->vertices.front()};
    Vec3 sizes = geometry::bounds(*object.mesh).sizes();
    // The ground and other open sheets have something behind them.
    if (!geometry::backed_sheet(*object.mesh, Vec3::Zero())) {
      Vec3::Index thin = 0;
      obstacle.thickness = sizes.minCoeff(&thin);
      obstacle.thin_axis = Vec3::Unit(thin);
    }
    std::sort(sizes.begin(), sizes.end());
    obstacle.width = sizes[1];
    if (object.material) obstacle.compliance = fem::contact_compliance(*object.material);
    if (const auto* ball = std::get_if<scene::BallShape>(&*object.collision_shape)) {
      obstacle.ball_radius = ball->radius;
      obstacle.ball_centre = ball->centre;
    }
    if (object.rigid() != nullptr) {
      make_free(object, body, obstacle);
    } else {
      obstacle.motion = motions_[number];
      fingerprint_.add(*obstacle.motion);
    }
    fingerprint_.add(object, obstacle);
    obstacles_.push_back(std::move(obstacle));
  }

  void make_free(const Object& object, std::size_t body, elastic::Obstacle& obstacle) {
    const geometry::MassProperties mass = mass_of(object);
    obstacle.mass = base::mass_frame(mass);
    obstacle.start = world_->state(body);
    for (const Vec3& vertex : object.mesh->vertices)
      obstacle.reach = std::max(obstacle.reach, vertex.norm());
    free_.push_back(met_[body]);
    fingerprint_.add(base::body_pose(obstacle.mass, obstacle.start));
    fingerprint_.add(obstacle.start.velocity);
    fingerprint_.add(obstacle.start.angular_momentum);
    fingerprint_.add(mass.mass);
    fingerprint_.add(obstacle.mass.centre);
    fingerprint_.add(obstacle.mass.moments);
  }

  std::shared_ptr<const dynamics::SmoothShape> shape_of(const Object& object,
                                                        const base::Pose& start) const try {
    return dynamics::make_smooth_shape(collides_as(object, start, scene_.dynamics.gravity),
                                       fields_.get());
  } catch (const std::invalid_argument& error) {
    throw util::InputError({"", object.location},
                           fmt::format("\"{}\" cannot collide: {}", object.name, error.what()));
  }

  /// Signed distance in the object's frame.
  static std::shared_ptr<const base::SignedDistance> placed(
      std::shared_ptr<const dynamics::SmoothShape> shape) {
    const base::Pose& frame = shape->frame();
    if (frame.position.isZero(0.0) && frame.orientation.isApprox(geometry::Quat::Identity(), 0.0))
      return shape;
    return std::make_shared<base::PlacedDistance>(shape, frame);
  }

  void add_forces() {
    simulated_.gravity = scene_.dynamics.gravity;
    for (std::size_t s = 0; s < deformed_.size(); ++s) {
      const base::Pose& frame = simulated_.starts[s].frame;
      const Object& object = scene_.objects[deformed_[s]];
      for (const scene::SoftRegion& region : object.deformable()->supports)
        simulated_.supports.push_back(support_of(region, simulated_.solids[s], s, fingerprint_));
      for (const scene::Strike& strike : object.strikes) {
        if (strike.hammer) {
          simulated_.loads.push_back(
              mallet_of(object, strike, simulated_.solids[s], s, frame.orientation, fingerprint_));
          continue;
        }
        std::optional<Vec3> direction;
        if (strike.direction) direction = frame.orientation * *strike.direction;
        simulated_.loads.push_back(std::make_unique<elastic::ImpactLoad>(
            elastic::nearest_spot(simulated_.solids, s, strike.at),
            base::ForcePulse{
                .start = strike.t, .contact_time = strike.contact_time, .impulse = strike.impulse},
            direction));
        fingerprint_.add(s);
        fingerprint_.add(strike.at);
        fingerprint_.add(direction.has_value());
        fingerprint_.add(direction.value_or(Vec3::Zero()));
        for (const double number : {strike.t, strike.contact_time, strike.impulse})
          fingerprint_.add(number);
      }
    }
    const auto touching = std::ranges::count_if(sides_, &elastic::ContactSide::meets_others);
    std::vector<bool> touches_itself;
    for (const std::size_t i : deformed_)
      touches_itself.push_back(scene_.objects[i].deformable()->self_contact);
    if (touching > 1 || std::ranges::find(touches_itself, true) != touches_itself.end()) {
      simulated_.surfaces =
          std::make_unique<elastic::SurfaceContact>(simulated_.solids, sides_, touches_itself);
    }
    if (touching == 0 || obstacles_.empty()) return;
    simulated_.contact = std::make_unique<elastic::ObstacleContact>(
        simulated_.solids, sides_, is_held_, std::move(obstacles_), scene_.dynamics.gravity,
        std::move(world_));
  }

  const scene::Scene& scene_;
  const Motions& in_world_;
  Vec3 origin_;
  Motions motions_;  ///< in the frame of the simulation
  std::vector<std::string>& notices_;
  DeformationFingerprint fingerprint_;
  std::shared_ptr<const util::Store> fields_ =
      std::make_shared<const util::Store>(util::stored::distance_field);
  elastic::Simulated simulated_;
  std::vector<elastic::ContactSide> sides_;
  HeldRegions held_;
  std::vector<std::vector<bool>> is_held_;  ///< by solid and node
  std::vector<elastic::Obstacle> obstacles_;
  std::unique_ptr<dynamics::RigidWorld> world_;     ///< if some of them are free
  std::vector<std::size_t> deformed_, free_, met_;  ///< objects
  std::optional<double> step_;
};

/// The simulation knows names; users know places.
template <class Do>
auto naming_places(const scene::Scene& scene, const Do& what) try {
  return what();
} catch (const util::InputError& error) {
  const auto named = std::ranges::find(scene.objects, error.location().at, &Object::name);
  const auto in_file = std::ranges::find(scene.objects, error.location().file, &Object::name);
  const auto object = named != scene.objects.end() ? named : in_file;
  if (object == scene.objects.end()) throw;
  if (object->deformable() == nullptr)
    throw util::InputError({"", object->location + ".motion"}, error.problem(), error.hint());
  throw util::InputError({"", object->location + ".motion.deformable"},
                         fmt::format("\"{}\": {}", object->name, error.problem()), error.hint());
}

void add_all(const std::vector<std::string>& more, std::vector<std::string>& notices) {
  notices.insert(notices.end(), more.begin(), more.end());
}

/// Cutting so many elements, and looking for the longest step, takes a minute and more.
constexpr double many_elements = 2e5;

void tell_of_many(const scene::Scene& scene, const MovingOptions& options) {
  double count = 0.0;
  for (const Object& object : scene.objects) {
    if (object.deformable() != nullptr && object.mesh) count += expected_elements(object);
  }
  if (count < many_elements || !options.tell) return;
  options.tell(
      fmt::format("about {:.2g} elements: meshing takes minutes before the first step", count));
}

/// What is asked of a builder whose result is not stored, and what it notices; nothing if it is, or
/// nothing deforms, but for notices of the stores.
template <class Ask>
auto if_unknown(const scene::Scene& scene, std::vector<std::string>& notices, const Ask& ask)
    -> decltype(ask(std::declval<Builder&>())) {
  if (!has_deformables(scene)) return {};
  const Motions motions = keyed_motions(scene);
  std::vector<std::string> found;
  Builder builder(scene, motions, found);
  return naming_places(scene, [&]() -> decltype(ask(builder)) {
    builder.build();
    const util::Store store(util::stored::recording);
    const bool is_known = store.contains(builder.key());
    add_all(builder.store_notices(), notices);
    add_all(store.notices(), notices);
    if (is_known) return {};
    add_all(found, notices);
    return ask(builder);
  });
}

elastic::Recording simulated(const scene::Scene& scene, Builder& builder, util::Progress& progress,
                             const elastic::LongRun& long_run) {
  return elastic::simulate(builder.take(), rates_of(scene), scene::sample_count(scene),
                           builder.step(), progress, long_run);
}

/// What was stored, or what is simulated and then stored; until it is, its state lies in a folder
/// beside it.
elastic::Recording stored_or_simulated(const scene::Scene& scene, Builder& builder,
                                       const util::Store& store, const MovingOptions& options,
                                       util::Progress& progress,
                                       std::vector<std::string>& notices) {
  const std::string key = builder.key();
  util::Checkpoint checkpoint(*store.folder() / (key + ".unfinished"), key,
                              options.checkpoint_interval);
  std::optional<elastic::Recording> recording = store.find<elastic::Recording>(key);
  bool is_stored = recording.has_value();
  if (!recording) {
    recording =
        simulated(scene, builder, progress, {.checkpoint = &checkpoint, .tell = options.tell});
    if (!checkpoint.notice().empty()) notices.push_back(checkpoint.notice());
    is_stored = store.save(key, *recording);
  }
  if (is_stored) checkpoint.remove();
  add_all(store.notices(), notices);
  return *std::move(recording);
}

/// With the impacts of `log` on body `body` of it; `origin` is that of the path.
std::shared_ptr<const base::Motion> motion_of(const elastic::PathRecord& path, const Vec3& origin,
                                              base::Rate rate, const base::ContactLog& log,
                                              std::size_t body) {
  auto motion = std::make_shared<dynamics::SimulatedMotion>();
  for (std::size_t i = 0; i < path.size(); ++i) {
    base::Pose pose = path.pose(i);
    pose.position += origin;
    motion->add(rate.seconds(static_cast<std::int64_t>(i) * elastic::PathRecord::pose_samples),
                pose);
  }
  for (const base::ContactRecord& record : log.records) {
    if (record.duration == 0.0 && (record.body_a == body || record.body_b == body))
      motion->add_kink(record.time);
  }
  return motion;
}

bool is_open(const geometry::TriMesh& mesh) {
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  for (std::uint32_t edge = 0; edge < topology.edges.size(); ++edge)
    if (topology.is_boundary(edge)) return true;
  return false;
}

/// A recorded surface makes sound by its own acceleration.
void set_surface(elastic::SurfaceRecord record, const scene::Scene& scene,
                 base::ObjectMotion& object) {
  const auto surface = std::make_shared<const elastic::SurfaceRecord>(std::move(record));
  object.surface = std::shared_ptr<const geometry::TriMesh>(surface, &surface->mesh);
  object.surface_is_sheet = is_open(surface->mesh);
  object.deformation = std::make_shared<elastic::RecordedDeformation>(surface);
  object.shape_interval = surface->shape_time();
  const double wavelength = scene.medium.speed_of_sound / scene.radiation.max_frequency();
  object.deforms_audibly = surface->moves_by(still_part * wavelength);
  object.sources.push_back(std::make_shared<elastic::RecordedSource>(surface));
}

}  // namespace

bool has_deformables(const scene::Scene& scene) {
  return std::ranges::any_of(scene.objects, &Object::deformable);
}

bool meets_deformables(const scene::Scene& scene) {
  return std::ranges::any_of(scene.objects, [](const Object& object) {
    return object.deformable() != nullptr && object.contact.collision != scene::Collision::none;
  });
}

std::vector<std::string> unknown_deformations(const scene::Scene& scene,
                                              std::vector<std::string>& notices) {
  return if_unknown(scene, notices, [](const Builder& builder) { return builder.describe(); });
}

std::optional<elastic::SimulationCost> deformation_cost(const scene::Scene& scene) {
  std::vector<std::string> told_before;
  return if_unknown(scene, told_before, [&](Builder& builder) {
    return std::optional(elastic::simulation_cost(builder.take(), rates_of(scene),
                                                  scene::sample_count(scene), builder.step()));
  });
}

void deform(const scene::Scene& scene, const MovingOptions& options, base::MotionResult& motion,
            base::ContactResult& contacts, util::Progress& progress,
            std::vector<std::string>& notices) {
  Motions keyed;
  for (const base::ObjectMotion& object : motion.objects) keyed.push_back(object.motion);
  Builder builder(scene, keyed, notices);
  tell_of_many(scene, options);
  elastic::Recording recording = naming_places(scene, [&] {
    builder.build();
    add_all(builder.store_notices(), notices);
    const util::Store store(util::stored::recording);
    return store.folder() ? stored_or_simulated(scene, builder, store, options, progress, notices)
                          : simulated(scene, builder, progress, {.tell = options.tell});
  });
  notices.insert(notices.end(), recording.diagnostics.begin(), recording.diagnostics.end());
  for (std::size_t s = 0; s < builder.deformed().size(); ++s) {
    set_surface(std::move(recording.surfaces[s]), scene, motion.objects[builder.deformed()[s]]);
  }
  for (std::size_t k = 0; k < recording.paths.size(); ++k) {
    const std::size_t object = builder.free_bodies()[k];
    const auto body = std::ranges::find(builder.obstacles(), object) - builder.obstacles().begin();
    motion.objects[object].motion = motion_of(recording.paths[k], builder.origin(), scene.rate,
                                              recording.contacts, static_cast<std::size_t>(body));
  }
  for (base::ContactRecord& record : recording.contacts.records) record.point += builder.origin();
  contacts.log = std::move(recording.contacts);
  contact::join_records(contacts.log, std::max(scene.dynamics.step, scene.rate.step()));
  contacts.rest_impulse = recording.rest_impulse;
}

}  // namespace peal::simulate

#include <peal/geometry/volume/convex_polyhedron.h>
#include <peal/geometry/volume/voronoi_pieces.h>
#include <peal/scene/keyframes.h>
#include <peal/simulate/fracture.h>
#include <peal/simulate/free_bodies.h>
#include <peal/simulate/impact_bodies.h>
#include <peal/simulate/keyed_motions.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace peal::simulate {

namespace {

using geometry::Mat3;
using geometry::Vec3;
using scene::Fracture;
using scene::Object;

/// A piece is heard from its first instant on: it begins at rest in itself.
constexpr double piece_rise = 1e-3;  ///< before it begins [s]

/// Of random numbers: those of sounds count from 0.
constexpr std::uint64_t fracture_stream = std::uint64_t{1} << 40;

/// The impacts of one body in one step.
struct Blows {
  double impulse = 0.0;  ///< sum of the magnitudes [N s]
  double energy = 0.0;   ///< see below [J]
  std::vector<const base::ContactRecord*> records;
};

/// The energy of an impact: what bodies that do not rebound lose in it.
double energy_of(const base::ContactRecord& record) {
  return 0.5 * std::abs(record.impulse.dot(record.normal)) *
         std::abs(record.velocity.dot(record.normal));
}

/// The part of the impulse that a body carries: up to its limit. A part s of the impulse of an
/// impact without rebound does 1 - (1 - s)^2 of its work.
double share_of(const Blows& blows, const Fracture& limit) {
  if (limit.impulse) return *limit.impulse / blows.impulse;
  return 1.0 - std::sqrt(std::max(0.0, 1.0 - *limit.energy / blows.energy));
}

bool is_enough(const Blows& blows, const Fracture& limit) {
  return limit.impulse ? blows.impulse >= *limit.impulse : blows.energy >= *limit.energy;
}

/// A body that just broke, in its state at the end of the step.
struct Break {
  Breakage breakage;
  base::Pose pose;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< as in RigidSolver
  Vec3 impact = Vec3::Zero();                                     ///< where it was hit, world [m]
  double impulse = 0.0;                                           ///< of the whole impact [N s]
  std::string striker;
};

/// Runs a scene until the next of its bodies breaks.
class BreakSearch {
 public:
  BreakSearch(const BrokenScene& broken, util::Progress& progress)
      : scene_(broken.scene), progress_(progress) {
    motions_ = keyed_motions(scene_);
    for (const auto& motion : motions_) moved_.objects.push_back({.motion = motion});
    taking_part_ = participants(scene_, motions_);
    add_breakages(scene_, broken.breakages, taking_part_);
  }

  std::optional<Break> next() {
    ImpactBodies impact_bodies(scene_, progress_);
    std::vector<std::string> notices;  // the simulation proper gives them, too
    const auto law = impact_bodies.law(moved_, taking_part_.objects, notices);
    const auto fields = std::make_shared<const util::Store>(util::stored::distance_field);
    const auto world =
        dynamics::make_rigid_solver(taking_part_.bodies, {.solver = scene_.dynamics.solver,
                                                          .gravity = scene_.dynamics.gravity,
                                                          .step = scene_.dynamics.step,
                                                          .joints = taking_part_.joints,
                                                          .law = law,
                                                          .fields = fields});
    const double duration = scene_.rate.seconds(scene::sample_count(scene_));
    progress_.begin("find what breaks", duration);
    std::optional<Break> found;
    std::size_t seen = 0;
    for (std::int64_t i = 0; !found && world->time() < duration; ++i) {
      world->step();
      found = find(*world, seen);
      seen = world->log().records.size();
      if (i % 256 == 0) progress_.update(std::min(1.0, world->time() / duration));
    }
    progress_.end();
    return found;
  }

 private:
  std::optional<Break> find(const dynamics::RigidSolver& world, std::size_t first) const {
    const auto& records = world.log().records;
    for (std::uint32_t k = 0; k < taking_part_.objects.size(); ++k) {
      const Object& object = scene_.objects[taking_part_.objects[k]];
      if (!object.fracture || object.exists) continue;  // it cannot break, or is broken
      Blows blows;
      for (std::size_t i = first; i < records.size(); ++i) {
        if (records[i].duration > 0.0 || (records[i].body_a != k && records[i].body_b != k))
          continue;
        blows.impulse += records[i].impulse.norm();
        blows.energy += energy_of(records[i]);
        blows.records.push_back(&records[i]);
      }
      if (!blows.records.empty() && is_enough(blows, *object.fracture))
        return broken(world, k, blows);
    }
    return std::nullopt;
  }

  Break broken(const dynamics::RigidSolver& world, std::uint32_t k, const Blows& blows) const {
    const std::size_t index = taking_part_.objects[k];
    const Object& object = scene_.objects[index];
    Break result{.breakage = {.object = index,
                              .time = world.time(),
                              .share = share_of(blows, *object.fracture)},
                 .pose = world.pose(k),
                 .impulse = blows.impulse};
    const double left = 1.0 - result.breakage.share;
    Vec3 impulse = Vec3::Zero(), torque = Vec3::Zero();
    const bool is_free = object.rigid() != nullptr;
    const geometry::MassProperties mass = mass_of(object);
    const Vec3 centre = result.pose.to_world(mass.centre);
    double hardest = 0.0;
    for (const base::ContactRecord* record : blows.records) {
      const bool is_a = record->body_a == k;
      const Vec3 taken = is_a ? record->impulse : Vec3(-record->impulse);
      impulse += taken;
      torque += (record->point - centre).cross(taken);
      const std::uint32_t other = is_a ? record->body_b : record->body_a;
      result.breakage.returned.push_back(
          {taking_part_.objects[other],
           {.time = world.time(), .impulse = left * taken, .point = record->point}});
      if (taken.norm() < hardest) continue;
      hardest = taken.norm();
      result.impact = record->point;
      result.striker = scene_.objects[taking_part_.objects[other]].name;
    }
    if (!is_free) return result;
    const Mat3 turn = result.pose.orientation.toRotationMatrix();
    const Mat3 inertia = turn * mass.inertia * turn.transpose();
    result.velocity = world.velocity(k) - left * impulse / mass.mass;
    result.angular_velocity = world.angular_velocity(k) - left * inertia.inverse() * torque;
    return result;
  }

  const scene::Scene& scene_;
  util::Progress& progress_;
  Motions motions_;
  base::MotionResult moved_;
  Participants taking_part_;
};

std::string unused_name(const scene::Scene& scene, const std::string& stem) {
  const auto is_used = [&](const std::string& name) {
    return std::ranges::any_of(scene.objects, [&](const Object& one) { return one.name == name; });
  };
  std::string name = stem;
  for (int i = 2; is_used(name); ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

Object piece_of(const Object& whole, const Break& broken, geometry::TriMesh mesh) {
  Object piece;
  piece.location = whole.location;
  piece.has_stated_size = true;
  piece.fragmentation = scene::Fragmentation::piece;
  piece.material = whole.material;
  piece.contact = whole.contact;
  for (const auto& sound : whole.sounds)
    if (sound->answers_contacts()) piece.sounds.push_back(sound);
  piece.left_out = whole.left_out;
  piece.exists = base::TimeRange{.begin = broken.breakage.time};

  const Vec3 centre = geometry::mass_properties(mesh, whole.material->density).centre;
  for (Vec3& vertex : mesh.vertices) vertex -= centre;
  piece.mesh = std::make_shared<const geometry::TriMesh>(std::move(mesh));
  const bool is_convex = geometry::recognised_polyhedron(*piece.mesh).has_value();
  if (is_convex)
    piece.collision_shape = scene::ConvexShape{piece.mesh, whole.contact.fillet};
  else
    piece.collision_shape = scene::MeshShape{piece.mesh, whole.contact.fillet};
  if (!whole.collision_shape) piece.collision_shape.reset();

  const Vec3 place = broken.pose.to_world(centre);
  scene::AnimatedTransform pose;
  pose.translation = scene::constant_track(place);
  pose.rotation = scene::constant_track(scene::to_track(broken.pose.orientation));
  piece.path.chain.push_back(std::move(pose));
  const Vec3 middle = broken.pose.to_world(mass_of(whole).centre);
  piece.motion = scene::RigidMotion{
      .velocity = broken.velocity + broken.angular_velocity.cross(place - middle),
      .angular_velocity = broken.angular_velocity};
  return piece;
}

std::vector<geometry::TriMesh> pieces_of(const scene::Scene& scene, const Break& broken) try {
  const Object& whole = scene.objects[broken.breakage.object];
  const std::vector<Vec3> sites =
      geometry::fracture_sites(*whole.mesh, {.pieces = whole.fracture->pieces,
                                             .impact = broken.pose.to_local(broken.impact),
                                             .concentration = whole.fracture->concentration,
                                             .seed = scene.seed,
                                             .stream = fracture_stream + broken.breakage.object});
  return geometry::voronoi_pieces(*whole.mesh, sites);
} catch (const std::invalid_argument& error) {
  const Object& whole = scene.objects[broken.breakage.object];
  throw util::InputError({"", whole.location},
                         fmt::format("\"{}\" cannot break: {}", whole.name, error.what()),
                         "Close its mesh (`peal inspect` says more), or give it a built-in shape.");
}

/// Replaces a body by its pieces.
void add_pieces(Break broken, BrokenScene& result, std::vector<std::string>& notices) {
  scene::Scene& scene = result.scene;
  std::vector<geometry::TriMesh> meshes = pieces_of(scene, broken);
  Object& whole = scene.objects[broken.breakage.object];
  whole.exists = base::TimeRange{.end = broken.breakage.time};
  whole.fragmentation = scene::Fragmentation::whole;
  broken.breakage.first_piece = scene.objects.size();
  broken.breakage.pieces = meshes.size();
  notices.push_back(
      fmt::format("\"{}\" breaks into {} pieces at {:.4f} s, when \"{}\" hits it "
                  "with {:.3g} N s, of which it carries {:.2g}",
                  whole.name, meshes.size(), broken.breakage.time, broken.striker, broken.impulse,
                  broken.breakage.share * broken.impulse));
  std::vector<Object> pieces;
  for (geometry::TriMesh& mesh : meshes) {
    pieces.push_back(piece_of(whole, broken, std::move(mesh)));
    pieces.back().mesh_source = fmt::format("piece {} of \"{}\"", pieces.size(), whole.name);
  }
  const std::string stem = whole.name;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].name = unused_name(scene, fmt::format("{}-{}", stem, i + 1));
    scene.objects.push_back(std::move(pieces[i]));
  }
  result.breakages.push_back(std::move(broken.breakage));
}

}  // namespace

void add_breakages(const scene::Scene& scene, std::span<const Breakage> breakages,
                   Participants& taking_part) {
  for (const Breakage& breakage : breakages) {
    for (std::size_t k = 0; k < taking_part.objects.size(); ++k) {
      const std::size_t i = taking_part.objects[k];
      if (i >= breakage.first_piece && i - breakage.first_piece < breakage.pieces)
        taking_part.bodies[k].piece_of = scene.objects[breakage.object].name;
    }
    for (const auto& [object, blow] : breakage.returned) {
      const auto found = std::ranges::find(taking_part.objects, object);
      if (found == taking_part.objects.end()) continue;
      taking_part.bodies[static_cast<std::size_t>(found - taking_part.objects.begin())]
          .blows.push_back(blow);
    }
  }
}

bool may_break(const scene::Scene& scene) {
  return std::ranges::any_of(scene.objects,
                             [](const Object& object) { return object.fracture.has_value(); });
}

BrokenScene break_bodies(const scene::Scene& scene, util::Progress& progress,
                         std::vector<std::string>& notices) {
  BrokenScene result{.scene = scene};
  const auto is_whole = [](const Object& object) { return object.fracture && !object.exists; };
  while (std::ranges::any_of(result.scene.objects, is_whole)) {
    std::optional<Break> found = BreakSearch(result, progress).next();
    if (!found) break;
    add_pieces(*std::move(found), result, notices);
  }
  for (const Object& object : result.scene.objects) {
    if (is_whole(object))
      notices.push_back(
          fmt::format("\"{}\" does not break: no impact is strong enough", object.name));
  }
  return result;
}

std::set<std::string> piece_names(const scene::Scene& scene) {
  std::set<std::string> names;
  for (const Object& object : scene.objects)
    if (object.fragmentation == scene::Fragmentation::piece) names.insert(object.name);
  return names;
}

std::optional<base::FadeWindow> window_of_fragmentation(const Object& object) {
  if (!object.exists) return std::nullopt;
  base::TimeRange heard = *object.exists;
  switch (object.fragmentation) {
    case scene::Fragmentation::intact:
      return std::nullopt;
    case scene::Fragmentation::whole:
      heard.end += base::existence_fade;
      return base::window_of(heard);
    case scene::Fragmentation::piece:
      heard.begin -= piece_rise;
      base::FadeWindow window = base::window_of(heard);
      window.fade_in = piece_rise;
      return window;
  }
  return std::nullopt;
}

void reduce_breaking_impulses(const scene::Scene& scene, std::span<const Breakage> breakages,
                              base::ContactLog& log) {
  for (const Breakage& breakage : breakages) {
    const std::string& whole = scene.objects[breakage.object].name;
    for (base::ContactRecord& record : log.records) {
      const bool is_of_step =
          record.duration == 0.0 && record.time > breakage.time - 1.5 * log.step;
      if (!is_of_step || (log.bodies[record.body_a] != whole && log.bodies[record.body_b] != whole))
        continue;
      record.impulse *= breakage.share;
      if (!record.force) continue;
      record.force = std::make_shared<const base::ForceHistory>(
          record.force->rotated(geometry::Quat::Identity(), breakage.share));
    }
  }
}

}  // namespace peal::simulate

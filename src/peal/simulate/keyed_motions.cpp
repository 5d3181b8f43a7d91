#include <peal/dynamics/changing_mesh_sequence.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/dynamics/liquid_surface.h>
#include <peal/dynamics/mesh_sequence.h>
#include <peal/dynamics/morph_targets.h>
#include <peal/geometry/io/read_mesh.h>
#include <peal/simulate/keyed_motions.h>

#include <utility>

namespace peal::simulate {

namespace {

using geometry::Vec3;

/// Deformable bodies nearer to the origin of the world are simulated where they are [m].
constexpr double simulated_in_place = 10.0;

class ShiftedMotion : public base::Motion {
 public:
  ShiftedMotion(const Vec3& origin, std::shared_ptr<const base::Motion> motion)
      : origin_(origin), motion_(std::move(motion)) {}

  base::Pose pose(double t) const override {
    base::Pose pose = motion_->pose(t);
    pose.position -= origin_;
    return pose;
  }
  bool is_still() const override { return motion_->is_still(); }
  std::span<const double> jumps() const override { return motion_->jumps(); }
  std::span<const double> kinks() const override { return motion_->kinks(); }

 private:
  Vec3 origin_;
  std::shared_ptr<const base::Motion> motion_;
};

}  // namespace

Motions keyed_motions(const scene::Scene& scene) {
  Motions motions;
  for (const scene::Object& object : scene.objects) {
    motions.push_back(std::make_shared<dynamics::KeyframedMotion>(object.path));
  }
  return motions;
}

KeyedShape keyed_shape(const scene::Object& object) {
  if (const auto* sequence = object.mesh_sequence()) {
    const std::vector<std::size_t> changed =
        dynamics::frames_with_other_triangles(*sequence, geometry::read_mesh);
    if (changed.empty()) {
      return {.deformation = std::make_shared<dynamics::MeshSequenceDeformation>(
                  *sequence, *object.mesh, geometry::read_mesh),
              .sequence = nullptr};
    }
    return {.deformation = nullptr,
            .sequence = std::make_shared<dynamics::ChangingMeshSequence>(*sequence, changed,
                                                                         geometry::read_mesh)};
  }
  if (const auto* liquid = object.liquid()) {
    return {.deformation = nullptr, .sequence = std::make_shared<dynamics::LiquidSurface>(*liquid)};
  }
  if (const auto* morphed = object.morphed()) {
    return {.deformation = std::make_shared<dynamics::MorphTargetDeformation>(morphed->targets),
            .sequence = nullptr};
  }
  return {};
}

Vec3 simulation_origin(const scene::Scene& scene, const Motions& motions) {
  geometry::Box all;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object& object = scene.objects[i];
    if (object.deformable() == nullptr || !object.mesh) continue;
    all.extend(motions[i]->pose(0.0).to_world(geometry::bounds(*object.mesh).center()));
  }
  if (all.isEmpty() || all.center().norm() < simulated_in_place) return Vec3::Zero();
  return all.center().array().round();
}

std::shared_ptr<const base::Motion> seen_from(const Vec3& origin,
                                              std::shared_ptr<const base::Motion> motion) {
  if (origin == Vec3::Zero()) return motion;
  return std::make_shared<ShiftedMotion>(origin, std::move(motion));
}

}  // namespace peal::simulate

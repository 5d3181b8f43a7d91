#include <peal/geometry/io/stored_mesh.h>
#include <peal/simulate/deformation_fingerprint.h>

namespace peal::simulate {

void DeformationFingerprint::add(const base::Pose& pose) {
  add(pose.position);
  add(std::span<const double>(pose.orientation.coeffs().data(), 4));
}

void DeformationFingerprint::add(const geometry::TriMesh& mesh) {
  geometry::hash(mesh, *this);
}

void DeformationFingerprint::add(const base::Motion& path) {
  const std::int64_t samples = path.is_still() ? 1 : scene::sample_count(scene_);
  add(path.is_still());
  for (std::int64_t n = 0; n < samples; ++n) add(path.pose(scene_.rate.seconds(n)));
  add(path.jumps());
}

void DeformationFingerprint::add(const scene::Object& object, const elastic::Solid& body,
                                 const base::Pose& start) {
  add(body.surface);
  for (const auto* list : {&body.rest.x, &body.rest.y, &body.rest.z, &body.mass})
    add(std::span<const double>(*list));
  add(body.forces->elements());
  add(object.deformable()->elements);
  const base::Material& material = *object.material;
  for (const double number : {material.density, material.young_modulus, material.poisson_ratio,
                              material.relative_indentation})
    add(number);
  add(body.mass_damping);
  add(body.stiffness_damping);
  add(body.across.size());
  for (const elastic::FacingNodes& pair : body.across) add(pair.apart);
  add(std::span<const double>(body.riding.parts));
  add(start);
  add(object.deformable()->velocity);
  add(object.deformable()->angular_velocity);
  add(object.deformable()->self_contact);
  add(object.deformable()->step.value_or(0.0));
  add(object.deformable()->settle);
}

void DeformationFingerprint::add(const scene::Object& object, const elastic::Obstacle& obstacle) {
  add(*object.mesh);
  add(object.rigid() != nullptr);
  add(object.collision_shape->index());
  for (const double number :
       {object.contact.fillet, obstacle.compliance, obstacle.friction, object.contact.restitution,
        object.contact.rolling_resistance, obstacle.ball_radius.value_or(0.0)})
    add(number);
  add(obstacle.ball_centre);
  if (object.rigid() == nullptr) return;
  add(object.rigid()->joints.size());
  for (const scene::JointSettings& joint : object.rigid()->joints) {
    add(joint.at);
    add(joint.by.empty() ? base::Vec3(joint.to - origin_) : joint.to);
    add(joint.by);
    add(joint.is_string);
  }
}

}  // namespace peal::simulate

#pragma once

#include <peal/base/motion.h>
#include <peal/elastic/obstacle_contact.h>
#include <peal/elastic/solid.h>
#include <peal/scene/scene.h>
#include <peal/util/fingerprint.h>

namespace peal::simulate {

/// A fingerprint of all that a simulation of deformable bodies depends on.
class DeformationFingerprint : public util::Fingerprint {
 public:
  /// Starts the fingerprint of a simulation in a frame with this origin [m].
  DeformationFingerprint(const scene::Scene& scene, const geometry::Vec3& origin)
      : scene_(scene), origin_(origin) {}

  using util::Fingerprint::add;
  void add(const base::Vec3& v) { add(std::span<const double>(v.data(), 3)); }
  void add(const base::Pose& pose);
  void add(const geometry::TriMesh& mesh);
  /// Adds the pose at every sample of audio.
  void add(const base::Motion& path);
  void add(const scene::Object& object, const elastic::Solid& body, const base::Pose& start);
  void add(const scene::Object& object, const elastic::Obstacle& obstacle);

 private:
  const scene::Scene& scene_;
  geometry::Vec3 origin_;
};

}  // namespace peal::simulate

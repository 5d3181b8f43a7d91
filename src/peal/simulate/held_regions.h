#pragma once

#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>
#include <peal/scene/scene.h>
#include <peal/simulate/deformation_fingerprint.h>
#include <peal/simulate/keyed_motions.h>

#include <string>
#include <vector>

namespace peal::simulate {

/// Turns the pins and grips of deformable bodies into constraints. What these depend on goes into a
/// fingerprint, what the user should know into the notices; all that is given must outlive it.
class HeldRegions {
 public:
  /// `motions` are those of all objects in the frame of the simulation, whose origin is at `origin`
  /// in the world [m].
  HeldRegions(const scene::Scene& scene, const geometry::Vec3& origin, const Motions& motions,
              std::vector<std::string>& notices, DeformationFingerprint& fingerprint)
      : scene_(scene),
        origin_(origin),
        motions_(motions),
        notices_(notices),
        fingerprint_(fingerprint) {}

  /// Adds the constraints of an object, which is a solid of this number; returns which of its nodes
  /// are held. Throws InputError at the location of a region that holds nothing, cannot be followed
  /// or tears the body.
  std::vector<bool> add(const scene::Object& object, const elastic::Solid& body, std::size_t solid,
                        const base::Pose& start, std::vector<elastic::Constraint>& all);

 private:
  elastic::Constraint nodes_of(const scene::ConstrainedRegion& region, const elastic::Solid& body,
                               std::size_t solid, bool meets_moving, std::vector<bool>& held);
  void set_motion(const scene::ConstrainedRegion& region, const elastic::Solid& body,
                  const base::Pose& start, elastic::Constraint& constraint);
  std::size_t followed_by(const scene::ConstrainedRegion& region) const;
  void refuse_jumps(const base::Motion& moved, const scene::ConstrainedRegion& region) const;
  void mention_mechanism(const scene::Object& object, const elastic::Solid& body, std::size_t solid,
                         const std::vector<elastic::Constraint>& all);
  void refuse_tears(const scene::Object& object, const elastic::Solid& body,
                    const base::Pose& start, std::span<const elastic::Constraint> constraints,
                    std::span<const std::string> locations);

  const scene::Scene& scene_;
  const geometry::Vec3& origin_;
  const Motions& motions_;
  std::vector<std::string>& notices_;
  DeformationFingerprint& fingerprint_;
};

}  // namespace peal::simulate

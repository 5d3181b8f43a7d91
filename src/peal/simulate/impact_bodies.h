#pragma once

#include <peal/base/contact_compliance.h>
#include <peal/base/motion_result.h>
#include <peal/contact/contact_forces.h>
#include <peal/contact/impact_law.h>
#include <peal/scene/scene.h>
#include <peal/util/progress.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::simulate {

/// The objects of a scene as bodies that strike each other. What takes long to find, their modes
/// and how round they are, is found once.
class ImpactBodies {
 public:
  ImpactBodies(const scene::Scene& scene, util::Progress& progress)
      : scene_(scene), progress_(progress) {}

  /// Objects as contact forces see them, with their motions.
  std::vector<contact::ContactBody> contact_bodies(const base::MotionResult& motion,
                                                   const std::vector<std::size_t>& objects);
  /// The impact law of these objects, in their order; null if Newton's says the same of all. Modes
  /// of an object that sounds by them are found when something strikes it, and left in `motion`; a
  /// model without modes is that of a body that cannot ring.
  /// All arguments, and this, must outlive the law.
  std::shared_ptr<contact::CompliantImpactLaw> law(base::MotionResult& motion,
                                                   const std::vector<std::size_t>& objects,
                                                   std::vector<std::string>& notices);

  /// The objects whose compliance the law has asked for, and what asking for one leaves in
  /// `motion`.
  std::vector<std::uint64_t> struck() const;
  void strike(std::size_t object, base::ObjectMotion& motion);

 private:
  using Compliance = std::shared_ptr<const base::ContactCompliance>;
  Compliance compliance(std::size_t object, base::ObjectMotion& motion,
                        std::vector<std::string>& notices);
  Compliance found_compliance(const scene::Object& object, base::ObjectMotion& motion,
                              std::vector<std::string>& notices);
  const std::shared_ptr<const contact::LocalShape>& shape(std::size_t object);

  const scene::Scene& scene_;
  util::Progress& progress_;  ///< that of a simulation is interrupted while modes are found
  std::map<std::size_t, Compliance> compliances_;  ///< null: only as a rigid body
  std::map<std::size_t, std::shared_ptr<const contact::LocalShape>> shapes_;
};

/// A notice for each free body that is thin but has no modes, if anything sounds by contacts.
void mention_rigid_thin_bodies(std::span<const scene::Object> objects,
                               std::vector<std::string>& notices);

/// The impacts on bodies with these names; forces[k] are those on body k.
std::vector<base::BodyImpacts> impacts_on(
    const std::vector<std::string>& names,
    const std::vector<std::vector<base::ContactForce>>& forces);

}  // namespace peal::simulate

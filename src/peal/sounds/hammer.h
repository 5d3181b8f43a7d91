#pragma once

#include <peal/base/contact.h>
#include <peal/base/contact_compliance.h>
#include <peal/scene/scene.h>
#include <peal/vibration/ideal_shape.h>

#include <memory>
#include <string>
#include <vector>

namespace peal::sounds {

/// A force on a body, and the radius of the area over which it is spread [m].
struct StruckForce {
  base::ContactForce force;
  double patch = 0.0;
};

/// The compliance of an ideal shape: it moves along Y.
class IdealCompliance : public base::ContactCompliance {
 public:
  /// `modes`: those of the shape, damped; `highest`: up to which frequency they are known [Hz].
  IdealCompliance(std::shared_ptr<const vibration::IdealShape> shape, std::vector<base::Mode> modes,
                  double highest);

  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return cut_; }
  Point at(const geometry::Vec3& point) const override;

 private:
  std::shared_ptr<const vibration::IdealShape> shape_;
  std::vector<base::Mode> modes_;
  double cut_;  ///< [rad/s]
};

/// The forces of the hammers among an object's strikes. Hammer and body are the two bodies of the
/// impact law (docs/theory/contact.md): Hertz's spring between them, the rigid motion of both and
/// the body's modes, which may ring from the hammer's earlier strikes. A solid is free, an ideal
/// shape is free if all its edges are. Adds what the strikes are to `notices`.
std::vector<StruckForce> hammer_forces(const scene::Object& object,
                                       std::shared_ptr<const base::ContactCompliance> compliance,
                                       std::vector<std::string>& notices);

}  // namespace peal::sounds

#pragma once

#include <peal/base/contact_compliance.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/surface_query.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::vibration {

/// How a body with known modes gives way where it is touched: at the nearest point of the surface
/// of its ModalModel, between the corners of the triangle there.
class ModalCompliance : public base::ContactCompliance {
 public:
  /// `highest`: frequency up to which all modes are known [Hz]; those above are not used.
  /// `further_decay` [1/s] is added to
  /// that of each mode, for what the model leaves out; empty: none.
  ModalCompliance(std::shared_ptr<const base::ModalModel> model, double highest,
                  std::span<const double> further_decay = {});

  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return cut_; }
  Point at(const geometry::Vec3& point) const override;

 private:
  std::shared_ptr<const base::ModalModel> model_;
  geometry::SurfaceQuery surface_;
  std::vector<base::Mode> modes_;
  double cut_;  ///< [rad/s]
};

/// The frequency up to which all modes of a model are known [Hz], of those that were asked for up
/// to `wanted`: shapes that stand for the modes above (SolidModes::residual) are not among them.
double complete_band(const base::ModalModel& model, double wanted);

}  // namespace peal::vibration

#include <peal/vibration/modal_compliance.h>

#include <numbers>
#include <stdexcept>
#include <utility>

namespace peal::vibration {

ModalCompliance::ModalCompliance(std::shared_ptr<const base::ModalModel> model, double highest,
                                 std::span<const double> further_decay)
    : model_(std::move(model)),
      surface_(model_->surface),
      modes_(model_->modes),
      cut_(2.0 * std::numbers::pi * highest) {
  if (further_decay.empty()) return;
  if (further_decay.size() != modes_.size())
    throw std::invalid_argument("a compliance needs one decay rate a mode");
  for (std::size_t k = 0; k < modes_.size(); ++k) modes_[k].decay_rate += further_decay[k];
}

base::ContactCompliance::Point ModalCompliance::at(const geometry::Vec3& point) const {
  const geometry::SurfacePoint near = surface_.closest_point(point);
  Point result{.gains = model_->shapes_at(near.triangle, near.barycentrics)};
  result.unknown = base::unknown_modes(modes_, result.gains, cut_);
  return result;
}

}  // namespace peal::vibration

#include <peal/vibration/modal_compliance.h>

#include <algorithm>
#include <iterator>
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
  modes_.resize(base::count_up_to(modes_, highest));
  if (further_decay.empty()) return;
  if (further_decay.size() != model_->modes.size())
    throw std::invalid_argument("a compliance needs one decay rate a mode");
  for (std::size_t k = 0; k < modes_.size(); ++k) modes_[k].decay_rate += further_decay[k];
}

double complete_band(const base::ModalModel& model, double wanted) {
  const std::vector<base::Mode>& modes = model.modes;
  if (modes.empty() || modes.back().relative_error < 1.0) return wanted;
  const auto first = std::ranges::find_if(
      modes, [](const base::Mode& mode) { return mode.relative_error >= 1.0; });
  return first == modes.begin() ? wanted : std::min(wanted, std::prev(first)->frequency);
}

base::ContactCompliance::Point ModalCompliance::at(const geometry::Vec3& point) const {
  const geometry::SurfacePoint near = surface_.closest_point(point);
  Point result{.gains = model_->shapes_at(near.triangle, near.barycentrics)
                            .leftCols(static_cast<Eigen::Index>(modes_.size()))};
  result.unknown = base::unknown_modes(modes_, result.gains, cut_);
  return result;
}

}  // namespace peal::vibration

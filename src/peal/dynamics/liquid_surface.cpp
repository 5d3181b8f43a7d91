#include <peal/dynamics/liquid_surface.h>

#include <algorithm>
#include <utility>

namespace peal::dynamics {

LiquidSurface::LiquidSurface(scene::LiquidBody liquid)
    : liquid_(std::move(liquid)),
      pool_(liquid_, false),
      with_jet_(liquid_, liquid_.jet.has_value()),
      pool_mesh_(
          std::make_shared<const geometry::TriMesh>(scene::liquid_mesh(liquid_, false, 0.0))) {
  if (!liquid_.jet) return;
  changes_ = {liquid_.jet_arrives(), liquid_.jet_ends()};
  jet_mesh_ = std::make_shared<const geometry::TriMesh>(
      scene::liquid_mesh(liquid_, true, liquid_.jet_arrives()));
}

bool LiquidSurface::has_jet(std::size_t number) const {
  return number == 1;
}

std::shared_ptr<const geometry::TriMesh> LiquidSurface::mesh(std::size_t number) const {
  return has_jet(number) ? jet_mesh_ : pool_mesh_;
}

void LiquidSurface::vertices(std::size_t number, double t, std::span<base::Vec3> out) const {
  const double begin = number == 0 ? t : std::max(t, changes_[number - 1]);
  const double within = number < changes_.size() ? std::min(begin, changes_[number]) : begin;
  (has_jet(number) ? with_jet_ : pool_).vertices(within, out);
}

}  // namespace peal::dynamics

#pragma once

#include <peal/base/surface_sequence.h>
#include <peal/scene/liquid.h>

#include <vector>

namespace peal::dynamics {

/// The surface of a liquid that Peal moves: without its jet, with it, and without it again. What of
/// the jet falls before it arrives and after it ends is left out.
class LiquidSurface : public base::SurfaceSequence {
 public:
  explicit LiquidSurface(scene::LiquidBody liquid);
  LiquidSurface(const LiquidSurface&) = delete;
  LiquidSurface& operator=(const LiquidSurface&) = delete;

  std::span<const double> changes() const override { return changes_; }
  std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const override;
  void vertices(std::size_t number, double t, std::span<base::Vec3> out) const override;
  bool is_sheet() const override { return false; }

 private:
  bool has_jet(std::size_t number) const;

  scene::LiquidBody liquid_;
  scene::LiquidShape pool_, with_jet_;
  std::vector<double> changes_;  ///< [s]
  std::shared_ptr<const geometry::TriMesh> pool_mesh_, jet_mesh_;
};

}  // namespace peal::dynamics

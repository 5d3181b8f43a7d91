#pragma once

#include <peal/base/bubble.h>
#include <peal/base/flux_source.h>
#include <peal/base/time.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/util/fractional_delay.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::shaders {

using base::Vec3;

/// Normal velocity of a liquid's surface [m/s] over the volume velocity [m^3/s] of a bubble at
/// `offset` from the point [m], before it is scaled to unit flux: that of a point source at the
/// bubble, max(0, r . n) / (4 pi r^3), regularised inside of its radius R by
/// 4 r / R^3 - 3 r^2 / R^4 in place of 1 / r^2 (the form of WaveBlender). Below an
/// infinite plane at pressure release it is half of the exact field, d / (2 pi (d^2 + s^2)^1.5),
/// and equal to it once the flux is 1.
double bubble_field(const Vec3& from_bubble, const Vec3& normal, double radius);

/// The sound of bubbles at the surface of their liquid (Wang et al. 2018, section 4.4). The surface
/// has the normal velocity of equation 16,
///
///   v_n(x, t) = sum over bubbles j of u_j(x, t) V_j'(t),
///
/// where u_j is bubble_field() over its integral over the surface, so that the air moves by exactly
/// the volume of the bubble: a_n = sum_j u_j V_j'' + u_j' V_j'. The paper takes u_j from a
/// boundary integral and differentiates by central differences; the field here is a formula of
/// positions and normals, so that the surface may have other triangles at any time.
///
/// Bubbles that do not sound at the same time share a field.
class BubbleSource : public base::FluxSource {
 public:
  /// `points` radiate like the bubbles, for radiators that do not sample whole surfaces.
  explicit BubbleSource(std::shared_ptr<const base::BubbleSounds> bubbles,
                        std::vector<base::Multipole> points = {});

  Eigen::Index columns() const override { return 2 * static_cast<Eigen::Index>(slots_.size()); }
  double basis_interval() const override { return interval; }
  /// The fields at t = 0, as if all points had the same area.
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void basis_at(const base::SampledSurface& surface, double t,
                std::span<const Eigen::Index> numbers,
                Eigen::Ref<Eigen::MatrixXf> out) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;
  std::vector<base::Multipole> multipoles(const base::Medium&) const override { return points_; }

 private:
  /// Between two evaluations of the fields [s]: 128 steps of most solvers, or 64 of audio.
  static constexpr double interval = 0.0015;
  /// A bubble has a field so long before and after it sounds, for interpolation in time and the
  /// filters of solvers [s].
  static constexpr double reach = 0.004;

  /// The bubbles that share a field, in the order of time.
  using Slot = std::vector<std::size_t>;
  const base::BubbleSound* bubble_at(const Slot& slot, double t) const;
  base::TimeRange sounding(std::size_t bubble) const;

  std::shared_ptr<const base::BubbleSounds> bubbles_;
  std::vector<base::Multipole> points_;
  util::FractionalDelay between_samples_;
  std::vector<Slot> slots_;
};

}  // namespace peal::shaders

#pragma once

#include <peal/base/surface_source.h>
#include <peal/base/time.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::base {

/// A whole surface at one time: points, and the area by which each moves air [m^2], 0 where another
/// body covers it.
struct SampledSurface {
  std::vector<SurfacePoint> points;
  std::vector<double> areas;

  std::size_t size() const { return points.size(); }
};

/// A source whose basis changes with time and depends on the whole surface, such as a bubble that
/// moves below water and moves its surface by its own volume. It gives the normal velocity of the
/// surface, v_n(x, t) = sum over k of b_k(x, t) q_k(t), so that
///
///   a_n(x, t) = sum over k of b_k q_k' + (db_k/dt) q_k.
///
/// Of its coefficients the first half are q_k', the second half q_k.
class FluxSource : public SurfaceSource {
 public:
  /// The number of fields b_k.
  Eigen::Index fields() const { return columns() / 2; }
  /// The longest time over which fields may be interpolated linearly [s].
  virtual double basis_interval() const = 0;
  /// The fields with these numbers on a surface at t [s]: a row per point, a column per number.
  virtual void basis_at(const SampledSurface& surface, double t,
                        std::span<const Eigen::Index> numbers,
                        Eigen::Ref<Eigen::MatrixXf> out) const = 0;
};

/// Evaluates the sum of flux sources of one body, block by block, on the surfaces of two keys. Only
/// fields that sound in a block are computed.
class FluxEvaluator {
 public:
  explicit FluxEvaluator(std::vector<std::shared_ptr<const FluxSource>> sources);

  bool empty() const { return parts_.empty(); }
  /// Sets the surface at a key and at the next one; the latter may be empty.
  void set_surfaces(SampledSurface first, SampledSurface second);

  /// The normal acceleration a_n [m/s^2] at the points of the first surface and then of the second.
  /// Consecutive samples are cheapest.
  std::span<const float> accelerations(SampleTime time);

 private:
  /// The fields of a source on both surfaces at one sample, as far as they were needed.
  struct Instant {
    std::optional<std::int64_t> at;
    std::vector<char> is_known;  ///< by field
    Eigen::MatrixXf fields;
  };
  struct Part {
    std::shared_ptr<const FluxSource> source;
    std::array<Instant, 2> instants;  ///< last used first
    Coefficients coefficients;        ///< of the block
  };

  Eigen::MatrixXf fields_at(Part& part, std::int64_t at, std::span<const Eigen::Index> numbers);
  void add(Part& part, std::int64_t from);
  void set_rate(Rate rate);

  std::vector<Part> parts_;
  std::array<SampledSurface, 2> surfaces_;
  Rate rate_{0};
  std::int64_t length_ = 1;                   ///< of a block [samples]
  std::optional<std::int64_t> coefficients_;  ///< first sample of the block of coefficients
  std::optional<std::int64_t> product_from_;  ///< first sample of `product_` that is right
  Eigen::MatrixXf product_;                   ///< points x samples of the block [m/s^2]
};

}  // namespace peal::base

#pragma once

#include <peal/base/medium.h>
#include <peal/base/point_shader.h>
#include <peal/base/signal.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/util/fingerprint.h>

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace peal::base {

using geometry::Vec3;

/// A point of a body's surface at which a radiator evaluates the normal acceleration.
struct SurfacePoint {
  std::uint32_t triangle = 0;
  Vec3 barycentric = Vec3::Constant(1.0 / 3.0);
  Vec3 position = Vec3::Zero();  ///< body frame [m]
  Vec3 normal = Vec3::UnitY();   ///< body frame, unit length, out of the solid
};

/// Coefficients c_k over a range of samples: a row per coefficient, a column per sample.
using Coefficients = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Basis functions b_k at some points: a row per point, a column per coefficient. Dense for few
/// global coordinates (modes, rigid motion), sparse for local ones (vertices).
class SurfaceBasis {
 public:
  using Dense = Eigen::MatrixXf;
  using Sparse = Eigen::SparseMatrix<float, Eigen::RowMajor>;

  SurfaceBasis() = default;
  explicit SurfaceBasis(Dense matrix) : matrix_(std::move(matrix)) {}
  explicit SurfaceBasis(Sparse matrix) : matrix_(std::move(matrix)) {}

  Eigen::Index points() const;
  Eigen::Index columns() const;
  double at(Eigen::Index point, Eigen::Index column) const;

  /// Adds the normal acceleration [m/s^2] of all points: out (points x samples) += basis times
  /// coefficients (columns x samples).
  void add_product(const Eigen::Ref<const Coefficients>& coefficients,
                   Eigen::Ref<Eigen::MatrixXf> out) const;

 private:
  std::variant<Dense, Sparse> matrix_;
};

/// A multipole of a small surface: a point that radiates like the whole surface.
struct Multipole {
  Vec3 offset = Vec3::Zero();  ///< body frame [m]
  std::shared_ptr<const PointShader> shader;
};

/// The energy of a source that vibrates by itself [J].
struct SourceEnergy {
  double given = 0.0;       ///< by the forces on it
  double dissipated = 0.0;  ///< by all damping, of which the air is part
  double radiated = 0.0;    ///< into the air, an estimate without other bodies; NaN: unknown
  double in_contact = 0.0;  ///< the part of `dissipated` that what it lies on took
};

/// The sound of a surface, given by its normal acceleration as basis times coefficients,
///
///     a_n(x, t) = sum over k of b_k(x) c_k(t),
///
/// which drives the air by dp/dn = -rho a_n (Wang et al. 2018, equation 2). There is one column per
/// mode for modes, six for rigid motion, one for a speaker, and three per vertex for a recorded
/// surface. Several sources on one body add (equation 14). All functions may be called from several
/// threads.
class SurfaceSource {
 public:
  virtual ~SurfaceSource() = default;

  /// The number of coefficients.
  virtual Eigen::Index columns() const = 0;

  /// The basis functions b_k at points of the body's surface.
  virtual SurfaceBasis basis(std::span<const SurfacePoint> points) const = 0;

  /// The coefficients c_k at the samples of a range, in units that give m/s^2 with the basis. A
  /// sample has the same value in any range.
  virtual void coefficients(Rate rate, SampleRange range, Coefficients& out) const = 0;

  /// Parts of `range`, ascending and disjoint, outside of which the acceleration is zero
  /// everywhere, so that radiators can skip silent times.
  virtual std::vector<SampleRange> active(Rate, SampleRange range) const { return {range}; }

  /// Adds all data on which the normal acceleration at the samples of `range` depends, at this rate
  /// or a multiple of it: two sources that differ there have different fingerprints.
  virtual void hash(Rate rate, SampleRange range, util::Fingerprint& fingerprint) const = 0;

  /// Set if column 3 v + i is component i of the acceleration of vertex v, so that b_k is the
  /// normal times the barycentric weight of the vertex. A radiator may then work with vertices,
  /// which are fewer than the points between them. The value is the sample rate from which the
  /// coefficients are interpolated. Frequencies below `vertex_band` times that rate are resolved.
  virtual std::optional<Rate> vertex_rate() const { return std::nullopt; }
  static constexpr double vertex_band = 0.25;

  /// Multipoles that radiate like the surface where it is small against the distance, for radiators
  /// without surfaces. Empty if the source has no such reduction.
  virtual std::vector<Multipole> multipoles(const Medium&) const { return {}; }

  /// The energy up to a time [s]; none if the source does not keep account of it.
  virtual std::optional<SourceEnergy> energy(const Medium&, double) const { return std::nullopt; }
};

/// The basis of a source with coefficients per vertex: barycentric weight times normal.
SurfaceBasis vertex_basis(std::span<const SurfacePoint> points,
                          std::span<const std::array<std::uint32_t, 3>> triangles,
                          std::size_t vertices);

/// Evaluates the sum of several sources at points of one body, block by block. Coefficients are
/// computed once for a block of samples; the points may change within it.
class SourceEvaluator {
 public:
  explicit SourceEvaluator(std::span<const std::shared_ptr<const SurfaceSource>> sources);

  /// Changes the points; computed blocks of coefficients stay valid.
  void set_points(std::span<const SurfacePoint> points);

  /// The normal acceleration a_n [m/s^2] at all points at one sample. Consecutive samples are
  /// cheapest.
  std::span<const float> accelerations(SampleTime time);

 private:
  struct Part {
    std::shared_ptr<const SurfaceSource> source;
    SurfaceBasis basis;
    Coefficients coefficients;       ///< coefficients of a block
    std::int64_t block = 0;          ///< block length [samples]
    std::optional<std::int64_t> at;  ///< first sample of the block
  };

  std::vector<Part> parts_;
  Rate rate_{0};
  Eigen::Index points_ = 0;
  Eigen::MatrixXf product_;  ///< points x samples [m/s^2]
  std::optional<std::int64_t> product_at_;
};

}  // namespace peal::base

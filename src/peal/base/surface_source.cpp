#include <peal/base/surface_source.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace peal::base {

namespace {

/// Samples per product of basis and coefficients; blocks begin at multiples of it.
constexpr std::int64_t product_block = 32;
/// Samples of coefficients that are computed together: fewer where there are many columns.
constexpr std::int64_t longest_block = 256;
constexpr Eigen::Index block_values = Eigen::Index{1} << 20;

std::int64_t block_for(Eigen::Index columns) {
  std::int64_t block = longest_block;
  while (block > product_block && block * columns > block_values) block /= 2;
  return block;
}

std::int64_t round_down(std::int64_t index, std::int64_t step) {
  const std::int64_t rest = index % step;
  return index - (rest < 0 ? rest + step : rest);
}

}  // namespace

Eigen::Index SurfaceBasis::points() const {
  return std::visit([](const auto& matrix) { return matrix.rows(); }, matrix_);
}

Eigen::Index SurfaceBasis::columns() const {
  return std::visit([](const auto& matrix) { return matrix.cols(); }, matrix_);
}

double SurfaceBasis::at(Eigen::Index point, Eigen::Index column) const {
  return std::visit(
      [&](const auto& matrix) { return static_cast<double>(matrix.coeff(point, column)); },
      matrix_);
}

void SurfaceBasis::add_product(const Eigen::Ref<const Coefficients>& coefficients,
                               Eigen::Ref<Eigen::MatrixXf> out) const {
  assert(coefficients.rows() == columns() && out.rows() == points() &&
         out.cols() == coefficients.cols());
  std::visit([&](const auto& matrix) { out.noalias() += matrix * coefficients; }, matrix_);
}

SurfaceBasis vertex_basis(std::span<const SurfacePoint> points,
                          std::span<const std::array<std::uint32_t, 3>> triangles,
                          std::size_t vertices) {
  SurfaceBasis::Sparse matrix(static_cast<Eigen::Index>(points.size()),
                              3 * static_cast<Eigen::Index>(vertices));
  matrix.reserve(Eigen::VectorXi::Constant(matrix.rows(), 9));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SurfacePoint& point = points[i];
    for (int corner = 0; corner < 3; ++corner) {
      const auto column = 3 * static_cast<Eigen::Index>(
                                  triangles[point.triangle][static_cast<std::size_t>(corner)]);
      for (int k = 0; k < 3; ++k) {
        matrix.coeffRef(static_cast<Eigen::Index>(i), column + k) +=
            static_cast<float>(point.barycentric[corner] * point.normal[k]);
      }
    }
  }
  matrix.makeCompressed();
  return SurfaceBasis(std::move(matrix));
}

SourceEvaluator::SourceEvaluator(std::span<const std::shared_ptr<const SurfaceSource>> sources) {
  for (const auto& source : sources) {
    parts_.push_back({.source = source, .block = block_for(source->columns())});
  }
}

void SourceEvaluator::set_points(std::span<const SurfacePoint> points) {
  for (Part& part : parts_) part.basis = part.source->basis(points);
  points_ = static_cast<Eigen::Index>(points.size());
  product_at_.reset();
}

std::span<const float> SourceEvaluator::accelerations(SampleTime time) {
  if (time.rate != rate_) {
    rate_ = time.rate;
    product_at_.reset();
    for (Part& part : parts_) part.at.reset();
  }
  const std::int64_t at = round_down(time.index, product_block);
  if (product_at_ != at) {
    product_at_ = at;
    product_.setZero(points_, product_block);
    for (Part& part : parts_) {
      const std::int64_t begin = round_down(at, part.block);
      if (part.at != begin) {
        part.at = begin;
        const SampleRange range{begin, begin + part.block};
        part.source->coefficients(rate_, range, part.coefficients);
      }
      part.basis.add_product(part.coefficients.middleCols(at - begin, product_block), product_);
    }
  }
  return {product_.col(time.index - at).data(), static_cast<std::size_t>(points_)};
}

}  // namespace peal::base

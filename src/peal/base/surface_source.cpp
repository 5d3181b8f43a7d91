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
    parts_.push_back({.source = source,
                      .basis = {},
                      .interval = source->basis_interval(),
                      .instants = {},
                      .coefficients = {},
                      .block = block_for(source->columns()),
                      .at = {}});
  }
}

bool SourceEvaluator::has_changing_basis() const {
  return std::ranges::any_of(parts_, [](const Part& part) { return part.interval.has_value(); });
}

void SourceEvaluator::set_points(std::span<const SurfacePoint> points, std::size_t second) {
  for (Part& part : parts_) {
    for (Instant& instant : part.instants) instant.at.reset();
    if (!part.interval) part.basis = part.source->basis(points);
  }
  points_.assign(points.begin(), points.end());
  second_ = second;
  product_at_.reset();
}

/// The basis at a sample. The two that were used last are kept: a block begins where the one before
/// ends.
const SourceEvaluator::Instant& SourceEvaluator::instant(Part& part, std::int64_t at) {
  if (part.instants[0].at == at) return part.instants[0];
  if (part.instants[1].at != at) {
    const double t = rate_.seconds(at);
    const std::span<const SurfacePoint> points(points_);
    part.instants[1] = {at,
                        {part.source->basis_at(points.first(second_), t),
                         part.source->basis_at(points.subspan(second_), t)}};
  }
  std::swap(part.instants[0], part.instants[1]);
  return part.instants[0];
}

/// Adds a part whose basis changes with time, for a block of samples: between two times it is
/// interpolated linearly.
void SourceEvaluator::add_changing(Part& part, std::int64_t at) {
  std::int64_t step = product_block;
  while (step > 1 && rate_.seconds(step) > *part.interval) step /= 2;
  const auto first = static_cast<Eigen::Index>(second_), rest = product_.rows() - first;
  for (std::int64_t begin = at; begin < at + product_block; begin += step) {
    const Coefficients block = part.coefficients.middleCols(begin - *part.at, step);
    if (block.isZero(0.0f)) continue;
    for (const bool to : {false, true}) {
      Coefficients weighted = block;
      for (std::int64_t n = 0; n < step; ++n) {
        const float along = static_cast<float>(n) / static_cast<float>(step);
        weighted.col(n) *= to ? along : 1.0f - along;
      }
      const Instant& now = instant(part, to ? begin + step : begin);
      now.basis[0].add_product(weighted, product_.block(0, begin - at, first, step));
      now.basis[1].add_product(weighted, product_.block(first, begin - at, rest, step));
    }
  }
}

std::span<const float> SourceEvaluator::accelerations(SampleTime time) {
  if (time.rate != rate_) {
    rate_ = time.rate;
    product_at_.reset();
    for (Part& part : parts_) {
      part.at.reset();
      for (Instant& instant : part.instants) instant.at.reset();
    }
  }
  const std::int64_t at = round_down(time.index, product_block);
  if (product_at_ != at) {
    product_at_ = at;
    product_.setZero(static_cast<Eigen::Index>(points_.size()), product_block);
    for (Part& part : parts_) {
      const std::int64_t begin = round_down(at, part.block);
      if (part.at != begin) {
        part.at = begin;
        const SampleRange range{begin, begin + part.block};
        part.source->coefficients(rate_, range, part.coefficients);
      }
      if (part.interval) {
        add_changing(part, at);
      } else {
        part.basis.add_product(part.coefficients.middleCols(at - begin, product_block), product_);
      }
    }
  }
  return {product_.col(time.index - at).data(), points_.size()};
}

}  // namespace peal::base

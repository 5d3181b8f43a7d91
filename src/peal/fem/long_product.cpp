#include <peal/fem/eight.h>
#include <peal/fem/long_product.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cstdint>
#include <vector>

// Products of many long vectors with sixteen others. A general product would first copy them into
// another order, which takes longer than the product. This file is compiled with fused
// multiply-adds.
namespace peal::fem {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using ConstRef = Eigen::Ref<const MatrixXd>;

/// Columns of the second factor that are contiguous, row by row: two Eights.
constexpr Index lanes = 16;
using LaneRows = Eigen::Matrix<double, lanes, Eigen::Dynamic>;

/// Columns of the first factor that are processed together.
constexpr Index columns_at_once = 8 / Eight::registers;
/// Rows whose lanes stay in the second cache.
constexpr Index cached_rows = 1024;
/// Rows per thread.
constexpr Index long_rows = 4096;

/// sums_i += sum over rows r of a(r, i) z_r, for `count` columns of a, `stride` numbers apart.
template <Index count>
void add_columns(const double* a, Index stride, Index rows, const double* z, double* sums) {
  for (Index half = 0; half < lanes; half += Eight::count) {
    Eight sum[count];
    for (Index i = 0; i < count; ++i) sum[i] = load(sums + lanes * i + half);
    for (Index r = 0; r < rows; ++r) {
      const Eight x = load(z + lanes * r + half);
      for (Index i = 0; i < count; ++i) add_product(sum[i], a[i * stride + r], x);
    }
    for (Index i = 0; i < count; ++i) store(sums + lanes * i + half, sum[i]);
  }
}

/// z_r += sum over i of a(r, i) b_i.
template <Index count>
void add_rows(const double* a, Index stride, Index rows, const double* b, double* z) {
  for (Index half = 0; half < lanes; half += Eight::count) {
    Eight x[count];
    for (Index i = 0; i < count; ++i) x[i] = load(b + lanes * i + half);
    for (Index r = 0; r < rows; ++r) {
      Eight sum = load(z + lanes * r + half);
      for (Index i = 0; i < count; ++i) add_product(sum, a[i * stride + r], x[i]);
      store(z + lanes * r + half, sum);
    }
  }
}

/// Calls visit with the first column and a compile-time count of columns.
template <class Visit>
void in_groups(Index columns, const Visit& visit) {
  Index i = 0;
  for (; i + columns_at_once <= columns; i += columns_at_once)
    visit.template operator()<columns_at_once>(i);
  for (; i < columns; ++i) visit.template operator()<1>(i);
}

/// Calls visit(first row, rows) for the cache-sized parts of a thread's rows, in order.
template <class Visit>
void in_parts(std::int64_t share, Index rows, const Visit& visit) {
  const Index begin = share * long_rows, end = std::min(begin + long_rows, rows);
  for (Index first = begin; first < end; first += cached_rows)
    visit(first, std::min(cached_rows, end - first));
}

Index shares(Index rows) {
  return (rows + long_rows - 1) / long_rows;
}

}  // namespace

MatrixXd transposed_product(const ConstRef& a, const ConstRef& b) {
  MatrixXd product(a.cols(), b.cols());
  for (Index column = 0; column < b.cols(); column += lanes) {
    const Index width = std::min(lanes, b.cols() - column);
    std::vector<LaneRows> parts(shares(a.rows()));
    util::parallel_for(shares(a.rows()), [&](std::int64_t share) {
      LaneRows& sums = parts[share] = LaneRows::Zero(lanes, a.cols());
      LaneRows z = LaneRows::Zero(lanes, cached_rows);
      in_parts(share, a.rows(), [&](Index first, Index rows) {
        z.topLeftCorner(width, rows) = b.block(first, column, rows, width).transpose();
        in_groups(a.cols(), [&]<Index count>(Index i) {
          add_columns<count>(&a.coeffRef(first, i), a.outerStride(), rows, z.data(),
                             sums.col(i).data());
        });
      });
    });
    LaneRows sum = LaneRows::Zero(lanes, a.cols());
    for (const LaneRows& part : parts) sum += part;
    product.middleCols(column, width) = sum.topRows(width).transpose();
  }
  return product;
}

void subtract_product(Eigen::Ref<MatrixXd> x, const ConstRef& a, const MatrixXd& b) {
  for (Index column = 0; column < b.cols(); column += lanes) {
    const Index width = std::min(lanes, b.cols() - column);
    LaneRows factors = LaneRows::Zero(lanes, a.cols());
    factors.topRows(width) = -b.middleCols(column, width).transpose();
    util::parallel_for(shares(a.rows()), [&](std::int64_t share) {
      LaneRows z = LaneRows::Zero(lanes, cached_rows);
      in_parts(share, a.rows(), [&](Index first, Index rows) {
        z.topLeftCorner(width, rows) = x.block(first, column, rows, width).transpose();
        in_groups(a.cols(), [&]<Index count>(Index i) {
          add_rows<count>(&a.coeffRef(first, i), a.outerStride(), rows, factors.col(i).data(),
                          z.data());
        });
        x.block(first, column, rows, width) = z.topLeftCorner(width, rows).transpose();
      });
    });
  }
}

}  // namespace peal::fem

// Our eigen-solver against ARPACK's shift-invert mode over CHOLMOD's supernodal factorisation, on
// the same matrices. Optional: CHOLMOD's supernodal part is under the GPL, so that the product does
// not link it.
#include <peal/fem/assembly.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_program.h>
#include <peal/util/parallel.h>

#include <arpack/arpack.h>
#include <bench/report.h>
#include <fmt/format.h>
#include <suitesparse/cholmod.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace peal::bench {
namespace {

using Eigen::Index;

constexpr int mode_count = 66;
constexpr double tolerance = 1e-6;
constexpr double shift = 1e7;  ///< [1/s^2]

/// K + s M of a free body, lower triangle by columns.
class Cholmod {
 public:
  explicit Cholmod(const fem::Matrices& matrices) {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    const fem::BlockMatrix a = matrices.shifted(shift);
    cholmod_triplet* entries = cholmod_allocate_triplet(
        matrices.size(), matrices.size(), 9 * a.blocks.size(), -1, CHOLMOD_REAL, &common_);
    auto* rows = static_cast<int*>(entries->i);
    auto* columns = static_cast<int*>(entries->j);
    auto* values = static_cast<double*>(entries->x);
    for (std::int32_t r = 0; r < a.graph.nodes(); ++r) {
      for (std::int32_t e = a.graph.row_begin[r]; e < a.graph.row_begin[r + 1]; ++e) {
        const std::int32_t c = a.graph.column[e];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            if (3 * c + j > 3 * r + i) continue;
            rows[entries->nnz] = 3 * r + i;
            columns[entries->nnz] = 3 * c + j;
            values[entries->nnz++] = a.blocks[e](i, j);
          }
        }
      }
    }
    matrix_ = cholmod_triplet_to_sparse(entries, 0, &common_);
    cholmod_free_triplet(&entries, &common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&work_y_, &common_);
    cholmod_free_dense(&work_e_, &common_);
    cholmod_free_dense(&x_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    cholmod_finish(&common_);
  }

  void factorise() {
    factor_ = cholmod_analyze(matrix_, &common_);
    cholmod_factorize(matrix_, factor_, &common_);
    if (common_.status != CHOLMOD_OK) throw std::runtime_error("CHOLMOD failed");
  }

  void solve(const double* b, double* x) {
    cholmod_dense right{};
    right.nrow = right.nzmax = right.d = matrix_->nrow;
    right.ncol = 1;
    right.x = const_cast<double*>(b);
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &x_, nullptr, &work_y_, &work_e_, &common_);
    std::copy_n(static_cast<const double*>(x_->x), matrix_->nrow, x);
  }

 private:
  cholmod_common common_{};
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *x_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
};

/// M by rows, for one vector at a time.
class MassRows {
 public:
  explicit MassRows(const fem::Matrices& matrices) : begin_(matrices.graph.nodes() + 1, 0) {
    const auto& graph = matrices.graph;
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<std::int32_t> next(begin_.begin(), begin_.end() - 1);
      for (std::int32_t r = 0; r < graph.nodes(); ++r) {
        for (std::int32_t e = graph.row_begin[r]; e < graph.row_begin[r + 1]; ++e) {
          const std::int32_t c = graph.column[e];
          const auto put = [&](std::int32_t row, std::int32_t column) {
            if (pass == 0) {
              ++begin_[row + 1];
            } else {
              column_[next[row]] = column;
              value_[next[row]++] = matrices.mass[e];
            }
          };
          put(r, c);
          if (c != r) put(c, r);
        }
      }
      if (pass == 1) break;
      for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
      column_.resize(begin_.back());
      value_.resize(begin_.back());
    }
  }

  void times(const double* x, double* y) const {
    for (std::size_t r = 0; r + 1 < begin_.size(); ++r) {
      double sum[3] = {0.0, 0.0, 0.0};
      for (std::int32_t e = begin_[r]; e < begin_[r + 1]; ++e)
        for (int k = 0; k < 3; ++k) sum[k] += value_[e] * x[3 * column_[e] + k];
      std::copy_n(sum, 3, y + 3 * r);
    }
  }

 private:
  std::vector<std::int32_t> begin_, column_;
  std::vector<double> value_;
};

/// The lowest eigenvalues beyond the six of rigid motion, ascending [1/s^2].
std::vector<double> by_arpack(const fem::Matrices& matrices, Cholmod& cholmod,
                              const MassRows& mass) {
  cholmod.factorise();
  const auto n = static_cast<a_int>(matrices.size());
  const a_int wanted = mode_count + 6, basis = 2 * wanted + 1;
  std::vector<double> residual(n), vectors(std::size_t(n) * basis), work(3 * std::size_t(n)),
      small(basis * (basis + 8));
  a_int parameters[11] = {1, 0, 3000, 1, 0, 0, 3, 0, 0, 0, 0}, sample_points[14] = {}, ido = 0,
        info = 0;
  std::vector<double> product(n);
  for (;;) {
    dsaupd_c(&ido, "G", n, "LM", wanted, tolerance, residual.data(), basis, vectors.data(), n,
             parameters, sample_points, work.data(), small.data(), static_cast<a_int>(small.size()),
             &info);
    double* x = work.data() + sample_points[0] - 1;
    double* y = work.data() + sample_points[1] - 1;
    if (ido == -1) {
      mass.times(x, product.data());
      cholmod.solve(product.data(), y);
    } else if (ido == 1) {
      cholmod.solve(work.data() + sample_points[2] - 1, y);
    } else if (ido == 2) {
      mass.times(x, y);
    } else {
      break;
    }
  }
  if (info != 0) throw std::runtime_error(fmt::format("ARPACK failed: {}", info));
  std::vector<a_int> select(basis);
  std::vector<double> values(wanted);
  dseupd_c(1, "A", select.data(), values.data(), vectors.data(), n, -shift, "G", n, "LM", wanted,
           tolerance, residual.data(), basis, vectors.data(), n, parameters, sample_points,
           work.data(), small.data(), static_cast<a_int>(small.size()), &info);
  if (info != 0) throw std::runtime_error(fmt::format("ARPACK failed: {}", info));
  std::sort(values.begin(), values.end());
  return {values.begin() + 6, values.end()};
}

void measure(Report& report, double edge) {
  const base::Material steel{"steel", 7850.0, 200e9, 0.3, {}};
  const auto attempt = geometry::tetrahedralise(geometry::box_mesh({0.2, 0.15, 0.1}, edge),
                                                0.12 * edge * edge * edge);
  if (!attempt.fine()) throw std::runtime_error(attempt.problem);
  const auto mesh = geometry::straight(attempt.mesh);
  const fem::Space space = fem::make_space(mesh, 2);
  const fem::Matrices matrices = fem::assemble(mesh, space, steel);
  Cholmod cholmod(matrices);
  const MassRows mass(matrices);

  std::vector<double> theirs;
  fem::Eigenpairs ours;
  const Seconds their_time = time_of([&] { theirs = by_arpack(matrices, cholmod, mass); });
  const Seconds our_time = time_of([&] {
    ours = fem::lowest_eigenpairs(
        matrices, fem::rigid_motions(matrices, space.nodes),
        {.count = mode_count, .shift = shift, .tolerance = tolerance, .polish = false});
  });
  double apart = 0.0;
  for (Index i = 0; i < mode_count; ++i)
    apart = std::max(apart, std::abs(ours.values[i] / theirs[i] - 1.0));
  const std::string name = fmt::format("{} k unknowns", matrices.size() / 1000);
  report.add(name, "ARPACK and CHOLMOD", their_time.cpu, "s");
  report.add(name, "ours", our_time.cpu, "s");
  report.add_at_most(name, "ours / ARPACK and CHOLMOD", our_time.cpu / their_time.cpu, "1", 0.5);
  report.add_at_most(name, "eigenvalues apart", apart, "1", 1e-8);
}

int run(int argc, char** argv) {
  // OpenBLAS chooses threads and kernels when it is loaded: for a fair race, one thread and those
  // that the processor has (Debian's takes some for a Prescott).
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (__builtin_cpu_supports("avx512f")) ::setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    ::execv("/proc/self/exe", argv);
  }
  Report report("eigen", argc, argv);
  const util::ThreadLimit one_core(1);
  for (const double edge : {0.0168, 0.0117}) measure(report, edge);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}

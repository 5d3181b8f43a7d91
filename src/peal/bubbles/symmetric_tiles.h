#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace peal::bubbles {

/// A symmetric matrix for many products with vectors. Its lower half lies in square tiles of as
/// many rows as a SIMD vector has lanes, in the order in which a product reads them; each tile
/// serves its rows and its columns, so that half of the matrix is read. A product of a thousand
/// rows waits for memory, so the lower half has half precision: 5e-4 of each value, which is less
/// than what `weakest_coupling` leaves out. The diagonal has single precision.
class SymmetricTiles {
 public:
  /// Of the lower half of a square matrix.
  void assign(const Eigen::MatrixXf& matrix);

  /// Rows with padding: the length of vectors.
  std::size_t padded() const { return diagonal_.size(); }
  /// to = matrix from; padding of `from` is zero, and that of `to` is set to zero.
  void multiply(const float* from, float* to) const;

 private:
  std::vector<float> diagonal_;
  /// Tiles, one column of tiles after another; zero above the diagonal.
  std::vector<Eigen::half> below_;
};

}  // namespace peal::bubbles

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace peal::fem {

/// The pairs of nodes that share an element: the lower triangle by rows. Row r has the columns
/// column[row_begin[r] .. row_begin[r + 1]), ascending, and ends with r itself.
struct NodeGraph {
  std::vector<std::int32_t> row_begin{0};
  std::vector<std::int32_t> column;
  /// The upper triangle: row r has the entries mirror_entry[k], which are stored in the rows
  /// mirror_row[k], for k = mirror_begin[r] .. mirror_begin[r + 1].
  std::vector<std::int32_t> mirror_begin, mirror_entry, mirror_row;

  /// Computes the upper triangle from the lower one.
  void mirror();

  std::int32_t nodes() const { return static_cast<std::int32_t>(row_begin.size()) - 1; }
};

/// A symmetric matrix with three displacements per node (x, y, z of node 0, of node 1, ...): one
/// block per entry of the graph.
struct BlockMatrix {
  NodeGraph graph;
  std::vector<geometry::Mat3> blocks;
};

/// The mass and stiffness matrices of a body: M u'' + K u = f.
struct Matrices {
  NodeGraph graph;
  std::vector<geometry::Mat3> stiffness;  ///< K, one block per entry of the graph [N/m]
  std::vector<double> mass;               ///< M, equal in x, y and z [kg]
  /// Whether each displacement is fixed at zero; empty if the body is free. Fixed rows and columns
  /// of K and M are zero.
  std::vector<bool> held;

  Eigen::Index size() const { return 3 * Eigen::Index{graph.nodes()}; }

  Eigen::MatrixXd times_stiffness(const Eigen::MatrixXd& x) const;
  Eigen::MatrixXd times_mass(const Eigen::MatrixXd& x) const;
  /// K + shift M, with ones for the fixed displacements so that it can be inverted.
  BlockMatrix shifted(double shift) const;  ///< shift [1/s^2]
};

/// Fixes the displacements marked in `held` at zero.
void constrain(Matrices& matrices, std::vector<bool> held);

}  // namespace peal::fem

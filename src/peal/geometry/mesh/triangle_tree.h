#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <span>

namespace peal::geometry {

/// A binary tree of bounding boxes over the triangles of a mesh in double precision, split at the
/// median along the longest side: its depth is ceil(log2 n), and it depends on the mesh alone. It
/// is for algorithms that need their own data in the nodes; closest points and rays are in
/// surface_query.h.
class TriangleTree {
 public:
  struct Node {
    Box box;
    std::uint32_t begin, end;  ///< range of its triangles in `order()`
    std::uint32_t right;       ///< right child; the left child is the next node; 0 in a leaf
    bool is_leaf() const { return right == 0; }
  };

  TriangleTree(const TriMesh& mesh, std::uint32_t max_leaf_size);

  /// Parents come before their children; the root is first. Empty for an empty mesh.
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<std::uint32_t>& order() const { return order_; }
  std::span<const std::uint32_t> triangles(const Node& node) const {
    return {order_.data() + node.begin, order_.data() + node.end};
  }

 private:
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
};

}  // namespace peal::geometry

#include <peal/geometry/mesh/triangle_tree.h>

#include <algorithm>

namespace peal::geometry {
namespace {

struct Item {
  Vec3 centre;
  std::uint32_t triangle;
};

class Builder {
 public:
  Builder(const TriMesh& mesh, std::uint32_t max_leaf_size, std::vector<TriangleTree::Node>& nodes)
      : mesh_(mesh), max_leaf_size_(max_leaf_size), nodes_(nodes), items_(mesh.triangles.size()) {
    for (std::uint32_t t = 0; t < items_.size(); ++t) items_[t] = {triangle_centre(mesh, t), t};
    nodes_.reserve(4 * items_.size() / max_leaf_size + 1);
    if (!items_.empty()) build(0, static_cast<std::uint32_t>(items_.size()));
  }

  const std::vector<Item>& items() const { return items_; }

 private:
  std::uint32_t build(std::uint32_t begin, std::uint32_t end) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.box = {}, .begin = begin, .end = end, .right = 0});
    if (end - begin <= max_leaf_size_) {
      for (std::uint32_t i = begin; i < end; ++i)
        for (const std::uint32_t v : mesh_.triangles[items_[i].triangle])
          nodes_[index].box.extend(mesh_.vertices[v]);
      return index;
    }
    const std::uint32_t middle = split(begin, end);
    const std::uint32_t left = build(begin, middle);
    const std::uint32_t right = build(middle, end);
    nodes_[index].right = right;
    nodes_[index].box = nodes_[left].box.merged(nodes_[right].box);
    return index;
  }

  std::uint32_t split(std::uint32_t begin, std::uint32_t end) {
    Box centres;
    for (std::uint32_t i = begin; i < end; ++i) centres.extend(items_[i].centre);
    Eigen::Index axis;
    centres.sizes().maxCoeff(&axis);
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                     [axis](const Item& a, const Item& b) {
                       return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis]
                                                               : a.triangle < b.triangle;
                     });
    return middle;
  }

  const TriMesh& mesh_;
  std::uint32_t max_leaf_size_;
  std::vector<TriangleTree::Node>& nodes_;
  std::vector<Item> items_;
};

}  // namespace

TriangleTree::TriangleTree(const TriMesh& mesh, std::uint32_t max_leaf_size) {
  const Builder builder(mesh, max_leaf_size, nodes_);
  order_.reserve(builder.items().size());
  for (const Item& item : builder.items()) order_.push_back(item.triangle);
}

}  // namespace peal::geometry

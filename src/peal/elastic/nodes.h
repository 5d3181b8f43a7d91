#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/util/archive.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace peal::elastic {

/// One vector per node: positions [m], velocities [m/s] or forces [N]. Each coordinate has its own
/// array, so that consecutive nodes can be processed in the lanes of a SIMD vector.
struct Nodes {
  std::vector<double> x, y, z;

  Nodes() = default;
  explicit Nodes(std::size_t count) : x(count), y(count), z(count) {}

  std::size_t size() const { return x.size(); }
  geometry::Vec3 at(std::size_t node) const { return {x[node], y[node], z[node]}; }
  void set(std::size_t node, const geometry::Vec3& value) {
    x[node] = value.x(), y[node] = value.y(), z[node] = value.z();
  }
  void add(std::size_t node, const geometry::Vec3& value) {
    x[node] += value.x(), y[node] += value.y(), z[node] += value.z();
  }
  void push_back(const geometry::Vec3& value) {
    x.push_back(value.x()), y.push_back(value.y()), z.push_back(value.z());
  }
  void serialize(util::Archive& archive) {
    for (auto* values : {&x, &y, &z}) archive.list(*values);
  }
  void clear() {
    for (auto* values : {&x, &y, &z}) std::fill(values->begin(), values->end(), 0.0);
  }
};

}  // namespace peal::elastic

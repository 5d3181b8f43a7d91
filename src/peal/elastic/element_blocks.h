#pragma once

#include <peal/elastic/internal_forces.h>
#include <peal/elastic/node_records.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace peal::elastic {

/// Elements of one kind, evaluated several at a time in the lanes of a SIMD vector. `Kernel` holds
/// the arithmetic of one element: its number of `nodes` and of `constants`, `force`, `energy` and
/// `volume_ratio`.
///
/// Elements that lie in a row, with nodes in a row, read whole lanes, and add up the forces of
/// neighbours before they write whole lanes. Other elements read and write node by node. The order
/// of additions is fixed for both.
template <class Kernel>
class ElementBlocks final : public InternalForces {
 public:
  using Lanes = NodeRecords::Lanes;
  static constexpr int lanes = NodeRecords::lanes;
  using Corners = std::array<std::uint32_t, Kernel::nodes>;
  using Constants = std::array<double, Kernel::constants>;

  struct Element {
    Corners nodes;
    std::uint32_t number;  ///< in the mesh
    std::uint32_t shape;   ///< index of its constants
  };

  /// Elements of equal shape share their constants.
  ElementBlocks(const Nodes& rest, std::vector<Element> elements, std::vector<Constants> shapes);

  void add(const Nodes& positions, Nodes& forces) override;
  double energy(const Nodes& positions) const override;
  std::size_t elements() const override { return elements_.size(); }
  Strained most_strained(const Nodes& positions) const override;
  Strained most_squeezed(const Nodes& positions) const override;
  double least_volume(const Nodes& positions) override;

  void add_one_by_one(const Nodes& positions, Nodes& forces) const override;

 private:
  struct Block {
    std::array<NodeRecords::Indices, Kernel::nodes> nodes;  ///< numbers if in a row, else records
    bool is_uniform;                                        ///< all lanes have one shape
    int members = lanes;                                    ///< lanes that are elements
    int row = 0;              ///< bit of the corners shared with the next element; 0: not in a row
    bool ends_row = false;    ///< the next block is not in this row
    std::uint32_t constants;  ///< the shape, or the first constant of the lanes in `mixed_`
  };
  static constexpr int corners = Kernel::nodes;

  /// Forces that the last element of a block in a row adds to the first nodes of the next block.
  using Carried = std::array<std::array<Lanes, 3>, corners>;

  void add_blocks(const std::vector<std::uint32_t>& members, bool is_uniform);
  void find_rows();
  void find_records();
  static void add_row(const Block& block, const Lanes (&f)[corners][3], Carried& carried,
                      double* const (&to)[3]);

  /// Reads the corners of the elements of a block; records must have been read before.
  [[gnu::always_inline]] void gather(const Block& block, const double* const (&from)[3],
                                     Lanes (&x)[corners][3]) const {
    for (int k = 0; k < corners; ++k) {
      if (Kernel::is_lattice && block.row != 0) {
        for (int i = 0; i < 3; ++i) x[k][i] = util::load<Lanes>(from[i] + block.nodes[k][0]);
      } else {
        const std::array<Lanes, 3> node = records_.gather(block.nodes[k]);
        for (int i = 0; i < 3; ++i) x[k][i] = node[i];
      }
    }
  }

  Strained strained(const Nodes& positions, std::size_t element) const;

  static void gather(const Nodes& positions, const Corners& nodes, double (&x)[corners][3]) {
    for (int k = 0; k < corners; ++k) {
      x[k][0] = positions.x[nodes[k]], x[k][1] = positions.y[nodes[k]];
      x[k][2] = positions.z[nodes[k]];
    }
  }

  static bool follow_each_other(const NodeRecords::Indices& indices) {
    for (std::uint32_t lane = 1; lane < lanes; ++lane) {
      if (indices[lane] != indices[0] + lane) return false;
    }
    return true;
  }

  std::vector<Element> elements_;
  std::vector<Constants> shapes_;
  std::vector<geometry::Vec3> rest_centres_;
  std::vector<Block> blocks_;
  std::vector<Lanes> mixed_;  ///< constants of blocks whose elements differ
  NodeRecords records_;
};

template <class Kernel>
ElementBlocks<Kernel>::ElementBlocks(const Nodes& rest, std::vector<Element> elements,
                                     std::vector<Constants> shapes)
    : elements_(std::move(elements)), shapes_(std::move(shapes)) {
  std::vector<std::vector<std::uint32_t>> of_shape(shapes_.size());
  for (std::uint32_t e = 0; e < elements_.size(); ++e) {
    of_shape[elements_[e].shape].push_back(e);
    geometry::Vec3 centre = geometry::Vec3::Zero();
    for (const std::uint32_t node : elements_[e].nodes) centre += rest.at(node) / corners;
    rest_centres_.push_back(centre);
  }
  // Blocks are filled with elements of one shape; the elements left over share mixed blocks.
  std::vector<std::uint32_t> rest_of_shapes;
  for (auto& members : of_shape) {
    const std::size_t whole = members.size() / lanes * lanes;
    rest_of_shapes.insert(rest_of_shapes.end(), members.begin() + whole, members.end());
    members.resize(whole);
    add_blocks(members, true);
  }
  std::sort(rest_of_shapes.begin(), rest_of_shapes.end());
  add_blocks(rest_of_shapes, false);
  find_rows();
  find_records();
}

template <class Kernel>
void ElementBlocks<Kernel>::add_blocks(const std::vector<std::uint32_t>& members, bool is_uniform) {
  for (std::size_t begin = 0; begin < members.size(); begin += lanes) {
    Block block{.is_uniform = is_uniform};
    block.members = static_cast<int>(std::min<std::size_t>(lanes, members.size() - begin));
    // Unused lanes repeat the first element, without nodes.
    std::array<const Element*, lanes> element;
    for (int lane = 0; lane < lanes; ++lane) {
      const bool is_one = begin + lane < members.size();
      element[lane] = &elements_[members[is_one ? begin + lane : begin]];
      for (int k = 0; k < corners; ++k) {
        block.nodes[k][lane] = is_one ? element[lane]->nodes[k] : NodeRecords::no_node;
      }
    }
    if (is_uniform) {
      block.constants = element[0]->shape;
    } else {
      block.constants = static_cast<std::uint32_t>(mixed_.size());
      mixed_.resize(mixed_.size() + Kernel::constants);
      for (int lane = 0; lane < lanes; ++lane) {
        const Constants& constants = shapes_[element[lane]->shape];
        for (int i = 0; i < Kernel::constants; ++i) {
          mixed_[block.constants + i][lane] = constants[i];
        }
      }
    }
    blocks_.push_back(block);
  }
}

/// Finds the direction in which the elements of each block lie in a row, and where rows end.
template <class Kernel>
void ElementBlocks<Kernel>::find_rows() {
  if constexpr (!Kernel::is_lattice) return;
  for (Block& block : blocks_) {
    if (!std::all_of(block.nodes.begin(), block.nodes.end(), follow_each_other)) continue;
    for (int bit = 1; bit < corners && block.row == 0; bit *= 2) {
      bool is_along = true;
      for (int k = 0; k < corners; ++k)
        is_along = is_along && ((k & bit) != 0 || block.nodes[k | bit][0] == block.nodes[k][0] + 1);
      if (is_along) block.row = bit;
    }
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].row == 0) continue;
    blocks_[b].ends_row = b + 1 == blocks_.size() || blocks_[b + 1].row != blocks_[b].row;
    for (int k = 0; k < corners && !blocks_[b].ends_row; ++k)
      blocks_[b].ends_row = blocks_[b + 1].nodes[k][0] != blocks_[b].nodes[k][0] + lanes;
  }
}

/// Replaces nodes by the indices of their records in blocks that are not in a row.
template <class Kernel>
void ElementBlocks<Kernel>::find_records() {
  std::vector<std::uint32_t> all;
  for (const Block& block : blocks_) {
    for (const auto& nodes : block.nodes) {
      if (block.row == 0) all.insert(all.end(), nodes.begin(), nodes.end());
    }
  }
  records_ = NodeRecords(std::move(all));
  for (Block& block : blocks_) {
    for (auto& nodes : block.nodes) {
      for (std::uint32_t& node : nodes) node = block.row == 0 ? records_.index_of(node) : node;
    }
  }
}

/// Adds the forces of a block of a row. The second of two corners along the row is the first of the
/// next element.
template <class Kernel>
void ElementBlocks<Kernel>::add_row(const Block& block, const Lanes (&f)[corners][3],
                                    Carried& carried, double* const (&to)[3]) {
  const auto last_first = [&]<int... lane>(const Lanes& a, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, a, (lane + lanes - 1) % lanes...);
  };
  const auto with_first = [&]<int... lane>(const Lanes& a, const Lanes& b,
                                           std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, b, (lane == 0 ? lanes : lane)...);
  };
  constexpr auto all = std::make_integer_sequence<int, lanes>();
  for (int k = 0; k < corners; ++k) {
    if ((k & block.row) != 0) continue;
    for (int i = 0; i < 3; ++i) {
      double* const at = to[i] + block.nodes[k][0];
      const Lanes seconds = last_first(f[k | block.row][i], all);
      const Lanes sum = f[k][i] + with_first(seconds, carried[k][i], all);
      util::store(at, util::load<Lanes>(at) + sum);
      carried[k][i] = seconds;
      if (!block.ends_row) continue;
      at[lanes] += seconds[0];
      carried[k][i] = Lanes{};
    }
  }
}

template <class Kernel>
void ElementBlocks<Kernel>::add(const Nodes& positions, Nodes& forces) {
  const double* const from[3] = {positions.x.data(), positions.y.data(), positions.z.data()};
  double* const to[3] = {forces.x.data(), forces.y.data(), forces.z.data()};
  Carried carried{};
  records_.read(positions);
  for (const Block& block : blocks_) {
    Lanes x[corners][3], f[corners][3];
    gather(block, from, x);
    if (block.is_uniform) {
      Kernel::force(x, shapes_[block.constants].data(), f);
    } else {
      Kernel::force(x, &mixed_[block.constants], f);
    }
    if (Kernel::is_lattice && block.row != 0) {
      add_row(block, f, carried, to);
    } else {
      for (int k = 0; k < corners; ++k) records_.add(block.nodes[k], f[k]);
    }
  }
  records_.give(forces);
}

template <class Kernel>
void ElementBlocks<Kernel>::add_one_by_one(const Nodes& positions, Nodes& forces) const {
  for (const Element& element : elements_) {
    double x[corners][3], f[corners][3];
    gather(positions, element.nodes, x);
    Kernel::force(x, shapes_[element.shape].data(), f);
    for (int k = 0; k < corners; ++k) {
      forces.add(element.nodes[k], {f[k][0], f[k][1], f[k][2]});
    }
  }
}

template <class Kernel>
double ElementBlocks<Kernel>::energy(const Nodes& positions) const {
  double sum = 0.0;
  for (const Element& element : elements_) {
    double x[corners][3];
    gather(positions, element.nodes, x);
    sum += Kernel::energy(x, shapes_[element.shape].data());
  }
  return sum;
}

template <class Kernel>
InternalForces::Strained ElementBlocks<Kernel>::strained(const Nodes& positions,
                                                         std::size_t e) const {
  double x[corners][3];
  gather(positions, elements_[e].nodes, x);
  return {elements_[e].number, Kernel::volume_ratio(x, shapes_[elements_[e].shape].data()),
          rest_centres_[e]};
}

template <class Kernel>
InternalForces::Strained ElementBlocks<Kernel>::most_strained(const Nodes& positions) const {
  Strained worst;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Strained one = strained(positions, e);
    if (!std::isfinite(one.volume_ratio)) return one;
    if (e == 0 || one.strain() > worst.strain()) worst = one;
  }
  return worst;
}

template <class Kernel>
InternalForces::Strained ElementBlocks<Kernel>::most_squeezed(const Nodes& positions) const {
  Strained worst = strained(positions, 0);
  for (std::size_t e = 1; e < elements_.size(); ++e) {
    const Strained one = strained(positions, e);
    if (one.volume_ratio < worst.volume_ratio) worst = one;
  }
  return worst;
}

template <class Kernel>
double ElementBlocks<Kernel>::least_volume(const Nodes& positions) {
  const double* const from[3] = {positions.x.data(), positions.y.data(), positions.z.data()};
  double least = std::numeric_limits<double>::infinity();
  records_.read(positions);
  for (const Block& block : blocks_) {
    Lanes x[corners][3];
    gather(block, from, x);
    const Lanes ratio = block.is_uniform ? Kernel::volume_ratio(x, shapes_[block.constants].data())
                                         : Kernel::volume_ratio(x, &mixed_[block.constants]);
    for (int lane = 0; lane < block.members; ++lane)
      least = std::min(least, static_cast<double>(ratio[lane]));
  }
  return least;
}

}  // namespace peal::elastic

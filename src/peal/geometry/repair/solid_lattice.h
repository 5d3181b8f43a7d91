#pragma once

#include <peal/geometry/repair/bisected_lattice.h>
#include <peal/geometry/repair/edge_cut.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace peal::geometry {

using LatticeEdge = std::array<std::uint32_t, 2>;  ///< lower vertex first
using Tetrahedron = BisectedLattice::Tetrahedron;

inline constexpr std::array<std::array<int, 2>, 6> edges_of_four = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

inline LatticeEdge edge_between(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

/// What a side of the lattice crosses without its ends revealing it.
enum class Unseen { nothing, crease, wall, lost };  ///< lost: too thin for any side

struct LatticeEdgeHash {
  std::size_t operator()(const LatticeEdge& e) const {
    return (static_cast<std::uint64_t>(e[0]) << 32 | e[1]) * 0x9e3779b97f4a7c15ull >> 16;
  }
};

/// A lattice that is fine at the surface of a solid and stores which vertices are inside.
class SolidLattice {
 public:
  SolidLattice(const SoupSolid& solid, double resolution, double finest, std::size_t most);

  /// False if the lattice would be too large.
  bool refine() { return refine_to_resolution() && refine_unseen(); }

  /// Moves vertices away from the surface that are so close that they would make slivers.
  void keep_clear_of_surface();

  const BisectedLattice& lattice() const { return lattice_; }
  const Vec3& vertex(std::uint32_t v) const { return lattice_.vertices()[v]; }
  bool inside(std::uint32_t v) const { return inside_[v] != 0; }
  bool is_mixed(const Tetrahedron& tet) const {
    const int count = inside(tet.corners[0]) + inside(tet.corners[1]) + inside(tet.corners[2]) +
                      inside(tet.corners[3]);
    return count > 0 && count < 4;
  }
  /// Sides that cross a thin wall or gap that their ends do not reveal.
  std::vector<LatticeEdge> thin_edges() const;

 private:
  void label_new_vertices();
  bool is_near(const Tetrahedron& tet) const;
  bool wants_resolution(std::uint32_t t) const;
  bool refine_to_resolution();
  bool refine_unseen();
  Unseen unseen_by(const LatticeEdge& edge) const;
  double side_for(Unseen unseen) const;

  const SoupSolid& solid_;
  double resolution_, finest_;
  std::size_t most_;
  BisectedLattice lattice_;
  std::vector<char> inside_;  ///< inside flag of each vertex
  std::unordered_map<LatticeEdge, Unseen, LatticeEdgeHash> unseen_;
};

}  // namespace peal::geometry

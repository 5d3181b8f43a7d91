#include <peal/elastic/reciprocal_mass.h>
#include <peal/elastic/tet_mass.h>

#include <map>
#include <vector>

namespace peal::elastic {
namespace {

/// Forces of a uniform acceleration at the nodes of a tetrahedron, over its mass: the integrals of
/// their shape functions [1].
constexpr double even_corner = -1.0 / 20.0, even_middle = 1.0 / 5.0;

/// How much faster than their carriers corners would go without mass of their own, 1 + b. An even
/// acceleration then takes -b times their mass against w, which is right for any b; with this one
/// steps are as long as with lumps, and waves are between those of lumps and those of the
/// consistent mass.
constexpr double lead = 0.5;

/// Parts of the middles of the edges at a corner and of the three others, of all that carries it:
/// for these bodies of any tetrahedra have the second moments of their mass, so far as a corner's
/// tetrahedra are alike on all sides but that of the surface.
constexpr double near_part = 1.0 / 2.0, far_part = -1.0 / 6.0;

}  // namespace

void add_mass(std::span<const QuadraticTet> tets, std::span<const double> volumes, Solid& solid) {
  std::map<std::uint32_t, std::map<std::uint32_t, double>> carried;
  std::vector<double> around(solid.rest.size());
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const double mass = solid.material.density * volumes[e];
    for (std::size_t edge = 0; edge < 6; ++edge) {
      const std::uint32_t middle = tets[e][4 + edge];
      solid.mass[middle] += even_middle * mass;
      for (int c = 0; c < 4; ++c) {
        const bool is_near = geometry::tet_edges[edge][0] == c || geometry::tet_edges[edge][1] == c;
        carried[tets[e][static_cast<std::size_t>(c)]][middle] +=
            (is_near ? near_part : far_part) * mass;
      }
    }
    for (std::size_t c = 0; c < 4; ++c) around[tets[e][c]] += mass;
  }
  DependentNodes& riding = solid.riding;
  riding.begin.push_back(0);
  for (const auto& [corner, carriers] : carried) {
    riding.dependents.push_back(corner);
    const double even = even_corner * around[corner];
    for (const auto& [middle, mass] : carriers) {
      const double part = (1.0 + lead) * mass / around[corner];
      riding.carriers.push_back(middle);
      riding.parts.push_back(part);
      solid.mass[middle] += part * even;
    }
    riding.begin.push_back(static_cast<std::uint32_t>(riding.carriers.size()));
    solid.mass[corner] = -lead * even;
  }
}

}  // namespace peal::elastic

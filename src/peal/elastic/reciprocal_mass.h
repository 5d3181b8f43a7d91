#pragma once

#include <peal/elastic/kick.h>
#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/solid.h>
#include <peal/util/lanes.h>

#include <cstdint>
#include <vector>

namespace peal::elastic {

// With u = T y, where y holds the w of dependent nodes (solid.h) and the displacements of all
// others, the mass matrix of a solid is M = T^-T D T^-1 with a diagonal D, so that its inverse is
// the sparse T D^-1 T^T.

/// Mass of each dependent node against w [kg].
std::vector<double> dependent_masses(const Solid& solid);

/// Row sums of M, one for each node [kg]: the forces that give all of a solid the same
/// acceleration. Their sum is the mass of the solid; those of dependent nodes may be negative.
/// Without dependent nodes they are the lumped masses.
std::vector<double> row_sum_masses(const Solid& solid);

/// Upper bound of the eigenvalues of springs at nodes [N/m] over the mass of a solid [1/s^2]: the
/// largest sum of a row (Gershgorin).
double largest_spring_eigenvalue(const Solid& solid, const std::vector<double>& stiffness);

/// Correction of the kick of a step for the reciprocal mass matrix, like MassScaledKick. A node
/// that is fixed along an axis neither depends on others nor carries others along it.
class ReciprocalMassKick {
 public:
  ReciprocalMassKick() = default;
  ReciprocalMassKick(const Solid& solid, const FreeAxes& free);

  /// Called before the kick, see MassScaledKick::share. Dependent nodes count as if they had no
  /// mass.
  void share(const Kick& kick, const Nodes& velocity, const Nodes& outer, Nodes& inner, Work& work);

 private:
  /// x, y, z and padding.
  using Record = util::LanesOf<double, 4 * sizeof(double)>::type;

  Record carried(std::size_t dependent, const std::vector<Record>& by) const;
  void add_energy(const Kick& kick, Work& work) const;

  DependentNodes dependent_nodes_;
  std::vector<double> against_, eased_;  ///< of dependents: against w, inverse [kg, 1/kg]
  std::vector<double> mass_;             ///< mass of nodes, as in the solid [kg]
  std::vector<std::uint32_t> carriers_;  ///< carrier nodes without repetition
  std::vector<double> ease_;             ///< inverse mass of carriers [1/kg]
  std::vector<Record> free_;             ///< by node: 1, or 0 where fixed
  std::vector<Record> velocity_, force_, passed_;
};

}  // namespace peal::elastic

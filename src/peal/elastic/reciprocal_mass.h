#pragma once

#include <peal/elastic/kick.h>
#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/solid.h>
#include <peal/util/lanes.h>

#include <cstdint>
#include <vector>

namespace peal::elastic {

// With u = T y, where y are the w of dependent nodes (solid.h) and the places of all others, the
// mass of a solid is M = T^-T D T^-1 with a diagonal D: its inverse takes no more than T D^-1 T^T.

/// Of each dependent node, against w [kg].
std::vector<double> dependent_masses(const Solid& solid);

/// M times one, of each node [kg]: the forces that move all of a solid alike. Its sum is the mass
/// of the solid; dependent nodes may have less than nothing. The lumps where nothing rides.
std::vector<double> row_sum_masses(const Solid& solid);

/// The largest eigenvalue that springs at nodes [N/m] can have over the mass of a solid [1/s^2], or
/// more: the largest sum of a row (Gershgorin).
double largest_spring_eigenvalue(const Solid& solid, const std::vector<double>& stiffness);

/// What it does to the kick of a step, as MassScaledKick. Where a node is fixed along an axis,
/// nothing depends on it, and it on nothing.
class ReciprocalMassKick {
 public:
  ReciprocalMassKick() = default;
  ReciprocalMassKick(const Solid& solid, const FreeAxes& free);

  /// Before the kick: see MassScaledKick::share. Riders count as if they had no mass.
  void share(const Kick& kick, const Nodes& velocity, const Nodes& outer, Nodes& inner, Work& work);

 private:
  /// x, y, z and nothing.
  using Record = util::LanesOf<double, 4 * sizeof(double)>::type;

  Record carried(std::size_t dependent, const std::vector<Record>& by) const;
  void add_energy(const Kick& kick, Work& work) const;

  DependentNodes dependent_nodes_;
  std::vector<double> against_, eased_;  ///< of dependent nodes: against w, 1 over it [kg, 1/kg]
  std::vector<double> mass_;             ///< of nodes, as in the solid [kg]
  std::vector<std::uint32_t> carriers_;  ///< each once
  std::vector<double> ease_;             ///< of carriers: 1 over their mass [1/kg]
  std::vector<Record> free_;             ///< of nodes: 1, or 0 where held
  std::vector<Record> velocity_, force_, passed_;
};

}  // namespace peal::elastic

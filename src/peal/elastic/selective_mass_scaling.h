#pragma once

#include <peal/elastic/kick.h>
#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/reciprocal_mass.h>
#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::elastic {

template <class V>
struct MeanMotion;

/// Nodes whose inertia against relative motion is a times that of their lumped masses; moving
/// together they have the lumped masses. With lumped masses m_i, their sum M and their mean
/// velocity v, the kinetic energy is the sum of a m_i v_i^2 / 2, plus (1 - a) M v^2 / 2. Forces f_i
/// act on the lumped masses as f_i / a - (1 / a - 1) (m_i / M) sum f.
template <std::size_t count>
struct MassScaledNodes {
  std::array<std::uint32_t, count> nodes;
  double factor;  ///< a [1]
};

/// Pairs of nodes across a layer, without pairs that have their lumped mass or are in sections.
std::vector<MassScaledNodes<2>> mass_scaled_pairs(const Solid& solid);
/// Sections of rods, with four nodes each.
std::vector<MassScaledNodes<4>> mass_scaled_sections(const Solid& solid);

/// The least a, at most 1: the smallest inertia of nodes over their lumped mass.
double least_mass_factor(const Solid& solid);

/// Correction of the kick of a step, v after = keep v + push f / m, for mass scaling. Where one of
/// the nodes of a pair or section is fixed along an axis, all of them have their lumped mass along
/// it.
class MassScaledKick {
 public:
  MassScaledKick(const Solid& solid, const FreeAxes& free);

  /// Called before the kick. Adds the forces that give lumped masses the right acceleration to
  /// `inner`. Adds the kinetic energy beyond that of the counted mass, and the damping of it, to
  /// `work`.
  void share(const Kick& kick, const Nodes& velocity, const Nodes& outer, Nodes& inner, Work& work);
  /// Mass of each node along an axis that the kick counts [kg]: a m_i, zero for dependent nodes,
  /// otherwise the lumped mass.
  const std::vector<double>& counted_mass(std::size_t axis) const { return counted_[axis]; }

 private:
  struct Sums {
    double kinetic = 0.0, damped_before = 0.0, damped_after = 0.0;
  };

  /// Scaled nodes along one axis, as arrays that a step goes through. Entries of fixed nodes stay
  /// in the arrays, without effect, because rows of nodes would be interrupted without them.
  template <std::size_t count>
  struct Axis {
    std::array<std::vector<std::uint32_t>, count> nodes;
    std::array<std::vector<double>, count> parts;  ///< m_i / M [1]
    std::vector<double> gain, added, ease;  ///< 1 / a - 1 [1], (1 - a) M [kg] and 1 / M [1/kg]
    /// Begin and end of the runs of entries in which nodes are consecutive, as most are.
    std::vector<std::array<std::size_t, 2>> runs;

    void add(const Solid& solid, const MassScaledNodes<count>& one, bool is_free);
    void share(const Kick& kick, const double* velocity, const double* outer, double* inner,
               Sums& sums) const;
    template <class V>
    void share_at(std::size_t k, const Kick& kick, const double* velocity, const double* outer,
                  double* inner, MeanMotion<V>& motion) const;
  };

  std::array<Axis<2>, 3> pairs_;
  std::array<Axis<4>, 3> sections_;
  ReciprocalMassKick ride_;
  std::array<std::vector<double>, 3> counted_;
};

}  // namespace peal::elastic

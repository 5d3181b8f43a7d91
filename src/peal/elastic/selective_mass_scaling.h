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

/// Nodes that have another mass against moving apart than their lumps, a times theirs: together
/// they have the mass of the lumps. With m the lumps, M their sum and v their mean velocity,
/// kinetic energy is the sum of a m_i v_i^2 / 2 and (1 - a) M v^2 / 2; forces f_i give lumps
/// their accelerations as f_i / a - (1 / a - 1) (m_i / M) sum f.
template <std::size_t count>
struct MassScaledNodes {
  std::array<std::uint32_t, count> nodes;
  double factor;  ///< a [1]
};

/// Both nodes of a pair across a layer. None if they have the mass of lumps, or are in sections.
std::vector<MassScaledNodes<2>> mass_scaled_pairs(const Solid& solid);
/// The four nodes of a section of a rod.
std::vector<MassScaledNodes<4>> mass_scaled_sections(const Solid& solid);

/// The least a, or 1: so much lighter than lumps is what can be pushed.
double least_mass_factor(const Solid& solid);

/// What it does to the kick of a step, v after = keep v + push f / m. Nodes of which one is fixed
/// along an axis are lumps along it.
class MassScaledKick {
 public:
  MassScaledKick(const Solid& solid, const FreeAxes& free);

  /// Before the kick: adds the forces that give lumps the right acceleration, and to the work
  /// kinetic energy beyond that of the counted mass, and what damping takes of it.
  void share(const Kick& kick, const Nodes& velocity, const Nodes& outer, Nodes& inner, Work& work);
  /// Of each node along an axis, a m_i, nothing if it rides, or that of its lump [kg].
  const std::vector<double>& counted_mass(std::size_t axis) const { return counted_[axis]; }

 private:
  struct Sums {
    double kinetic = 0.0, damped_before = 0.0, damped_after = 0.0;
  };

  /// Along one axis, as lists: a step goes through all of them. What is fixed has no effect:
  /// without it rows of nodes would break.
  template <std::size_t count>
  struct Axis {
    std::array<std::vector<std::uint32_t>, count> nodes;
    std::array<std::vector<double>, count> parts;  ///< m_i / M [1]
    std::vector<double> gain, added, ease;  ///< 1 / a - 1 [1], (1 - a) M [kg] and 1 / M [1/kg]
    /// From and to which entries nodes follow each other, as most do.
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

#pragma once

#include <peal/elastic/kick.h>
#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::elastic {

template <class V>
struct ApartMotion;

/// Nodes that have another mass against moving apart than their lumps.
///
/// Their velocity apart is sum w_i v_i, with weights that add up to nothing: moving together, they
/// have the mass of the lumps. With the reduced mass m = 1 / sum(w_i^2 / m_i), the mass matrix has
/// (a - 1) m w w^T more than the lumps D, and its inverse (1/a - 1) m D^-1 w w^T D^-1.
template <std::size_t count>
struct ApartNodes {
  std::array<std::uint32_t, count> nodes;
  std::array<double, count> weights;  ///< w [1]
  double mass;                        ///< m [kg]
  double factor;                      ///< a [1]
};

/// Both nodes of a pair across a layer; none if they have the mass of lumps.
std::vector<ApartNodes<2>> pairs_apart(const Solid& solid);
/// Both pairs at the sides of a rod. w D^-1 w is zero for a pair and two pairs: they do not meet.
std::vector<ApartNodes<4>> rods_apart(const Solid& solid);

/// The least a, or 1: so much lighter than lumps is what can be pushed.
double least_apart(const Solid& solid);

/// What it does to the kick of a step, v after = keep v + push f / m. Nodes of which one is held
/// along an axis are lumps along it.
class ApartKick {
 public:
  ApartKick(const Solid& solid, const FreeAxes& free);

  /// Before the kick: adds the forces that give lumps the right acceleration, and to the work
  /// kinetic energy beyond that of lumps, (a - 1) m v^2 / 2.
  void share(const Kick& kick, const Nodes& velocity, const Nodes& outer, Nodes& inner,
             Work& work) const;

 private:
  struct Sums {
    double kinetic = 0.0, damped_before = 0.0, damped_after = 0.0;
  };

  /// Along one axis, as lists: a step goes through all of them. What is held has no weights:
  /// without it rows of nodes would break.
  template <std::size_t count>
  struct Axis {
    std::array<std::vector<std::uint32_t>, count> nodes;
    std::array<std::vector<double>, count> weights;
    std::array<std::vector<double>, count> shares;  ///< (1/a - 1) m w_i / m_i [1]
    std::vector<double> added, ease;                ///< (a - 1) m [kg], and minus 1 over it
    /// From and to which entries nodes follow each other, as most do.
    std::vector<std::array<std::size_t, 2>> runs;

    void add(const Solid& solid, const ApartNodes<count>& one, bool is_free);
    void share(const Kick& kick, const double* velocity, const double* outer, double* inner,
               Sums& sums) const;
    template <class V>
    void share_at(std::size_t k, const Kick& kick, const double* velocity, const double* outer,
                  double* inner, ApartMotion<V>& motion) const;
  };

  std::array<Axis<2>, 3> pairs_;
  std::array<Axis<4>, 3> rods_;
};

}  // namespace peal::elastic

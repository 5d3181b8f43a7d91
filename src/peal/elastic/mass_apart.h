#pragma once

#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::elastic {

struct Work;

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

/// What it does to the steps of a simulation. Nodes of which one is held are lumps.
class ApartSteps {
 public:
  explicit ApartSteps(const Solid& solid);

  /// Before the kick: adds the forces that give lumps the right acceleration.
  void share(const FreeAxes& free, const Nodes& velocity, const Nodes& outer, Nodes& inner);
  /// After it: kinetic energy beyond that of lumps, (a - 1) m v^2 / 2. `damping` is half a step
  /// times that of mass [1].
  void book(const FreeAxes& free, const Nodes& velocity, bool is_first, double damping,
            Work& work) const;

 private:
  template <std::size_t count>
  struct Group {
    struct Entry {
      std::array<std::uint32_t, count> nodes;
      std::array<double, count> weights;
      std::array<double, count> shares;  ///< (1/a - 1) m w_i / m_i: of forces that go to others [1]
      double added;                      ///< (a - 1) m [kg]
    };
    std::vector<Entry> entries;
    Nodes apart;  ///< velocities before the kick [m/s]

    Group(const Solid& solid, const std::vector<ApartNodes<count>>& all);
    void share(const FreeAxes& free, const Nodes& velocity, const Nodes& outer, Nodes& inner);
    void book(const FreeAxes& free, const Nodes& velocity, bool is_first, double damping,
              Work& work) const;
  };

  Group<2> pairs_;
  Group<4> rods_;
};

}  // namespace peal::elastic

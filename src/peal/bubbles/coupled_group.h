#pragma once

#include <peal/bubbles/chain.h>
#include <peal/bubbles/symmetric_tiles.h>

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace peal::bubbles {

/// Whether a system of coupled bubbles must be renewed is looked at every so many samples.
inline constexpr std::int64_t renewal_interval = 32;

/// A chain that rings.
struct ActiveChain {
  std::size_t chain = 0;
  OscillatorKey key;           ///< as of the last renewal
  double y = 0.0, u = 0.0;     ///< V / R^(1/2), and its rate by the trapezoidal rule
  double last_change = 0.0;    ///< of u in the step before
  std::size_t forcing = 0;     ///< the first that has not ended
  double warp = 1.0;           ///< tan x / x, x = omega h / 2
  double to_acceleration = 1;  ///< from changes of u to V''
  bool is_newborn = true;      ///< it began after the last renewal
};

/// Bubbles that feel each other, and the inverse of their system. From one renewal to the next, the
/// motion of its members is here.
struct CoupledGroup {
  std::vector<std::size_t> members;  ///< of the list of active bubbles
  Eigen::MatrixXf inverse;           ///< of M + h beta M_ii + h^2 omega^2 M_ii / 4
  int growth = 0;                    ///< times that it grew without being made anew
  SymmetricTiles tiles;              ///< of the inverse
  std::vector<std::size_t> forced;   ///< members that have forcings left
  std::vector<double> y, u, last_change;
  std::vector<double> drag, spring;                  ///< M_ii times 2 beta, omega^2
  std::vector<double> to_acceleration, to_velocity;  ///< to V'' and V'
  std::vector<double> forces, damped;                ///< now; sum of drag times u^2
  std::vector<float> right, change;                  ///< padded
  std::vector<float> accelerations, velocities;      ///< by sample, then member
  std::int64_t samples = 0;                          ///< of these
};

}  // namespace peal::bubbles

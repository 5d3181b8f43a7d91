#pragma once

#include <peal/geometry/mesh/vector.h>

#include <optional>

namespace peal::base {

/// Settings of the wave solver: a frequency band and an error. The solver chooses everything else
/// unless it is given here.
struct WaveSettings {
  enum class Boundary { cut_cells, ghost_cells, staircase };
  enum class Outside { layer, engquist_majda };
  enum class FarField { kirchhoff, expansion };
  enum class Precision { single, double_ };

  double max_frequency = 8000.0;  ///< [Hz], below half the sample rate
  /// Largest relative numerical dispersion: how much slower than sound a wave of the highest
  /// frequency may travel along a grid axis. The error falls with the square of the frequency: to a
  /// quarter at half the band.
  double accuracy = 0.025;
  double viscosity = 0.0;  ///< coefficient alpha of Wang et al. 2018, equation (1) [m]

  std::optional<double> cell_size;      ///< h [m]
  std::optional<geometry::Box> domain;  ///< domain of the grid, without the PML [m]
  std::optional<double> chunk;          ///< longest chunk [s]

  Boundary boundary = Boundary::cut_cells;
  double kappa = 25.0;  ///< condition number above which a ghost cell falls back to first order
  Outside outside = Outside::layer;
  int layer_cells = 5;  ///< thickness of the absorbing layer [cells]
  FarField far_field = FarField::kirchhoff;
  int expansion_terms = 2;  ///< number of terms K in equation (18)
  Precision precision = Precision::single;
};

}  // namespace peal::base

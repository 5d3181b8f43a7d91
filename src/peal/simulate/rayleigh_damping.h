#pragma once

#include <peal/base/material.h>
#include <peal/base/medium.h>
#include <peal/geometry/mesh/shell_mesh.h>

#include <functional>

namespace peal::simulate {

/// A mode of angular frequency w decays at a rate of (mass + stiffness w^2) / 2.
struct RayleighDamping {
  double mass = 0.0;       ///< [1/s]
  double stiffness = 0.0;  ///< [s]

  double rate(double frequency) const;  ///< [1/s]
};

/// The Rayleigh damping nearest to given decay rates [1/s] between two frequencies [Hz]: the
/// logarithms of both differ least in the mean square over the logarithm of the frequency.
RayleighDamping fitted_damping(const std::function<double(double)>& rate, double lowest,
                               double highest);

/// Decay rate of the bending waves of a shell by the sound that it radiates [1/s], rho c s / (m /
/// A) for both sides together, with the radiation efficiency s of the edges of a plate (Maidanik
/// 1962), less where it is small against the wavelength. It holds within a factor of three or so in
/// the mean over many modes. A closed shell radiates from its outer side alone.
double air_decay_rate(const geometry::ShellMesh& shell, const base::Material& material,
                      const base::Medium& medium, double frequency);

}  // namespace peal::simulate

#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/base/medium.h>
#include <peal/scene/scene.h>
#include <peal/vibration/ideal_shape.h>
#include <peal/vibration/modal_response.h>

namespace peal::vibration {

/// Strikes of a scene on a body whose modes have these gains at the struck point for a unit force
/// along its direction: gains[i] belongs to strikes[i]. An energy becomes the impulse that gives
/// the modes that much: van den Doel & Pai 1998, equation 11, but with the root of the energy, as
/// their section 1.2 says and equation 6 demands.
std::vector<ModalForce> modal_forces(std::span<const scene::Strike> strikes,
                                     std::span<const std::vector<double>> gains,
                                     std::span<const base::Mode> modes);

/// The sound of a struck body from one point: each mode is heard as it moves,
///
///     s(t) = sum of loudness_n q_n(t)  +  click,
///
/// as van den Doel & Pai 1998 hear it (equations 11 to 13), with mode_loudness() for bodies whose
/// surface is known and paper_loudness() for ideal shapes.
class StruckSound : public base::PointShader {
 public:
  /// Noise of the contacts: which random numbers.
  struct NoiseKey {
    std::uint64_t seed = 0, stream = 0;
  };

  /// `loudness`: of each mode [Pa m / (m kg^1/2)].
  StruckSound(ModalResponse response, const std::vector<double>& loudness,
              const std::optional<scene::ModalSound::Click>& click, NoiseKey key);

  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  void add_clicks(base::Rate rate, base::Signal& signal) const;

  ModalResponse response_;
  Eigen::VectorXd loudness_;         ///< [Pa m / (m kg^1/2)]
  std::vector<double> click_peaks_;  ///< for each force, [Pa m]; empty: no clicks
  double click_duration_ = 0.0;      ///< [s]
  NoiseKey key_;
};

/// The loudness of all modes in the paper, whose amplitudes have no unit and are heard whatever a
/// shape does to the air. Here the lowest mode is as loud as a surface that radiates all its power,
/// rho c A <v^2>, evenly into all directions: rho c w_1 sqrt(A / (4 pi m)), with the area A that
/// moves and the mass m of the body.
double paper_loudness(double lowest_frequency, double area, double mass,
                      const base::Medium& medium);

/// Amplitudes a_n of equation 10 for a blow of unit energy (equation 11 at d = 1): displacement
/// over Q(p) w_n, from the shapes at the struck point.
std::vector<double> strike_amplitudes(std::span<const double> displacement,
                                      std::span<const base::Mode> modes);

}  // namespace peal::vibration

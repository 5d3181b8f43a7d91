#pragma once

#include <peal/base/contact.h>
#include <peal/base/medium.h>
#include <peal/base/point_shader.h>
#include <peal/base/radiation_filter.h>
#include <peal/scene/scene.h>
#include <peal/vibration/ideal_shape.h>
#include <peal/vibration/modal_response.h>
#include <peal/vibration/paper_loudness.h>

#include <complex>
#include <vector>

namespace peal::vibration {

/// The short noise burst of the contact itself, p_C of van den Doel & Pai 1998, section 5.
struct ContactClick {
  /// Peak RMS of the noise over the root of the sum of the modes' squared amplitudes.
  double level = 0.1;
  double duration = 0.005;  ///< [s]
};

/// Forces and plucks of a scene and forces of contacts on a body whose modes have these gains at
/// the struck point for a unit force along its direction: first those of the strikes, then those of
/// the contacts. An energy becomes the impulse that gives the modes that much: van den Doel & Pai
/// 1998, equation 11, but with the root of the energy, as their section 1.2 says and equation 6
/// demands. A pluck by displacement becomes the force that moves the point as far, by the modes
/// there are. Contacts whose force is known in its course need the modes' `shapes` at their points:
/// one a contact, empty for those without.
std::vector<ModalForce> modal_forces(std::span<const scene::Strike> strikes,
                                     std::span<const base::ContactForce> contacts,
                                     std::span<const std::vector<double>> gains,
                                     std::span<const base::Mode> modes,
                                     std::span<const Eigen::Matrix3Xf> shapes = {});

/// The sound of a struck body as a point source: each mode contributes its motion,
///
///     s(t) = sum of Re(l_n) q_n(t) - Im(l_n) q_n'(t) / w_n  +  click,
///
/// as in van den Doel & Pai 1998 (equations 11 to 13), with the radiation amplitude l_n of the
/// body's surface, or with paper_loudness() for ideal shapes. A mode whose amplitude is imaginary
/// lags by a quarter of a period.
///
/// Where the body's surface is known, each mode has its RadiationFilter, and attacks have the level
/// of the mean over directions.
class StruckSound : public base::PointShader {
 public:
  /// The key of the random numbers of the contact noise.
  struct NoiseKey {
    std::uint64_t seed = 0, stream = 0;
  };

  /// `loudness` has the radiation amplitude of each mode [Pa m / (m kg^1/2)]; `filters` is empty,
  /// or has one for each.
  StruckSound(ModalResponse response, const std::vector<std::complex<double>>& loudness,
              const std::optional<ContactClick>& click, NoiseKey key,
              std::vector<base::RadiationFilter> filters = {});

  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  class Modes;
  void level_attacks(const Modes& modes, base::Rate rate, base::Signal& signal) const;
  void add_clicks(base::Rate rate, base::Signal& signal) const;

  ModalResponse response_;
  Eigen::VectorXd by_acceleration_;  ///< -|l| / w^2 [Pa m / (m kg^1/2 / s^2)]
  std::vector<double> quarters_;     ///< by how much each mode sounds later [s]
  std::vector<base::RadiationFilter> filters_;
  std::vector<double> click_peaks_;  ///< peak for each force [Pa m]; empty: no clicks
  double click_duration_ = 0.0;      ///< [s]
  NoiseKey key_;
};

/// Amplitudes a_n of equation 10 for an impact of unit energy (equation 11 at d = 1): displacement
/// over Q(p) w_n, computed from the shapes at the struck point.
std::vector<double> strike_amplitudes(std::span<const double> displacement,
                                      std::span<const base::Mode> modes);

}  // namespace peal::vibration

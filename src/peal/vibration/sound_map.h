#pragma once

#include <peal/base/modes.h>

#include <cstdint>
#include <vector>

namespace peal::vibration {

/// The thresholds at which two impacts can be distinguished (van den Doel & Pai 1998, section 5).
struct SonicDistance {
  /// E_0: modes with less than this fraction of an impact's energy are inaudible.
  double inaudible = 1e-6;
  /// d_0: sounds closer than this are indistinguishable [decades of energy]. The paper gives no
  /// number; half a decade is 5 dB in the only audible mode, or 1.6 dB in each of ten.
  double threshold = 0.5;
};

/// Points of a surface at which to precompute sounds. They are just dense enough that every vertex
/// sounds like one of them, and densest where the timbre changes fast. Vertices that an impact
/// cannot move, such as a membrane's rim, need no point: they are assigned to the first.
struct SoundMap {
  std::vector<std::uint32_t> points;  ///< vertex numbers, the most distinctive first
  /// For each vertex, the entry of `points` that it sounds like.
  std::vector<std::uint32_t> nearest;
  std::vector<double> distance;  ///< for each vertex, the sonic distance to that point [decades]
  std::vector<bool> moves;       ///< for each vertex, whether an impact there excites any mode
  /// The gain of each mode for an impact of unit force, one row per vertex [kg^-1/2].
  Eigen::MatrixXf gains;
};

/// The sonic distance d of two impacts: d^2 = sum over modes of S(f) (H(log E/E_0) - H(log
/// E'/E_0))^2 over the impacts' energies by mode, with E = (a f)^2 scaled to a sum of 1 (equation
/// 11), H(x) = max(x, 0), decimal logarithms. S(f) is the ear's sensitivity: the power gain of
/// A-weighting (IEC 61672-1) over its maximum.
double sonic_distance(const std::vector<double>& energy, const std::vector<double>& other,
                      const std::vector<base::Mode>& modes, const SonicDistance& settings = {});

/// The ear's sensitivity S(f), 0 to 1.
double ear_sensitivity(double frequency);

/// Computes the sound map for impacts against the normal at each vertex. The first point is where
/// the impact is loudest in the lowest mode; each further point is the vertex farthest from all
/// points so far (Gonzalez 1985: at most twice as far as the best choice of so many).
SoundMap sound_map(const base::ModalModel& body, const SonicDistance& settings = {});

}  // namespace peal::vibration

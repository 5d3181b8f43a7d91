#pragma once

#include <peal/base/modes.h>

#include <cstdint>
#include <vector>

namespace peal::vibration {

/// What two impacts must differ in to be distinguished (van den Doel & Pai 1998, section 5).
struct SonicDistance {
  /// E_0: modes with less than this part of an impact's energy are not heard.
  double inaudible = 1e-6;
  /// d_0: sounds that are nearer than this are the same [decades of energy]. The paper gives no
  /// number; half a decade is 5 dB in the only audible mode, or 1.6 dB in each of ten.
  double threshold = 0.5;
};

/// Points of a surface at which to compute sounds in advance: so dense that every other vertex
/// sounds like one of them, and no denser: they crowd where the timbre changes fast. Vertices that
/// cannot be moved, such as a membrane's rim, need no point: they count as like the first.
struct SoundMap {
  std::vector<std::uint32_t> points;   ///< numbers of vertices, the most telling first
  std::vector<std::uint32_t> nearest;  ///< for each vertex, which entry of `points` it sounds like
  std::vector<double> distance;        ///< for each vertex, how far from that [decades]
  std::vector<bool> moves;             ///< for each vertex, whether an impact there moves it at all
  /// For each vertex, a row: what an impact of unit force does to each mode [kg^-1/2].
  Eigen::MatrixXf gains;
};

/// d^2 = sum over modes of S(f) (H(log E/E_0) - H(log E'/E_0))^2 over the impacts' energies by
/// mode, with E = (a f)^2 scaled to a sum of 1 (equation 11), H(x) = max(x, 0), decimal logarithms.
/// S(f) is the ear's sensitivity: the power gain of A-weighting (IEC 61672-1) over its largest.
double sonic_distance(const std::vector<double>& energy, const std::vector<double>& other,
                      const std::vector<base::Mode>& modes, const SonicDistance& settings = {});

/// The ear's sensitivity S(f), 0 to 1.
double ear_sensitivity(double frequency);

/// An impact against the normal at each vertex. Starts where the impact is loudest in the lowest
/// mode and takes, again and again, the vertex that is farthest from all points so far (Gonzalez
/// 1985: at most twice as far as the best choice of so many).
SoundMap sound_map(const base::ModalModel& body, const SonicDistance& settings = {});

}  // namespace peal::vibration

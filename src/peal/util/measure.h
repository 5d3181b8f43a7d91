#pragma once

#include <span>
#include <vector>

/// Measurements of signals for tests and validation: level, frequency, decay, clicks. Amplitudes
/// are in the signal's own unit.
namespace peal::util {

/// A copy of a float signal in double precision.
std::vector<double> as_double(std::span<const float> signal);

double mean(std::span<const double> signal);  ///< DC; 0 for an empty signal
double rms(std::span<const double> signal);   ///< root of the mean square; 0 for an empty signal
double peak(std::span<const double> signal);  ///< largest magnitude; 0 for an empty signal

/// Largest second difference |x[i-1] - 2 x[i] + x[i+1]| over the RMS: how sharply the signal bends.
/// A sine of frequency f stays below sqrt(2) (2 pi f / rate)^2; a step of its own amplitude or a
/// dropped sample gives 1 or more. 0 for silence.
double click(std::span<const double> signal);

/// A decaying tone, x(t) = amplitude exp(-decay t) cos(2 pi frequency t + phase), t = 0 at the
/// first sample.
struct Tone {
  double frequency = 0;  ///< [Hz]
  double amplitude = 0;  ///< at t = 0
  double phase = 0;      ///< [rad]
  double decay = 0;      ///< [1/s]; the amplitude falls to 1/e in 1/decay, by 60 dB in 6.908/decay
};

/// The steady tone of known frequency in the signal, by Hann-weighted least squares: other tones
/// more than about three bins (3 rate / length) away have little influence, nor has a DC offset.
Tone tone_at(std::span<const double> signal, double sample_rate, double frequency);

/// The steady tone that fits best, frequency included: a clean tone is found to rounding error. The
/// search starts at the strongest spectral peak, or at the strongest within `radius` of `near` [Hz]
/// if radius > 0. Silence gives amplitude 0 and frequency 0. Throws std::invalid_argument below 16
/// samples.
Tone find_tone(std::span<const double> signal, double sample_rate, double near = 0,
               double radius = 0);

/// The exponentially decaying (or growing) mode that fits best, as find_tone().
Tone find_mode(std::span<const double> signal, double sample_rate, double near = 0,
               double radius = 0);

/// Time in which a mode's amplitude falls to 1/e [s], from find_mode. Infinite if it does not fall.
double decay_time(std::span<const double> signal, double sample_rate, double near = 0,
                  double radius = 0);

/// Mean frequency weighted by power, DC left out [Hz]; 0 for silence.
double spectral_centroid(std::span<const double> signal, double sample_rate);

}  // namespace peal::util

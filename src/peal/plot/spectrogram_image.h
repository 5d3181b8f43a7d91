#pragma once

#include <peal/plot/axis.h>

#include <cstddef>
#include <span>
#include <vector>

namespace peal::plot {

/// The pixels of a spectrogram and how the signal is cut for them.
struct SpectrogramGrid {
  std::size_t columns = 1;     ///< over the whole duration of the signal
  std::size_t rows = 1;        ///< along `frequency`, first row at its lower end
  Axis frequency;              ///< [Hz]
  std::size_t window = 4096;   ///< samples under the Hann window
  double sample_rate = 48000;  ///< [Hz]
  double reference = 20e-6;    ///< of the level, in the signal's unit
};

/// Window that shows attack and pitch of a sound of this duration: a power of two near 1/25 of it,
/// between 12 ms (clicks) and 85 ms (4096 at 48 kHz).
std::size_t spectrogram_window(std::size_t samples, double sample_rate);

/// Levels [dB], rows x columns. A tone shows its mean-square level whatever the window.
///
/// Time: each column is the mean power of frames no more than half a window apart that cover its
/// whole time span, so a long recording is averaged, never skipped.
/// Frequency: a row narrower than a bin is interpolated in dB in a spectrum padded to twice the
/// window; a wider one shows its strongest bin, so thin lines keep their level.
std::vector<float> spectrogram_levels(std::span<const float> signal, const SpectrogramGrid& grid);

}  // namespace peal::plot

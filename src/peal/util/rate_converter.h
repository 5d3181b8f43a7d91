#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace peal::util {

/// Resamples a signal, band-limited (windowed sinc of libsamplerate's best quality, 145 dB below
/// the signal, flat to 96 % of the lower Nyquist frequency).
///
/// Sample k of the result is the signal at k / to_hz after the first sample of the input: there is
/// no delay. The input counts as zero before and after. The result covers the same interval: ceil(n
/// * to_hz / from_hz) samples. Equal rates return the input unchanged. Throws InputError if the
/// rates differ by more than 256 times.
std::vector<float> convert(std::span<const float> samples, std::int64_t from_hz,
                           std::int64_t to_hz);

}  // namespace peal::util

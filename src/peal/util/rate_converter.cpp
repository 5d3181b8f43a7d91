#include <peal/util/error.h>
#include <peal/util/rate_converter.h>

#include <fmt/format.h>
#include <samplerate.h>

#include <algorithm>

namespace peal::util {

std::vector<float> convert(std::span<const float> samples, std::int64_t from_hz,
                           std::int64_t to_hz) {
  if (from_hz == to_hz) return {samples.begin(), samples.end()};
  const double ratio = static_cast<double>(to_hz) / static_cast<double>(from_hz);
  if (from_hz <= 0 || to_hz <= 0 || src_is_valid_ratio(ratio) == 0) {
    throw InputError({},
                     fmt::format("cannot convert from {} to {} samples per second", from_hz, to_hz),
                     "The rates may differ by a factor of 256 at most.");
  }
  if (samples.empty()) return {};
  const auto n = static_cast<std::int64_t>(samples.size());
  const auto wanted = static_cast<std::size_t>((n * to_hz + from_hz - 1) / from_hz);

  // Append silence so that the filter can ring out and every wanted sample is computed.
  const auto tail = static_cast<std::size_t>(256.0 * std::max(1.0, 1.0 / ratio));
  std::vector<float> padded(samples.begin(), samples.end());
  padded.resize(samples.size() + tail, 0.0f);
  std::vector<float> result(wanted, 0.0f);
  SRC_DATA job{};
  job.data_in = padded.data();
  job.input_frames = static_cast<long>(padded.size());
  job.data_out = result.data();
  job.output_frames = static_cast<long>(result.size());
  job.src_ratio = ratio;
  if (const int error = src_simple(&job, SRC_SINC_BEST_QUALITY, 1); error != 0) {
    throw NumericsError(fmt::format("rate conversion failed: {}", src_strerror(error)));
  }
  return result;
}

}  // namespace peal::util

#include <peal/listener/array_listener.h>
#include <peal/util/fft.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <complex>

namespace peal::listener {

ArrayListener::ArrayListener(std::string name, std::shared_ptr<const base::Motion> motion,
                             std::vector<std::string> channels,
                             std::function<FiltersOfArray()> filters)
    : name_(std::move(name)),
      motion_(std::move(motion)),
      channels_(std::move(channels)),
      filters_(std::move(filters)) {}

std::vector<base::Receiver> ArrayListener::receivers() const {
  std::vector<base::Receiver> receivers;
  for (const geometry::Vec3& point : array_points()) {
    receivers.push_back(
        {.name = fmt::format("\"{}\" (array)", name_), .motion = motion_, .offset = point});
  }
  return receivers;
}

base::Audio ArrayListener::listen(std::span<const base::Signal> pressures) const {
  const FiltersOfArray array = filters_();
  assert(pressures.size() == array.points.size());
  const std::size_t length = pressures.front().samples.size();
  base::Audio audio{.rate = pressures.front().rate, .channel_names = channels_};
  audio.channels.assign(channels_.size(), std::vector<float>(length));

  // Blocks of the outputs, each from the inputs that reach it (overlap-save).
  const std::size_t size = util::fast_fft_size(8 * array.taps), step = size - array.taps;
  std::vector<std::vector<std::vector<std::complex<double>>>> spectra(channels_.size());
  {
    util::RealFft fft(size);
    std::vector<double> padded(size);
    for (std::size_t c = 0; c < channels_.size(); ++c)
      for (const std::vector<double>& filter : array.filters[c]) {
        std::ranges::fill(padded, 0.0);
        std::ranges::copy(filter, padded.begin());
        spectra[c].emplace_back(fft.bins());
        fft.forward(padded, spectra[c].back());
      }
  }
  util::parallel_for(
      static_cast<std::int64_t>((length + step - 1) / step), [&](std::int64_t block) {
        const std::size_t first = static_cast<std::size_t>(block) * step;
        util::RealFft fft(size);
        std::vector<double> time(size);
        std::vector<std::complex<double>> input(fft.bins());
        std::vector<std::vector<std::complex<double>>> sums(
            channels_.size(), std::vector<std::complex<double>>(fft.bins()));
        for (std::size_t p = 0; p < pressures.size(); ++p) {
          const std::vector<float>& samples = pressures[p].samples;
          for (std::size_t n = 0; n < size; ++n) {
            // Input n of the block is sample first + lead - taps + n.
            const std::size_t at = first + array.lead + n;
            const bool is_inside = at >= array.taps && at - array.taps < samples.size();
            time[n] = is_inside ? static_cast<double>(samples[at - array.taps]) : 0.0;
          }
          fft.forward(time, input);
          for (std::size_t c = 0; c < sums.size(); ++c)
            for (std::size_t k = 0; k < input.size(); ++k)
              sums[c][k] += spectra[c][p][k] * input[k];
        }
        for (std::size_t c = 0; c < sums.size(); ++c) {
          fft.inverse(sums[c], time);
          for (std::size_t n = 0; n < step && first + n < length; ++n)
            audio.channels[c][first + n] = static_cast<float>(time[array.taps + n]);
        }
      });
  return audio;
}

}  // namespace peal::listener

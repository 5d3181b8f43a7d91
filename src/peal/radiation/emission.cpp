#include <peal/radiation/emission.h>
#include <peal/util/parallel.h>

#include <cmath>
#include <numbers>
#include <optional>

namespace peal::radiation {

std::vector<float> integrate(std::span<const float> samples, base::Rate rate) {
  constexpr double leak_frequency = 1.0;  ///< [Hz]
  const double keep = std::exp(-2.0 * std::numbers::pi * leak_frequency * rate.step());
  const auto size = static_cast<std::int64_t>(samples.size());
  const auto sample = [&](std::int64_t i) {
    return i >= 0 && i < size ? static_cast<double>(samples[i]) : 0.0;
  };
  std::vector<float> integral(samples.size());
  double sum = 0.0;
  for (std::int64_t i = 0; i < size; ++i) {
    // The cubic through four neighbours, integrated over the middle interval.
    const double inner = sample(i - 1) + sample(i);
    const double outer = sample(i - 2) + sample(i + 1);
    sum = keep * sum + rate.step() * (13.0 * inner - outer) / 24.0;
    integral[i] = static_cast<float>(sum);
  }
  return integral;
}

std::vector<PreparedSource> prepare(std::span<const base::PointSource> sources, base::Rate rate,
                                    base::SampleRange range) {
  std::vector<std::optional<PreparedSource>> prepared(sources.size());
  util::parallel_for(static_cast<std::int64_t>(sources.size()), [&](std::int64_t i) {
    const base::Signal sound = sources[i].shader->strength(rate, {0, range.end});
    prepared[i].emplace(
        PreparedSource{&sources[i], util::DelayLine(sound.samples, sound.start),
                       util::DelayLine(integrate(sound.samples, rate), sound.start)});
  });
  std::vector<PreparedSource> result;
  for (auto& source : prepared) result.push_back(std::move(*source));
  return result;
}

}  // namespace peal::radiation

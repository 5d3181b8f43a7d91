#include <peal/radiation/emission.h>
#include <peal/util/parallel.h>

#include <algorithm>
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
    // Integrate the cubic through four neighbours over the middle interval.
    const double inner = sample(i - 1) + sample(i);
    const double outer = sample(i - 2) + sample(i + 1);
    sum = keep * sum + rate.step() * (13.0 * inner - outer) / 24.0;
    integral[i] = static_cast<float>(sum);
  }
  return integral;
}

double longest_delay(const base::World& world, const base::Motion& motion, const base::Vec3& offset,
                     std::span<const base::Receiver> receivers) {
  constexpr base::Rate looks{100};
  const std::int64_t steps = world.samples * looks.hz / world.rate.hz + 1;
  double farthest = 0.0;
  for (const base::Receiver& receiver : receivers) {
    const bool still = motion.is_still() && receiver.motion->is_still();
    for (std::int64_t i = 0; i <= (still ? 0 : steps); ++i) {
      const double t = looks.seconds(i);
      const base::Vec3 from = motion.pose(t).to_world(offset);
      const base::Vec3 to = receiver.motion->pose(t).to_world(receiver.offset);
      farthest = std::max(farthest, (to - from).norm());
    }
  }
  // Sound that arrives at t was emitted up to one delay earlier, and the two may move apart
  // meanwhile.
  return farthest / world.medium.speed_of_sound + 3.0 * looks.step();
}

namespace {

/// The time after which the integral no longer depends on its beginning: 1e-8 at a leak of 1 Hz
/// [s].
constexpr double integral_memory = 3.0;

PreparedSource prepare(const base::World& world, const base::PointSource& source,
                       std::span<const base::Receiver> receivers, base::SampleRange range) {
  const double delay = longest_delay(world, *source.motion, source.offset, receivers);
  const bool moves = !source.motion->is_still();
  const auto before =
      static_cast<std::int64_t>(world.rate.samples(delay + (moves ? integral_memory : 0.0))) +
      PreparedSource::reach;
  const base::Signal sound = source.shader->strength(
      world.rate, {std::max<std::int64_t>(0, range.begin - before), range.end});
  PreparedSource prepared{.source = &source,
                          .segments = segments(*source.motion),
                          .longest_delay = delay,
                          .strength = util::DelayLine(sound.samples, sound.start),
                          .flow = std::nullopt};
  if (moves) prepared.flow.emplace(integrate(sound.samples, world.rate), sound.start);
  return prepared;
}

}  // namespace

std::vector<PreparedSource> prepare(const base::World& world,
                                    std::span<const base::PointSource> sources,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range) {
  std::vector<std::optional<PreparedSource>> prepared(sources.size());
  util::parallel_for(static_cast<std::int64_t>(sources.size()), [&](std::int64_t i) {
    prepared[i].emplace(prepare(world, sources[i], receivers, range));
  });
  std::vector<PreparedSource> result;
  for (auto& source : prepared) result.push_back(std::move(*source));
  return result;
}

}  // namespace peal::radiation

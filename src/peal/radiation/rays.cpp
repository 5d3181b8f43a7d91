#include <peal/base/motion_survey.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/ray_memory.h>
#include <peal/radiation/rays.h>
#include <peal/radiation/surface_rays.h>
#include <peal/util/fractional_delay.h>
#include <peal/util/lanes.h>
#include <peal/util/rate_converter.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace peal::radiation {

namespace {

using base::Rate;
using base::Receiver;
using base::SampleRange;
using base::Signal;
using base::World;
using Form = base::RaysSettings::Form;

/// Samples in the shortest period of the band where the bilinear rule filters: frequencies are
/// wrong by 5 % there.
constexpr double samples_per_period = 8.0;

constexpr std::int64_t ringing = 64;  ///< of the rate converter [samples of audio]

/// A signal at so many times its rate; nothing was in it above 0.43 of the rate.
std::vector<double> with_samples_between(const std::vector<double>& samples, std::int64_t factor) {
  if (factor == 1) return samples;
  using util::FractionalDelay;
  using Lanes = util::Widest<double>;
  constexpr auto lanes = static_cast<std::int64_t>(util::widest_lanes<double>);
  constexpr std::int64_t vectors = 8, block = vectors * lanes;  // sums that stay in registers
  const FractionalDelay delay;
  const auto count = static_cast<std::int64_t>(samples.size());
  std::vector<double> padded(samples.size() + FractionalDelay::taps + block);
  std::ranges::copy(samples, padded.begin() + FractionalDelay::half - 1);
  std::vector<double> fine(samples.size() * static_cast<std::size_t>(factor));
  for (std::int64_t n = 0; n < count; ++n) fine[n * factor] = samples[n];
  for (std::int64_t phase = 1; phase < factor; ++phase) {
    const auto weights = delay.weights(static_cast<double>(phase) / static_cast<double>(factor));
    for (std::int64_t from = 0; from < count; from += block) {
      Lanes between[vectors] = {};
      for (std::int64_t k = 0; k < FractionalDelay::taps; ++k) {
        const auto weight = static_cast<double>(weights[static_cast<std::size_t>(k)]);
        for (std::int64_t v = 0; v < vectors; ++v)
          between[v] += weight * util::load<Lanes>(&padded[from + k + v * lanes]);
      }
      for (std::int64_t n = from; n < std::min(from + block, count); ++n)
        fine[n * factor + phase] = between[(n - from) / lanes][(n - from) % lanes];
    }
  }
  return fine;
}

/// The retarded sums with the pressure on the surface of
///
///     p_s = rho a_n (2 l + a x) / (2 + 2 x + x^2),   x = s a / c
///
/// by the bilinear rule, x = k (1 - z) / (1 + z). Slow motion presses with the inertia of the air
/// on the place, rho l a_n, quick motion with rho c v_n; in between as on a sphere of radius a, of
/// which all is exact (l = a / 2).
std::vector<double> kirchhoff(const SurfaceSums& sums, double a, const base::Medium& air, Rate rate,
                              double max_frequency) {
  const auto hz = static_cast<double>(rate.hz);
  const auto factor =
      std::max<std::int64_t>(1, std::llround(std::ceil(samples_per_period * max_frequency / hz)));
  const double k = 2.0 * a / air.speed_of_sound * hz * static_cast<double>(factor), kk = k * k;
  const double d0 = 2 + 2 * k + kk, d1 = 4 - 2 * kk, d2 = 2 - 2 * k + kk;
  // As they share the denominator: numerators first, then one recursion.
  const double numerators[most_sums][3] = {{kk, -2 * kk, kk}, {k, 0, -k}, {1, 2, 1}};
  const double scale = air.density / (4.0 * std::numbers::pi) / d0;
  std::vector<double> forced(sums[0].size() * static_cast<std::size_t>(factor));
  for (std::size_t s = 0; s < most_sums; ++s) {
    const std::vector<double> fine = with_samples_between(sums[s], factor);
    const auto& [b0, b1, b2] = numerators[s];
    for (std::size_t i = 0; i < fine.size(); ++i) {
      const double last = i > 0 ? fine[i - 1] : 0.0, before = i > 1 ? fine[i - 2] : 0.0;
      forced[i] += scale * (b0 * fine[i] + b1 * last + b2 * before);
    }
  }
  std::vector<double> p(sums[0].size());
  double last = 0.0, before = 0.0;
  for (std::size_t i = 0; i < forced.size(); ++i) {
    const double now = forced[i] - (d1 * last + d2 * before) / d0;
    before = std::exchange(last, now);
    // Filters add no frequencies: every so manieth sample of what they make is enough.
    if (i % static_cast<std::size_t>(factor) == 0) p[i / static_cast<std::size_t>(factor)] = now;
  }
  return p;
}

std::vector<double> rayleigh(const SurfaceSums& sums, const base::Medium& air) {
  std::vector<double> p(sums[0]);
  for (double& value : p) value *= 2.0 * air.density / (4.0 * std::numbers::pi);
  return p;
}

/// z v_n, differentiated and integrated again with a loss: so the loss alone is left of it.
std::vector<double> as_in_paper(const SurfaceSums& sums, const base::Medium& air, Rate rate,
                                Rate audio) {
  constexpr double loss = 0.1;  ///< alpha, in a sample of audio
  const double keep = std::pow(1.0 - loss, rate.step() / audio.step());
  const double gain = air.density * air.speed_of_sound * rate.step();
  std::vector<double> p(sums[0].size());
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = sum = keep * sum + gain * sums[0][i];
  return p;
}

std::vector<double> pressure(const base::RaysSettings& settings, const SurfaceSums& sums,
                             const SurfaceRays& rays, const World& world) {
  switch (settings.form) {
    case Form::kirchhoff:
      return kirchhoff(sums, rays.radius(), world.medium, rays.rate(), settings.max_frequency);
    case Form::rayleigh:
      return rayleigh(sums, world.medium);
    case Form::paper:
      break;
  }
  return as_in_paper(sums, world.medium, rays.rate(), world.rate);
}

bool sounds(const base::Body& body) {
  return !body.shaders.empty();
}

const char* describe(Form form) {
  switch (form) {
    case Form::kirchhoff:
      return "the retarded integral over whole surfaces";
    case Form::rayleigh:
      return "Rayleigh's integral over what can be seen, as if set into a wall";
    case Form::paper:
      break;
  }
  return "the formulas of O'Brien, Cook & Essl 2001 as printed";
}

}  // namespace

base::RadiationPlan RaysRadiator::plan(const World& world,
                                       std::span<const Receiver> receivers) const {
  base::RadiationPlan plan = DirectRadiator().plan({.medium = world.medium,
                                                    .rate = world.rate,
                                                    .samples = world.samples,
                                                    .sources = world.sources},
                                                   receivers);
  plan.model = "rays";
  if (world.sources.empty()) plan.choices.clear();
  const base::MotionSurvey survey(world);
  Occluders occluders(world);
  std::size_t places = 0;
  std::set<std::int64_t> rates;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const base::Body& body = world.bodies[i];
    survey.check_speed("object \"" + body.name + '"', *body.motion,
                       geometry::bounds(body.mesh).center());
    if (!sounds(body)) continue;
    check_ray_memory(world, body, receivers, settings_);
    const SurfaceRays rays(world, i, receivers, occluders, settings_);
    places += rays.places();
    rates.insert(rays.rate().hz);
    plan.work += static_cast<double>(rays.places() * receivers.size()) *
                 rays.rate().samples(world.rate.seconds(world.samples));
    for (const Receiver& receiver : receivers) {
      const base::Approach nearest =
          survey.approach(*body.motion, geometry::bounds(body.mesh).center(), receiver);
      plan.find('"' + body.name + "\" is " + survey.describe(nearest, receiver));
    }
  }
  if (places > 0) {
    plan.choices.push_back(fmt::format("surfaces by {}, from {} places, at {} Hz",
                                       describe(settings_.form), places,
                                       fmt::join(rates, " and ")));
  }
  if (!world.bodies.empty()) {
    plan.notices.push_back(
        "rays are blocked, but neither reflected nor bent: what cavities and floors do to a sound "
        "needs \"wave\"");
  }
  return plan;
}

std::vector<Signal> RaysRadiator::radiate(const World& world, std::span<const Receiver> receivers,
                                          SampleRange range, util::Progress& progress) const {
  util::Silent silent;
  std::vector<Signal> heard = DirectRadiator().radiate(world, receivers, range, silent);
  const auto sounding = static_cast<double>(std::ranges::count_if(world.bodies, sounds));
  Occluders occluders(world);
  // Of each receiver, by rate.
  std::vector<std::map<std::int64_t, std::vector<double>>> sums(receivers.size());
  double finished = 0.0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (!sounds(world.bodies[i])) continue;
    SurfaceRays rays(world, i, receivers, occluders, settings_);
    const std::int64_t factor = rays.rate().hz / world.rate.hz;
    const auto of_body =
        rays.sums({(range.begin - ringing) * factor, (range.end + ringing) * factor},
                  [&](double part) { progress.update((finished + part) / sounding); });
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      const auto p = pressure(settings_, of_body[r], rays, world);
      std::vector<double>& sum = sums[r][rays.rate().hz];
      sum.resize(p.size());
      for (std::size_t n = 0; n < p.size(); ++n) sum[n] += p[n];
    }
    finished += 1.0;
  }
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    for (const auto& [rate, sum] : sums[r]) {
      const std::vector<float> fine(sum.begin(), sum.end());
      const std::vector<float> audio = util::convert(fine, rate, world.rate.hz);
      for (std::size_t n = 0; n < heard[r].samples.size(); ++n)
        heard[r].samples[n] += audio[n + static_cast<std::size_t>(ringing)];
    }
  }
  return heard;
}

double RaysRadiator::expected_seconds(const World& world,
                                      std::span<const Receiver> receivers) const {
  using Clock = std::chrono::steady_clock;
  // Silence costs nothing: a probe where something sounds, scaled by how long all of it is.
  std::int64_t first = world.samples, sounding = 0;
  for (const base::Body& body : world.bodies) {
    std::int64_t longest = 0;
    for (const auto& shader : body.shaders) {
      std::int64_t length = 0;
      for (const SampleRange& part : shader->sounding(world.rate, {0, world.samples})) {
        first = std::min(first, part.begin);
        length += part.size();
      }
      longest = std::max(longest, length);
    }
    sounding = std::max(sounding, longest);
  }
  util::Silent silent;
  const double direct = DirectRadiator().expected_seconds(world, receivers);
  const std::int64_t probe = std::min(sounding, world.rate.hz / 20);
  if (probe == 0) return direct;
  const auto start = Clock::now();
  radiate(world, receivers, {first, first + probe}, silent);
  const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  return direct + elapsed * static_cast<double>(sounding) / static_cast<double>(probe);
}

}  // namespace peal::radiation

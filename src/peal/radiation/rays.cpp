#include <peal/base/motion_survey.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/directional_filter.h>
#include <peal/radiation/ray_memory.h>
#include <peal/radiation/rays.h>
#include <peal/radiation/receivers_in_solids.h>
#include <peal/radiation/sequence_bodies.h>
#include <peal/radiation/surface_rays.h>
#include <peal/radiation/upsampler.h>
#include <peal/util/parallel.h>
#include <peal/util/processor_time.h>
#include <peal/util/rate_converter.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <numbers>
#include <optional>
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

/// Samples per period of the highest frequency at which the bilinear rule filters; frequencies are
/// off by 5 % there.
constexpr double samples_per_period = 8.0;

constexpr std::int64_t ringing = 64;  ///< of the rate converter [audio samples]

/// Pressure from the retarded sums, with the surface pressure
///
///     p_s = rho a_n (2 l + a x) / (2 + 2 x + x^2),   x = s a / c
///
/// by the bilinear rule, x = k (1 - z) / (1 + z). The surface pressure is rho l a_n (added mass) at
/// low frequencies and rho c v_n at high ones. In between it is that of a sphere of radius a, for
/// which everything is exact (l = a / 2).
std::vector<double> kirchhoff(const SurfaceSums& sums, double a, const base::Medium& air, Rate rate,
                              double max_frequency) {
  const auto hz = static_cast<double>(rate.hz);
  const auto factor =
      std::max<std::int64_t>(1, std::llround(std::ceil(samples_per_period * max_frequency / hz)));
  const double k = 2.0 * a / air.speed_of_sound * hz * static_cast<double>(factor), kk = k * k;
  const double d0 = 2 + 2 * k + kk, d1 = 4 - 2 * kk, d2 = 2 - 2 * k + kk;
  // The filters share their denominator: the numerators come first, then one recursion.
  const double numerators[most_sums][3] = {{kk, -2 * kk, kk}, {k, 0, -k}, {1, 2, 1}};
  const double scale = air.density / (4.0 * std::numbers::pi) / d0;
  std::vector<double> forced(sums[0].size() * static_cast<std::size_t>(factor));
  for (std::size_t s = 0; s < most_sums; ++s) {
    const std::vector<double> between =
        factor > 1 ? with_samples_between(sums[s], factor) : std::vector<double>();
    const std::vector<double>& fine = factor > 1 ? between : sums[s];
    const auto& [b0, b1, b2] = numerators[s];
    for (std::size_t i = 0; i < fine.size(); ++i) {
      const double last = i > 0 ? fine[i - 1] : 0.0, before = i > 1 ? fine[i - 2] : 0.0;
      forced[i] += scale * (b0 * fine[i] + b1 * last + b2 * before);
    }
  }
  std::vector<double> p(sums[0].size());
  const double feedback[] = {d1 / d0, d2 / d0};
  double last = 0.0, before = 0.0;
  for (std::size_t i = 0; i < forced.size(); ++i) {
    const double now = forced[i] - (feedback[0] * last + feedback[1] * before);
    before = std::exchange(last, now);
    // The filters add no frequencies, so every factor-th sample of their output is enough.
    if (i % static_cast<std::size_t>(factor) == 0) p[i / static_cast<std::size_t>(factor)] = now;
  }
  return p;
}

std::vector<double> rayleigh(const SurfaceSums& sums, const base::Medium& air) {
  std::vector<double> p(sums[0]);
  for (double& value : p) value *= 2.0 * air.density / (4.0 * std::numbers::pi);
  return p;
}

/// Pressure z v_n, differentiated and then integrated with a loss by the filter of the paper, which
/// amounts to the integral of the acceleration with a loss.
std::vector<double> as_in_paper(const SurfaceSums& sums, const base::Medium& air, Rate rate,
                                Rate audio) {
  constexpr double loss = 0.1;  ///< alpha, per audio sample
  const double keep = std::pow(1.0 - loss, rate.step() / audio.step());
  const double gain = air.density * air.speed_of_sound * rate.step();
  std::vector<double> p(sums[0].size());
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = sum = keep * sum + gain * sums[0][i];
  return p;
}

/// The pressure from the sums of a body with this radius, at the rate of the sums.
std::vector<double> pressure(const base::RaysSettings& settings, const SurfaceSums& sums, Rate rate,
                             double radius, const World& world) {
  switch (settings.form) {
    case Form::kirchhoff:
      return kirchhoff(sums, radius, world.medium, rate, settings.max_frequency);
    case Form::rayleigh:
      return rayleigh(sums, world.medium);
    case Form::paper:
      break;
  }
  return as_in_paper(sums, world.medium, rate, world.rate);
}

/// A filter for the part of a sound that comes from recordings, if the body has any: above their
/// band, recordings contain aliases, and a higher rate would add images.
std::optional<Upsampler> record_filter(const base::Body& body, Rate rate, Rate made,
                                       double max_frequency) {
  for (const auto& source : body.sources) {
    const std::optional<Rate> sampled = source->vertex_rate();
    if (!sampled) continue;
    const double band = base::SurfaceSource::vertex_band * static_cast<double>(sampled->hz);
    return Upsampler(rate, made, max_frequency, std::max(band, 1.15 * max_frequency));
  }
  return std::nullopt;
}

/// The pressure of a body at each receiver, at the audio rate or a multiple of it.
struct BodyPressure {
  Rate rate;
  std::vector<std::vector<double>> of_receivers;
};

/// The pressure over `received` [audio samples].
BodyPressure body_pressure(const base::Body& body, SurfaceRays& rays, SampleRange received,
                           const World& world, const base::RaysSettings& settings,
                           const SurfaceRays::Done& done) {
  BodyPressure result{rays.rate().hz < world.rate.hz ? world.rate : rays.rate(), {}};
  const std::int64_t factor = result.rate.hz / world.rate.hz;
  const SampleRange made{received.begin * factor, received.end * factor};
  const auto filter = record_filter(body, rays.rate(), result.rate, settings.max_frequency);
  const auto count = static_cast<std::size_t>(sums_of(settings.form));
  for (SurfaceSums& sums : rays.sums(filter ? filter->needed(made) : made, done)) {
    for (std::size_t s = 0; s < count && filter; ++s) sums[s] = filter->raised(sums[s], made);
    result.of_receivers.push_back(pressure(settings, sums, result.rate, rays.radius(), world));
    sums = {};  // frees the memory for the next receiver
  }
  return result;
}

/// The pressure at a receiver over `made` [audio samples], by the receiver's response for the
/// direction of the middle of the body.
std::vector<double> with_direction(const std::vector<double>& pressure, const base::Body& body,
                                   const Receiver& receiver, const World& world, SampleRange made,
                                   Rate rate) {
  const DirectionalFilter filter(receiver, world.medium, rate);
  const std::int64_t factor = rate.hz / world.rate.hz;
  const SampleRange range{made.begin * factor, made.end * factor};
  const SampleRange needed = filter.needed(range);
  std::vector<float> padded(static_cast<std::size_t>(needed.size()), 0.0f), out(pressure.size());
  std::ranges::copy(pressure, padded.begin() + (range.begin - needed.begin));
  filter.apply({body.motion.get(), geometry::bounds(body.mesh).center()}, padded, range, out);
  return {out.begin(), out.end()};
}

bool sounds(const base::Body& body) {
  return !body.sources.empty();
}

/// A sounding surface: that of a body of the world, or one mesh of its sequence.
struct HeardSurface {
  std::size_t number;  ///< index of the body
  const base::Body* body;
};

/// All sounding surfaces of a world.
class HeardSurfaces {
 public:
  explicit HeardSurfaces(const World& world) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      const base::Body& body = world.bodies[i];
      if (!sounds(body)) continue;
      if (!body.sequence) {
        all_.push_back({i, &body});
        continue;
      }
      meshes_.push_back(bodies_of_sequence(body, world.rate.seconds(world.samples)));
      for (const base::Body& mesh : meshes_.back()) all_.push_back({i, &mesh});
    }
  }
  const std::vector<HeardSurface>& all() const { return all_; }

 private:
  std::list<std::vector<base::Body>> meshes_;  ///< of sequences; a list keeps pointers valid
  std::vector<HeardSurface> all_;
};

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
  check_receivers(world, receivers, plan);
  const base::MotionSurvey survey(world);
  Occluders occluders(world);
  std::size_t sample_points = 0;
  std::set<std::int64_t> rates;
  for (const base::Body& body : world.bodies) {
    survey.check_speed("object \"" + body.name + '"', *body.motion,
                       geometry::bounds(body.mesh).center());
    if (!sounds(body)) continue;
    for (const Receiver& receiver : receivers) {
      const base::Approach nearest =
          survey.approach(*body.motion, geometry::bounds(body.mesh).center(), receiver);
      plan.add_diagnostic('"' + body.name + "\" is " + survey.describe(nearest, receiver));
    }
  }
  const HeardSurfaces surfaces(world);
  for (const auto& [number, body] : surfaces.all()) {
    check_ray_memory(world, *body, receivers, settings_);
    const SurfaceRays rays(world, number, *body, receivers, occluders, settings_);
    sample_points += rays.sample_points();
    rates.insert(rays.rate().hz);
    plan.work += static_cast<double>(rays.sample_points() * receivers.size()) *
                 rays.rate().samples(world.rate.seconds(world.samples));
  }
  if (sample_points > 0) {
    plan.choices.push_back(fmt::format("surfaces by {}, from {} sample points, at {} Hz",
                                       describe(settings_.form), sample_points,
                                       fmt::join(rates, " and ")));
  }
  if (!world.bodies.empty()) {
    plan.notices.push_back(
        "\"rays\" ignores reflection and diffraction: use \"wave\" for cavities and floors");
  }
  return plan;
}

std::vector<Signal> RaysRadiator::radiate(const World& world, std::span<const Receiver> receivers,
                                          SampleRange range, util::Progress& progress) const {
  util::Silent silent;
  std::vector<Signal> received = DirectRadiator().radiate(world, receivers, range, silent);
  const HeardSurfaces surfaces(world);
  const auto sounding = static_cast<double>(surfaces.all().size());
  Occluders occluders(world);
  // The sums of each receiver, by sample rate.
  std::vector<std::map<std::int64_t, std::vector<double>>> sums(receivers.size());
  double finished = 0.0;
  const SampleRange made{range.begin - ringing, range.end + ringing};
  for (const auto& [number, body] : surfaces.all()) {
    SurfaceRays rays(world, number, *body, receivers, occluders, settings_);
    const BodyPressure of_body =
        body_pressure(*body, rays, made, world, settings_,
                      [&](double part) { progress.update((finished + part) / sounding); });
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      std::vector<double> p = of_body.of_receivers[r];
      if (receivers[r].response)
        p = with_direction(p, *body, receivers[r], world, made, of_body.rate);
      std::vector<double>& sum = sums[r][of_body.rate.hz];
      sum.resize(p.size());
      for (std::size_t n = 0; n < p.size(); ++n) sum[n] += p[n];
    }
    finished += 1.0;
  }
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    for (const auto& [rate, sum] : sums[r]) {
      const std::vector<float> fine(sum.begin(), sum.end());
      const std::vector<float> audio = util::convert(fine, rate, world.rate.hz);
      for (std::size_t n = 0; n < received[r].samples.size(); ++n)
        received[r].samples[n] += audio[n + static_cast<std::size_t>(ringing)];
    }
  }
  return received;
}

double RaysRadiator::expected_seconds(const World& world,
                                      std::span<const Receiver> receivers) const {
  // Silence costs nothing, so the probe is where something sounds and is scaled by the duration of
  // all sound.
  std::int64_t first = world.samples, sounding = 0;
  for (const base::Body& body : world.bodies) {
    std::int64_t longest = 0;
    for (const auto& source : body.sources) {
      std::int64_t length = 0;
      for (const SampleRange& part : source->active(world.rate, {0, world.samples})) {
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
  const double start = util::process_seconds();
  radiate(world, receivers, {first, first + probe}, silent);
  const double taken = (util::process_seconds() - start) / util::thread_count();
  return direct + taken * static_cast<double>(sounding) / static_cast<double>(probe);
}

}  // namespace peal::radiation

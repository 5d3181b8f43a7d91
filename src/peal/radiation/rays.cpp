#include <peal/base/motion_survey.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/rays.h>
#include <peal/radiation/surface_rays.h>
#include <peal/util/rate_converter.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace peal::radiation {

namespace {

using base::Rate;
using base::Receiver;
using base::SampleRange;
using base::Signal;
using base::World;
using Form = base::RaysSettings::Form;

/// Samples in the shortest period of the band: the eight points that delays are read with err by
/// 2e-4 there.
constexpr double samples_per_period = 8.0;

constexpr std::int64_t ringing = 64;  ///< of the rate converter [samples of audio]

Rate inner_rate(const World& world, const base::RaysSettings& settings) {
  return base::multiple_at_least(world.rate, samples_per_period * settings.max_frequency);
}

/// (b0 + b1 z + b2 z^2) / (a0 + a1 z + a2 z^2) with z a sample's delay.
class Biquad {
 public:
  Biquad(double b0, double b1, double b2, double a0, double a1, double a2)
      : b0_(b0 / a0), b1_(b1 / a0), b2_(b2 / a0), a1_(a1 / a0), a2_(a2 / a0) {}

  double operator()(double x) {
    const double y = b0_ * x + s1_;
    s1_ = b1_ * x - a1_ * y + s2_;
    s2_ = b2_ * x - a2_ * y;
    return y;
  }

 private:
  double b0_, b1_, b2_, a1_, a2_;
  double s1_ = 0.0, s2_ = 0.0;
};

/// The retarded sums with the pressure on the surface of
///
///     p_s = rho a_n (2 l + a x) / (2 + 2 x + x^2),   x = s a / c
///
/// by the bilinear rule, x = k (1 - z) / (1 + z). Slow motion presses with the inertia of the air
/// on the place, rho l a_n, quick motion with rho c v_n; in between as on a sphere of radius a, of
/// which all is exact (l = a / 2).
std::vector<double> kirchhoff(const SurfaceSums& sums, double a, const base::Medium& air,
                              Rate rate) {
  const double k = 2.0 * a / air.speed_of_sound * static_cast<double>(rate.hz), kk = k * k;
  const double d0 = 2 + 2 * k + kk, d1 = 4 - 2 * kk, d2 = 2 - 2 * k + kk;
  Biquad still(1, 2, 1, d0, d1, d2);                // 1 / (2 + 2 x + x^2)
  Biquad once(k, 0, -k, d0, d1, d2), again = once;  // x / (...)
  Biquad twice(kk, -2 * kk, kk, d0, d1, d2);        // x^2 / (...)
  const double scale = air.density / (4.0 * std::numbers::pi);
  std::vector<double> p(sums.monopole.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = scale * (sums.monopole[i] + twice(sums.dipole[i]) + a * once(sums.near[i]) +
                    2.0 / a * again(sums.slow_dipole[i]) + 2.0 * still(sums.slow_near[i]));
  }
  return p;
}

std::vector<double> rayleigh(const SurfaceSums& sums, const base::Medium& air) {
  std::vector<double> p(sums.monopole);
  for (double& value : p) value *= 2.0 * air.density / (4.0 * std::numbers::pi);
  return p;
}

/// z v_n, differentiated and integrated again with a loss: so the loss alone is left of it.
std::vector<double> as_in_paper(const SurfaceSums& sums, const base::Medium& air, Rate rate,
                                Rate audio) {
  constexpr double loss = 0.1;  ///< alpha, in a sample of audio
  const double keep = std::pow(1.0 - loss, rate.step() / audio.step());
  const double gain = air.density * air.speed_of_sound * rate.step();
  std::vector<double> p(sums.dipole.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = sum = keep * sum + gain * sums.dipole[i];
  return p;
}

double surface_radius(const base::Body& body) {
  const double sides = body.is_sheet ? 2.0 : 1.0;
  return std::sqrt(sides * geometry::surface_area(body.mesh) / (4.0 * std::numbers::pi));
}

std::vector<double> pressure(Form form, const SurfaceSums& sums, const base::Body& body,
                             const World& world, Rate rate) {
  switch (form) {
    case Form::kirchhoff:
      return kirchhoff(sums, surface_radius(body), world.medium, rate);
    case Form::rayleigh:
      return rayleigh(sums, world.medium);
    case Form::paper:
      break;
  }
  return as_in_paper(sums, world.medium, rate, world.rate);
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
  const Rate rate = inner_rate(world, settings_);
  Occluders occluders(world);
  std::size_t places = 0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const base::Body& body = world.bodies[i];
    survey.check_speed("object \"" + body.name + '"', *body.motion,
                       geometry::bounds(body.mesh).center());
    if (!sounds(body)) continue;
    places += SurfaceRays(world, i, receivers, occluders, settings_, rate).places();
    for (const Receiver& receiver : receivers) {
      const base::Approach nearest =
          survey.approach(*body.motion, geometry::bounds(body.mesh).center(), receiver);
      plan.find('"' + body.name + "\" is " + survey.describe(nearest, receiver));
    }
  }
  plan.choices.push_back(fmt::format("surfaces by {}, from {} places, at {} Hz",
                                     describe(settings_.form), places, rate.hz));
  if (!world.bodies.empty()) {
    plan.notices.push_back(
        "rays are blocked, but neither reflected nor bent: what cavities and floors do to a sound "
        "needs \"wave\"");
  }
  plan.work += static_cast<double>(places * receivers.size()) *
               rate.samples(world.rate.seconds(world.samples));
  return plan;
}

std::vector<Signal> RaysRadiator::radiate(const World& world, std::span<const Receiver> receivers,
                                          SampleRange range, util::Progress& progress) const {
  util::Silent silent;
  std::vector<Signal> heard = DirectRadiator().radiate(world, receivers, range, silent);
  const Rate rate = inner_rate(world, settings_);
  const std::int64_t factor = rate.hz / world.rate.hz;
  const SampleRange inner{(range.begin - ringing) * factor, (range.end + ringing) * factor};
  const auto sounding = static_cast<double>(std::ranges::count_if(world.bodies, sounds));
  Occluders occluders(world);
  std::vector<std::vector<double>> sums(receivers.size());
  double finished = 0.0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (!sounds(world.bodies[i])) continue;
    SurfaceRays rays(world, i, receivers, occluders, settings_, rate);
    const auto of_body =
        rays.sums(inner, [&](double part) { progress.update((finished + part) / sounding); });
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      const auto p = pressure(settings_.form, of_body[r], world.bodies[i], world, rate);
      sums[r].resize(p.size());
      for (std::size_t n = 0; n < p.size(); ++n) sums[r][n] += p[n];
    }
    finished += 1.0;
  }
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    if (sums[r].empty()) continue;
    const std::vector<float> fine(sums[r].begin(), sums[r].end());
    const std::vector<float> audio = util::convert(fine, rate.hz, world.rate.hz);
    for (std::size_t n = 0; n < heard[r].samples.size(); ++n) {
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

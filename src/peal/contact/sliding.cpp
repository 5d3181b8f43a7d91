#include <peal/contact/hertz.h>
#include <peal/contact/sliding.h>
#include <peal/fem/lame.h>
#include <peal/util/random.h>
#include <peal/util/smoothstep.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::contact {

using base::SustainedForce;
using base::Vec3;
using std::numbers::pi;

namespace {

/// Of the spring of the contact: waves that run away into the bodies. An assumption.
constexpr double loss = 0.3;
/// Samples of a force for one of audio: straight lines between them are then as good as the band.
constexpr std::int64_t oversampling = 2;
/// The force would lift the bodies off if it swung further: its RMS is at most this part of N.
constexpr double largest_swing = 1.0 / 3.0;
constexpr double fade = 0.002;                      ///< at both ends [s]
constexpr double load_window = 0.002;               ///< over which loads and speeds are means [s]
constexpr double lowest = 20.0, highest = 20000.0;  ///< of the band [Hz]

/// Thirds of octaves of wavelengths from 0.2 um to 0.15 m.
constexpr int bands = 60;
double wave_of(int band) {
  return 2e-7 * std::exp2(band / 3.0);
}

/// Band-limited noise by place: a carrier of 2 periods a cell whose two amplitudes are cubic
/// B-splines through random numbers; a third of an octave wide at half power, of RMS 1.
class BandNoise {
 public:
  BandNoise(std::uint64_t seed, std::uint64_t stream, int band)
      : seed_(seed), stream_(stream), band_(band), cell_size_(periods * wave_of(band)) {}

  double operator()(double x) {
    const double u = x / cell_size_, cell = std::floor(u), v = u - cell;
    if (cell != cell_) fill(cell);
    const double w = 1.0 - v;
    const std::array<double, 4> spline = {
        w * w * w / 6.0, (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0,
        (3.0 * w * w * w - 6.0 * w * w + 4.0) / 6.0, v * v * v / 6.0};
    double even = 0.0, odd = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      even += spline[i] * even_[i];
      odd += spline[i] * odd_[i];
    }
    const double angle = 2.0 * pi * periods * v;
    return even * std::cos(angle) + odd * std::sin(angle);
  }

 private:
  static constexpr double periods = 2.0;
  /// Mean square of a cubic B-spline through numbers of mean square 1: 151 / 315.
  static constexpr double spline_power = 151.0 / 315.0;

  void fill(double cell) {
    cell_ = cell;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto knot = static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)) + i;
      const auto index = (static_cast<std::uint64_t>(band_) << 48) ^ (2 * knot);
      even_[i] = normal(index);
      odd_[i] = normal(index + 1);
    }
  }
  /// Four uniform numbers added: nearly Gaussian.
  double normal(std::uint64_t index) const {
    const std::uint64_t bits = util::random_bits(seed_, stream_, index);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += static_cast<double>((bits >> (16 * k)) & 0xffff) + 0.5;
    return (sum / 65536.0 - 2.0) * std::sqrt(3.0 / spline_power);
  }

  std::uint64_t seed_, stream_;
  int band_;
  double cell_size_;      ///< [m]
  double cell_ = -1e300;  ///< whose numbers these are
  std::array<double, 4> even_{}, odd_{};
};

/// A contact at one instant.
struct Moment {
  double load = 0.0, speed = 0.0, slip = 0.0;  ///< [N], [m/s], [m/s]
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitY(), direction = Vec3::UnitY();  ///< world
};

/// Means over a window of the steps of an interval, which come by time.
class Means {
 public:
  explicit Means(const ContactInterval& interval) : path_(interval.path) {}

  /// Windows must come by time. What is between steps has no load.
  Moment over(double begin, double end) {
    while (first_ + 1 < path_.size() && path_[first_].end() <= begin) ++first_;
    Moment sum{.normal = Vec3::Zero(), .direction = Vec3::Zero()};
    double time = 0.0;
    for (std::size_t i = first_; i < path_.size() && path_[i].time < end; ++i) {
      const ContactInterval::Step& step = path_[i];
      const double overlap = std::min(end, step.end()) - std::max(begin, step.time);
      if (overlap > 0.0) add(step, overlap, sum, time);
    }
    if (time > 0.0) {
      sum.load /= end - begin;
    } else {
      add(path_[first_], 1.0, sum, time);
      sum.load = 0.0;
    }
    sum.speed /= time;
    sum.slip /= time;
    sum.point /= time;
    sum.normal.normalize();
    sum.direction.normalize();
    return sum;
  }

 private:
  static void add(const ContactInterval::Step& step, double weight, Moment& sum, double& time) {
    time += weight;
    sum.load += weight * step.load;
    sum.speed += weight * step.speed;
    sum.slip += weight * step.slip;
    sum.point += weight * step.point;
    sum.normal += weight * step.normal;
    sum.direction += weight * step.direction;
  }

  const std::vector<ContactInterval::Step>& path_;
  std::size_t first_ = 0;
};

/// The moments of an interval every point_samples of a rate.
std::vector<Moment> moments_of(const ContactInterval& interval, base::Rate rate, std::int64_t begin,
                               std::size_t count) {
  std::vector<Moment> moments;
  Means points(interval), loads(interval);
  const double half = 0.5 * rate.samples_to_seconds(SustainedForce::point_samples);
  for (std::size_t k = 0; k < count; ++k) {
    const double t =
        rate.seconds(begin + static_cast<std::int64_t>(k) * SustainedForce::point_samples);
    Moment moment = points.over(t - half, t + half);
    const Moment wide = loads.over(t - 0.5 * load_window, t + 0.5 * load_window);
    moment.load = wide.load;
    moment.speed = wide.speed;
    moment.slip = wide.slip;
    moments.push_back(moment);
  }
  return moments;
}

/// One body at a moment of an interval, in its own frame.
struct RubbedSide {
  SustainedForce::Point point;
  ContactSide side;
};

RubbedSide rubbed_side(const ContactBody& body, const Moment& moment, double t, double sign) {
  const base::Pose pose = body.motion->pose(t);
  const geometry::Quat to_body = pose.orientation.conjugate();
  RubbedSide result{.point = {.at = pose.to_local(moment.point),
                              .direction = to_body * (sign * moment.direction)}};
  const Vec3 normal = to_body * moment.normal;
  result.side = {
      .inverse_mass =
          body.is_free ? 1.0 / geometry::effective_mass(body.mass, result.point.at, normal) : 0.0,
      .radius = body.shape->radius(result.point.at),
      .compliance = fem::contact_compliance(body.material)};
  return result;
}

/// Amplitude of each band at a moment [N].
using Amplitudes = std::array<double, bands>;

Amplitudes amplitudes(const RoughContact& contact, double speed, const Amplitudes& power,
                      double top) {
  Amplitudes result{};
  double square = 0.0;
  for (int band = 0; band < bands; ++band) {
    const double wave = wave_of(band), f = speed / wave;
    if (f < 0.5 * lowest || f > top || !(contact.load > 0.0)) continue;
    const double inside =
        util::smoothstep(f / (0.5 * lowest) - 1.0) * util::smoothstep((top - f) / (0.2 * top));
    const auto b = static_cast<std::size_t>(band);
    result[b] = inside * contact.force_per_height(f, wave) * std::sqrt(power[b]);
    square += result[b] * result[b];
  }
  const double limit = largest_swing * contact.load;
  const double scale = limit > 0.0 ? 1.0 / std::sqrt(1.0 + square / (limit * limit)) : 0.0;
  for (double& one : result) one *= scale;
  return result;
}

/// The power that a force of these amplitudes gives to the modes of a body at a point, in the mean:
/// a force of spectral density S gives a mode of unit mass with the shape g a power of g^2 S / 4,
/// whatever its damping [W].
double power_into_modes(const Amplitudes& amplitudes, double speed, const CompliantImpactLaw& law,
                        std::uint32_t body, const SustainedForce::Point& point) {
  const base::ContactCompliance* compliance = law.compliance(body);
  if (compliance == nullptr || compliance->modes().empty() || !(speed > 0.0)) return 0.0;
  const Eigen::VectorXf along =
      compliance->at(point.at).gains.transpose() * point.direction.cast<float>();
  double power = 0.0;
  for (std::size_t k = 0; k < compliance->modes().size(); ++k) {
    const double f = compliance->modes()[k].frequency;
    const auto band = static_cast<int>(std::lround(3.0 * std::log2(speed / f / wave_of(0))));
    if (band < 0 || band >= bands) continue;
    const double centre = speed / wave_of(band);  // [Hz]
    const double width = centre * (std::exp2(1.0 / 6.0) - std::exp2(-1.0 / 6.0));
    const double gain = static_cast<double>(along[static_cast<Eigen::Index>(k)]);
    power += 0.25 * std::pow(gain * amplitudes[static_cast<std::size_t>(band)], 2) / width;
  }
  return power;
}

/// Both forces of an interval: on body a and, opposite, on body b.
class Rubbing {
 public:
  Rubbing(const ContactInterval& interval, std::span<const ContactBody> bodies, base::Rate rate,
          const CompliantImpactLaw* law)
      : a_(bodies[interval.body_a]),
        b_(bodies[interval.body_b]),
        index_a_(interval.body_a),
        index_b_(interval.body_b),
        law_(law) {
    on_a_.rate = {oversampling * rate.hz};
    on_a_.begin = static_cast<std::int64_t>(std::ceil(on_a_.rate.samples(interval.begin)));
    const auto end = static_cast<std::int64_t>(std::floor(on_a_.rate.samples(interval.end)));
    samples_ = static_cast<std::size_t>(std::max<std::int64_t>(end - on_a_.begin, 0));
    on_b_ = on_a_;
    top_ = std::min(highest, 0.45 * static_cast<double>(rate.hz));
    const std::size_t count = samples_ / SustainedForce::point_samples + 2;
    const std::vector<Moment> moments =
        moments_of(interval, on_a_.rate, on_a_.begin, samples_ > 0 ? count : 0);
    for (int band = 0; band < bands; ++band) {
      power_[static_cast<std::size_t>(band)] =
          third_octave_power(a_.material.roughness, wave_of(band)) +
          third_octave_power(b_.material.roughness, wave_of(band));
    }
    for (std::size_t k = 0; k < moments.size(); ++k) {
      const auto index = on_a_.begin + static_cast<std::int64_t>(k) * SustainedForce::point_samples;
      add_moment(moments[k], on_a_.rate.seconds(index));
    }
  }

  void make_noise(std::uint64_t seed, std::uint64_t stream) {
    std::vector<BandNoise> noises;
    for (int band = 0; band < bands; ++band) noises.emplace_back(seed, stream, band);
    const double ramp = std::min(on_a_.rate.samples(fade), 0.5 * static_cast<double>(samples_));
    double x = 0.0;
    for (std::size_t n = 0; n < samples_; ++n) {
      const std::size_t k = n / SustainedForce::point_samples;
      const double part = static_cast<double>(n % SustainedForce::point_samples) /
                          static_cast<double>(SustainedForce::point_samples);
      x += on_a_.rate.step() * (speeds_[k] + part * (speeds_[k + 1] - speeds_[k]));
      double force = 0.0;
      for (std::size_t band = 0; band < bands; ++band) {
        const double from = amplitudes_[k][band], to = amplitudes_[k + 1][band];
        if (from == 0.0 && to == 0.0) continue;
        force += (from + part * (to - from)) * noises[band](x);
      }
      const double near_end = static_cast<double>(std::min(n + 1, samples_ - n));
      force *= util::smoothstep(near_end / (ramp + 1.0));
      on_a_.samples.push_back(static_cast<float>(force));
    }
    on_b_.samples = on_a_.samples;
  }

  bool is_empty() const { return samples_ == 0; }
  SustainedForce& on_a() { return on_a_; }
  SustainedForce& on_b() { return on_b_; }

 private:
  void add_moment(const Moment& moment, double t) {
    const RubbedSide a = rubbed_side(a_, moment, t, 1.0), b = rubbed_side(b_, moment, t, -1.0);
    on_a_.points.push_back(a.point);
    on_b_.points.push_back(b.point);
    // A speed is needed for nothing but the limit of flat faces: that of the swing is slow.
    const HertzContact hertz =
        hertz_contact(a.side, b.side, slow_approach, std::min(a_.patch, b_.patch));
    RoughContact contact{moment.load, hertz.radius, hertz.mass, hertz.modulus};
    speeds_.push_back(moment.speed);
    amplitudes_.push_back(amplitudes(contact, moment.speed, power_, top_));
    if (law_) limit(moment, a.point, b.point);
  }

  /// The modes of both get no more than the surfaces lose by friction and rolling resistance.
  void limit(const Moment& moment, const SustainedForce::Point& on_a,
             const SustainedForce::Point& on_b) {
    const double given = power_into_modes(amplitudes_.back(), moment.speed, *law_, index_a_, on_a) +
                         power_into_modes(amplitudes_.back(), moment.speed, *law_, index_b_, on_b);
    const double friction = 0.5 * (a_.friction + b_.friction);
    const double rolling = std::max(a_.rolling_resistance, b_.rolling_resistance);
    const double taken =
        moment.load * (friction * moment.slip + rolling * (moment.speed - moment.slip));
    if (!(given > taken)) return;
    for (double& amplitude : amplitudes_.back())
      amplitude *= std::sqrt(std::max(taken, 0.0) / given);
  }

  static constexpr double slow_approach = 0.01;  ///< [m/s]

  const ContactBody &a_, &b_;
  std::uint32_t index_a_, index_b_;
  const CompliantImpactLaw* law_;
  SustainedForce on_a_, on_b_;
  std::size_t samples_ = 0;
  double top_ = 0.0;  ///< of the band [Hz]
  Amplitudes power_{};
  std::vector<double> speeds_;  ///< at each place [m/s]
  std::vector<Amplitudes> amplitudes_;
};

}  // namespace

double RoughContact::contact_radius() const {
  return std::cbrt(0.75 * load * radius / modulus);
}

double RoughContact::stiffness() const {
  return 2.0 * contact_radius() * modulus;
}

double RoughContact::force_per_height(double f, double wave) const {
  const double k = stiffness(), w = 2.0 * pi * f;
  const double x = w * w * mass / k;  // (f / resonance)^2
  const double swing = k * x / std::sqrt((1.0 - x) * (1.0 - x) + 4.0 * loss * loss * x);
  const double across = 2.0 * pi * contact_radius() / wave;
  return swing / std::sqrt(1.0 + 0.25 * pi * across * across * across);
}

double third_octave_power(const base::Roughness& roughness, double wave) {
  // Density over wave number k, over its integral from k0 to infinity, height^2:
  // (2 hurst / k0) (k / k0)^-(1 + 2 hurst), and flat below k0.
  const double k0 = 2.0 * pi / roughness.length, k = 2.0 * pi / wave;
  const double density =
      2.0 * roughness.hurst / k0 * std::pow(std::max(k / k0, 1.0), -(1.0 + 2.0 * roughness.hurst));
  const double width = k * (std::exp2(1.0 / 6.0) - std::exp2(-1.0 / 6.0));
  return roughness.height * roughness.height * density * width;
}

std::vector<std::vector<SustainedForce>> sliding_forces(std::span<const ContactInterval> intervals,
                                                        std::span<const ContactBody> bodies,
                                                        base::Rate rate, std::uint64_t seed,
                                                        const CompliantImpactLaw* law) {
  std::vector<std::vector<SustainedForce>> forces(bodies.size());
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (!bodies[intervals[i].body_a].is_free && !bodies[intervals[i].body_b].is_free) continue;
    Rubbing rubbing(intervals[i], bodies, rate, law);
    if (rubbing.is_empty()) continue;
    rubbing.make_noise(seed, 0x736c6964'00000000u + i);
    forces[intervals[i].body_a].push_back(std::move(rubbing.on_a()));
    forces[intervals[i].body_b].push_back(std::move(rubbing.on_b()));
  }
  return forces;
}

}  // namespace peal::contact

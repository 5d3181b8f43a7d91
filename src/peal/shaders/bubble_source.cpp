#include <peal/shaders/bubble_source.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace peal::shaders {

namespace {

constexpr double per_sphere = 1.0 / (4.0 * std::numbers::pi);

/// 1 / r^2, regularised inside of a bubble.
double regularised(double r, double radius) {
  if (r >= radius) return 1.0 / (r * r);
  return (4.0 - 3.0 * r / radius) * r / (radius * radius * radius);
}

/// The field of a bubble with unit flux [1/m^2]. If no point faces the bubble, because it is
/// outside of the liquid, all points count as if they did.
void set_unit_field(const base::Bubble& bubble, const base::SampledSurface& surface,
                    Eigen::Ref<Eigen::VectorXf> out) {
  for (const bool faces : {true, false}) {
    double flux = 0.0;
    for (std::size_t i = 0; i < surface.size(); ++i) {
      const Vec3 away = surface.points[i].position - bubble.position;
      const double value =
          surface.areas[i] > 0.0
              ? bubble_field(away, faces ? surface.points[i].normal : away.normalized(),
                             bubble.radius)
              : 0.0;
      out(static_cast<Eigen::Index>(i)) = static_cast<float>(value);
      flux += value * surface.areas[i];
    }
    if (!(flux > 0.0)) continue;
    out /= static_cast<float>(flux);
    return;
  }
}

/// Whether a bubble stays where it is.
bool rests(const base::BubbleSound& bubble) {
  return std::ranges::all_of(bubble.path, [&](const base::Bubble& one) {
    return one.position == bubble.path.front().position && one.radius == bubble.path.front().radius;
  });
}

/// Calls `add` for the samples of a range at which a bubble sounds, with the index of the sample,
/// v'' and v'. At a rate other than audio's they are interpolated.
template <class Add>
void for_each_sample(const base::BubbleSound& bubble, base::Rate audio, base::Rate rate,
                     base::SampleRange range, const util::FractionalDelay& delay, const Add& add) {
  constexpr std::int64_t before = util::FractionalDelay::half - 1;
  const std::int64_t length = bubble.end() - bubble.start;
  // The samples around the range.
  const auto index_of = [&](std::int64_t n) { return n * audio.hz / rate.hz - bubble.start; };
  const std::int64_t first =
      std::clamp(index_of(range.begin) - util::FractionalDelay::taps - 1, std::int64_t{0}, length);
  const std::int64_t last =
      std::clamp(index_of(range.end) + util::FractionalDelay::taps + 1, first, length);
  std::vector<float> accelerations(static_cast<std::size_t>(last - first));
  std::vector<float> velocities(accelerations.size());
  bubble.read(bubble.start + first, accelerations, velocities);
  for (std::int64_t n = range.begin; n < range.end; ++n) {
    // In whole numbers, so that samples that coincide are the same.
    const std::int64_t ticks = n * audio.hz, rest = ((ticks % rate.hz) + rate.hz) % rate.hz;
    const std::int64_t whole = (ticks - rest) / rate.hz - bubble.start;
    if (whole < -util::FractionalDelay::taps || whole >= length + util::FractionalDelay::taps)
      continue;
    if (rest == 0) {
      if (whole < 0 || whole >= length) continue;
      const auto at = static_cast<std::size_t>(whole - first);
      add(n, accelerations[at], velocities[at]);
      continue;
    }
    const auto weights = delay.weights(static_cast<double>(rest) / static_cast<double>(rate.hz));
    float acceleration = 0.0f, velocity = 0.0f;
    for (std::int64_t k = 0; k < util::FractionalDelay::taps; ++k) {
      const std::int64_t at = whole - before + k;
      if (at < 0 || at >= length) continue;
      const float weight = weights[static_cast<std::size_t>(k)];
      acceleration += weight * accelerations[static_cast<std::size_t>(at - first)];
      velocity += weight * velocities[static_cast<std::size_t>(at - first)];
    }
    add(n, acceleration, velocity);
  }
}

}  // namespace

double bubble_field(const Vec3& from_bubble, const Vec3& normal, double radius) {
  const double r = from_bubble.norm();
  if (!(r > 0.0)) return 0.0;
  return per_sphere * std::max(0.0, from_bubble.dot(normal) / r) * regularised(r, radius);
}

BubbleSource::BubbleSource(std::shared_ptr<const base::BubbleSounds> bubbles,
                           std::vector<base::Multipole> points)
    : bubbles_(std::move(bubbles)), points_(std::move(points)) {
  std::vector<std::size_t> order(bubbles_->sounds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t b) { return bubbles_->sounds[b].start; });
  for (const std::size_t bubble : order) {
    const double free_until = sounding(bubble).begin - 2.0 * reach;
    const auto slot = std::ranges::find_if(
        slots_, [&](const Slot& taken) { return sounding(taken.back()).end <= free_until; });
    if (slot == slots_.end()) {
      slots_.push_back({bubble});
    } else {
      slot->push_back(bubble);
    }
  }
}

base::TimeRange BubbleSource::sounding(std::size_t bubble) const {
  const base::BubbleSound& sound = bubbles_->sounds[bubble];
  return {bubbles_->rate.seconds(sound.start), bubbles_->rate.seconds(sound.end())};
}

/// The bubble whose field a slot has at t; null if there is none.
const base::BubbleSound* BubbleSource::bubble_at(const Slot& slot, double t) const {
  const auto found = std::ranges::partition_point(
      slot, [&](std::size_t bubble) { return sounding(bubble).end + reach < t; });
  if (found == slot.end() || sounding(*found).begin - reach > t) return nullptr;
  return &bubbles_->sounds[*found];
}

base::SurfaceBasis BubbleSource::basis(std::span<const base::SurfacePoint> points) const {
  const base::SampledSurface surface{.points = {points.begin(), points.end()},
                                     .areas = std::vector<double>(points.size(), 1.0)};
  std::vector<Eigen::Index> numbers(slots_.size());
  std::iota(numbers.begin(), numbers.end(), Eigen::Index{0});
  base::SurfaceBasis::Dense all =
      base::SurfaceBasis::Dense::Zero(static_cast<Eigen::Index>(points.size()), columns());
  basis_at(surface, 0.0, numbers, all.leftCols(fields()));
  return base::SurfaceBasis(std::move(all));
}

void BubbleSource::basis_at(const base::SampledSurface& surface, double t,
                            std::span<const Eigen::Index> numbers,
                            Eigen::Ref<Eigen::MatrixXf> out) const {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    auto field = out.col(static_cast<Eigen::Index>(i));
    const auto* const bubble = bubble_at(slots_[static_cast<std::size_t>(numbers[i])], t);
    if (bubble == nullptr) {
      field.setZero();
    } else {
      set_unit_field(bubble->at(t), surface, field);
    }
  }
}

void BubbleSource::coefficients(base::Rate rate, base::SampleRange range,
                                base::Coefficients& out) const {
  out.setZero(columns(), range.size());
  const double first = rate.seconds(range.begin) - reach, last = rate.seconds(range.end) + reach;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const auto row = static_cast<Eigen::Index>(slot), other = fields() + row;
    const auto heard = std::ranges::partition_point(
        slots_[slot], [&](std::size_t bubble) { return sounding(bubble).end < first; });
    for (auto bubble = heard; bubble != slots_[slot].end(); ++bubble) {
      if (sounding(*bubble).begin > last) break;
      // The field of a bubble at rest does not change.
      const float moves = rests(bubbles_->sounds[*bubble]) ? 0.0f : 1.0f;
      for_each_sample(bubbles_->sounds[*bubble], bubbles_->rate, rate, range, between_samples_,
                      [&](std::int64_t n, float acceleration, float velocity) {
                        out(row, n - range.begin) += acceleration;
                        out(other, n - range.begin) += moves * velocity;
                      });
    }
  }
}

std::vector<base::SampleRange> BubbleSource::active(base::Rate rate,
                                                    base::SampleRange range) const {
  std::vector<base::SampleRange> all;
  for (std::size_t bubble = 0; bubble < bubbles_->sounds.size(); ++bubble) {
    const base::TimeRange sounds = sounding(bubble);
    const base::SampleRange one{
        std::max(range.begin, static_cast<std::int64_t>(std::floor(rate.samples(sounds.begin)))),
        std::min(range.end, static_cast<std::int64_t>(std::ceil(rate.samples(sounds.end))) + 1)};
    if (!one.empty()) all.push_back(one);
  }
  std::ranges::sort(all, {}, &base::SampleRange::begin);
  std::vector<base::SampleRange> joined;
  for (const base::SampleRange& one : all) {
    if (!joined.empty() && one.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, one.end);
    } else {
      joined.push_back(one);
    }
  }
  return joined;
}

void BubbleSource::hash(base::Rate rate, base::SampleRange range,
                        util::Fingerprint& fingerprint) const {
  const double first = rate.seconds(range.begin) - reach, last = rate.seconds(range.end) + reach;
  for (std::size_t bubble = 0; bubble < bubbles_->sounds.size(); ++bubble) {
    const base::TimeRange sounds = sounding(bubble);
    if (sounds.end < first || sounds.begin > last) continue;
    fingerprint.add(sounds.begin), fingerprint.add(sounds.end);
    const double begin = std::max(first, sounds.begin - reach);
    const double end = std::min(last, sounds.end + reach);
    for (double t = begin; t <= end; t += interval) {
      const base::Bubble now = bubbles_->sounds[bubble].at(t);
      fingerprint.add(std::span<const double>(now.position.data(), 3));
      fingerprint.add(now.radius);
    }
  }
  base::Coefficients values;
  coefficients(rate, range, values);
  fingerprint.add(std::span<const float>(values.data(), static_cast<std::size_t>(values.size())));
}

}  // namespace peal::shaders

#include <peal/shaders/bubble_source.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace peal::shaders {

namespace {

constexpr double per_sphere = 1.0 / (4.0 * std::numbers::pi);

/// Half the time over which the change of a field is taken [s].
constexpr double half_step = 0.0005;

/// 1 / r^2, regularised inside of a bubble.
double regularised(double r, double radius) {
  if (r >= radius) return 1.0 / (r * r);
  return (4.0 - 3.0 * r / radius) * r / (radius * radius * radius);
}

}  // namespace

double bubble_field(const Vec3& from_bubble, const Vec3& normal, double radius) {
  const double r = from_bubble.norm();
  if (!(r > 0.0)) return 0.0;
  return per_sphere * std::max(0.0, from_bubble.dot(normal) / r) * regularised(r, radius);
}

BubbleSource::BubbleSource(std::shared_ptr<const BubbleVolumes> bubbles, Covered covered)
    : bubbles_(std::move(bubbles)), covered_(std::move(covered)) {
  std::vector<std::size_t> order(bubbles_->size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t b) { return bubbles_->sounds(b).begin; });
  for (const std::size_t bubble : order) {
    const double free_until = bubbles_->sounds(bubble).begin - 2.0 * reach;
    const auto slot = std::ranges::find_if(slots_, [&](const Slot& taken) {
      return bubbles_->sounds(taken.back()).end <= free_until;
    });
    if (slot == slots_.end()) {
      slots_.push_back({bubble});
    } else {
      slot->push_back(bubble);
    }
  }
}

/// The bubble whose field a slot has at t, if any.
std::optional<std::size_t> BubbleSource::bubble_at(const Slot& slot, double t) const {
  const auto found = std::ranges::find_if(
      slot, [&](std::size_t bubble) { return bubbles_->sounds(bubble).end + reach >= t; });
  if (found == slot.end() || bubbles_->sounds(*found).begin - reach > t) return std::nullopt;
  return *found;
}

/// The field of a bubble with unit flux [1/m^2]. If no point faces the bubble, because it is
/// outside of the liquid, all points count as if they did.
Eigen::VectorXd BubbleSource::unit_field(std::size_t bubble, const Vec3& position,
                                         std::span<const base::SurfacePoint> points,
                                         std::span<const char> covered) const {
  const double radius = bubbles_->radius(bubble);
  Eigen::VectorXd field = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(points.size()));
  for (const bool facing : {true, false}) {
    double flux = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (covered[i] != 0) continue;
      const Vec3 away = points[i].position - position;
      const double value = bubble_field(away, facing ? points[i].normal : away.normalized(), radius);
      field(static_cast<Eigen::Index>(i)) = value;
      flux += value * points[i].area;
    }
    if (flux > 0.0) return field / flux;
  }
  return field;
}

base::SurfaceBasis BubbleSource::basis_at(std::span<const base::SurfacePoint> points,
                                          double t) const {
  std::vector<char> covered(points.size(), 0);
  if (covered_) {
    for (std::size_t i = 0; i < points.size(); ++i) covered[i] = covered_(points[i], t) ? 1 : 0;
  }
  std::vector<std::pair<Eigen::Index, Eigen::VectorXd>> fields;  // by column
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const std::optional<std::size_t> bubble = bubble_at(slots_[slot], t);
    if (!bubble) continue;
    const auto at = [&](double time) { return bubbles_->position(*bubble, time); };
    const auto column = 2 * static_cast<Eigen::Index>(slot);
    fields.emplace_back(column, unit_field(*bubble, at(t), points, covered));
    const Vec3 before = at(t - half_step), after = at(t + half_step);
    if (before == after) continue;
    fields.emplace_back(column + 1, (unit_field(*bubble, after, points, covered) -
                                     unit_field(*bubble, before, points, covered)) /
                                        (2.0 * half_step));
  }
  base::SurfaceBasis::Sparse matrix(static_cast<Eigen::Index>(points.size()), columns());
  matrix.reserve(Eigen::VectorXi::Constant(matrix.rows(), static_cast<int>(fields.size())));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (covered[static_cast<std::size_t>(i)] != 0) continue;
    for (const auto& [column, field] : fields)
      matrix.insert(i, column) = static_cast<float>(field(i));
  }
  matrix.makeCompressed();
  return base::SurfaceBasis(std::move(matrix));
}

void BubbleSource::coefficients(base::Rate rate, base::SampleRange range,
                                base::Coefficients& out) const {
  out.setZero(columns(), range.size());
  const auto count = static_cast<std::size_t>(range.size());
  std::vector<float> velocity(count), acceleration(count);
  const double first = rate.seconds(range.begin), last = rate.seconds(range.end);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const auto row = 2 * static_cast<Eigen::Index>(slot);
    for (const std::size_t bubble : slots_[slot]) {
      const base::TimeRange sounds = bubbles_->sounds(bubble);
      if (sounds.end <= first) continue;
      if (sounds.begin >= last) break;
      bubbles_->volume(bubble, rate, range, velocity, acceleration);
      for (std::size_t n = 0; n < count; ++n) {
        out(row, static_cast<Eigen::Index>(n)) += acceleration[n];
        out(row + 1, static_cast<Eigen::Index>(n)) += velocity[n];
      }
    }
  }
}

std::vector<base::SampleRange> BubbleSource::active(base::Rate rate,
                                                    base::SampleRange range) const {
  std::vector<base::SampleRange> all;
  for (std::size_t bubble = 0; bubble < bubbles_->size(); ++bubble) {
    const base::TimeRange sounds = bubbles_->sounds(bubble);
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
  for (std::size_t bubble = 0; bubble < bubbles_->size(); ++bubble) {
    const base::TimeRange sounds = bubbles_->sounds(bubble);
    if (sounds.end < first || sounds.begin > last) continue;
    fingerprint.add(bubbles_->radius(bubble));
    fingerprint.add(sounds.begin), fingerprint.add(sounds.end);
    const double begin = std::max(first, sounds.begin - reach);
    const double end = std::min(last, sounds.end + reach);
    for (double t = begin; t <= end; t += interval) {
      const Vec3 position = bubbles_->position(bubble, t);
      fingerprint.add(std::span<const double>(position.data(), 3));
    }
  }
  base::Coefficients values;
  coefficients(rate, range, values);
  fingerprint.add(std::span<const float>(values.data(), static_cast<std::size_t>(values.size())));
}

}  // namespace peal::shaders

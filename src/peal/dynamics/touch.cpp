#include <peal/dynamics/touch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::dynamics {

namespace {

using std::numbers::pi;

constexpr int samples_of_ring = 24;
constexpr double golden = 0.6180339887498949;

/// The features of one body against the surface of another.
class FeatureSearch {
 public:
  FeatureSearch(const PlacedShape& of, const PlacedShape& on, double margin)
      : of_(of),
        on_(on),
        margin_(margin),
        turn_((on.pose.orientation.conjugate() * of.pose.orientation).toRotationMatrix()),
        shift_(on.pose.orientation.conjugate() * (of.pose.position - on.pose.position)) {}

  struct Found {
    Vec3 centre;  ///< of the ball, world [m]
    Vec3 normal;  ///< out of `on`, world
    double gap;   ///< [m]
    int part;     ///< which of several places of one feature
  };

  const std::vector<Found>& search(const Feature& feature) {
    found_.clear();
    feature_ = &feature;
    switch (feature.kind) {
      case Feature::Kind::ball:
        add(feature.a, 0);
        break;
      case Feature::Kind::ring:
        on_.shape->is_floor() ? ring_on_floor() : ring_on_surface();
        break;
      case Feature::Kind::segment:
        // On a plane the ends say it all, and they are features of their own.
        if (!on_.shape->is_floor()) segment_on_surface();
        break;
    }
    return found_;
  }

 private:
  double gap_at(const Vec3& local, Vec3& normal) const {
    return on_.shape->distance(turn_ * local + shift_, normal) - feature_->radius;
  }

  void add(const Vec3& local, int part) {
    Vec3 normal;
    const double gap = gap_at(local, normal);
    if (gap > margin_) return;
    found_.push_back({of_.pose.to_world(local), on_.pose.orientation * normal, gap, part});
  }

  Vec3 on_ring(double angle) const {
    return feature_->a + feature_->ring_radius * Vec3(std::cos(angle), 0.0, std::sin(angle));
  }

  /// The lowest point of the ring, and three more that hold it when it lies flat.
  void ring_on_floor() {
    const Vec3 up = on_.pose.orientation * Vec3::UnitY();
    const Vec3 own = of_.pose.orientation.conjugate() * up;
    const double lowest = std::atan2(-own.z(), -own.x());
    for (int k = 0; k < 4; ++k) add(on_ring(lowest + 0.5 * pi * k), k);
  }

  template <class Gap>
  static double minimum(double low, double high, const Gap& gap) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double fa = gap(a), fb = gap(b);
    for (int i = 0; i < 40; ++i) {
      if (fa < fb) {
        high = b, b = a, fb = fa;
        a = high - golden * (high - low), fa = gap(a);
      } else {
        low = a, a = b, fa = fb;
        b = low + golden * (high - low), fb = gap(b);
      }
    }
    return 0.5 * (low + high);
  }

  void ring_on_surface() {
    std::array<double, samples_of_ring> gaps;
    Vec3 normal;
    const double step = 2.0 * pi / samples_of_ring;
    for (int i = 0; i < samples_of_ring; ++i) gaps[i] = gap_at(on_ring(i * step), normal);
    // Distances change by no more than the way along the ring.
    const double worth = margin_ + feature_->ring_radius * step;
    for (int i = 0; i < samples_of_ring; ++i) {
      const double before = gaps[(i + samples_of_ring - 1) % samples_of_ring];
      const double after = gaps[(i + 1) % samples_of_ring];
      if (gaps[i] > worth || gaps[i] > before || gaps[i] >= after) continue;
      const double at = minimum((i - 1) * step, (i + 1) * step,
                                [&](double angle) { return gap_at(on_ring(angle), normal); });
      add(on_ring(at), i);
    }
    // Flat on a face all are equal: hold it at four points.
    const auto [low, high] = std::minmax_element(gaps.begin(), gaps.end());
    if (*high - *low < 0.01 * feature_->ring_radius && *low < margin_) {
      for (int k = 0; k < 4; ++k) add(on_ring(0.5 * pi * k), samples_of_ring + k);
    }
  }

  /// Distance from a convex body is convex along a line: one minimum, taken if it is not an end.
  void segment_on_surface() {
    Vec3 normal;
    const Vec3 along = feature_->b - feature_->a;
    const auto gap = [&](double t) { return gap_at(feature_->a + t * along, normal); };
    if (gap(0.5) - 0.5 * along.norm() > margin_) return;
    const double t = minimum(0.0, 1.0, gap);
    if (gap(t) < std::min(gap(0.0), gap(1.0)) - 1e-9) add(feature_->a + t * along, 0);
  }

  const PlacedShape &of_, &on_;
  double margin_;
  geometry::Mat3 turn_;  ///< from the frame of the one to that of the other
  Vec3 shift_;           ///< [m]
  const Feature* feature_ = nullptr;
  std::vector<Found> found_;
};

/// Whether some touch of this pair, from `first` on, is the same place.
bool is_known(const std::vector<Touch>& touches, std::size_t first, const Touch& one) {
  return std::any_of(
      touches.begin() + static_cast<std::ptrdiff_t>(first), touches.end(), [&](const Touch& other) {
        return (other.point - one.point).norm() < 5e-5 && other.normal.dot(one.normal) > 0.999;
      });
}

}  // namespace

void find_touches(const PlacedShape& a, const PlacedShape& b, std::uint32_t index_a,
                  std::uint32_t index_b, double margin, std::vector<Touch>& touches) {
  const std::size_t first = touches.size();
  const auto add_features = [&](const PlacedShape& of, const PlacedShape& on, bool swapped) {
    FeatureSearch search(of, on, margin);
    const auto& features = of.shape->features();
    for (std::size_t f = 0; f < features.size(); ++f) {
      for (const auto& found : search.search(features[f])) {
        const double depth = features[f].radius + 0.5 * found.gap;
        Touch touch{.body_a = index_a,
                    .body_b = index_b,
                    .key = (std::uint64_t{index_a} << 44) | (std::uint64_t{index_b} << 24) |
                           (static_cast<std::uint64_t>(f) << 8) |
                           (static_cast<std::uint64_t>(found.part) << 1) | (swapped ? 1u : 0u),
                    .point = found.centre - depth * found.normal,
                    .normal = swapped ? Vec3(-found.normal) : found.normal,
                    .gap = found.gap};
        if (!is_known(touches, first, touch)) touches.push_back(touch);
      }
    }
  };
  // The feature of a ball says all; others may touch by features of either.
  if (!b.shape->is_ball() || a.shape->is_ball()) add_features(a, b, false);
  if (!a.shape->is_ball()) add_features(b, a, true);
}

}  // namespace peal::dynamics

#include <peal/dynamics/contact_point.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::dynamics {

namespace {

using std::numbers::pi;

constexpr int samples_of_ring = 24;
constexpr double deepest_part = 0.05;  ///< overlap of an arc, of its radius
constexpr double flat_part = 0.01;     ///< of a ring's radius: what lies flatter lies on a face

/// Directions around Y, from X towards Z.
const std::array<Vec3, samples_of_ring>& circle() {
  static const auto points = [] {
    std::array<Vec3, samples_of_ring> result;
    for (int i = 0; i < samples_of_ring; ++i) {
      const double angle = 2.0 * pi * i / samples_of_ring;
      result[i] = {std::cos(angle), 0.0, std::sin(angle)};
    }
    return result;
  }();
  return points;
}

/// The features of one body against the surface of another.
class FeatureSearch {
 public:
  FeatureSearch(const PosedShape& of, const PosedShape& on, double margin)
      : of_(of),
        on_(on),
        margin_(margin),
        turn_((on.pose.orientation.conjugate() * of.pose.orientation).toRotationMatrix()),
        shift_(on.pose.to_local(of.pose.position)) {}

  struct Found {
    Vec3 centre;  ///< of the ball, world [m]
    Vec3 normal;  ///< out of `on`, world
    double gap;   ///< [m]
    int part;     ///< number among several points of one feature
  };

  const std::vector<Found>& search(const Feature& feature) {
    found_.clear();
    feature_ = &feature;
    switch (feature.kind) {
      case Feature::Kind::ball:
        ball_on_surface();
        break;
      case Feature::Kind::ring:
        if (on_.shape->is_floor()) {
          ring_on_floor();
        } else {
          feature.ring_radius > 0.0 ? ring_on_surface() : inner_ring_on_surface();
        }
        break;
      case Feature::Kind::line:
        line_on_surface();
        break;
      case Feature::Kind::segment:
        // On a plane only the ends matter, and they are features of their own.
        if (!on_.shape->is_floor()) segment_on_surface();
        break;
    }
    return found_;
  }

  /// Finds the points where round faces come nearest.
  const std::vector<Found>& search(const RoundPoints& round) {
    static const Feature none;  // of radius 0
    found_.clear();
    feature_ = &none;
    near_.clear();
    places_.clear();
    search_node(round, 0);
    if (!found_.empty()) add_supports(round);
    return found_;
  }

 private:
  double gap_at(const Vec3& local, Vec3& normal) const {
    return on_.shape->distance(turn_ * local + shift_, normal) - feature_->radius;
  }

  /// Whether everything within `reach` [m] of a point is farther away than the margin.
  bool is_beyond(const Vec3& local, double reach) const {
    return on_.shape->least_distance(turn_ * local + shift_) - feature_->radius > margin_ + reach;
  }

  /// Approximate gap, to find where to search more closely.
  double gap_about(const Vec3& local) const {
    return on_.shape->about_distance(turn_ * local + shift_) - feature_->radius;
  }

  void search_node(const RoundPoints& round, std::uint32_t index) {
    const RoundPoints::Node& node = round.nodes[index];
    if (is_beyond(node.middle, node.reach)) return;
    if (node.right != 0) {
      search_node(round, index + 1);
      search_node(round, node.right);
      return;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const RoundPoints::Point& point = round.points[i];
      const double gap = gap_about(point.at);
      if (gap > margin_ + point.patch) continue;
      if (gap <= margin_) near_.push_back({i, gap});
      const bool lowest = std::ranges::all_of(round.neighbours[point.vertex], [&](std::uint32_t v) {
        return gap_about(round.vertices[v]) >= gap - 1e-9;
      });
      Vec3 at = point.at;
      if (lowest && descend(at, point.patch, 20)) add_round(at, point);
    }
  }

  void add_round(const Vec3& at, const RoundPoints::Point& point) {
    add(at, static_cast<int>(point.vertex & 0x3fff));
    places_.push_back(at);
  }

  /// Adds supports of a face that lies nearly flat. It is lowest at one point, but others support
  /// it: up to three more, far from each other, that a rotation of 10 mrad would bring down.
  void add_supports(const RoundPoints& round) {
    const auto deepest = std::ranges::min_element(found_, {}, &Found::gap);
    const double lowest = deepest->gap, far = 0.2 * of_.shape->reach();
    const Vec3 from = of_.pose.to_local(deepest->centre);
    for (int n = 0; n < 3; ++n) {
      const RoundPoints::Point* best = nullptr;
      double most = far;
      for (const Near& near : near_) {
        const RoundPoints::Point& point = round.points[near.point];
        if (near.gap - lowest > 0.01 * (point.at - from).norm()) continue;
        double apart = std::numeric_limits<double>::infinity();
        for (const Vec3& place : places_) apart = std::min(apart, (place - point.at).norm());
        if (apart > most) {
          most = apart;
          best = &point;
        }
      }
      if (best == nullptr) return;
      Vec3 at = best->at;
      descend(at, best->patch, 2);
      add_round(at, *best);
    }
  }

  /// Moves a point over the own surface to where the gap to the other is least: Newton's method on
  /// the gap with the own distance as its constraint, whose curvatures are differences of normals.
  bool descend(Vec3& at, double patch, int steps) const {
    const Vec3 start = at;
    const double small = 1e-3 * patch;
    Vec3 own, other, turned_own, turned_other;
    for (int i = 0; i < steps; ++i) {
      at -= of_.shape->distance(at, own) * own;
      of_.shape->distance(at, own);
      gap_at(at, other);
      const Vec3 slope = turn_.transpose() * other;
      const Vec3 e0 = own.unitOrthogonal(), e1 = own.cross(e0);
      const Eigen::Vector2d b(e0.dot(slope), e1.dot(slope));
      if (b.norm() < 1e-10) return (at - start).norm() <= 1.5 * patch;
      const double push = -own.dot(slope);
      Eigen::Matrix2d h;
      for (int k = 0; k < 2; ++k) {
        const Vec3& e = k == 0 ? e0 : e1;
        of_.shape->distance(at + small * e, turned_own);
        gap_at(at + small * e, turned_other);
        const Vec3 bend =
            (turn_.transpose() * turned_other - slope + push * (turned_own - own)) / small;
        h(k, 0) = e0.dot(bend);
        h(k, 1) = e1.dot(bend);
      }
      const double across = 0.5 * (h(0, 1) + h(1, 0));
      const double mean = 0.5 * h.trace(), spread = std::hypot(0.5 * (h(0, 0) - h(1, 1)), across);
      // Only downhill, and no farther than the patch.
      const double lift =
          std::max(0.0, 0.05 * (std::abs(mean) + spread) + 1e-6 / patch - (mean - spread));
      const double h00 = h(0, 0) + lift, h11 = h(1, 1) + lift;
      const double det = h00 * h11 - across * across;
      Eigen::Vector2d step =
          -Eigen::Vector2d(h11 * b[0] - across * b[1], h00 * b[1] - across * b[0]) / det;
      if (const double length = step.norm(); length > 0.5 * patch) step *= 0.5 * patch / length;
      at += step[0] * e0 + step[1] * e1;
      if ((at - start).norm() > 1.5 * patch) return false;
    }
    at -= of_.shape->distance(at, own) * own;
    return true;
  }

  void add(const Vec3& local, int part) {
    Vec3 normal;
    const double gap = gap_at(local, normal);
    if (gap <= margin_) add(local, normal, gap, part);
  }

  void add(const Vec3& local, const Vec3& normal, double gap, int part) {
    if (feature_->is_part && !is_own_surface(local, normal, gap)) return;
    found_.push_back({of_.pose.to_world(local), on_.pose.orientation * normal, gap, part});
  }

  void ball_on_surface() {
    ball_distances_.clear();
    on_.shape->find_distances(turn_ * feature_->a + shift_, feature_->radius + margin_,
                              ball_distances_);
    for (const SmoothShape::SurfaceDistance& place : ball_distances_)
      add(feature_->a, place.normal, place.distance - feature_->radius, place.part);
  }

  /// Whether the ball around a point touches with a part that is surface of the body.
  bool is_own_surface(const Vec3& local, const Vec3& normal, double gap) const {
    // The ball of a slightly bent wall is larger than the body: others may lie within it.
    if (gap < -deepest_part * feature_->radius) return false;
    // Parts of the radius. Where two arcs meet both may touch; a ring that lies nearly flat is held
    // at places where it is a little deeper.
    constexpr double highest = 1e-6, lowest = -1e-3;
    Vec3 own;
    const Vec3 at = local - feature_->radius * (turn_.transpose() * normal);
    const double over = of_.shape->distance(at, own) / feature_->radius;
    return over < highest && over > lowest;
  }

  Vec3 on_ring(double angle) const {
    return feature_->a + feature_->ring_radius * Vec3(std::cos(angle), 0.0, std::sin(angle));
  }

  /// Finds the lowest point of the ring, and three more that support it when it lies flat.
  void ring_on_floor() {
    const Vec3 up = on_.pose.orientation * Vec3::UnitY();
    const Vec3 own = of_.pose.orientation.conjugate() * up;
    const double lowest = std::atan2(-own.z(), -own.x());
    for (int k = 0; k < 4; ++k) {
      add(on_ring(lowest + 0.5 * pi * k), k);
      if (found_.empty()) return;  // what is not held at its lowest is not held elsewhere
    }
  }

  /// Rate of change of the gap along a displacement.
  double rise_at(const Vec3& local, const Vec3& way) const {
    Vec3 normal;
    gap_at(local, normal);
    return normal.dot(turn_ * way);
  }

  /// Finds where the gap is least between low and high: the root of its slope, by false position
  /// (Illinois).
  template <class At, class Slope>
  double minimum(double low, double high, const At& at, const Slope& slope) const {
    const Vec3 first = at(low), last = at(high);
    double rise_low = rise_at(first, slope(low, first)),
           rise_high = rise_at(last, slope(high, last));
    if (rise_low >= 0.0) return low;
    if (rise_high <= 0.0) return high;
    const double width = high - low;
    int same = 0;
    for (int i = 0; i < 60 && high - low > 1e-11 * width; ++i) {
      double s = (low * rise_high - high * rise_low) / (rise_high - rise_low);
      if (i % 4 == 3 || !(s > low && s < high)) s = 0.5 * (low + high);
      const Vec3 place = at(s), way = slope(s, place);
      const double rise = rise_at(place, way);
      if (std::abs(rise) < 1e-12 * way.norm()) return s;  // the gap is then exact to rounding
      if (rise < 0.0) {
        low = s, rise_low = rise;
        if (same < 0) rise_high *= 0.5;
        same = -1;
      } else {
        high = s, rise_high = rise;
        if (same > 0) rise_low *= 0.5;
        same = 1;
      }
    }
    return std::abs(rise_low) < std::abs(rise_high) ? low : high;
  }

  void ring_on_surface() {
    std::array<double, samples_of_ring> gaps;
    Vec3 normal;
    const double step = 2.0 * pi / samples_of_ring;
    if (is_beyond(feature_->a, feature_->ring_radius)) return;
    // Along the normal at its middle, a convex surface lies no higher than a plane.
    const double middle = gap_at(feature_->a, normal), along = normal.dot(turn_.col(1));
    const double reach = on_.shape->is_convex()
                             ? feature_->ring_radius * std::sqrt(std::max(0.0, 1.0 - along * along))
                             : feature_->ring_radius;
    if (middle > margin_ + reach) return;
    // Distances change by no more than the way along the ring: where one is large the next need not
    // be known.
    const double way = feature_->ring_radius * step, worth = margin_ + way;
    for (int i = 0; i < samples_of_ring; ++i) {
      gaps[i] = gap_at(feature_->a + feature_->ring_radius * circle()[i], normal);
      for (const int here = i; i + 1 < samples_of_ring && gaps[here] - (i + 1 - here) * way > worth;
           ++i) {
        gaps[i + 1] = gaps[here] - (i + 1 - here) * way;
      }
    }
    for (int i = 0; i < samples_of_ring; ++i) {
      const double before = gaps[(i + samples_of_ring - 1) % samples_of_ring];
      const double after = gaps[(i + 1) % samples_of_ring];
      if (gaps[i] > worth || gaps[i] > before || gaps[i] >= after) continue;
      const double at =
          minimum((i - 1) * step, (i + 1) * step, [&](double angle) { return on_ring(angle); },
                  [&](double, const Vec3& p) -> Vec3 {
                    return {feature_->a.z() - p.z(), 0.0, p.x() - feature_->a.x()};
                  });
      add(on_ring(at), i);
      // An arc that lies on a face is fixed at its ends, too.
      const auto end_of_arc = [&](int sense) {
        int k = i;
        const auto gap = [&](int n) { return gaps[(n + 2 * samples_of_ring) % samples_of_ring]; };
        while (std::abs(k - i) < samples_of_ring / 2 &&
               gap(k + sense) < gaps[i] + flat_part * feature_->ring_radius) {
          k += sense;
        }
        return k;
      };
      const int first = end_of_arc(-1), last = end_of_arc(1);
      if (last - first < samples_of_ring / 2 && last - first > 2) {
        add(on_ring(first * step), 2 * samples_of_ring + i);
        add(on_ring(last * step), 3 * samples_of_ring + i);
      }
    }
    // Flat on a face all gaps are equal: support it at four points.
    const auto [low, high] = std::minmax_element(gaps.begin(), gaps.end());
    if (*high - *low < flat_part * feature_->ring_radius && *low < margin_) {
      for (int k = 0; k < 4; ++k) add(on_ring(0.5 * pi * k), samples_of_ring + k);
    }
  }

  /// A ball whose far side is the surface touches where its gap along the ring is greatest: there
  /// the surface bulges towards the other.
  void inner_ring_on_surface() {
    Vec3 normal;
    const double size = -feature_->ring_radius, step = 2.0 * pi / samples_of_ring;
    if (is_beyond(feature_->a, size)) return;
    std::array<double, samples_of_ring> gaps;
    for (int i = 0; i < samples_of_ring; ++i) gaps[i] = gap_at(on_ring(i * step), normal);
    for (int i = 0; i < samples_of_ring; ++i) {
      const double before = gaps[(i + samples_of_ring - 1) % samples_of_ring];
      const double after = gaps[(i + 1) % samples_of_ring];
      if (gaps[i] < before || gaps[i] <= after) continue;
      const double at =
          minimum((i - 1) * step, (i + 1) * step, [&](double angle) { return on_ring(angle); },
                  [&](double, const Vec3& p) -> Vec3 {
                    return {p.z() - feature_->a.z(), 0.0, feature_->a.x() - p.x()};
                  });
      add(on_ring(at), i);
    }
  }

  /// Distance from a convex body is convex along a line: one minimum, taken if it is not an end.
  void segment_on_surface() {
    Vec3 normal;
    const Vec3 along = feature_->b - feature_->a;
    const auto at = [&](double t) -> Vec3 { return feature_->a + t * along; };
    const auto gap = [&](double t) { return gap_at(at(t), normal); };
    if (is_beyond(at(0.5), 0.5 * along.norm())) return;
    if (!on_.shape->is_convex()) {
      segment_in_parts(along);
      return;
    }
    const double t = minimum(0.0, 1.0, at, [&](double, const Vec3&) { return along; });
    if (gap(t) < std::min(gap(0.0), gap(1.0)) - 1e-9) add(at(t), 0);
  }

  /// Finds several minima of the distance from a body that is not convex.
  void segment_in_parts(const Vec3& along) {
    constexpr int parts = 12;
    Vec3 normal;
    const auto at = [&](double t) -> Vec3 { return feature_->a + t * along; };
    std::array<double, parts + 1> gaps;
    for (int i = 0; i <= parts; ++i) gaps[i] = gap_at(at(double(i) / parts), normal);
    const double worth = margin_ + along.norm() / parts;
    for (int i = 0; i <= parts; ++i) {
      const double before = gaps[std::max(i - 1, 0)], after = gaps[std::min(i + 1, parts)];
      if (gaps[i] > worth || gaps[i] > before || gaps[i] > after) continue;
      const double low = std::max(i - 1, 0) / double(parts),
                   high = std::min(i + 1, parts) / double(parts);
      const double t = minimum(low, high, at, [&](double, const Vec3&) { return along; });
      if (t > 1e-9 && t < 1.0 - 1e-9) add(at(t), i);
    }
  }

  /// Finds the minima of a curved line; a closed line is supported at four points, in case it lies
  /// flat.
  void line_on_surface() {
    const FeatureLine& line = *feature_->line;
    Vec3 normal;
    if (is_beyond(line.middle, line.reach)) return;
    const int n = static_cast<int>(line.arcs.size());
    std::vector<double>& gaps = scratch_;
    gaps.clear();
    const int count = line.is_closed ? n : n + 1;
    for (int i = 0; i < count; ++i) gaps.push_back(gap_at(line.at(i), normal));
    const auto gap_of = [&](int i) {
      return line.is_closed ? gaps[(i + n) % n] : gaps[std::clamp(i, 0, n)];
    };
    const auto at = [&](double s) { return line.at(s); };
    const auto slope = [&](double s, const Vec3&) { return line.slope(s); };
    int lowest = 0;
    double lowest_at = 0.0;
    for (int i = 0; i < count; ++i) {
      if (gaps[i] < gaps[lowest]) lowest = i;
    }
    for (int i = 0; i < count; ++i) {
      const auto length = [&](int arc) {
        return arc < 0 || arc >= n ? 0.0 : (line.at(arc + 1) - line.at(arc)).norm();
      };
      const double worth = margin_ + 1.1 * std::max(length(i - 1), length(i));
      if (gaps[i] > worth || gaps[i] > gap_of(i - 1) || gaps[i] > gap_of(i + 1)) continue;
      if (gaps[i] == gap_of(i + 1)) continue;  // one of two that are the same
      const double low = line.is_closed ? i - 1 : std::max(i - 1, 0);
      const double high = line.is_closed ? i + 1 : std::min(i + 1, n);
      const double s = minimum(low, high, at, slope);
      if (i == lowest) lowest_at = s;
      add(line.at(s), 2 * i);
    }
    if (!line.is_closed) return;
    for (int k = 1; k < 4; ++k) add(line.at(lowest_at + 0.25 * k * n), 2 * k + 1);
  }

  const PosedShape &of_, &on_;
  double margin_;
  geometry::Mat3 turn_;  ///< rotation between the frames of both
  Vec3 shift_;           ///< [m]
  const Feature* feature_ = nullptr;
  std::vector<Found> found_;
  std::vector<double> scratch_;
  std::vector<SmoothShape::SurfaceDistance> ball_distances_;
  struct Near {
    std::uint32_t point;
    double gap;  ///< [m]
  };
  std::vector<Near> near_;    ///< points of round faces within the margin
  std::vector<Vec3> places_;  ///< points found on round faces, own frame [m]
};

/// Whether a contact point of this pair, from `first` on, is the same point.
bool is_known(const std::vector<ContactPoint>& contact_points, std::size_t first,
              const ContactPoint& one) {
  return std::any_of(contact_points.begin() + static_cast<std::ptrdiff_t>(first),
                     contact_points.end(), [&](const ContactPoint& other) {
                       return (other.point - one.point).norm() < 5e-5 &&
                              other.normal.dot(one.normal) > 0.999;
                     });
}

}  // namespace

void find_contact_points(const PosedShape& a, const PosedShape& b, std::uint32_t index_a,
                         std::uint32_t index_b, double margin,
                         std::vector<ContactPoint>& contact_points) {
  const std::size_t first = contact_points.size();
  const auto add_features = [&](const PosedShape& of, const PosedShape& on, bool swapped) {
    FeatureSearch search(of, on, margin);
    const auto add = [&](const FeatureSearch::Found& found, std::size_t feature, double radius) {
      const double depth = radius + 0.5 * found.gap;
      ContactPoint contact_point{
          .body_a = index_a,
          .body_b = index_b,
          .key = pair_key(index_a, index_b) | (static_cast<std::uint64_t>(feature) << 16) |
                 (static_cast<std::uint64_t>(found.part) << 1) | (swapped ? 1u : 0u),
          .point = found.centre - depth * found.normal,
          .normal = swapped ? Vec3(-found.normal) : found.normal,
          .gap = found.gap};
      if (!is_known(contact_points, first, contact_point)) contact_points.push_back(contact_point);
    };
    const auto& features = of.shape->features();
    for (std::size_t f = 0; f < features.size(); ++f) {
      for (const auto& found : search.search(features[f])) add(found, f, features[f].radius);
    }
    if (const RoundPoints* round = of.shape->round_points()) {
      for (const auto& found : search.search(*round)) add(found, features.size(), 0.0);
    }
  };
  // The feature of a ball is sufficient; other bodies may touch by features of either.
  if (!b.shape->is_ball() || a.shape->is_ball()) add_features(a, b, false);
  if (!a.shape->is_ball()) add_features(b, a, true);
}

}  // namespace peal::dynamics

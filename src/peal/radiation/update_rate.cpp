#include <peal/radiation/update_rate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::radiation {

namespace {

using base::Vec3;

/// The largest change between keyframes: of the delays between sample points, as a phase of the
/// shortest wave, and of the angles of the surface and of the paths from it. A crossfade between
/// two tones that far apart is off by an eighth of its square, -46 dB, and so is one between two
/// angles.
constexpr double largest_turn = 0.2;
/// The largest relative change of the distance between keyframes.
constexpr double largest_approach = 0.05;
constexpr double nearest_approach = 0.01;  ///< smallest distance to which that is relative [m]

/// The largest rotation of facets [rad], if it is small; each facet is given by a vector of any
/// length along its normal.
double turn_between(std::span<const Vec3> before, std::span<const Vec3> after) {
  double largest = 0.0;  // square
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double change = (after[i] - before[i]).squaredNorm(), length = after[i].squaredNorm();
    if (change > largest * length) largest = change / length;
  }
  return std::sqrt(largest);
}

/// The largest movement of points relative to the middle [m].
double largest_move(std::span<const Vec3> before, std::span<const Vec3> after, const Vec3& way) {
  double largest = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i)
    largest = std::max(largest, (after[i] - before[i] - way).squaredNorm());
  return std::sqrt(largest);
}

double largest_distance(std::span<const Vec3> points, const Vec3& middle) {
  double largest = 0.0;
  for (const Vec3& point : points) largest = std::max(largest, (point - middle).squaredNorm());
  return std::sqrt(largest);
}

/// How much farther points are from a receiver than the middle is [m].
Eigen::ArrayXd ways_from(std::span<const Vec3> points, const Vec3& middle,
                         const Vec3& receiver_point) {
  Eigen::ArrayXd ways(static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    ways[static_cast<Eigen::Index>(i)] = (points[i] - receiver_point).squaredNorm();
  return ways.sqrt() - (middle - receiver_point).norm();
}

}  // namespace

UpdateRate::UpdateRate(const RayScene& scene, const ReceiverTrack& track, std::int64_t begin,
                       std::span<const std::shared_ptr<PlacedSurface>> placed) {
  const double wavelength = scene.world.medium.speed_of_sound / scene.settings.max_frequency;
  const double most_move = largest_turn * wavelength / (2.0 * std::numbers::pi);
  std::vector<Eigen::ArrayXd> farther;  // of each receiver
  for (std::size_t r = 0; r < scene.receivers.size(); ++r)
    farther.push_back(ways_from(placed[0]->points, track.middle(begin),
                                track.receiver_geometry(r, begin).receiver_point));
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const std::int64_t hop = begin + static_cast<std::int64_t>(i);
    const Vec3 &middle = track.middle(hop + 1), &last_middle = track.middle(hop);
    const PlacedSurface &last = *placed[i], &next = *placed[i + 1];
    const double size = largest_distance(next.points, middle);
    const double own_turn = turn_between(last.facets, next.facets);
    const double own_move = largest_move(last.points, next.points, middle - last_middle);
    double ways = 0.0, moves = own_move / most_move;
    for (std::size_t r = 0; r < farther.size(); ++r) {
      const Vec3& receiver_point = track.receiver_geometry(r, hop + 1).receiver_point;
      const Vec3 now = receiver_point - middle,
                 then = track.receiver_geometry(r, hop).receiver_point - last_middle;
      Eigen::ArrayXd farther_now = ways_from(next.points, middle, receiver_point);
      const double longer = (farther_now - farther[r]).abs().maxCoeff();
      farther[r].swap(farther_now);
      const double turn = (now.normalized() - then.normalized()).norm();
      const double distance = std::max(nearest_approach, std::min(now.norm(), then.norm()) - size);
      const double approach = std::abs(now.norm() - then.norm()) / distance / largest_approach;
      ways = std::max({ways, approach, longer / most_move, (own_turn + turn) / largest_turn});
      moves = std::max({moves, approach, (own_move + turn * size) / most_move});
      if (track.jumps(r, hop)) ways = moves = std::numeric_limits<double>::infinity();
    }
    ways_[i] = ways;
    moves_[i] = moves;
  }
}

std::int64_t UpdateRate::length(const Changes& changes) {
  const auto is_fine = [&](std::size_t length) {
    for (std::size_t from = 0; from < changes.size(); from += length) {
      double sum = 0.0;
      for (std::size_t i = from; i < from + length; ++i) sum += changes[i];
      if (sum > 1.0) return false;
    }
    return true;
  };
  std::size_t length = changes.size();
  while (length > 1 && !is_fine(length)) length /= 2;
  return static_cast<std::int64_t>(length);
}

}  // namespace peal::radiation

#include <peal/radiation/surface_track.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::radiation {

namespace {

using base::Vec3;

/// Phase of the shortest wave by which delays between places may change from key to key, and angle
/// by which the surface and the ways from it may turn: the fade between two tones that far apart
/// errs by an eighth of its square, -46 dB, and so does that between two angles.
constexpr double largest_turn = 0.2;
/// Part by which the distance may change from key to key.
constexpr double largest_approach = 0.05;
constexpr double nearest_approach = 0.01;  ///< distance that this is a part of, at least [m]

Vec3 middle_of(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

/// By which facets turn most [rad], if that is little; each is told by its normal times any length.
double turn_between(std::span<const Vec3> before, std::span<const Vec3> after) {
  double largest = 0.0;  // square
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double change = (after[i] - before[i]).squaredNorm(), length = after[i].squaredNorm();
    if (change > largest * length) largest = change / length;
  }
  return std::sqrt(largest);
}

double largest_move(std::span<const Vec3> before, std::span<const Vec3> after) {
  double largest = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i)
    largest = std::max(largest, (after[i] - before[i]).squaredNorm());
  return std::sqrt(largest);
}

double largest_length(std::span<const Vec3> vectors) {
  double largest = 0.0;
  for (const Vec3& vector : vectors) largest = std::max(largest, vector.squaredNorm());
  return std::sqrt(largest);
}

/// Takes how much farther points are from an ear than the middle, all as seen from that, and tells
/// by how much this has changed at most [m].
double change_of_ways(std::span<const Vec3> points, const Vec3& ear, Eigen::ArrayXd& farther) {
  Eigen::ArrayXd now(static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    now[static_cast<Eigen::Index>(i)] = (points[i] - ear).squaredNorm();
  now = now.sqrt() - ear.norm();
  const double largest = farther.size() > 0 ? (now - farther).abs().maxCoeff() : 0.0;
  farther.swap(now);
  return largest;
}

}  // namespace

/// What is compared from beat to beat.
struct SurfaceTrack::Last {
  std::vector<Vec3> points, facets;  ///< points as seen from the middle
  /// How much farther each point is from each receiver than the middle [m].
  std::vector<Eigen::ArrayXd> farther;
};

SurfaceTrack::SurfaceTrack(const RayScene& scene, const SoundingSurface& surface,
                           std::int64_t begin, std::int64_t end)
    : scene_(scene), begin_(begin), hearings_(scene.receivers.size()) {
  Last last;
  last.farther.resize(scene.receivers.size());
  for (std::int64_t beat = begin; beat < end; ++beat) add(beat, surface, last);
}

/// Of what leaves the middle at t.
Hearing SurfaceTrack::hearing_from(const base::Receiver& receiver, double t,
                                   const Vec3& middle) const {
  Hearing hearing{.rate = scene_.rate,
                  .speed_of_sound = scene_.world.medium.speed_of_sound,
                  .form = scene_.settings.form,
                  .between = &ShortDelay::for_band(scene_.settings.max_frequency /
                                                   static_cast<double>(scene_.rate.hz))};
  // The receiver where it is when sound arrives: its speed is small against that of sound.
  double arrival = t;
  for (int i = 0; i < (receiver.motion->is_still() ? 1 : 8); ++i) {
    hearing.ear = receiver.motion->pose(arrival).to_world(receiver.offset);
    const double next = t + (hearing.ear - middle).norm() / hearing.speed_of_sound;
    const bool close = std::abs(next - arrival) < 1e-9 * scene_.rate.step();
    arrival = next;
    if (close) break;
  }
  hearing.delay = scene_.rate.samples((hearing.ear - middle).norm() / hearing.speed_of_sound);
  // Any delay will do that goes with the middle; a whole one if it stays.
  if (scene_.is_still) hearing.delay = std::round(hearing.delay);
  return hearing;
}

void SurfaceTrack::add(std::int64_t beat, const SoundingSurface& surface, Last& last) {
  const double wavelength = scene_.world.medium.speed_of_sound / scene_.settings.max_frequency;
  const double most_move = largest_turn * wavelength / (2.0 * std::numbers::pi);
  const double t = scene_.time(beat);
  std::vector<Vec3> points, facets;
  surface.outline(t, points, facets);
  const Vec3 middle = middle_of(points);
  for (Vec3& point : points) point -= middle;
  const bool is_first = beat == begin_;
  const double size = largest_length(points);
  const double own_turn = is_first ? 0.0 : turn_between(last.facets, facets);
  const double own_move = is_first ? 0.0 : largest_move(last.points, points);
  double ways = 0.0, moves = own_move / most_move;
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) {
    hearings_[r].push_back(hearing_from(scene_.receivers[r], t, middle));
    const Vec3 now = hearings_[r].back().ear - middle;
    const double longer = change_of_ways(points, now, last.farther[r]);
    if (is_first) continue;
    const Vec3 then = hearings_[r].end()[-2].ear - middle_.back();
    const double turn = (now.normalized() - then.normalized()).norm();
    const double distance = std::max(nearest_approach, std::min(now.norm(), then.norm()) - size);
    const double approach = std::abs(now.norm() - then.norm()) / distance / largest_approach;
    ways = std::max({ways, approach, longer / most_move, (own_turn + turn) / largest_turn});
    moves = std::max({moves, approach, (own_move + turn * size) / most_move});
  }
  middle_.push_back(middle);
  last.points = std::move(points);
  last.facets = std::move(facets);
  if (is_first) return;
  for (std::size_t r = 0; r < scene_.receivers.size(); ++r) {
    if (jumps(r, beat - 1)) ways = moves = std::numeric_limits<double>::infinity();
  }
  ways_.push_back(ways);
  moves_.push_back(moves);
}

bool SurfaceTrack::jumps(std::size_t receiver, std::int64_t beat) const {
  const double growth = hearing(receiver, beat + 1).delay - hearing(receiver, beat).delay;
  return std::abs(growth) > 0.5 * static_cast<double>(scene_.beat);
}

std::int64_t SurfaceTrack::length(const std::vector<double>& changes, std::int64_t begin) const {
  const auto is_fine = [&](std::int64_t length) {
    for (std::int64_t from = begin; from < begin + at_once; from += length) {
      double sum = 0.0;
      for (std::int64_t beat = from; beat < from + length; ++beat)
        sum += changes[static_cast<std::size_t>(beat - begin_)];
      if (sum > 1.0) return false;
    }
    return true;
  };
  std::int64_t length = at_once;
  while (length > 1 && !is_fine(length)) length /= 2;
  return length;
}

}  // namespace peal::radiation

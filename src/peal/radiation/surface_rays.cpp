#include <peal/radiation/emission.h>
#include <peal/radiation/surface_rays.h>
#include <peal/util/fractional_delay.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace peal::radiation {

namespace {

using base::SampleRange;
using base::Vec3;
using util::FractionalDelay;

/// Samples in the shortest period of the band, of series that are asked for at places: those of
/// shaders may hold more than that, which must not fold onto it.
constexpr double asked_samples_per_period = 8.0;
/// The same of series without anything too high for them (short_delay.h).
constexpr double least_samples_per_period = 2.7;

/// Beats are multiples of this [samples].
constexpr auto beat_step = static_cast<std::int64_t>(RayResponse::block);
constexpr std::int64_t beats_at_once = 16;
constexpr double beats_per_second = 1500.0;
constexpr std::int64_t shadow_beats = 4;  ///< from one look for shadows to the next

/// Phase of the shortest wave by which delays between places may change from key to key: the fade
/// between two tones that far apart errs by an eighth of its square, -46 dB.
constexpr double largest_turn = 0.2;
/// Part by which the distance may change from key to key.
constexpr double largest_approach = 0.05;
constexpr double nearest_approach = 0.01;  ///< distance that this is a part of, at least [m]

base::Rate rate_for(const base::World& world, const base::Body& body, double max_frequency) {
  const bool is_enough =
      static_cast<double>(world.rate.hz) >= least_samples_per_period * max_frequency;
  if (is_enough && SurfaceSeries::has_vertices(body, world.rate)) return world.rate;
  return base::multiple_at_least(world.rate, asked_samples_per_period * max_frequency);
}

std::int64_t beat_for(base::Rate rate) {
  const double samples = static_cast<double>(rate.hz) / beats_per_second;
  return beat_step * std::max<std::int64_t>(1, std::lround(samples / beat_step));
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

SampleRange overlap(SampleRange a, SampleRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// From the first to the last instant of a stretch at which what sounds is heard by filters that
/// reach so far.
SampleRange heard_within(std::span<const SampleRange> sounding, SampleRange stretch,
                         std::int64_t from, std::int64_t to) {
  SampleRange found{stretch.end, stretch.begin};
  for (const SampleRange& range : sounding) {
    const SampleRange one = overlap(stretch, {range.begin - to, range.end - from});
    if (one.empty()) continue;
    found.begin = std::min(found.begin, one.begin);
    found.end = std::max(found.end, one.end);
  }
  return found;
}

Vec3 middle_of(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

}  // namespace

/// Where everything is at the beats of a stretch of time.
struct SurfaceRays::Track {
  std::int64_t begin = 0;  ///< first beat
  std::vector<Vec3> middle;
  /// How much changes from each beat to the next, of what may change from key to key.
  std::vector<double> change;
  std::vector<std::vector<Hearing>> hearings;  ///< of each receiver, at each beat

  std::int64_t end() const { return begin + static_cast<std::int64_t>(middle.size()); }
  const Hearing& hearing(std::size_t receiver, std::int64_t beat) const {
    return hearings[receiver][static_cast<std::size_t>(beat - begin)];
  }
  /// Whether sound from the middle arrives so much later or earlier after this beat that no
  /// movement explains it.
  bool jumps(std::size_t receiver, std::int64_t beat, std::int64_t samples) const {
    const double growth = hearing(receiver, beat + 1).delay - hearing(receiver, beat).delay;
    return std::abs(growth) > 0.5 * static_cast<double>(samples);
  }
};

/// The ways of sound at one beat.
struct SurfaceRays::Key {
  std::int64_t beat = 0;
  std::shared_ptr<const PlacedSurface> placed;
  std::vector<Hearing> hearings;                        ///< of each receiver
  std::vector<std::vector<char>> is_seen;               ///< by each, of each place
  std::vector<std::shared_ptr<RayResponse>> responses;  ///< to each
};

/// What leaves the middle of the surface from one jump to the next, one beat beyond both included:
/// there the delay stays and the sound rises and falls.
struct SurfaceRays::Run {
  std::int64_t begin = 0;      ///< beat
  std::int64_t start = 0;      ///< sample
  std::vector<double> delays;  ///< at its beats [samples]
  std::array<std::vector<float>, most_sums> sums;
};

SurfaceRays::SurfaceRays(const base::World& world, std::size_t body,
                         std::span<const base::Receiver> receivers, Occluders& occluders,
                         const base::RaysSettings& settings)
    : world_(world),
      number_(body),
      receivers_(receivers),
      occluders_(occluders),
      settings_(settings),
      rate_(rate_for(world, world.bodies[body], settings.max_frequency)),
      beat_(beat_for(rate_)),
      surface_(world.bodies[body], world.medium.speed_of_sound / settings.max_frequency),
      series_(surface_, rate_),
      is_still_(occluders.are_still() && std::ranges::all_of(receivers,
                                                             [](const base::Receiver& receiver) {
                                                               return receiver.motion->is_still();
                                                             })),
      shadows_move_(!occluders.are_still(body)) {}

std::vector<SampleRange> SurfaceRays::sounding(SampleRange range) const {
  std::vector<SampleRange> all;
  for (const auto& shader : surface_.body().shaders) {
    for (const SampleRange& one : shader->sounding(rate_, range)) all.push_back(one);
  }
  return all;
}

/// Of what leaves the middle at t.
Hearing SurfaceRays::hearing(const base::Receiver& receiver, double t, const Vec3& middle) const {
  Hearing hearing{
      .rate = rate_, .speed_of_sound = world_.medium.speed_of_sound, .form = settings_.form};
  // The receiver where it is when sound arrives: its speed is small against that of sound.
  double arrival = t;
  for (int i = 0; i < (receiver.motion->is_still() ? 1 : 8); ++i) {
    hearing.ear = receiver.motion->pose(arrival).to_world(receiver.offset);
    const double next = t + (hearing.ear - middle).norm() / hearing.speed_of_sound;
    const bool close = std::abs(next - arrival) < 1e-9 * rate_.step();
    arrival = next;
    if (close) break;
  }
  hearing.delay = rate_.samples((hearing.ear - middle).norm() / hearing.speed_of_sound);
  // Any delay will do that goes with the middle; a whole one if it stays.
  if (is_still_) hearing.delay = std::round(hearing.delay);
  return hearing;
}

/// The beats [begin, end).
SurfaceRays::Track SurfaceRays::follow(std::int64_t begin, std::int64_t end) const {
  const double wavelength = world_.medium.speed_of_sound / settings_.max_frequency;
  const double most_move = largest_turn * wavelength / (2.0 * std::numbers::pi);
  Track track{.begin = begin};
  track.hearings.resize(receivers_.size());
  std::vector<Vec3> points, before;
  for (std::int64_t beat = begin; beat < end; ++beat) {
    const double t = rate_.seconds(beat * beat_);
    surface_.outline(t, points);
    track.middle.push_back(middle_of(points));
    const Vec3& middle = track.middle.back();
    double move = 0.0, size = 0.0;  // squares
    for (Vec3& point : points) point -= middle;
    for (std::size_t i = 0; i < before.size(); ++i) {
      move = std::max(move, (points[i] - before[i]).squaredNorm());
      size = std::max(size, points[i].squaredNorm());
    }
    double change = std::sqrt(move) / most_move;
    for (std::size_t r = 0; r < receivers_.size(); ++r) {
      track.hearings[r].push_back(hearing(receivers_[r], t, middle));
      if (before.empty()) continue;
      const std::size_t last = track.middle.size() - 2;
      const Vec3 now = track.hearings[r].back().ear - middle;
      const Vec3 then = track.hearings[r][last].ear - track.middle[last];
      const double turn = (now.normalized() - then.normalized()).norm();
      const double distance =
          std::max(nearest_approach, std::min(now.norm(), then.norm()) - std::sqrt(size));
      change = std::max(change, (std::sqrt(move) + turn * std::sqrt(size)) / most_move);
      change = std::max(change, std::abs(now.norm() - then.norm()) / distance / largest_approach);
      if (track.jumps(r, beat - 1, beat_)) change = std::numeric_limits<double>::infinity();
    }
    if (!before.empty()) track.change.push_back(change);
    std::swap(points, before);
  }
  return track;
}

/// Beats at which rays are followed, from `begin` to beats_at_once later: as few as will do.
std::vector<std::int64_t> SurfaceRays::key_beats(const Track& track, std::int64_t begin) const {
  const auto is_fine = [&](std::int64_t length) {
    for (std::int64_t from = begin; from < begin + beats_at_once; from += length) {
      double sum = 0.0;
      for (std::int64_t beat = from; beat < from + length; ++beat)
        sum += track.change[static_cast<std::size_t>(beat - track.begin)];
      if (sum > 1.0) return false;
    }
    return true;
  };
  std::int64_t length = shadows_move_ ? shadow_beats : beats_at_once;
  while (length > 1 && !is_fine(length)) length /= 2;
  std::vector<std::int64_t> beats;
  for (std::int64_t beat = begin; beat <= begin + beats_at_once; beat += length)
    beats.push_back(beat);
  return beats;
}

std::vector<char> SurfaceRays::seen_places(const PlacedSurface& placed,
                                           const Hearing& hearing) const {
  const bool all_around = settings_.form == base::RaysSettings::Form::kirchhoff;
  const std::vector<std::size_t> others = occluders_.between(
      placed.box, hearing.ear, all_around ? std::optional(number_) : std::nullopt);
  std::vector<char> is_seen(places(), 1);
  if (others.empty() && all_around) return is_seen;
  util::parallel_for_small(places(), [&](std::size_t i) {
    const Vec3& place = placed.places[i];
    const bool is_turned_away = !all_around && !surface_.body().is_sheet &&
                                placed.normals[i].dot(hearing.ear - place) <= 0.0;
    is_seen[i] = !is_turned_away && !occluders_.block(place, hearing.ear, others);
  });
  return is_seen;
}

/// Replaces the keys by those at these beats. Where nothing has changed from one to the next they
/// share their responses; those that are no longer needed give their memory to new ones.
void SurfaceRays::make_keys(const Track& track, std::span<const std::int64_t> beats,
                            std::vector<Key>& keys) {
  if (is_still_ && !keys.empty()) {
    keys.front().beat = beats.front();
    keys.back().beat = beats.back();
    return;
  }
  const std::size_t kept = !keys.empty() && keys.back().beat == beats.front() ? 1 : 0;
  for (std::size_t k = 0; k + kept < keys.size(); ++k) {
    for (auto& response : keys[k].responses) {
      if (response.use_count() == 1) spare_.push_back(std::move(response));
      response.reset();
    }
  }
  keys.erase(keys.begin(), keys.end() - static_cast<std::ptrdiff_t>(kept));
  struct Task {
    std::size_t key, receiver;
  };
  std::vector<Task> tasks;
  const bool all_around = settings_.form == base::RaysSettings::Form::kirchhoff;
  for (const std::int64_t beat : beats.subspan(keys.size())) {
    const double t = rate_.seconds(beat * beat_);
    Key& key = keys.emplace_back();
    key.beat = beat;
    key.placed = surface_.at(t);
    occluders_.set_time(t, all_around ? std::optional(number_) : std::nullopt);
    for (std::size_t r = 0; r < receivers_.size(); ++r) {
      key.hearings.push_back(track.hearing(r, beat));
      key.is_seen.push_back(seen_places(*key.placed, key.hearings[r]));
      tasks.push_back({keys.size() - 1, r});
    }
    for (std::size_t r = 0; r < receivers_.size(); ++r) {
      if (spare_.empty()) spare_.push_back(std::make_shared<RayResponse>());
      key.responses.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
  }
  const auto is_repeated = [&](const Task& task) {
    if (task.key == 0) return false;
    const Key &now = keys[task.key], &last = keys[task.key - 1];
    const std::size_t r = task.receiver;
    return now.hearings[r].ear == last.hearings[r].ear && now.is_seen[r] == last.is_seen[r] &&
           now.placed->is_same_as(*last.placed);
  };
  std::vector<char> repeated(tasks.size());
  util::parallel_for(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    const Task& task = tasks[static_cast<std::size_t>(i)];
    Key& key = keys[task.key];
    repeated[static_cast<std::size_t>(i)] = is_repeated(task);
    if (repeated[static_cast<std::size_t>(i)] != 0) return;
    key.responses[task.receiver]->take(surface_, *key.placed, series_.is_of_vertices(),
                                       key.is_seen[task.receiver], key.hearings[task.receiver]);
  });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (repeated[i] == 0) continue;
    auto& response = keys[tasks[i].key].responses[tasks[i].receiver];
    spare_.push_back(std::move(response));
    response = keys[tasks[i].key - 1].responses[tasks[i].receiver];
  }
}

std::vector<std::vector<SurfaceRays::Run>> SurfaceRays::make_runs(const Track& track) const {
  std::vector<std::vector<Run>> all(receivers_.size());
  for (std::size_t r = 0; r < receivers_.size(); ++r) {
    const auto begin_run = [&](std::int64_t beat) {
      all[r].push_back({.begin = beat, .start = beat * beat_});
    };
    begin_run(track.begin);
    for (std::int64_t beat = track.begin; beat < track.end(); ++beat) {
      Run& run = all[r].back();
      run.delays.push_back(track.hearing(r, beat).delay);
      if (beat + 1 == track.end() || !track.jumps(r, beat, beat_)) continue;
      run.delays.push_back(run.delays.back());
      begin_run(beat);
      all[r].back().delays.push_back(track.hearing(r, beat + 1).delay);
    }
    for (Run& run : all[r]) {
      const auto samples = (static_cast<std::int64_t>(run.delays.size()) - 1) * beat_;
      for (int s = 0; s < sums_of(settings_.form); ++s)
        run.sums[static_cast<std::size_t>(s)].resize(static_cast<std::size_t>(samples));
    }
  }
  return all;
}

/// What leaves the middle at a block of instants from u on, between two keys.
void SurfaceRays::hear(const Key& from, const Key& to, std::int64_t u, std::size_t receiver,
                       const Track& track, std::vector<Run>& runs) const {
  const std::int64_t begin = from.beat * beat_, end = to.beat * beat_;
  const bool is_jump = to.beat == from.beat + 1 && track.jumps(receiver, from.beat, beat_);
  // Runs that have begun by then: at a jump the new one, too.
  const auto after = std::partition_point(runs.begin(), runs.end(),
                                          [&](const Run& run) { return run.begin <= from.beat; });
  Run& rising = *(after - 1);
  Run& falling = is_jump ? *(after - 2) : rising;
  const RayResponse &old = *from.responses[receiver], &young = *to.responses[receiver];
  const bool stays = &old == &young && !is_jump;
  RayResponse::Sums now, next{};
  old.make(series_, u, now);
  if (!stays) young.make(series_, u, next);
  for (std::size_t s = 0; s < static_cast<std::size_t>(sums_of(settings_.form)); ++s) {
    float* const fall = &falling.sums[s][static_cast<std::size_t>(u - falling.start)];
    float* const rise = &rising.sums[s][static_cast<std::size_t>(u - rising.start)];
    for (std::size_t i = 0; i < RayResponse::block; ++i) {
      const double passed = static_cast<double>(u - begin) + static_cast<double>(i);
      const double along = stays ? 0.0 : passed / static_cast<double>(end - begin);
      fall[i] += static_cast<float>((1.0 - along) * now[s][i]);
      rise[i] += static_cast<float>(along * next[s][i]);
    }
  }
}

/// Carries what has left to the receiver.
void SurfaceRays::arrive(const Run& run, SampleRange heard, SurfaceSums& sums) const {
  const FractionalDelay delay;
  const auto count = static_cast<std::size_t>(sums_of(settings_.form));
  std::vector<util::DelayLine> lines;
  for (std::size_t s = 0; s < most_sums; ++s)
    lines.emplace_back(run.sums[s < count ? s : 0], run.start);
  const auto whole = [](double x) { return static_cast<std::int64_t>(std::ceil(x)); };
  for (std::size_t b = 0; b + 1 < run.delays.size(); ++b) {
    const double growth = run.delays[b + 1] - run.delays[b];
    const double compression = static_cast<double>(beat_) / (static_cast<double>(beat_) + growth);
    const std::int64_t left = run.start + static_cast<std::int64_t>(b) * beat_;
    const std::int64_t begin = std::max(heard.begin, left + whole(run.delays[b]));
    const std::int64_t end = std::min(heard.end, left + beat_ + whole(run.delays[b + 1]));
    for (std::int64_t n = begin; n < end; ++n) {
      const double at =
          static_cast<double>(left) + (static_cast<double>(n - left) - run.delays[b]) * compression;
      const auto place = static_cast<std::size_t>(n - heard.begin);
      if (is_still_) {
        const auto sample = static_cast<std::size_t>(std::llround(at) - run.start);
        for (std::size_t s = 0; s < count; ++s)
          sums[s][place] += static_cast<double>(run.sums[s][sample]);
        continue;
      }
      if (count == 1) {
        sums[0][place] += static_cast<double>(delay.read(lines[0], at, compression));
        continue;
      }
      const auto [first, second] = delay.read(lines[0], lines[1], at, compression);
      sums[0][place] += static_cast<double>(first);
      sums[1][place] += static_cast<double>(second);
      sums[2][place] += static_cast<double>(delay.read(lines[2], at, compression));
    }
  }
}

/// When what is heard leaves the middle.
SampleRange SurfaceRays::leaving(const Track& track, SampleRange heard) {
  SampleRange range{heard.end, heard.begin};
  for (const auto& of_receiver : track.hearings) {
    for (const Hearing& hearing : of_receiver) {
      const auto late = static_cast<std::int64_t>(hearing.delay);
      range.begin = std::min(range.begin, heard.begin - late - PreparedSource::reach);
      range.end = std::max(range.end, heard.end - late + PreparedSource::reach);
    }
  }
  return range;
}

/// What leaves the middle in a stretch between the keys, of what sounds and at the instants that
/// are asked for.
void SurfaceRays::hear_between(const std::vector<Key>& keys, std::span<const SampleRange> sounding,
                               SampleRange asked, const Track& track,
                               std::vector<std::vector<Run>>& runs) {
  std::int64_t from = 0, to = 0;  // how far filters reach
  for (const Key& key : keys) {
    for (const auto& response : key.responses) {
      from = std::min(from, response->first());
      to = std::max(to, response->last());
    }
  }
  const SampleRange stretch{keys.front().beat * beat_, keys.back().beat * beat_};
  const SampleRange active = heard_within(sounding, overlap(asked, stretch), from, to);
  if (active.empty()) return;
  const auto block = static_cast<std::int64_t>(RayResponse::block);
  series_.take(std::max(stretch.begin, active.begin - block) + from,
               std::min(stretch.end, active.end + block) + to);
  const std::int64_t blocks = (keys[1].beat - keys[0].beat) * beat_ / block;
  const auto pairs = static_cast<std::int64_t>(keys.size()) - 1;
  const auto ears = static_cast<std::int64_t>(receivers_.size());
  util::parallel_for(blocks * pairs * ears, [&](std::int64_t task) {
    const auto k = static_cast<std::size_t>(task / blocks % pairs);
    const auto r = static_cast<std::size_t>(task / blocks / pairs);
    const std::int64_t u = keys[k].beat * beat_ + task % blocks * block;
    if (u >= active.end || u + block <= active.begin) return;
    hear(keys[k], keys[k + 1], u, r, track, runs[r]);
  });
}

std::vector<SurfaceSums> SurfaceRays::sums(SampleRange heard,
                                           const std::function<void(double)>& done) {
  std::vector<SurfaceSums> all(receivers_.size());
  for (SurfaceSums& one : all) {
    for (int s = 0; s < sums_of(settings_.form); ++s)
      one[static_cast<std::size_t>(s)].assign(static_cast<std::size_t>(heard.size()), 0.0);
  }
  // Nothing has left before the start of the scene; by then it may be on its way from near places.
  const double size =
      surface_.reach(world_.rate.seconds(world_.samples)) / world_.medium.speed_of_sound;
  const double delay =
      longest_delay(world_, *surface_.body().motion, Vec3::Zero(), receivers_) + size;
  const std::int64_t at_once = beats_at_once * beat_;
  const auto samples = [&](double t) { return static_cast<std::int64_t>(rate_.samples(t)); };
  const std::int64_t first =
      floor_div(std::max(heard.begin - samples(delay), -2 * samples(size)), at_once) - 1;
  const std::int64_t last = floor_div(heard.end + FractionalDelay::half, at_once) + 1;
  // By which a place is heard before or after the middle, also if it comes at Mach 0.9.
  const std::int64_t farthest = 20 * samples(size) + 2 * FractionalDelay::half;

  // Where everything is.
  const Track track = follow(first * beats_at_once, last * beats_at_once + 1);
  // What leaves the middle.
  std::vector<std::vector<Run>> runs = make_runs(track);
  const std::vector<SampleRange> sounding = this->sounding({first * at_once, last * at_once});
  const SampleRange asked = leaving(track, heard);
  std::vector<Key> keys;
  for (std::int64_t part = first; part < last; ++part) {
    const SampleRange stretch{part * at_once, (part + 1) * at_once};
    if (heard_within(sounding, overlap(asked, stretch), -farthest, farthest).empty()) continue;
    make_keys(track, key_beats(track, part * beats_at_once), keys);
    hear_between(keys, sounding, asked, track, runs);
    done(static_cast<double>(part - first) / static_cast<double>(last - first));
  }
  // What arrives.
  util::parallel_for(static_cast<std::int64_t>(receivers_.size()), [&](std::int64_t r) {
    for (const Run& run : runs[static_cast<std::size_t>(r)])
      arrive(run, heard, all[static_cast<std::size_t>(r)]);
  });
  return all;
}

}  // namespace peal::radiation
